//! A session read from text: its transcript, and the position in the text of each part.

mod cache_reports;
mod compact;
mod counts;
mod moments;
mod outputs;
mod summary_request;
#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Cow;
use std::ops::Range;

use crate::error::{Error, ErrorCode};
use crate::explain::plan;
pub use crate::format::ReadOptions;
use crate::format::{self, Entry, Format, Marker, Reading};
use crate::json::Document;
use crate::length::Length;
use crate::origin::Origin;
use crate::passes::{self, Spots};
use crate::plan::{Plan, PlanOptions};
use crate::policy::Policy;
use crate::text::Text;
use crate::transcript::{PartKind, Transcript};

pub use crate::format::CacheReport;
pub use compact::EditOptions;
pub use counts::Counts;
pub use outputs::CallOutput;

/// A session read from text.
///
/// It borrows or owns its text, as it was given: `&str` is borrowed, `String` is owned, and
/// [`Text::from_bytes`] makes a text of bytes. [`SessionText::into_owned`] makes the one of the other.
///
/// # Example
///
/// ```
/// use ebbline::{EditOptions, SessionText};
/// let text = r#"[{"role":"user","content":"list the files"},
///  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",
///   "function":{"name":"ls","arguments":"{}"}}]},
///  {"role":"tool","tool_call_id":"c1","content":"Cargo.toml  README.md  src/  tests/  and many more files"}]"#;
/// let session = SessionText::read(text)?;
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
pub struct SessionText<'s> {
    text: Text<'s>,
    pub(crate) reading: Reading,
}

impl<'s> SessionText<'s> {
    /// Reads a text: a `&str`, a `String`, or a [`Text`]. The format is detected.
    ///
    /// Lines of a JSON Lines file that are not JSON are skipped, and so are lines with a byte that is not UTF-8.
    /// [`SessionText::problems`] reports them, and every output keeps them.
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
    /// use ebbline::{Format, SessionText};
    /// let session = SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!(session.format(), Format::OpenaiChat);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn read(source: impl Into<Text<'s>>) -> Result<Self, Error> {
        Self::of_text(source.into(), &ReadOptions::default())
    }

    /// As [`SessionText::read`], with options.
    ///
    /// # Errors
    ///
    /// As [`SessionText::read`]; also `wrong_format` and `invalid_message`, and `invalid_option` when the conversation
    /// that `options` name does not exist.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{Format, ReadOptions, SessionText};
    /// let options = ReadOptions::new().format(Format::AnthropicMessages);
    /// let session = SessionText::read_with(r#"[{"role": "user", "content": "hello"}]"#, &options)?;
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

    /// Gives parts the tokens that a caller counts of their texts; see [`crate::binding::count`].
    pub(crate) fn count(&mut self, tokens: &mut dyn FnMut(&str) -> Option<u32>) {
        let Reading { transcript, pieces, .. } = &mut self.reading;
        for part in 0..transcript.parts().len() {
            let Some(&known) = transcript.parts().get(part) else { continue };
            // The text of an image or a file is its name or nothing, and its length that of its data.
            if matches!(known.kind, PartKind::Image | PartKind::File) || pieces.of(part).is_empty() {
                continue;
            }
            let may_hide = known.signed
                && matches!(known.kind, PartKind::Thinking | PartKind::Summary | PartKind::Other);
            let mut estimate: u32 = 0;
            let counts = pieces.texts_of(self.text.as_str(), part).map(|text| {
                if may_hide {
                    estimate = estimate.saturating_add(Length::of(&text).classed);
                }
                tokens(&text)
            });
            // All of them, so that whoever counts is asked for all at once.
            let counts: Vec<Option<u32>> = counts.collect();
            let sum = |sum: Option<u32>, count: Option<u32>| Some(sum?.saturating_add(count?));
            if let Some(classed) = counts.into_iter().fold(Some(0), sum) {
                // More than its texts have is what the encrypted content behind them costs, and nobody counts that.
                let hidden = Some(known.length.classed).filter(|cost| may_hide && *cost > estimate);
                transcript.set_classed(part, classed.max(hidden.unwrap_or(0)));
            }
        }
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
    /// use ebbline::SessionText;
    /// let read = |text: &str| -> Result<SessionText<'static>, ebbline::Error> {
    ///     Ok(SessionText::read(text)?.into_owned())
    /// };
    /// assert_eq!(read(r#"[{"role": "user", "content": "hello"}]"#)?.counts().messages, 1);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn into_owned(self) -> SessionText<'static> {
        SessionText { text: self.text.into_owned(), reading: self.reading }
    }

    /// The text that the session was read from.
    ///
    /// # Example
    ///
    /// ```
    /// let text = r#"[{"role": "user", "content": "hello"}]"#;
    /// assert_eq!(ebbline::SessionText::read(text)?.text().as_str(), text);
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
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
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
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
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
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
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
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
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
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "so\u0021"}]"#)?;
    /// assert_eq!(session.text_of(0), "so!");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn text_of(&self, part: usize) -> Cow<'_, str> {
        self.reading.pieces.text_of(self.source(), part)
    }

    /// The entries of a session tree, in file order. Empty for formats that have no tree.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
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
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
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
    /// let session = ebbline::SessionText::read(text)?;
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
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
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
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("opencode@2026-01")?);
    /// assert_eq!(plan.decision.verdict, ebbline::Verdict::Noop);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn plan(&self, policy: &Policy) -> Plan {
        self.plan_with(policy, PlanOptions::default())
    }

    /// Plans under `policy`: [`plan`](fn@plan) with this session's transcript, after the passes that the policy switches on
    /// (`prune.repeated` and others). They need the session's text, so a plan of a transcript alone takes none.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{PlanOptions, SessionText, plan::Source};
    /// let session = SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("opencode@2026-01")?;
    /// let plan = session.plan_with(&policy, PlanOptions::new().known_tokens(12_000));
    /// assert_eq!((plan.decision.trigger.tokens, plan.decision.trigger.source), (12_000, Source::Known));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn plan_with(&self, policy: &Policy, options: PlanOptions) -> Plan {
        match passes::planned(self.original(), policy, options, &|message| self.spots(message)) {
            Some(planned) => planned.plan.with_given(planned.given),
            None => plan(&self.reading.transcript, policy, options),
        }
    }

    /// The plan of the passes alone, and the size of the context that they leave, if its messages do not say so.
    pub(crate) fn plan_of_passes(
        &self,
        policy: &Policy,
        options: PlanOptions,
    ) -> Option<(Plan, Option<u64>)> {
        let planned = passes::alone(self.original(), policy, options, &|message| self.spots(message))?;
        Some((planned.plan.with_given(planned.given), planned.known))
    }

    /// Where the parts of a message are in its JSON.
    fn spots(&self, message: usize) -> Spots {
        let document = Document::parse_range(self.source(), self.span(message));
        document.map(|document| Spots::of(document.root())).unwrap_or_default()
    }
}
