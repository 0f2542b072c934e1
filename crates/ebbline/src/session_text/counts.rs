//! How many messages, calls and results a session has.

use crate::transcript::{Output, PartKind, Role, Transcript};

crate::form::reported! {
    /// Numbers of messages, calls and results, counted while reading.
    [Copy, Default, Eq, serde::Deserialize]
    pub struct Counts {
        /// Messages in the file, active or not. Markers are not counted, nor are system prompts outside the list of
        /// messages.
        pub messages: usize,
        /// Messages that the agent would not send now. Notices, which the agent never sends, are not counted.
        pub inactive: usize,
        /// Tool calls.
        pub calls: usize,
        /// Tool results.
        pub results: usize,
        /// Total length of all tool results, in Unicode code points.
        pub result_chars: u64,
        /// Tool results that were pruned before.
        pub already_pruned: usize,
        /// Calls whose id no result answers.
        pub calls_without_result: usize,
        /// How many of the calls without a result by id do have one: the session has no ids for them, so name and
        /// order pair them with their results.
        pub paired_by_place: usize,
        /// Results whose call is missing. In formats that pair by order alone, a result may name no call; such
        /// results are not counted.
        pub results_without_call: usize,
        /// Images.
        pub images: usize,
    }
}

impl Counts {
    /// Counts what `transcript` holds. `is_listed` returns false for a marker and for a system prompt outside the
    /// list of messages.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::session_text::Counts;
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(Counts::of(&transcript, |_| true).messages, 1);
    /// ```
    #[must_use]
    pub fn of(transcript: &Transcript, is_listed: impl Fn(usize) -> bool) -> Self {
        let mut counts = Self::default();
        let mut calls = std::collections::HashMap::<u32, Pairing>::new();
        for (index, message) in transcript.messages().iter().enumerate() {
            let is_listed = is_listed(index);
            if is_listed {
                counts.messages += 1;
                let is_notice = message.role == Role::Other && transcript.parts_of(index).is_empty();
                counts.inactive += usize::from(!message.active && !is_notice);
            }
            for part in transcript.parts_of(index) {
                let pair = part.call.map(|call| calls.entry(call).or_default().of(is_listed));
                match part.kind {
                    PartKind::ToolCall => {
                        counts.calls += 1;
                        match pair {
                            Some(pair) => pair.0 += 1,
                            None => counts.calls_without_result += 1,
                        }
                    }
                    PartKind::ToolResult => {
                        counts.results += 1;
                        counts.result_chars += u64::from(part.length.code_points);
                        counts.already_pruned +=
                            usize::from(part.output == Output::Pruned || part.output.says_placeholder());
                        if let Some(pair) = pair {
                            pair.1 += 1;
                        }
                    }
                    PartKind::Image => counts.images += 1,
                    _ => {}
                }
            }
        }
        for (call, pairing) in calls {
            let (made, answered) = pairing.without_repetitions();
            if transcript.is_paired_by_place(call) {
                counts.calls_without_result += made;
                counts.paired_by_place += made.min(answered);
                continue;
            }
            counts.calls_without_result += made.saturating_sub(answered);
            counts.results_without_call += answered.saturating_sub(made);
        }
        counts
    }
}

/// How often a call was made and how often it was answered, counted separately for messages of the file and for
/// others.
#[derive(Clone, Copy, Debug, Default)]
struct Pairing {
    listed: (usize, usize),
    beside: (usize, usize),
}

impl Pairing {
    fn of(&mut self, is_listed: bool) -> &mut (usize, usize) {
        if is_listed { &mut self.listed } else { &mut self.beside }
    }

    /// A record of a rewritten history repeats the file's own calls and results, and each later record repeats them again.
    fn without_repetitions(self) -> (usize, usize) {
        (self.listed.0.max(self.beside.0.min(1)), self.listed.1.max(self.beside.1.min(1)))
    }
}
