//! A transcript together with the texts of its parts: what the request for a summary is written from.

use super::task::{SummaryOptions, SummaryTask, request};
use crate::error::{Error, ErrorCode};
use crate::format::{PieceKind, Places};
use crate::json::{Document, Value};
use crate::plan::Plan;
use crate::transcript::Transcript;

/// A transcript, and where the texts of its parts stand in `source`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Original<'t, 's> {
    pub(crate) transcript: &'t Transcript,
    pub(crate) places: &'t Places,
    pub(crate) source: &'s str,
}

/// The request for a summary of what `plan` summarises, for messages that were never a text: a live session of another
/// language. It is the same request that [`Session::summary_request`](crate::Session::summary_request) makes when it
/// reads the same messages.
///
/// `texts` is JSON: an array with one element for each part of the transcript, in order. An element is an array of the
/// values that the part is made of: a text as a string, anything else (arguments, for example) as it is. A part without
/// text has an empty array. The element is an object if the user ran a command: `{"ran": text}` for the command and
/// `{"printed": text}` for its output.
///
/// # Errors
///
/// `mismatch` when `texts` or `plan` do not belong to `transcript`; the other errors of `Session::summary_request`.
///
/// # Example
///
/// ```
/// use ebbline::summary::{SummaryOptions, request_of_texts};
/// use ebbline::length::Length;
/// use ebbline::transcript::{Message, Part, PartKind};
/// use ebbline::{PlanOptions, Transcript};
/// let mut transcript = Transcript::default();
/// for _ in 0..2 {
///     transcript.begin(Message::person());
///     transcript.push(Part::new(PartKind::Text, Length::of("Fix the login test, which fails since Monday.")));
/// }
/// let mut policy = ebbline::profiles::get("ebbline@1")?;
/// policy.set("retain.keep", "1")?;
/// let plan = ebbline::plan(&transcript, &policy, PlanOptions::new().force(true));
///
/// let texts = r#"[["Fix the login test, which fails since Monday."], ["Then the logout test."]]"#;
/// let task = request_of_texts(&transcript, texts, &plan, &SummaryOptions::default())?.unwrap();
/// assert!(task.request.messages[0].text.to_text().contains("[User]: Fix the login test"));
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn request_of_texts(
    transcript: &Transcript,
    texts: &str,
    plan: &Plan,
    options: &SummaryOptions,
) -> Result<Option<SummaryTask>, Error> {
    let places = places_of_texts(transcript, texts, plan)?;
    request(Original { transcript, places: &places, source: texts }, plan, options)
}

/// Where the texts of the parts stand in the JSON `texts`; `plan` must be one of `transcript`.
pub(super) fn places_of_texts(transcript: &Transcript, texts: &str, plan: &Plan) -> Result<Places, Error> {
    if plan.messages.len() != transcript.messages().len() {
        return Err(mismatch());
    }
    places_of_parts(transcript, texts)
}

/// Where the texts of the parts stand in the JSON `texts`.
pub(crate) fn places_of_parts(transcript: &Transcript, texts: &str) -> Result<Places, Error> {
    let document = Document::parse(texts)?;
    let mut places = Places::default();
    let mut parts = 0;
    for (part, element) in document.root().elements().enumerate() {
        note(part, element, &mut places);
        parts += 1;
    }
    if parts != transcript.parts().len() {
        return Err(mismatch());
    }
    Ok(places)
}

fn mismatch() -> Error {
    Error::new(ErrorCode::Mismatch, "plan, texts and messages do not belong together")
}

/// Notes where the texts of one part stand.
fn note(part: usize, element: Value<'_>, places: &mut Places) {
    for (key, kind) in [("ran", PieceKind::Command), ("printed", PieceKind::Printed)] {
        if let Some(text) = element.get(key) {
            places.note(part, &text.span());
            places.name(part, kind);
        }
    }
    for value in element.elements() {
        places.note(part, &value.span());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::plan;
    use crate::length::Length;
    use crate::plan::PlanOptions;
    use crate::profiles;
    use crate::transcript::{Message, Part, PartKind, Role};

    #[test]
    fn texts_that_do_not_belong_to_the_messages_are_refused() {
        let mut transcript = Transcript::default();
        for role in [Role::User, Role::Assistant, Role::User] {
            transcript.begin(Message::new(role));
            transcript.push(Part::new(PartKind::Text, Length::ascii(400)));
        }
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.set("retain.keep", "1").unwrap();
        let plan = plan(&transcript, &policy, PlanOptions { force: true, ..PlanOptions::default() });
        for (texts, code) in [
            ("[", "torn_line"),
            ("[[\"a\"]]", "mismatch"),
            ("{}", "mismatch"),
            (r#"[["a"],["b"],["c"],["d"]]"#, "mismatch"),
        ] {
            let answer = request_of_texts(&transcript, texts, &plan, &SummaryOptions::default());
            assert_eq!(answer.unwrap_err().code(), code, "{texts}");
        }
        let texts = r#"[{"ran":"ls"},[{"a":1},"b"],[]]"#;
        let task = request_of_texts(&transcript, texts, &plan, &SummaryOptions::default());
        let message = task.unwrap().unwrap().request.messages[0].text.to_text();
        assert!(message.contains("[User ran]: ls\n\n[Assistant]: {\"a\":1}\nb\n"), "{message}");
    }
}
