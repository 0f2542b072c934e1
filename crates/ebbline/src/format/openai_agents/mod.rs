//! Items of the OpenAI Agents SDK for JavaScript: what `run` takes and returns, and what its sessions store.
//!
//! Structures from `dist/types/protocol` of npm `@openai/agents-core` 0.20. What is sent of them was found in
//! `openaiResponsesConverter` and `openaiChatCompletionsConverter` of `@openai/agents-openai` 0.20.

mod entry;
mod spelling;
mod summary;

pub(super) use entry::ENTRY;

use self::spelling::AGENTS;
use super::openai_responses;
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::source::Source;
use crate::error::Error;

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every reader")]
pub(super) fn read(source: &Source<'_>, recorder: &mut Recorder) -> Result<SummaryPlacement, Error> {
    Ok(openai_responses::read_as(source, &AGENTS, recorder))
}

#[cfg(test)]
mod tests;
