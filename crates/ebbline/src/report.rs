//! A description of what was read, as JSON: counts, problems, entries, messages and their parts.

use crate::format::{Entry, Marker, MarkerKind, ReportedInput};
use crate::session_text::{Counts, SessionText};
use crate::transcript::{Message, Part, Transcript};

crate::form::reported! {
    /// A description of a session or a transcript, for people and for other languages.
    ///
    /// It is serialized; its fields are not public, because every one of them can be asked of the [`SessionText`] itself.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::report::Report;
    /// use ebbline::SessionText;
    /// let session = SessionText::read(r#"[{"role":"user","content":"hello"}]"#)?;
    /// let json = Report::of_session(&session).to_json();
    /// assert!(json.starts_with(r#"{"format":"openai_chat","title":"OpenAI Chat"#));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    []
    pub struct Report<'a> = "ReadReport" {
        /// The format's name.
        #[serde(skip_serializing_if = "Option::is_none")]
        format: Option<&'static str>,
        /// The format's name for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'static str>,
        /// What shows that the session has it, in words.
        #[serde(skip_serializing_if = "Option::is_none")]
        evidence: Option<&'a str>,
        /// What the reported input tokens of an answer cover: the whole request, only the part that did not
        /// come from the provider's cache, or one of the two, depending on the agent's version. Missing for
        /// formats that report nothing.
        #[serde(skip_serializing_if = "Option::is_none")]
        reported_input: Option<ReportedInput>,
        /// How many there are of what.
        counts: Counts,
        /// Where the file records that its agent compacted, pruned or rewound the session; only for text.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        markers: Vec<MarkerReport>,
        /// What could not be read; its bytes stay in every output.
        problems: Vec<Problem<'a>>,
        /// The entries of a session tree (pi); only for text.
        #[serde(skip_serializing_if = "<[Entry]>::is_empty")]
        entries: &'a [Entry],
        /// Every message with its parts.
        messages: Vec<MessageReport<'a>>,
    }
}

crate::form::reported! {
    /// A piece of the source that could not be read.
    []
    struct Problem<'a> {
        /// The error's code.
        code: Code,
        /// What is wrong, in words.
        message: &'a str,
        /// The line, counted from 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        /// The byte, counted from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        byte: Option<usize>,
    }
}

crate::form::reported! {
    /// What the file records of its own agent's compactions.
    []
    struct MarkerReport = "Marker" {
        /// What it records.
        kind: MarkerKind,
        /// The format's own word for it, for example `compact_boundary`.
        name: &'static str,
        /// Its place in the text, in bytes.
        bytes: [usize; 2],
    }
}

/// The code of an error.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
struct Code(&'static str);

crate::form::formed! { Code => crate::form::Form::Word(<crate::ErrorCode as crate::words::Word>::WORDS) }

impl MarkerReport {
    fn of(marker: &Marker) -> Self {
        Self { kind: marker.kind, name: marker.name, bytes: [marker.bytes.start, marker.bytes.end] }
    }
}

crate::form::reported! {
    /// A message with its place and its parts.
    []
    struct MessageReport<'a> {
        /// The message.
        #[serde(flatten)]
        message: &'a Message,
        /// Its place in the text, in bytes; only for text.
        #[serde(skip_serializing_if = "Option::is_none")]
        bytes: Option<[usize; 2]>,
        /// Its parts, in their order.
        parts: Vec<PartReport<'a>>,
    }
}

crate::form::reported! {
    /// A part with its tool by name instead of by index.
    []
    struct PartReport<'a> {
        /// The part.
        #[serde(flatten)]
        part: Part,
        /// The tool's name.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool_name: Option<&'a str>,
    }
}

impl<'a> Report<'a> {
    /// Describes a session that was read from text.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::SessionText::read(r#"[{"role":"user","content":"hello"}]"#)?;
    /// let json = ebbline::report::Report::of_session(&session).to_json();
    /// assert!(json.contains(r#""evidence":"1 message in an array: plain chat""#));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of_session(session: &'a SessionText) -> Self {
        let format = session.format();
        let problems = session.problems().iter().map(|problem| Problem {
            code: Code(problem.code()),
            message: problem.message(),
            line: problem.place().map(|place| place.line),
            byte: problem.place().map(|place| place.byte),
        });
        let mut report = Self {
            format: Some(format.name()),
            title: Some(format.title()),
            evidence: Some(session.evidence()),
            reported_input: format.reported_input(),
            counts: session.counts(),
            markers: session.markers().iter().map(MarkerReport::of).collect(),
            problems: problems.collect(),
            entries: session.entries(),
            ..Self::of_transcript(session.transcript())
        };
        for (index, message) in report.messages.iter_mut().enumerate() {
            let span = session.span(index);
            message.bytes = Some([span.start, span.end]);
        }
        report
    }

    /// Describes a transcript. It has no format, and no positions in a text.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{Transcript, report::Report};
    /// assert!(Report::of_transcript(&Transcript::default()).to_json().starts_with(r#"{"counts":{"messages":0,"#));
    /// ```
    #[must_use]
    pub fn of_transcript(transcript: &'a Transcript) -> Self {
        let messages = transcript.messages().iter().enumerate().map(|(index, message)| MessageReport {
            message,
            bytes: None,
            parts: transcript.parts_of(index).iter().map(|part| PartReport::new(transcript, *part)).collect(),
        });
        Self {
            format: None,
            title: None,
            evidence: None,
            reported_input: None,
            counts: Counts::of(transcript, |_| true),
            markers: Vec::new(),
            problems: Vec::new(),
            entries: &[],
            messages: messages.collect(),
        }
    }

    /// The description as JSON.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{Transcript, report::Report};
    /// assert!(Report::of_transcript(&Transcript::default()).to_json().ends_with(r#""messages":[]}"#));
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl<'a> PartReport<'a> {
    fn new(transcript: &'a Transcript, part: Part) -> Self {
        Self { part, tool_name: part.tool.and_then(|tool| transcript.tool_name(tool)) }
    }
}
