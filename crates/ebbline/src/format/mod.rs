//! Session formats: one reader a file. Only what is in here knows what any agent's messages look like.

mod anthropic;
mod atif;
#[cfg(test)]
mod carried_out;
mod claude_code;
mod cline;
mod codex;
mod container;
mod copilot_cli;
mod detect;
mod documents;
mod gemini_cli;
mod gemini_contents;
mod inspect_ai;
mod langchain;
mod list;
mod logs;
mod marker;
mod media;
mod openai_chat;
mod openai_responses;
pub mod opencode;
mod openhands;
mod order;
#[cfg(test)]
mod outline;
mod pi;
mod places;
mod provider_metadata;
mod pydantic_ai;
mod reading;
mod recognised;
mod recorder;
mod refuse;
mod source;
mod streams;
mod summary;
mod swe_agent;
mod telling;
pub mod tinyagent;
mod tunacode;
mod usage;
mod vercel_model;
mod vercel_ui;

use std::fmt;

use serde::Serialize;

pub use detect::{Detection, detect, detect_text};
pub use marker::{Marker, MarkerKind};
pub use pi::Entry;
pub use reading::ReadOptions;
pub use usage::ReportedInput;

pub(crate) use places::PieceKind;
pub(crate) use reading::Reading;
pub(crate) use recorder::Clearing;
pub(crate) use summary::{Ending, LEAD, Summary};

use crate::error::{Error, ErrorCode};
use crate::nearest::unknown;
use container::Container;
use recorder::Recorder;
use source::Source;

/// A session format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Format {
    /// TunaCode session files, of both generations and mixed.
    Tunacode,
    /// TinyAgent messages.
    Tinyagent,
    /// pydantic-ai messages.
    PydanticAi,
    /// pi session files, versions 1 to 3, and lists of pi messages.
    Pi,
    /// OpenCode exports, lists of its messages, and rows of its storage.
    Opencode,
    /// OpenAI Chat Completions messages.
    OpenaiChat,
    /// Anthropic Messages: requests, responses, lists.
    AnthropicMessages,
    /// Claude Code session files.
    ClaudeCode,
    /// Codex rollouts.
    Codex,
    /// Gemini CLI sessions.
    GeminiCli,
    /// Gemini API contents.
    GeminiContents,
    /// OpenAI Responses items.
    OpenaiResponses,
    /// Vercel AI SDK model messages.
    VercelModel,
    /// Vercel AI SDK UI messages.
    VercelUi,
    /// LangChain messages.
    Langchain,
    /// OpenHands events.
    Openhands,
    /// SWE-agent and mini-swe-agent trajectories.
    SweAgent,
    /// ATIF trajectories.
    Atif,
    /// GitHub Copilot CLI events.
    CopilotCli,
    /// Cline sessions.
    Cline,
    /// Inspect AI logs.
    InspectAi,
}

impl Format {
    /// Every format that is recognised, those that are read first.
    pub const ALL: &'static [Self] = &[
        Self::Tunacode,
        Self::Tinyagent,
        Self::PydanticAi,
        Self::Pi,
        Self::Opencode,
        Self::OpenaiChat,
        Self::AnthropicMessages,
        Self::ClaudeCode,
        Self::Codex,
        Self::GeminiCli,
        Self::GeminiContents,
        Self::OpenaiResponses,
        Self::VercelModel,
        Self::VercelUi,
        Self::Langchain,
        Self::Openhands,
        Self::SweAgent,
        Self::Atif,
        Self::CopilotCli,
        Self::Cline,
        Self::InspectAi,
    ];

    /// The name used in options and results, for example `openai_chat`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tunacode => "tunacode",
            Self::Tinyagent => "tinyagent",
            Self::PydanticAi => "pydantic_ai",
            Self::Pi => "pi",
            Self::Opencode => "opencode",
            Self::OpenaiChat => "openai_chat",
            Self::AnthropicMessages => "anthropic_messages",
            Self::ClaudeCode => "claude_code",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini_cli",
            Self::GeminiContents => "gemini_contents",
            Self::OpenaiResponses => "openai_responses",
            Self::VercelModel => "vercel_model",
            Self::VercelUi => "vercel_ui",
            Self::Langchain => "langchain",
            Self::Openhands => "openhands",
            Self::SweAgent => "swe_agent",
            Self::Atif => "atif",
            Self::CopilotCli => "copilot_cli",
            Self::Cline => "cline",
            Self::InspectAi => "inspect_ai",
        }
    }

    /// The name for people, for example `OpenAI Chat`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Tunacode => "TunaCode",
            Self::Tinyagent => "TinyAgent",
            Self::PydanticAi => "pydantic-ai",
            Self::Pi => "pi",
            Self::Opencode => "OpenCode",
            Self::OpenaiChat => "OpenAI Chat",
            Self::AnthropicMessages => "Anthropic Messages",
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::GeminiCli => "Gemini CLI",
            Self::GeminiContents => "Gemini contents",
            Self::OpenaiResponses => "OpenAI Responses",
            Self::VercelModel => "AI SDK model messages",
            Self::VercelUi => "AI SDK UI messages",
            Self::Langchain => "LangChain",
            Self::Openhands => "OpenHands",
            Self::SweAgent => "SWE-agent",
            Self::Atif => "ATIF",
            Self::CopilotCli => "Copilot CLI",
            Self::Cline => "Cline",
            Self::InspectAi => "Inspect AI",
        }
    }

    /// Whether there is a reader for it.
    #[must_use]
    pub fn is_supported(self) -> bool {
        self.reader().is_some()
    }

    /// What the input covers that is reported with answers; `None` for formats that report no usage.
    #[must_use]
    pub fn reported_input(self) -> Option<ReportedInput> {
        ReportedInput::of(self)
    }

    /// The format called `name`.
    ///
    /// # Errors
    ///
    /// `unknown_format`; the message lists the names there are.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL.iter().copied().find(|format| format.name() == name).ok_or_else(|| {
            let known: Vec<_> =
                Self::ALL.iter().filter(|format| format.is_supported()).map(|format| format.name()).collect();
            Error::new(ErrorCode::UnknownFormat, unknown("format", name, &known))
        })
    }

    #[expect(clippy::unnecessary_wraps, reason = "a format may be recognised before it is read")]
    fn reader(self) -> Option<Reader> {
        match self {
            Self::Tunacode => Some(tunacode::read),
            Self::Tinyagent => Some(tinyagent::read),
            Self::PydanticAi => Some(pydantic_ai::read),
            Self::Pi => Some(pi::read),
            Self::Opencode => Some(opencode::read),
            Self::OpenaiChat => Some(openai_chat::read),
            Self::AnthropicMessages => Some(anthropic::read),
            Self::ClaudeCode => Some(claude_code::read),
            Self::Codex => Some(codex::read),
            Self::OpenaiResponses => Some(openai_responses::read),
            Self::GeminiCli => Some(gemini_cli::read),
            Self::GeminiContents => Some(gemini_contents::read),
            Self::VercelModel => Some(vercel_model::read),
            Self::VercelUi => Some(vercel_ui::read),
            Self::Langchain => Some(langchain::read),
            Self::Openhands => Some(openhands::read),
            Self::SweAgent => Some(swe_agent::read),
            Self::Atif => Some(atif::read),
            Self::CopilotCli => Some(copilot_cli::read),
            Self::Cline => Some(cline::read),
            Self::InspectAi => Some(inspect_ai::read),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// Reads a source into a recorder; says where a summary would go.
type Reader = fn(&Source<'_>, &mut Recorder) -> Result<Ending, Error>;

/// Reads `text`; see [`Session::read`](crate::Session::read).
pub(crate) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Error> {
    read_source(Source::parse(text).map_err(|fault| refuse::no_json(text, fault))?, options)
}

/// Reads a session from text that is JSON Lines; `None` when it is not.
pub(crate) fn read_lines(text: &str, options: &ReadOptions) -> Option<Result<Reading, Error>> {
    let source = Source::parse(text).ok().filter(|source| source.is_lines)?;
    Some(read_source(source, options))
}

fn read_source(mut source: Source<'_>, options: &ReadOptions) -> Result<Reading, Error> {
    let text = source.text;
    let container = Container::of(&source);
    let chosen = container::choose(container.as_ref(), options).map_err(|error| error.located(text, 0))?;
    let detected = match &container {
        Some(container) => container.classify(&mut source, chosen),
        None => detect::classify(&source),
    };
    let (format, evidence) = match (options.format, detected) {
        (None, detected) => {
            let detection = detected?;
            (detection.format, detection.evidence)
        }
        (Some(wanted), Ok(found)) if found.format == wanted => (wanted, found.evidence),
        (Some(wanted), Ok(found)) if detect::excludes(&found, wanted) => {
            return Err(Error::new(
                ErrorCode::WrongFormat,
                format!("{wanted} was asked for, but this is {}: {}", found.format, found.evidence),
            )
            .located(text, source.first_byte()));
        }
        (Some(wanted), _) => (wanted, format!("{wanted}, as asked for")),
    };
    let Some(reader) = format.reader() else {
        return Err(recognised::unsupported(format.title(), &evidence).located(text, source.first_byte()));
    };
    let read = if let Some(container) = &container {
        container.read(&mut source, chosen, options, reader)
    } else {
        let mut recorder = Recorder::new(options);
        recorder.expect(source.expected_messages());
        reader(&source, &mut recorder).map(|ending| (recorder, ending))
    };
    let (recorder, ending) = read.map_err(|error| error.located(text, source.first_byte()))?;
    if recorder.transcript.messages().is_empty() && options.format.is_none() {
        return Err(Error::new(ErrorCode::NoMessages, format!("{format}, but without messages"))
            .located(text, source.first_byte()));
    }
    Ok(recorder.finish(format, evidence, ending, source))
}
