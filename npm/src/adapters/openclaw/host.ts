// What ebbline uses of OpenClaw's contract for plugins. The package of OpenClaw is too large to be a dependency of the build;
// tests/hosts/openclaw compiles these types against its own.

/** A message of OpenClaw's, which is one of pi's. */
export interface AgentMessage {
  readonly role: string;
}

export interface SessionTarget {
  agentId?: string | undefined;
  sessionId?: string | undefined;
  sessionKey?: string | undefined;
  storePath?: string | undefined;
}

/** Asks the model of the session. */
export interface HostModel {
  complete(params: {
    messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
    systemPrompt?: string;
    maxTokens?: number;
    purpose?: string;
    signal?: AbortSignal;
  }): Promise<{ text: string; stopReason?: string | undefined }>;
}

/** What OpenClaw adds to a call. */
export interface RuntimeContext {
  llm?: HostModel | undefined;
  /** Why OpenClaw compacts: `overflow`, `budget`, `timeout_recovery`, `manual`. */
  trigger?: unknown;
  modelContextWindow?: unknown;
}

export interface RuntimeSettings {
  model: { resolved: string | null; provider: string | null };
  limits: { promptTokenBudget: number | null };
}

/** What every call says about its session. */
export interface About {
  sessionId: string;
  sessionKey?: string | undefined;
  sessionTarget?: SessionTarget | undefined;
  runtimeSettings?: RuntimeSettings | undefined;
  runtimeContext?: RuntimeContext | undefined;
}

export interface Assembly<M extends AgentMessage = AgentMessage> extends About {
  messages: M[];
  tokenBudget?: number | undefined;
  model?: string | undefined;
}

export interface Compaction extends About {
  agentId?: string | undefined;
  tokenBudget?: number | undefined;
  currentTokenCount?: number | undefined;
  /** `threshold` if the user asks. */
  compactionTarget?: 'budget' | 'threshold' | undefined;
  customInstructions?: string | undefined;
  abortSignal?: AbortSignal | undefined;
}

export interface CompactionResult {
  ok: boolean;
  compacted: boolean;
  reason?: string;
  result?: { tokensBefore: number; tokensAfter?: number; details?: unknown };
}

export interface Turn extends About {
  advancementKey: string;
  messages: AgentMessage[];
  isHeartbeat?: boolean | undefined;
}

export interface Spawn {
  parentSessionKey: string;
  childSessionKey: string;
  contextMode?: 'isolated' | 'fork' | undefined;
}

/** A context engine, as far as ebbline is one. */
export interface ContextEngine {
  readonly info: {
    id: string;
    name: string;
    ownsCompaction: true;
    turnMaintenanceMode: 'background';
    acceptedHostParams: string[];
    transcriptSemantics: {
      currentTurnFence: 'before-current-turn-entry-v1';
      turnAdvancementIdempotency: 'atomic-idempotent-v1';
    };
    hostRequirements: { 'agent-run': { requiredCapabilities: 'assemble-before-prompt'[]; unsupportedMessage: string } };
  };
  ingest(params: About): Promise<{ ingested: boolean }>;
  assemble<M extends AgentMessage>(params: Assembly<M>): Promise<{ messages: M[]; estimatedTokens: number }>;
  compact(params: Compaction): Promise<CompactionResult>;
  maintain(params: About & { abortSignal?: AbortSignal | undefined }): Promise<{
    changed: boolean;
    bytesFreed: number;
    rewrittenEntries: number;
  }>;
  commitTurn(params: Turn): Promise<{ status: 'committed' | 'duplicate' }>;
  prepareSubagentSpawn(params: Spawn): Promise<{ rollback: () => Promise<void> } | undefined>;
  onSubagentEnded(params: { childSessionKey: string; reason: 'deleted' | 'completed' | 'swept' | 'released' }): Promise<void>;
}

/** Who calls a tool or a command. */
export interface Caller {
  agentId?: string | undefined;
  sessionKey?: string | undefined;
  sessionId?: string | undefined;
  args?: string | undefined;
  runtimeContext?: { llm?: HostModel | undefined } | undefined;
}

export interface Tool {
  name: string;
  label: string;
  description: string;
  parameters: object;
  catalogMode: 'direct-only';
  execute(id: string, params: unknown): Promise<{ content: { type: 'text'; text: string }[]; details: object }>;
}

/** What a plugin registers itself with. */
export interface PluginApi {
  pluginConfig?: Record<string, unknown> | undefined;
  logger: { info(message: string): void; warn(message: string): void };
  runtime: { state: { resolveStateDir(): string } };
  session: {
    state: {
      registerSessionExtension(extension: {
        namespace: string;
        description: string;
        project(about: { sessionKey: string }): Status | undefined;
        cleanup(about: { reason: string; sessionKey?: string | undefined }): Promise<void>;
      }): void;
    };
  };
  registerContextEngine(id: string, factory: () => ContextEngine): void;
  registerTool(factory: (caller: Caller) => Tool, options: { names: string[] }): void;
  registerCommand(command: {
    name: string;
    description: string;
    acceptsArgs: true;
    handler(caller: Caller): Promise<{ text: string }>;
  }): void;
}

/** What OpenClaw shows of a session. */
export type Status = { tokens: number; window: number | null; sent: number; history: number };

/** A plugin of OpenClaw. */
export interface Plugin {
  id: string;
  name: string;
  description: string;
  register(api: PluginApi): void;
}
