/** Asks OpenCode for the limits of its models, once for each model. */
export function limitsBy(
  client: any,
): (model: { providerID: string; modelID: string } | undefined) => Promise<{ context: number; output?: number } | undefined> {
  const known = new Map();
  return async (model) => {
    if (model === undefined) return undefined;
    const key = `${model.providerID}/${model.modelID}`;
    if (!known.has(key)) known.set(key, await limitOf(client, model));
    return known.get(key);
  };
}

/** Without an answer of OpenCode's, the limits are those that the compactor was made with. */
async function limitOf(client, { providerID, modelID }) {
  const answer = await client.config.providers().catch(() => undefined);
  const provider = answer?.data?.providers.find(({ id }) => id === providerID);
  const { context, output } = provider?.models[modelID]?.limit ?? {};
  return context > 0 ? { context, ...(output > 0 && { output }) } : undefined;
}
