// The provider's metadata that the AI SDK stores with each part; the counterpart of `format/provider_metadata.rs`.

const OPAQUE = ['signature', 'redactedData', 'reasoningEncryptedContent', 'thoughtSignature'];
const ITEM = ['itemId'];

/** The signature or encrypted content in a part's metadata, under any provider's name. */
export function signatureOf(metadata) {
  return find(metadata, OPAQUE);
}

/** The id under which the provider stores a piece of reasoning. */
export function itemOf(metadata) {
  return find(metadata, ITEM);
}

function find(metadata, keys) {
  if (metadata === undefined) return undefined;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return undefined;
  for (const provider of Object.values(metadata)) {
    for (const key of keys) {
      const found = provider?.[key];
      if (typeof found === 'string' && found !== '') return found;
    }
  }
  return undefined;
}
