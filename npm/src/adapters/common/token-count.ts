/** A number of tokens as the AI SDK reports it: language models also say what it is made of. */
export type TokenCount = number | { total?: number | undefined } | null | undefined;

/** All of the tokens. */
export function tokensIn(count: TokenCount): number | undefined {
  return (typeof count === 'object' ? count?.total : count) ?? undefined;
}
