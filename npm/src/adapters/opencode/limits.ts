import type { PluginInput } from '@opencode-ai/plugin';

/** A model as OpenCode's messages name it. */
export interface NamedModel {
  providerID: string;
  modelID: string;
}

/** The limits of a model, in tokens. */
export interface ModelLimits {
  context: number;
  output?: number;
  name?: string;
}

/** Asks OpenCode for the limits of its models, once for each model. */
export function limitsBy(client: PluginInput['client']): (model: NamedModel | undefined) => Promise<ModelLimits | undefined> {
  const known = new Map<string, ModelLimits | undefined>();
  return async (model) => {
    if (model === undefined) return undefined;
    const key = `${model.providerID}/${model.modelID}`;
    if (!known.has(key)) known.set(key, await limitOf(client, model));
    return known.get(key);
  };
}

/** Without an answer of OpenCode's, the limits are those that the compactor was made with. */
async function limitOf(client: PluginInput['client'], { providerID, modelID }: NamedModel): Promise<ModelLimits | undefined> {
  const answer = await client.config.providers().catch(() => undefined);
  const provider = answer?.data?.providers.find(({ id }) => id === providerID);
  const { context = 0, output = 0 } = provider?.models[modelID]?.limit ?? {};
  return context > 0 ? { context, ...(output > 0 && { output }), name: `${providerID}/${modelID}` } : undefined;
}
