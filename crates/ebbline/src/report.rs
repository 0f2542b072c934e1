//! A description of what was read, as JSON: counts, problems, entries, messages and their parts.

use serde::Serialize;

use crate::format::{Entry, Marker, MarkerKind, ReportedInput};
use crate::session_text::{Counts, SessionText};
use crate::transcript::{Message, Part, Transcript};

/// A description of a session or a transcript, for people and for other languages. It is serialized; its fields are not
/// public, because every one of them can be asked of the [`SessionText`] itself.
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
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
    /// What the usage's input covers, of formats that report one.
    #[serde(skip_serializing_if = "Option::is_none")]
    reported_input: Option<ReportedInput>,
    counts: Counts,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    markers: Vec<MarkerReport>,
    problems: Vec<Problem<'a>>,
    #[serde(skip_serializing_if = "<[Entry]>::is_empty")]
    entries: &'a [Entry],
    messages: Vec<MessageReport<'a>>,
}

/// A piece of the source that could not be read.
#[derive(Debug, Serialize)]
struct Problem<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte: Option<usize>,
}

/// What the file records of its own agent's compactions.
#[derive(Debug, Serialize)]
struct MarkerReport {
    kind: MarkerKind,
    name: &'static str,
    bytes: [usize; 2],
}

impl MarkerReport {
    fn of(marker: &Marker) -> Self {
        Self { kind: marker.kind, name: marker.name, bytes: [marker.bytes.start, marker.bytes.end] }
    }
}

#[derive(Debug, Serialize)]
struct MessageReport<'a> {
    #[serde(flatten)]
    message: &'a Message,
    /// Where it stands in the source, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<[usize; 2]>,
    parts: Vec<PartReport<'a>>,
}

/// A part with its tool by name instead of by index.
#[derive(Debug, Serialize)]
struct PartReport<'a> {
    #[serde(flatten)]
    part: Part,
    #[serde(rename = "toolName", skip_serializing_if = "Option::is_none")]
    tool_name: Option<&'a str>,
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
            code: problem.code(),
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
        let tool_name = part.tool.and_then(|tool| transcript.tool_name(tool));
        Self { part: Part { tool: None, ..part }, tool_name }
    }
}
