//! A meter: what the parts of a session say, found once for any number of measurements.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::context::KeySet;
use super::decisions::decisions;

use super::report::shown;
use super::timeline::{Timeline, is_beside};
use crate::identifiers::{Class, Identifier, each, each_of_arguments, key};
use crate::session_text::SessionText;
use crate::transcript::{Output, Part, PartKind};

/// The seed of the keys of calls.
const CALL: u8 = 22;

/// Measures losses of one session. Reading its texts takes most of the time, and a meter does it once.
///
/// # Example
///
/// ```
/// use ebbline::loss::{LossInput, Meter};
/// let session = ebbline::SessionText::read(r#"[{"role":"user","content":"hello"}]"#)?;
/// let meter = Meter::of(&session);
/// assert_eq!(meter.measure(&[], &LossInput::default()), meter.measure(&[], &LossInput::default()));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[derive(Debug)]
pub struct Meter<'m, 's> {
    pub(super) session: &'m SessionText<'s>,
    pub(super) timeline: Timeline,
    parts: Vec<Option<Said>>,
}

/// What a part says.
#[derive(Debug)]
pub(super) struct Said {
    /// The keys and classes of its identifiers, in the order in which they first appear.
    pub(super) identifiers: Vec<(u64, Class)>,
    /// Of a call: a key of its arguments.
    pub(super) arguments: u64,
    decisions: OnceCell<Vec<Stated>>,
}

/// A decision that a part states: the sentence, fit for a finding, and the keys of the identifiers that it names.
#[derive(Debug)]
pub(super) struct Stated {
    pub(super) sentence: String,
    pub(super) keys: Vec<u64>,
}

impl<'m, 's> Meter<'m, 's> {
    /// Reads the texts of a session.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::loss::{LossInput, Meter};
    /// let session = ebbline::SessionText::read(r#"[{"role":"user","content":"hello"}]"#)?;
    /// assert_eq!(Meter::of(&session).measure(&[], &LossInput::default()).compactions, 0);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(session: &'m SessionText<'s>) -> Self {
        let transcript = session.transcript();
        let mut parts: Vec<Option<Said>> = Vec::new();
        parts.resize_with(transcript.parts().len(), || None);
        for index in (0..transcript.messages().len()).filter(|index| !is_beside(session, *index)) {
            for at in transcript.part_range(index) {
                let part = transcript.parts().get(at);
                let said = part.and_then(|part| Some(Said::of(*part, &text_of(session, at, *part)?)));
                if let Some(slot) = parts.get_mut(at) {
                    *slot = said;
                }
            }
        }
        Self { session, timeline: Timeline::of(session), parts }
    }

    /// What a part says; `None` if its text is not known.
    pub(super) fn said(&self, at: usize) -> Option<&Said> {
        self.parts.get(at)?.as_ref()
    }

    /// The decisions that a part of the assistant's states.
    pub(super) fn decisions(&self, at: usize, part: Part) -> &[Stated] {
        let state = || {
            let text = text_of(self.session, at, part).unwrap_or_default();
            let stated = decisions(&text).into_iter();
            stated
                .map(|decision| Stated { sentence: shown(decision.sentence.text), keys: decision.keys })
                .collect()
        };
        self.said(at).map_or(&[], |said| said.decisions.get_or_init(state).as_slice())
    }
}

impl Said {
    fn of(part: Part, text: &str) -> Self {
        let mut known = KeySet::default();
        let mut identifiers = Vec::new();
        each_in(part, text, &mut |found: Identifier<'_>| {
            if known.insert(found.key) {
                identifiers.push((found.key, found.class));
            }
        });
        identifiers.shrink_to_fit();
        let arguments = if part.kind == PartKind::ToolCall { key(CALL + 1, text) } else { 0 };
        Self { identifiers, arguments, decisions: OnceCell::new() }
    }
}

/// The key of a call of a tool with arguments.
pub(super) fn key_of_call(tool: &str, arguments: u64) -> u64 {
    key(CALL, tool) ^ arguments
}

/// The text of a part; `None` if it is an output that was pruned and that the file no longer contains.
pub(super) fn text_of<'t>(session: &'t SessionText<'_>, at: usize, part: Part) -> Option<Cow<'t, str>> {
    let source = session.source();
    let text = session.reading.text_of(source, at);
    if part.kind != PartKind::ToolResult || !(text.is_empty() && part.output == Output::Pruned) {
        return Some(text).filter(|_| !part.output.says_placeholder());
    }
    session.reading.text_before_pruning(source, at)
}

/// Calls `take` with the identifiers of a part's text.
pub(super) fn each_in(part: Part, text: &str, take: &mut dyn FnMut(Identifier<'_>)) {
    match part.kind {
        PartKind::ToolCall => each_of_arguments(text, take),
        // The file has a pruned output as the value that it was.
        PartKind::ToolResult if part.output == Output::Pruned => each_of_arguments(text, take),
        _ => each(text, take),
    }
}
