//! The messages that passes look at.

use std::collections::HashMap;

use super::Spots;
use crate::decide::followed_results;
use crate::format::PieceForm;
use crate::length::Length;
use crate::placeholder::{self, Gone};
use crate::plan::{Becomes, Given, Reason};
use crate::policy::Policy;
use crate::summary::Original;
use crate::transcript::{Message, Output, Part, PartKind, Role, Transcript};

/// The messages that passes look at, and where their parts are in JSON.
pub(super) struct Scene<'s, 'f> {
    pub(super) original: Original<'s, 's>,
    pub(super) policy: &'s Policy,
    /// Where the newest answer begins: what is in it or behind it stays.
    pub(super) answer: usize,
    pub(super) spots_of: &'f dyn Fn(usize) -> Spots,
    /// The parts of calls and results by the number of the call; the newest ones where a number repeats.
    pub(super) calls: HashMap<u32, usize>,
    pub(super) results: HashMap<u32, usize>,
    /// The message of each part.
    pub(super) messages: Vec<u32>,
}

impl<'s, 'f> Scene<'s, 'f> {
    pub(super) fn new(
        original: Original<'s, 's>,
        policy: &'s Policy,
        spots_of: &'f dyn Fn(usize) -> Spots,
    ) -> Self {
        let transcript = original.transcript;
        let messages = transcript.messages();
        let answers = |message: &Message| message.active && message.role == Role::Assistant;
        let mut answer = messages.iter().rposition(answers).unwrap_or(0);
        while answer > 0 && messages.get(answer).is_some_and(|message| message.continues) {
            answer -= 1;
        }
        let (mut calls, mut results, mut of_part) = (HashMap::new(), HashMap::new(), Vec::new());
        for (index, message) in messages.iter().enumerate() {
            for part in transcript.part_range(index) {
                of_part.push(index as u32);
                let Some(found) = transcript.parts().get(part).filter(|_| message.active) else { continue };
                match (found.kind, found.call) {
                    (PartKind::ToolCall, Some(call)) => calls.insert(call, part),
                    (PartKind::ToolResult, Some(call)) => results.insert(call, part),
                    _ => None,
                };
            }
        }
        Self { original, policy, answer, spots_of, calls, results, messages: of_part }
    }

    /// The parts that may give way, with their indices, oldest first: of messages that are sent, that an answer has
    /// followed, and that are neither pinned nor summaries nor of the system.
    pub(super) fn parts(&self) -> impl DoubleEndedIterator<Item = (usize, &Part)> {
        let transcript = self.original.transcript;
        transcript.parts().iter().enumerate().filter(|(part, _)| {
            let message = self.message_of(*part);
            message < self.answer
                && transcript
                    .messages()
                    .get(message)
                    .is_some_and(|message| message.active && !message.stays() && !message.summary)
        })
    }

    /// The message of a part.
    pub(super) fn message_of(&self, part: usize) -> usize {
        self.messages.get(part).map_or(0, |message| *message as usize)
    }

    pub(super) fn part(&self, part: usize) -> Option<&Part> {
        self.original.transcript.parts().get(part)
    }

    pub(super) fn text_of(&self, part: usize) -> std::borrow::Cow<'s, str> {
        self.original.pieces.text_of(self.original.source, part)
    }

    /// The name of the tool that a call or result is of.
    pub(super) fn tool_of(&self, part: &Part) -> &str {
        part.tool.and_then(|tool| self.original.transcript.tool_name(tool)).unwrap_or_default()
    }

    /// The result of a call.
    pub(super) fn result_of(&self, call: &Part) -> Option<(usize, &Part)> {
        let result = *self.results.get(&call.call?)?;
        Some((result, self.part(result)?))
    }

    /// Where the parts of a message are in its JSON.
    pub(super) fn spots(&self, message: usize) -> Spots {
        (self.spots_of)(message)
    }

    /// The tokens of a part by itself.
    pub(super) fn tokens(&self, part: &Part) -> u64 {
        let estimator = &self.policy.estimator;
        estimator.alone(estimator.weigh(self.original.transcript, part))
    }

    /// An output that is replaced by a placeholder; `None` where it has to stay, or would not become smaller.
    pub(super) fn cleared(&self, part: usize, reason: Reason) -> Option<Given> {
        let output = self.part(part)?;
        let prune = &self.policy.prune;
        let may_go = match output.output {
            Output::Ordinary => true,
            Output::Error => prune.errors,
            _ => false,
        };
        let tool = self.tool_of(output);
        if !may_go || prune.protected_tools.iter().any(|protected| protected == tool) {
            return None;
        }
        let message = self.original.transcript.messages().get(self.message_of(part))?;
        let differs = placeholder::differs_for(prune, self.original.transcript, output);
        let placeholder = if differs && !message.has_prune_field {
            let arguments =
                output.call.and_then(|call| self.calls.get(&call)).map(|call| self.text_of(*call));
            let text = self.text_of(part);
            let arguments = arguments.unwrap_or_default();
            let ended = || crate::summary::outcome(tool, &arguments, &text, output.output.has_failed());
            let outcome = placeholder::says_outcome(prune).then(ended).flatten();
            placeholder::written(
                self.policy,
                &Gone {
                    tool,
                    arguments: &arguments,
                    text: &text,
                    outcome,
                    tokens: self.tokens(output),
                    names: &[],
                },
            )
        } else {
            prune.bare_placeholder().to_owned()
        };
        // As the boundary counts them: what is no longer than a placeholder may be one, or an excerpt.
        let longest = if message.has_prune_field {
            Length::of(crate::marks::PLACEHOLDER)
        } else {
            placeholder::longest(
                placeholder::Lengths::of(prune),
                prune,
                &self.policy.estimator,
                self.tokens(output),
            )
        };
        (self.tokens(output) > self.policy.estimator.tokens_of_text(longest))
            .then(|| self.given(part, reason, Becomes::Cleared(placeholder)))
    }

    /// The images and files inside a result.
    pub(super) fn enclosed(&self, result: usize) -> Vec<usize> {
        enclosed(self.original.transcript, self.message_of(result), result)
    }

    pub(super) fn given(&self, part: usize, reason: Reason, becomes: Becomes) -> Given {
        let message = self.message_of(part);
        let at = part - self.original.transcript.part_range(message).start;
        Given { message, at, part, reason, becomes }
    }
}

/// The images and files inside a result, which is a part of `message`.
pub(super) fn enclosed(transcript: &Transcript, message: usize, result: usize) -> Vec<usize> {
    let first = transcript.part_range(message).start;
    let followed = followed_results(transcript.parts_of(message)).into_iter();
    followed.filter(|(_, of)| first + of == result).map(|(image, _)| first + image).collect()
}

/// The length of what stands in the place of an output of `message`.
pub(super) fn cleared_length(policy: &Policy, message: &Message, placeholder: &str) -> Length {
    let reference = if policy.prune.reference { crate::marks::NO_CALL } else { "" };
    if message.has_prune_field {
        Length::of(crate::marks::PLACEHOLDER)
    } else {
        Length::of(&format!("{placeholder}{reference}"))
    }
}

/// Whether a call's arguments stand in a string.
pub(super) fn is_quoted(original: Original<'_, '_>, call: usize) -> bool {
    let [piece] = original.pieces.of(call) else { return false };
    let is_string = || original.source.get(piece.span()).is_some_and(|raw| raw.starts_with('"'));
    piece.form == PieceForm::Text || is_string()
}
