//! The bytes themselves: numbers, texts, columns, and what requests and answers have in common.

use ebbline::{Policy, profiles};

use crate::error_text::UserError;
use crate::knob::{Knob, change};
use crate::life::{Event, EventKind};
use crate::readable::Block;
use crate::view::At;

/// Stands for a missing number.
pub(super) const NONE: u64 = u64::MAX;

#[derive(Debug, Default)]
pub(super) struct Writer(pub(super) Vec<u8>);

impl Writer {
    pub(super) fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn numbers(&mut self, numbers: &[u64]) {
        for number in numbers {
            self.number(*number);
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(super) fn texts(&mut self, texts: &[String]) {
        self.number(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
    }

    pub(super) fn words(&mut self, words: &[u32]) {
        self.number(words.len() as u64 * 4);
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    pub(super) fn problem(&mut self, problem: &UserError) {
        for text in [&problem.code, &problem.sentence, &problem.place, &problem.snippet] {
            self.text(text);
        }
    }

    pub(super) fn policy(&mut self, policy: &Policy) {
        self.text(policy.profile.trim_end_matches('*'));
        self.numbers(&[u64::from(policy.prune.enabled), u64::from(policy.retain.enabled)]);
        // The window first: other knobs may be shares of it.
        self.number(Knob::Context.value(policy));
        for knob in Knob::ALL {
            self.number(knob.value(policy));
        }
        self.number(policy.prune.protected_tools.len() as u64);
        for tool in &policy.prune.protected_tools {
            self.text(tool);
        }
    }

    /// A moment, as a list of none or one.
    pub(super) fn at(&mut self, at: Option<&At>) {
        self.number(u64::from(at.is_some()));
        if let Some(At { history, request }) = at {
            self.number(u64::from(*request));
            self.policy(history);
        }
    }

    pub(super) fn events(&mut self, events: &[Event]) {
        self.number(events.len() as u64);
        for Event { request, kind, sizes, outputs, messages } in events {
            let [request, outputs, messages] = [request, outputs, messages].map(|number| u64::from(*number));
            self.numbers(&[request, *kind as u64, sizes.0, sizes.1, outputs, messages]);
        }
    }

    pub(super) fn blocks(&mut self, blocks: &[Block]) {
        self.number(blocks.len() as u64);
        for block in blocks {
            self.text(&block.label);
            self.text(&block.text);
        }
    }
}

/// Reads bytes; `None` if they end too early or are invalid.
#[derive(Debug)]
pub(super) struct Reader<'b>(pub(super) &'b [u8]);

impl<'b> Reader<'b> {
    pub(super) fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    pub(super) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(super) fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.size()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn column(&mut self) -> Option<Vec<u8>> {
        self.bytes().map(<[u8]>::to_vec)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.column()?).ok()
    }

    pub(super) fn words(&mut self) -> Option<Vec<u32>> {
        Some(self.bytes()?.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    pub(super) fn problem(&mut self) -> Option<UserError> {
        Some(UserError {
            code: self.text()?,
            sentence: self.text()?,
            place: self.text()?,
            snippet: self.text()?,
        })
    }

    pub(super) fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.size()?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(read(self)?);
        }
        Some(list)
    }

    pub(super) fn blocks(&mut self) -> Option<Vec<Block>> {
        self.list(|from| Some(Block { label: from.text()?, text: from.text()? }))
    }

    pub(super) fn at(&mut self) -> Option<Vec<At>> {
        self.list(|from| {
            let request = u32::try_from(from.number()?).ok()?;
            Some(At { request, history: *from.policy()? })
        })
    }

    pub(super) fn events(&mut self) -> Option<Vec<Event>> {
        self.list(|from| {
            let [request, kind, before, after, outputs, messages] = numbers(from)?;
            let narrow = |number: u64| u32::try_from(number).ok();
            Some(Event {
                request: narrow(request)?,
                kind: if kind == EventKind::Summary as u64 { EventKind::Summary } else { EventKind::Prune },
                sizes: (before, after),
                outputs: narrow(outputs)?,
                messages: narrow(messages)?,
            })
        })
    }

    pub(super) fn policy(&mut self) -> Option<Box<Policy>> {
        let mut policy = profiles::find(&self.text()?)?.policy();
        let (prune, retain) = (self.number()? == 1, self.number()? == 1);
        Knob::Context.set(&mut policy, self.number()?);
        for knob in Knob::ALL {
            let value = self.number()?;
            if value != knob.value(&policy) {
                knob.set(&mut policy, value);
            }
        }
        let tools = self.list(Self::text)?;
        change(&mut policy, |policy| {
            (policy.prune.enabled, policy.retain.enabled) = (prune, retain);
            policy.prune.protected_tools = tools;
        });
        Some(Box::new(policy))
    }
}

pub(super) fn optional(number: Option<usize>) -> u64 {
    number.map_or(NONE, |number| number as u64)
}

pub(super) fn numbers<const N: usize>(from: &mut Reader<'_>) -> Option<[u64; N]> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = from.number()?;
    }
    Some(numbers)
}
