//! A session read from text: its transcript, and the position in the text of each part.

use std::borrow::Cow;
use std::ops::Range;

use serde::Serialize;

use crate::blank::is_blank;
use crate::edit::{self, Edit};
use crate::error::{Error, ErrorCode};
use crate::explain::plan;
pub(crate) use crate::format::ReadOptions;
use crate::format::{self, Clearing, Entry, Format, Marker, Reading};
use crate::plan::{Fate, Plan, PlanOptions};
use crate::policy::Policy;
use crate::text::{Text, utf8};
use crate::transcript::{Output, PartKind, Role, Transcript};

/// Options for writing a plan into a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditOptions {
    /// The summary of the messages before the retention window. Without a summary, these messages stay where they
    /// are.
    pub summary: Option<String>,
    /// The current time in milliseconds since 1970, for formats that record when something was compacted. The
    /// engine reads no clock: when this is `None`, it uses the newest time recorded in the session.
    pub now: Option<u64>,
    /// Whether to also clear content of pruned outputs that the agent does not send anyway: the copies that the
    /// format keeps beside an output, and the output itself where the format only marks it as pruned. By default
    /// this content stays in the file.
    pub free_bytes: bool,
}

/// Numbers of messages, calls and results, counted while reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
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

impl Counts {
    /// Counts what `transcript` holds. `is_listed` returns false for a marker and for a system prompt outside the
    /// list of messages.
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

/// A session read from text.
///
/// It keeps no text: pass the same text again to write a plan into it.
///
/// # Example
///
/// ```
/// use ebbline::{EditOptions, PlanOptions, ReadOptions, Session};
/// let text = r#"[{"role":"user","content":"list the files"},
///  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
///   "function":{"name":"ls","arguments":"{}"}}]},
///  {"role":"tool","tool_call_id":"c1","content":"Cargo.toml  README.md  src/  tests/  and many more files"}]"#;
/// let session = Session::read(text, &ReadOptions::default())?;
/// let mut policy = ebbline::profiles::get("tunacode@2026-01")?;
/// for knob in ["protect", "minimum", "minimumTurns"] {
///     policy.set(&format!("prune.{knob}"), "0")?;
/// }
/// let plan = session.plan(&policy, PlanOptions::default());
/// let compacted = session.compact(text, &plan, &policy, &EditOptions::default())?;
/// assert_eq!(compacted, text.replace(
///     "Cargo.toml  README.md  src/  tests/  and many more files", "[Old tool result content cleared]"));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    pub(crate) reading: Reading,
}

impl Session {
    /// Reads `source`. The format is detected unless `options` name one.
    ///
    /// Lines of a JSON Lines file that are not JSON are skipped. [`Session::problems`] reports them, and every
    /// output keeps them.
    ///
    /// # Errors
    ///
    /// `empty`, `not_json`, `torn_line`, `too_deep`, `too_large` with the place of the fault; `no_messages`,
    /// `unsupported_format`, `wrong_format`, `invalid_message`; `invalid_option` when the conversation that
    /// `options` name does not exist.
    pub fn read(source: &str, options: &ReadOptions) -> Result<Self, Error> {
        Ok(Self { reading: format::read(source, options)? })
    }

    /// Reads UTF-8 bytes like [`Session::read`]. A line with bytes that are not UTF-8 is handled as in
    /// [`Session::read_text`]. To apply a plan to such a file, make a [`Text`] of its bytes.
    ///
    /// # Errors
    ///
    /// As [`Session::read_text`].
    pub fn read_bytes(source: &[u8], options: &ReadOptions) -> Result<Self, Error> {
        match utf8(source) {
            Ok(source) => Self::read(source, options),
            Err(_) => Self::read_text(&Text::from_bytes(source.to_vec())?, options),
        }
    }

    /// Reads a [`Text`] like [`Session::read`].
    ///
    /// In a JSON Lines file, a line with a byte that is not UTF-8 is skipped. [`Session::problems`] reports it as
    /// `not_utf8` with its place, and every output keeps it.
    ///
    /// # Errors
    ///
    /// As [`Session::read`]; also `not_utf8`, with the place of the first byte that is not UTF-8, when the text
    /// is a single JSON document or no session at all.
    pub fn read_text(text: &Text, options: &ReadOptions) -> Result<Self, Error> {
        let Some(fault) = text.fault() else { return Self::read(text.as_str(), options) };
        let mut reading = format::read_lines(text.as_str(), options).unwrap_or_else(|| Err(fault.clone()))?;
        for problem in &mut reading.problems {
            if let Some(place) = problem.place().filter(|place| text.is_strange(place.byte)) {
                *problem = Error::at(ErrorCode::NotUtf8, place, "the line holds bytes that are not UTF-8");
            }
        }
        Ok(Self { reading })
    }

    /// The format of the session.
    #[must_use]
    pub fn format(&self) -> Format {
        self.reading.format
    }

    /// Why the session is taken to be in this format, as a sentence for people.
    #[must_use]
    pub fn evidence(&self) -> &str {
        &self.reading.evidence
    }

    /// The transcript: messages, parts and lengths.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.reading.transcript
    }

    /// The byte range of the source that message `index` of the transcript was read from.
    #[must_use]
    pub fn span(&self, index: usize) -> Range<usize> {
        self.reading.span(index)
    }

    /// The text of one part, read from the source again. `part` is an index into [`Transcript::parts`]. A string
    /// gives its text; any other value gives compact JSON. The result is empty for a part that holds no text: an
    /// image, encrypted reasoning, or an output that the file only marks as pruned.
    #[must_use]
    pub fn text_of<'s>(&self, source: &'s str, part: usize) -> Cow<'s, str> {
        self.reading.places.text_of(source, part)
    }

    /// The entries of a session tree, in file order. Empty for formats that have no tree.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.reading.entries
    }

    /// Where the file records what the agent itself did to the session: compactions, prunes, rewinds.
    #[must_use]
    pub fn markers(&self) -> &[Marker] {
        &self.reading.markers
    }

    /// The parts of the source that could not be read. Every output keeps them.
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        &self.reading.problems
    }

    /// Counts messages, calls and results.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts::of(&self.reading.transcript, |index| self.reading.listed.get(index).copied().unwrap_or(false))
    }

    /// Plans under `policy`: short for [`plan`] with this session's transcript.
    #[must_use]
    pub fn plan(&self, policy: &Policy, options: PlanOptions) -> Plan {
        plan(&self.reading.transcript, policy, options)
    }

    /// The edits that apply `plan`, in source order.
    ///
    /// Old messages are summarised only when `options` hold a summary; otherwise they stay.
    ///
    /// # Errors
    ///
    /// `mismatch` when the plan belongs to another session; `no_place_for_summary` when the format cannot record
    /// a summary.
    pub fn edits(
        &self,
        source: &str,
        plan: &Plan,
        policy: &Policy,
        options: &EditOptions,
    ) -> Result<Vec<Edit>, Error> {
        self.check_belongs(source, plan)?;
        let now = options.now.unwrap_or(self.reading.newest_moment);
        let clearing = Clearing::of(&policy.prune, now);
        let summary =
            options.summary.as_deref().filter(|summary| plan.decision.retain.applied && !is_blank(summary));
        let mut edits = match summary {
            Some(summary) => {
                let summary =
                    format::Summary { session: &self.reading, source, plan, text: summary, clearing, now };
                self.reading.placement.summarise(&summary)?
            }
            None => Vec::new(),
        };
        let planned = self.reading.planned_parts(plan);
        let slots = self.reading.slots.iter().map(|slot| (slot, false));
        let copies = self.reading.copies.iter().filter(|_| options.free_bytes).map(|slot| (slot, true));
        for ((part, slot), is_copy) in slots.chain(copies) {
            let Some(part) = planned.get(*part).copied().flatten() else { continue };
            let gone = self.reading.placement.rewrites()
                || self.reading.placement.removes() && part.fate == Fate::Summarised;
            let removed = summary.is_some() && gone;
            let cleared = part.is_pruned() || is_copy && part.fate == Fate::AlreadyPruned;
            if cleared && !removed {
                edits.push(slot.edit(clearing));
            }
        }
        Ok(edit::disjoint(edits))
    }

    /// The source with `plan` applied.
    ///
    /// # Errors
    ///
    /// As [`Session::edits`].
    pub fn compact(
        &self,
        source: &str,
        plan: &Plan,
        policy: &Policy,
        options: &EditOptions,
    ) -> Result<String, Error> {
        edit::apply(source, &self.edits(source, plan, policy, options)?)
    }

    /// The bytes of `text` with `plan` carried out.
    ///
    /// # Errors
    ///
    /// As [`Session::edits`].
    pub fn compact_text(
        &self,
        text: &Text,
        plan: &Plan,
        policy: &Policy,
        options: &EditOptions,
    ) -> Result<Vec<u8>, Error> {
        text.edited(&self.edits(text.as_str(), plan, policy, options)?)
    }

    /// Refuses a source or plan that is of another session.
    pub(crate) fn check_belongs(&self, source: &str, plan: &Plan) -> Result<(), Error> {
        if plan.messages.len() == self.reading.transcript.messages().len()
            && source.len() == self.reading.source_length
        {
            Ok(())
        } else {
            Err(Error::new(ErrorCode::Mismatch, "plan, session and source do not belong together"))
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::length::Length;
    use crate::transcript::{Message, Part};

    /// A transcript of tool outputs of the given sizes in tokens of four characters, oldest first, followed by
    /// `turns` short messages of a person.
    pub(crate) fn outputs(tokens: &[usize], turns: usize) -> Transcript {
        let mut transcript = Transcript::default();
        for (index, tokens) in tokens.iter().enumerate() {
            let call = transcript.call(&index.to_string());
            transcript.begin(Message::new(Role::Assistant));
            transcript.push(Part { call: Some(call), ..Part::new(PartKind::ToolCall, Length::ascii(8)) });
            transcript.begin(Message::new(Role::Tool));
            transcript.push(Part {
                call: Some(call),
                ..Part::new(PartKind::ToolResult, Length::ascii(tokens * 4))
            });
        }
        for _ in 0..turns {
            transcript.begin(Message::person());
            transcript.push(Part::new(PartKind::Text, Length::ascii(8)));
        }
        transcript
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_place() {
        let error = Session::read_bytes(b"[\n\"a\xff\"]", &ReadOptions::default()).unwrap_err();
        assert_eq!(
            (error.code(), error.place().unwrap().line, error.place().unwrap().byte),
            ("not_utf8", 2, 4)
        );
    }

    #[test]
    fn files_that_have_to_be_unpacked_first_say_so() {
        for (source, tool) in [
            (b"\x28\xb5\x2f\xfd\x04\xff".as_slice(), "zstd -d"),
            (b"\x1f\x8b\x08\x00", "gzip -d"),
            (b"PK\x03\x04\xff", "unzip"),
            (b"SQLite format 3\0\x10\x00\xff", "exported"),
        ] {
            let error = Session::read_bytes(source, &ReadOptions::default()).unwrap_err();
            assert_eq!(error.code(), "not_utf8");
            assert!(error.message().ends_with(tool) || error.message().contains(tool), "{}", error.message());
        }
    }
}
