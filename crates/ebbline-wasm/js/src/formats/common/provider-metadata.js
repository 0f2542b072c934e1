// What the AI SDK keeps of a provider with each part; the counterpart of `format/provider_metadata.rs`.

const OPAQUE = ['signature', 'redactedData', 'reasoningEncryptedContent', 'thoughtSignature'];
const ITEM = ['itemId'];

/** The signature or encrypted content among a part's metadata, under the name of any provider. */
export function signatureOf(metadata) {
  return find(metadata, OPAQUE);
}

/** The name under which the provider keeps a piece of reasoning itself. */
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
