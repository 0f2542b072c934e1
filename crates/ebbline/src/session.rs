//! A session read from text: its transcript, and the position in the text of each part.

use std::borrow::Cow;
use std::ops::Range;

use serde::Serialize;

use crate::blank::is_blank;
use crate::edit::{self, Edit};
use crate::error::{Error, ErrorCode};
use crate::explain::plan;
pub use crate::format::ReadOptions;
use crate::format::{self, Clearing, Entry, Format, Marker, Reading};
use crate::origin::Origin;
use crate::plan::{Fate, Plan, PlanOptions};
use crate::policy::Policy;
use crate::text::Text;
use crate::transcript::{Output, PartKind, Role, Transcript};

/// Options for writing a plan into a text.
///
/// # Example
///
/// ```
/// use ebbline::EditOptions;
/// let options = EditOptions::new().summary("The login test is fixed.").free_bytes(true);
/// assert_eq!(options.summary.as_deref(), Some("The login test is fixed."));
/// assert_eq!(options.now, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

impl EditOptions {
    /// Without a summary.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::EditOptions::new().summary, None);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with [`EditOptions::summary`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::EditOptions::new().summary("## Goal").summary.is_some());
    /// ```
    #[must_use]
    pub fn summary(self, summary: impl Into<String>) -> Self {
        Self { summary: Some(summary.into()), ..self }
    }

    /// The same with [`EditOptions::now`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::EditOptions::new().now(1_767_225_600_000).now, Some(1_767_225_600_000));
    /// ```
    #[must_use]
    pub fn now(self, now: u64) -> Self {
        Self { now: Some(now), ..self }
    }

    /// The same with [`EditOptions::free_bytes`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::EditOptions::new().free_bytes(true).free_bytes);
    /// ```
    #[must_use]
    pub fn free_bytes(self, free_bytes: bool) -> Self {
        Self { free_bytes, ..self }
    }
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
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::session::Counts;
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

/// A session read from text.
///
/// It borrows or owns its text, as it was given: `&str` is borrowed, `String` is owned, and
/// [`Text::from_bytes`] makes a text of bytes. [`Session::into_owned`] makes the one of the other.
///
/// # Example
///
/// ```
/// use ebbline::{EditOptions, Session};
/// let text = r#"[{"role":"user","content":"list the files"},
///  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
///   "function":{"name":"ls","arguments":"{}"}}]},
///  {"role":"tool","tool_call_id":"c1","content":"Cargo.toml  README.md  src/  tests/  and many more files"}]"#;
/// let session = Session::read(text)?;
/// let mut policy = ebbline::profiles::get("tunacode@2026-01")?;
/// for knob in ["protect", "minimum", "minimumTurns"] {
///     policy.set(&format!("prune.{knob}"), "0")?;
/// }
/// let plan = session.plan(&policy);
/// let compacted = session.compact(&plan, &EditOptions::new())?;
/// assert_eq!(compacted, text.replace(
///     "Cargo.toml  README.md  src/  tests/  and many more files", "[Old tool result content cleared]"));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Session<'s> {
    text: Text<'s>,
    pub(crate) reading: Reading,
}

impl<'s> Session<'s> {
    /// Reads a text: a `&str`, a `String`, or a [`Text`]. The format is detected.
    ///
    /// Lines of a JSON Lines file that are not JSON are skipped, and so are lines with a byte that is not UTF-8.
    /// [`Session::problems`] reports them, and every output keeps them.
    ///
    /// # Errors
    ///
    /// `empty`, `not_json`, `torn_line`, `too_deep`, `too_large` with the place of the fault; `no_messages`,
    /// `unsupported_format`; `not_utf8`, with the place of the first byte that is not UTF-8, when the text is a
    /// single JSON document or no session at all.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{Format, Session};
    /// let session = Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!(session.format(), Format::OpenaiChat);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn read(source: impl Into<Text<'s>>) -> Result<Self, Error> {
        Self::of_text(source.into(), &ReadOptions::default())
    }

    /// As [`Session::read`], with options.
    ///
    /// # Errors
    ///
    /// As [`Session::read`]; also `wrong_format` and `invalid_message`, and `invalid_option` when the conversation
    /// that `options` name does not exist.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{Format, ReadOptions, Session};
    /// let options = ReadOptions::new().format(Format::AnthropicMessages);
    /// let session = Session::read_with(r#"[{"role": "user", "content": "hello"}]"#, &options)?;
    /// assert_eq!(session.format(), Format::AnthropicMessages);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn read_with(source: impl Into<Text<'s>>, options: &ReadOptions) -> Result<Self, Error> {
        Self::of_text(source.into(), options)
    }

    /// Reads a text as `format` with the function of that format, for programs that contain no other reader.
    pub(crate) fn read_by(
        source: &'s str,
        format: Format,
        read: impl FnOnce(&str, &ReadOptions) -> Result<Reading, Error>,
    ) -> Result<Self, Error> {
        let (text, options) = (Text::from(source), ReadOptions::new().format(format));
        let mut reading = read(source, &options)?;
        reading.transcript.set_origin(Origin::of(&text, &options));
        Ok(Self { text, reading })
    }

    fn of_text(text: Text<'s>, options: &ReadOptions) -> Result<Self, Error> {
        let mut reading = match text.fault() {
            None => format::read(text.as_str(), options)?,
            Some(fault) => {
                let mut reading =
                    format::read_lines(text.as_str(), options).unwrap_or_else(|| Err(fault.clone()))?;
                for problem in &mut reading.problems {
                    if let Some(place) = problem.place().filter(|place| text.is_strange(place.byte)) {
                        *problem =
                            Error::at(ErrorCode::NotUtf8, place, "the line holds bytes that are not UTF-8");
                    }
                }
                reading
            }
        };
        reading.transcript.set_origin(Origin::of(&text, options));
        Ok(Self { text, reading })
    }

    /// The same session, owning its text. A borrowed text is copied, an owned one is not.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Session;
    /// let read = |text: &str| -> Result<Session<'static>, ebbline::Error> {
    ///     Ok(Session::read(text)?.into_owned())
    /// };
    /// assert_eq!(read(r#"[{"role": "user", "content": "hello"}]"#)?.counts().messages, 1);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Session<'static> {
        Session { text: self.text.into_owned(), reading: self.reading }
    }

    /// The text that the session was read from.
    ///
    /// # Example
    ///
    /// ```
    /// let text = r#"[{"role": "user", "content": "hello"}]"#;
    /// assert_eq!(ebbline::Session::read(text)?.text().as_str(), text);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> &Text<'s> {
        &self.text
    }

    /// The text as a string.
    pub(crate) fn source(&self) -> &str {
        self.text.as_str()
    }

    /// The format of the session.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!(session.format().name(), "openai_chat");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn format(&self) -> Format {
        self.reading.format
    }

    /// Why the session is taken to be in this format, as a sentence for people.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!(session.evidence(), "1 message in an array: plain chat");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn evidence(&self) -> &str {
        &self.reading.evidence
    }

    /// The transcript: messages, parts and lengths.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!(session.transcript().parts_of(0)[0].length.bytes, 5);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.reading.transcript
    }

    /// The byte range of the text that message `index` of the transcript was read from.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!(session.span(0), 1..37);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn span(&self, index: usize) -> Range<usize> {
        self.reading.span(index)
    }

    /// The text of one part. `part` is an index into [`Transcript::parts`]. A string gives its text; any other
    /// value gives compact JSON. The result is empty for a part that holds no text: an image, encrypted reasoning,
    /// or an output that the file only marks as pruned.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "so\u0021"}]"#)?;
    /// assert_eq!(session.text_of(0), "so!");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn text_of(&self, part: usize) -> Cow<'_, str> {
        self.reading.places.text_of(self.source(), part)
    }

    /// The entries of a session tree, in file order. Empty for formats that have no tree.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert!(session.entries().is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.reading.entries
    }

    /// Where the file records what the agent itself did to the session: compactions, prunes, rewinds.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert!(session.markers().is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn markers(&self) -> &[Marker] {
        &self.reading.markers
    }

    /// The parts of the source that could not be read. Every output keeps them.
    ///
    /// # Example
    ///
    /// ```
    /// let text = concat!(
    ///     r#"{"role": "user", "content": "hello"}"#, "\n", r#"{"role": "assi"#, "\n",
    ///     r#"{"role": "assistant", "content": "Good morning."}"#, "\n",
    /// );
    /// let session = ebbline::Session::read(text)?;
    /// assert_eq!(session.problems()[0].place().map(|place| place.line), Some(2));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn problems(&self) -> &[Error] {
        &self.reading.problems
    }

    /// Counts messages, calls and results.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!((session.counts().messages, session.counts().calls), (1, 0));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts::of(&self.reading.transcript, |index| self.reading.listed.get(index).copied().unwrap_or(false))
    }

    /// Plans under `policy`: short for [`plan`](fn@plan) with this session's transcript and no options.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("opencode@2026-01")?);
    /// assert_eq!(plan.decision.verdict, ebbline::Verdict::Noop);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn plan(&self, policy: &Policy) -> Plan {
        self.plan_with(policy, PlanOptions::default())
    }

    /// Plans under `policy`: short for [`plan`](fn@plan) with this session's transcript.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{PlanOptions, Session, plan::Source};
    /// let session = Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("opencode@2026-01")?;
    /// let plan = session.plan_with(&policy, PlanOptions::new().known_tokens(12_000));
    /// assert_eq!((plan.decision.trigger.tokens, plan.decision.trigger.source), (12_000, Source::Known));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn plan_with(&self, policy: &Policy, options: PlanOptions) -> Plan {
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
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{EditOptions, Session};
    /// let session = Session::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("opencode@2026-01")?);
    /// assert_eq!(session.edits(&plan, &EditOptions::new())?, []);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn edits(&self, plan: &Plan, options: &EditOptions) -> Result<Vec<Edit>, Error> {
        self.check_belongs(plan)?;
        let now = options.now.unwrap_or(self.reading.newest_moment);
        let clearing = Clearing::of(&plan.policy().prune, now);
        let summary =
            options.summary.as_deref().filter(|summary| plan.decision.retain.applied && !is_blank(summary));
        let mut edits = match summary {
            Some(summary) => {
                let source = self.source();
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

    /// The text with `plan` applied.
    ///
    /// # Errors
    ///
    /// As [`Session::edits`]; also `not_utf8` when the text holds bytes that are not UTF-8: those are written by
    /// [`Session::compact_bytes`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{EditOptions, PlanOptions, Session};
    /// let text = r#"[{"role": "user", "content": "Fix the login test."},
    ///  {"role": "assistant", "content": "It waits for a mail that never comes, so I mock the mail."},
    ///  {"role": "user", "content": "Go on."}]"#;
    /// let session = Session::read(text)?;
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.set("retain.keep", "1")?;
    /// policy.set("retain.summaryAllowance", "0")?;
    /// let plan = session.plan_with(&policy, PlanOptions::new().force(true));
    /// let compacted = session.compact(&plan, &EditOptions::new().summary("Fix the login test: mock mail."))?;
    /// assert!(compacted.ends_with("{\"role\": \"user\", \"content\": \"Go on.\"}]"), "{compacted}");
    /// assert!(compacted.contains("Fix the login test: mock mail."));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn compact(&self, plan: &Plan, options: &EditOptions) -> Result<String, Error> {
        let edits = self.edits(plan, options)?;
        match self.text.fault() {
            Some(fault) => Err(fault.clone()),
            None => edit::apply(self.source(), &edits),
        }
    }

    /// The bytes of the text with `plan` applied. Bytes that are not UTF-8 stay as they are.
    ///
    /// # Errors
    ///
    /// As [`Session::edits`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{EditOptions, Session, text::Text};
    /// let bytes = b"{\"role\": \"user\", \"content\": \"hello\"}\n{\"role\": \"user\", \"content\": \"caf\xe9\"}\n";
    /// let session = Session::read(Text::from_bytes(bytes)?)?;
    /// let plan = session.plan(&ebbline::profiles::get("opencode@2026-01")?);
    /// assert_eq!(session.compact_bytes(&plan, &EditOptions::new())?, bytes);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn compact_bytes(&self, plan: &Plan, options: &EditOptions) -> Result<Vec<u8>, Error> {
        self.text.edited(&self.edits(plan, options)?)
    }

    /// Refuses a plan that is of another session.
    pub(crate) fn check_belongs(&self, plan: &Plan) -> Result<(), Error> {
        let transcript = &self.reading.transcript;
        let is_ours =
            plan.origin().is(transcript.origin()) && plan.messages.len() == transcript.messages().len();
        if is_ours { Ok(()) } else { Err(mismatch()) }
    }
}

fn mismatch() -> Error {
    Error::new(ErrorCode::Mismatch, "plan, session and source do not belong together")
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
        let error = Text::from_bytes(b"[\n\"a\xff\"]").and_then(Session::read).unwrap_err();
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
            let error = Text::from_bytes(source).and_then(Session::read).unwrap_err();
            assert_eq!(error.code(), "not_utf8");
            assert!(error.message().ends_with(tool) || error.message().contains(tool), "{}", error.message());
        }
    }

    #[test]
    fn a_plan_of_another_session_is_refused_even_if_the_texts_are_equally_long() {
        let text = |word: &str| format!(r#"[{{"role": "user", "content": "{word}"}}]"#);
        let (one, other) = (text("hello"), text("jello"));
        let policy = crate::profiles::get("ebbline@1").unwrap();
        let options = EditOptions::default();
        let session = Session::read(&one).unwrap();
        let code = |plan: &Plan| session.compact(plan, &options).map_err(|error| error.code());
        assert_eq!(code(&session.plan(&policy)), Ok(one.clone()));
        let again = Session::read(one.clone()).unwrap();
        assert_eq!(
            code(&again.plan(&policy)),
            Ok(one.clone()),
            "the same text read again is the same session"
        );
        assert_eq!(code(&Session::read(&other).unwrap().plan(&policy)), Err("mismatch"));
        let otherwise = ReadOptions::new().placeholder("hello");
        let otherwise = Session::read_with(&one, &otherwise).unwrap();
        assert_eq!(
            code(&otherwise.plan(&policy)),
            Err("mismatch"),
            "read otherwise, it may say something else"
        );
        let mut grown = session.transcript().clone();
        grown.set_active(0, false);
        let plan = plan(&grown, &policy, PlanOptions::default());
        assert_eq!(code(&plan), Err("mismatch"));
    }
}
