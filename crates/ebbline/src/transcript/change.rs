//! Changes of what a transcript already holds. Whatever changes it from outside the engine removes its origin, so that a
//! plan of it is applied to no text.

use std::num::NonZeroU32;

use super::{MOST_KEPT, Message, Output, Part, PartKind, Parts, Transcript, Turn};
use crate::length::classes::TOKEN;
use crate::origin::Origin;

/// What a unit of encrypted content costs, in 64ths of a token: four of base64 are about a token of what they stand for.
const ENCRYPTED: usize = TOKEN as usize / 4;

/// Bytes of a signature that are no text: Anthropic's are some 170 bytes longer than the thinking that they hold.
const SEAL: usize = 256;

impl Transcript {
    /// Removes all messages after the first `messages`, with their parts. Tool names and call ids keep their
    /// numbers.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.truncate(0);
    /// assert!(transcript.parts().is_empty());
    /// ```
    pub fn truncate(&mut self, messages: usize) {
        let Some(first) = self.of_message.get(messages) else { return };
        self.origin = Origin::default();
        self.parts.truncate(first.first as usize);
        self.of_message.truncate(messages);
        self.messages.truncate(messages);
    }

    /// Replaces a part; another kind of part must not take its place.
    pub(crate) fn replace(&mut self, index: usize, part: Part) {
        self.origin = Origin::default();
        if let Some(old) = self.parts.get_mut(index) {
            *old = part;
        }
    }

    /// Says that an output must stay as it is.
    pub(crate) fn seal(&mut self, index: usize) {
        if let Some(part) = self.parts.get_mut(index).filter(|part| part.kind == PartKind::ToolResult) {
            part.output = Output::Sealed;
        }
    }

    /// Sets the length by classes of a part.
    pub(crate) fn set_classed(&mut self, index: usize, classed: u32) {
        if let Some(part) = self.parts.get_mut(index) {
            part.length.classed = classed;
        }
    }

    /// Marks the newest part as signed.
    ///
    /// `encrypted` units of base64 stand for what the part does not say. Four of them are a token. A signature that can hold
    /// no more than the part's own text is that text once more, and costs nothing beside it.
    pub(crate) fn sign(&mut self, encrypted: usize) {
        if let Some(part) = self.parts.last_mut() {
            part.signed = true;
            let said = part.length.utf16 as usize;
            let is_sealed_text = said > 0 && encrypted / 4 * 3 <= said + SEAL;
            let holds = matches!(part.kind, PartKind::Thinking | PartKind::Summary | PartKind::Other);
            if holds && !is_sealed_text {
                let cost = u32::try_from(encrypted * ENCRYPTED).unwrap_or(u32::MAX);
                part.length.classed = part.length.classed.max(cost);
                part.length.classed_json = part.length.classed_json.max(cost);
            }
        }
    }

    /// Sets whether the agent would send message `index` now.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.set_active(0, false);
    /// assert!(!transcript.messages()[0].active);
    /// ```
    pub fn set_active(&mut self, index: usize, active: bool) {
        self.origin = Origin::default();
        if let Some(message) = self.messages.get_mut(index) {
            message.active = active;
        }
    }

    /// Says anew whether the newest message begins a turn.
    pub(crate) fn set_newest_turn(&mut self, turn: Turn) {
        if let Some(message) = self.messages.last_mut() {
            message.turn = turn;
        }
    }

    /// Records that the newest message continues the message before it: no boundary may come between them.
    pub(crate) fn mark_continuing(&mut self) {
        if let Some(message) = self.messages.last_mut() {
            message.continues = true;
        }
    }

    /// Records that message `index` begins an answer of its own.
    pub(crate) fn begin_answer(&mut self, index: usize) {
        if let Some(message) = self.messages.get_mut(index) {
            message.continues = false;
        }
    }

    /// Records that message `index` is sent even when a summary replaces its surroundings.
    pub(crate) fn pin(&mut self, index: usize) {
        if let Some(message) = self.messages.get_mut(index) {
            message.pinned = true;
        }
    }

    /// Sets the usage reported with the newest message.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.report_usage(Some(1_200));
    /// assert_eq!(transcript.messages()[0].usage, Some(1_200));
    /// ```
    pub fn report_usage(&mut self, usage: Option<u32>) {
        self.origin = Origin::default();
        if let Some(message) = self.messages.last_mut() {
            message.usage = usage;
        }
    }

    /// Sets the usage reported with message `index`.
    pub(crate) fn set_usage(&mut self, index: usize, usage: Option<u32>) {
        if let Some(message) = self.messages.get_mut(index) {
            message.usage = usage;
        }
    }

    /// Sets the length of the newest part in the notation of the format's own system.
    pub(crate) fn set_native(&mut self, native: Option<NonZeroU32>) {
        if let Some(part) = self.parts.last_mut() {
            part.native = native;
        }
    }

    /// Makes message `index` a summary of what came before, with the user's role.
    pub(crate) fn set_summary(&mut self, index: usize) {
        if let Some(message) = self.messages.get_mut(index) {
            *message = Message { active: message.active, usage: message.usage, ..Message::earlier_summary() };
        }
    }

    /// Records how many of the messages behind the summary `index` existed already when it was written.
    pub(crate) fn set_kept(&mut self, index: usize, kept: usize) {
        if let Some(message) = self.messages.get_mut(index) {
            message.kept = Some(u32::try_from(kept).unwrap_or(u32::MAX).min(MOST_KEPT));
        }
    }

    /// Removes the usage reported with message `index`, because it describes another context than the present
    /// one.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.report_usage(Some(1_200));
    /// transcript.forget_usage(0);
    /// assert_eq!(transcript.messages()[0].usage, None);
    /// ```
    pub fn forget_usage(&mut self, index: usize) {
        self.origin = Origin::default();
        if let Some(message) = self.messages.get_mut(index) {
            message.usage = None;
        }
    }

    /// Appends the messages of another transcript. Its call ids name other calls, even where they are equal to
    /// ids of this one.
    pub(crate) fn append(&mut self, other: Self) {
        let tools: Vec<u32> = other.tools.iter().map(|tool| self.tool(&tool.name)).collect();
        let (first_part, first_call) = (self.parts.len() as u32, self.calls);
        self.calls += other.calls;
        self.added.push((first_call, other.call_index));
        self.paired_by_place.extend(other.paired_by_place.into_iter().map(|call| first_call + call));
        self.messages.extend(other.messages);
        self.of_message.extend(
            other.of_message.into_iter().map(|parts| Parts { first: first_part + parts.first, ..parts }),
        );
        self.parts.extend(other.parts.into_iter().map(|part| Part {
            call: part.call.map(|call| first_call + call),
            tool: part.tool.and_then(|tool| tools.get(tool as usize).copied()),
            ..part
        }));
    }

    /// Reorders the messages. `order` holds each existing index exactly once.
    pub(crate) fn reorder(&mut self, order: &[usize]) {
        let messages: Vec<_> = order.iter().filter_map(|index| self.messages.get(*index).copied()).collect();
        let of_message: Vec<_> =
            order.iter().filter_map(|index| self.of_message.get(*index).copied()).collect();
        if messages.len() == self.messages.len() {
            self.messages = messages;
            self.of_message = of_message;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::length::Length;
    use crate::transcript::{Message, Part, PartKind, Transcript};

    #[test]
    fn a_signature_counts_what_its_text_does_not_say() {
        let said = "We need to look at the parser first. ".repeat(20);
        for (text, encrypted, expected) in [
            // Anthropic's signature of the thinking that stands beside it.
            (said.as_str(), 1_210, Length::of(&said).classed),
            // The thinking is a summary, or is not there.
            (said.as_str(), 4_000, 64_000),
            ("", 400, 6_400),
        ] {
            let mut transcript = Transcript::default();
            transcript.begin(Message::person());
            transcript.push(Part::new(PartKind::Thinking, Length::of(text)));
            transcript.sign(encrypted);
            assert_eq!(transcript.parts()[0].length.classed, expected, "{encrypted}");
        }
    }
}
