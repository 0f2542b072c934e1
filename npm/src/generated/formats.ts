// Written by `cargo xtask gen` from the engine's definitions. Change those, not this file.

import type { Format } from '../formats/format.js';
import { langchain } from '../formats/langchain.js';
import { tunacode } from '../formats/recognized.js';
import { pydanticAi } from '../formats/recognized.js';
import { goose } from '../formats/goose.js';
import { opencode } from '../formats/opencode.js';
import { googleAdk } from '../formats/recognized.js';
import { sharegpt } from '../formats/recognized.js';
import { tau2 } from '../formats/recognized.js';
import { agentFramework } from '../formats/recognized.js';
import { semanticKernel } from '../formats/recognized.js';
import { autogen } from '../formats/recognized.js';
import { amp } from '../formats/recognized.js';
import { openhands } from '../formats/recognized.js';
import { atif } from '../formats/recognized.js';
import { mastra } from '../formats/mastra.js';
import { vercelUi } from '../formats/vercel-ui.js';
import { geminiContents } from '../formats/gemini-contents.js';
import { tinyagent } from '../formats/recognized.js';
import { pi } from '../formats/pi.js';
import { openaiAgents } from '../formats/openai-agents.js';
import { openaiResponses } from '../formats/openai-responses.js';
import { vercelModel } from '../formats/vercel-model.js';
import { bedrockConverse } from '../formats/bedrock-converse.js';
import { anthropicMessages } from '../formats/anthropic-messages.js';
import { openaiChat } from '../formats/openai-chat.js';

/** The most specific format first: if formats share a trait, the order decides. */
export const FORMATS: readonly Format[] = [
  langchain, tunacode, pydanticAi, goose, opencode, googleAdk, sharegpt, tau2, agentFramework, semanticKernel, autogen,
  amp, openhands, atif, mastra, vercelUi, geminiContents, tinyagent, pi, openaiAgents, openaiResponses, vercelModel,
  bedrockConverse, anthropicMessages, openaiChat,
];
