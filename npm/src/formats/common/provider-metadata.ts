// The provider's metadata that the AI SDK stores with each part; the counterpart of `format/provider_metadata.rs`.

import { type Members, isObject } from '../../values.js';

const OPAQUE = ['signature', 'redactedData', 'reasoningEncryptedContent', 'thoughtSignature'];
const ITEM = ['itemId'];

/** The signature or encrypted content in a part's metadata, under any provider's name. */
export function signatureOf(metadata: unknown): string | undefined {
  return find(metadata, OPAQUE);
}

/** The id under which the provider stores a piece of reasoning. */
export function itemOf(metadata: unknown): string | undefined {
  return find(metadata, ITEM);
}

function find(metadata: unknown, keys: readonly string[]): string | undefined {
  if (metadata === undefined || !isObject(metadata)) return undefined;
  for (const provider of Object.values(metadata) as (Members | null | undefined)[]) {
    for (const key of keys) {
      const found = provider?.[key];
      if (typeof found === 'string' && found !== '') return found;
    }
  }
  return undefined;
}
