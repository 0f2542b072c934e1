//! The table of formats. One row registers a format.

use serde::Serialize;

use super::chat::FaultOf;
use super::entry::{Description, FormatEntry, Reader};
use super::layout::Layout;
use super::signs::{Shows, Sign};
use crate::rules::Rules;

/// Defines the enum of formats and the table from one row per format: its documentation, its variant, and the folder
/// whose `ENTRY` contains the rest.
macro_rules! formats {
    ($($(#[doc = $words:literal])+ $variant:ident = $folder:ident,)+) => {
        /// A session format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Format {
            $($(#[doc = $words])+ $variant,)+
        }

        /// Every format with the entry of its folder.
        const TABLE: &[(Format, FormatEntry)] = &[$((Format::$variant, super::$folder::ENTRY),)+];

        // Each function reads one field of a row at compile time, so that a program that only uses the names contains
        // no reader.
        impl Format {
            /// Every format that ebbline reads.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            pub(super) fn description(self) -> &'static Description {
                match self { $(Self::$variant => const { super::$folder::ENTRY.description },)+ }
            }

            pub(crate) fn rules(self) -> Rules {
                match self { $(Self::$variant => const { super::$folder::ENTRY.rules },)+ }
            }

            pub(super) fn reader(self) -> Reader {
                match self { $(Self::$variant => const { super::$folder::ENTRY.read },)+ }
            }

            pub(super) fn fault_of(self) -> Option<FaultOf> {
                match self { $(Self::$variant => const { super::$folder::ENTRY.fault_of },)+ }
            }

            pub(crate) fn layout(self) -> Option<&'static Layout> {
                match self { $(Self::$variant => const { super::$folder::ENTRY.layout },)+ }
            }
        }
    };
}

formats! {
    /// TunaCode session files, of both generations and mixed.
    Tunacode = tunacode,
    /// TinyAgent messages.
    Tinyagent = tinyagent,
    /// pydantic-ai messages.
    PydanticAi = pydantic_ai,
    /// pi session files, versions 1 to 3, and lists of pi messages.
    Pi = pi,
    /// OpenCode exports, lists of its messages, and rows of its storage.
    Opencode = opencode,
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
}

/// The signs of all formats in the order of detection.
pub(super) static SIGNS: [(Format, Sign); COUNT] = in_order();

/// How many signs there are.
const COUNT: usize = {
    let (mut count, mut rows) = (0, TABLE);
    while let [(_, entry), rest @ ..] = rows {
        count += entry.signs.len();
        rows = rest;
    }
    count
};

/// Sorts the signs at compile time. Two signs of the same rank are a compile error.
#[expect(
    clippy::indexing_slicing,
    reason = "the compiler runs it: an index outside is an error of the build"
)]
const fn in_order() -> [(Format, Sign); COUNT] {
    let mut sorted = [(Format::Tunacode, Sign::conversation(0, |_| false)); COUNT];
    let (mut count, mut rows) = (0, TABLE);
    while let [(format, entry), rest @ ..] = rows {
        let mut signs = entry.signs;
        while let [sign, others @ ..] = signs {
            let mut place = count;
            while place > 0 && sorted[place - 1].1.order() > sign.order() {
                sorted[place] = sorted[place - 1];
                place -= 1;
            }
            assert!(
                place == 0 || sorted[place - 1].1.order() != sign.order(),
                "two signs have the same rank"
            );
            sorted[place] = (*format, *sign);
            count += 1;
            signs = others;
        }
        rows = rest;
    }
    sorted
}

/// The signs of all formats in the order of detection.
pub(super) fn signs() -> impl Iterator<Item = (Format, Shows)> {
    SIGNS.iter().map(|(format, Sign { shows, .. })| (*format, *shows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::signs::Shows;

    /// The formats with signs of one kind, in the order of detection.
    fn order(is_kind: fn(&Shows) -> bool) -> String {
        let names = SIGNS.iter().filter(|(_, sign)| is_kind(&sign.shows)).map(|(format, _)| format.name());
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_most_specific_sign_is_looked_for_first() {
        assert_eq!(
            order(|shows| matches!(shows, Shows::Document(_) | Shows::ListIn { .. })),
            "atif swe_agent swe_agent inspect_ai inspect_ai opencode opencode gemini_cli tunacode cline claude_code claude_code pi \
             openai_agents openai_responses openai_chat gemini_contents bedrock_converse anthropic_messages openai_responses gemini_contents openhands \
             openhands openhands langchain"
        );
        assert_eq!(
            order(|shows| matches!(shows, Shows::Log(_))),
            "pi codex codex copilot_cli gemini_cli gemini_cli claude_code openhands"
        );
        assert_eq!(
            order(|shows| matches!(shows, Shows::List { .. })),
            "langchain langchain langchain tunacode pydantic_ai opencode opencode opencode openhands atif mastra vercel_ui \
             vercel_ui gemini_contents gemini_contents tinyagent tinyagent pi openai_agents openai_responses vercel_model vercel_model \
             bedrock_converse anthropic_messages anthropic_messages anthropic_messages openai_chat bedrock_converse \
             anthropic_messages openai_chat"
        );
        assert_eq!(
            order(|shows| matches!(shows, Shows::Stream(_))),
            "anthropic_messages openai_chat openai_responses gemini_contents bedrock_converse vercel_ui"
        );
    }

    #[test]
    fn a_format_is_called_the_same_in_options_and_in_json() {
        for (format, entry) in TABLE {
            assert_eq!(serde_json::to_string(format).unwrap(), format!("\"{}\"", entry.description.name));
            assert_eq!(Format::from_name(format.name()).unwrap(), *format);
        }
        assert_eq!(TABLE.len(), Format::ALL.len());
    }
}
