//! The formats: one row registers one. It has the format's documentation, its variant, and its folder.

/// Hands the rows to a macro.
macro_rules! rows {
    ($macro:ident) => {
        $macro! {
            /// TunaCode session files, of both generations and mixed.
            Tunacode = tunacode,
            /// TinyAgent messages.
            Tinyagent = pub tinyagent,
            /// pydantic-ai messages.
            PydanticAi = pydantic_ai,
            /// pi session files, versions 1 to 3, and lists of pi messages.
            Pi = pi,
            /// OpenCode exports, lists of its messages, and rows of its storage.
            Opencode = pub opencode,
            /// OpenAI Chat Completions messages.
            OpenaiChat = openai_chat,
            /// Anthropic Messages: requests, responses, lists.
            AnthropicMessages = anthropic_messages,
            /// Claude Code session files.
            ClaudeCode = claude_code,
            /// Codex rollouts.
            Codex = codex,
            /// Gemini CLI sessions.
            GeminiCli = gemini_cli,
            /// Gemini API contents.
            GeminiContents = gemini_contents,
            /// OpenAI Responses items.
            OpenaiResponses = openai_responses,
            /// Vercel AI SDK model messages.
            VercelModel = vercel_model,
            /// Vercel AI SDK UI messages.
            VercelUi = vercel_ui,
            /// LangChain messages.
            Langchain = langchain,
            /// OpenHands events.
            Openhands = openhands,
            /// SWE-agent and mini-swe-agent trajectories.
            SweAgent = swe_agent,
            /// ATIF trajectories.
            Atif = atif,
            /// GitHub Copilot CLI events.
            CopilotCli = copilot_cli,
            /// Cline sessions.
            Cline = cline,
            /// Inspect AI logs.
            InspectAi = inspect_ai,
            /// Messages of Amazon Bedrock's Converse: requests, responses, lists.
            BedrockConverse = bedrock_converse,
            /// Items of the OpenAI Agents SDK.
            OpenaiAgents = openai_agents,
            /// Messages of a Mastra store.
            Mastra = mastra,
            /// Goose sessions, and lists of its messages.
            Goose = goose,
            /// Contexts of Kimi CLI.
            KimiCli = kimi_cli,
            /// Sessions and events of Google ADK.
            GoogleAdk = google_adk,
            /// Data sets of conversations, as `ShareGPT` has them.
            Sharegpt = sharegpt,
            /// Results and messages of tau2-bench.
            Tau2 = tau2,
            /// Sessions and messages of Microsoft Agent Framework.
            AgentFramework = agent_framework,
            /// Chat histories of Semantic Kernel.
            SemanticKernel = semantic_kernel,
            /// States and messages of `AutoGen`.
            Autogen = autogen,
            /// Sessions of Factory's droid.
            Droid = droid,
            /// Threads of Amp.
            Amp = amp,
            /// Chats of VS Code with Copilot.
            VscodeChat = vscode_chat,
            /// Transcripts of Cursor.
            Cursor = cursor,
            /// Sessions of Kiro CLI.
            KiroCli = kiro_cli,
        }
    };
}

pub(super) use rows;
