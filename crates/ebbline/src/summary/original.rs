//! A transcript together with the texts of its parts: what the request for a summary is written from.

use super::task::{SummaryOptions, SummaryTask, request};
use super::texts::{Texts, mismatch};
use crate::error::Error;
use crate::format::Pieces;
use crate::plan::Plan;
use crate::transcript::Transcript;

/// A transcript, and where the texts of its parts stand in `source`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Original<'t, 's> {
    pub(crate) transcript: &'t Transcript,
    pub(crate) pieces: &'t Pieces,
    pub(crate) source: &'s str,
}

/// The request for a summary of what `plan` summarizes, for messages that were never a text: a live session of another
/// language. It is the same request that [`SessionText::summary_request`](crate::SessionText::summary_request) makes when it
/// reads the same messages.
///
/// # Errors
///
/// `mismatch` when `texts` or `plan` do not belong to `transcript`; the other errors of `Session::summary_request`.
///
/// # Example
///
/// ```
/// use ebbline::summary::{SummaryOptions, Texts, request_of_texts};
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
/// let texts = Texts::of_json(r#"[["Fix the login test, which fails since Monday."], ["Then the logout test."]]"#)?;
/// let task = request_of_texts(&transcript, &texts, &plan, &SummaryOptions::default())?.unwrap();
/// assert!(task.request.messages[0].text.to_text().contains("[User]: Fix the login test"));
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn request_of_texts(
    transcript: &Transcript,
    texts: &Texts<'_>,
    plan: &Plan,
    options: &SummaryOptions,
) -> Result<Option<SummaryTask>, Error> {
    request(original(transcript, texts, plan)?, plan, options)
}

/// The texts beside the transcript that they are of, which `plan` must be of, too.
pub(crate) fn original<'o, 's>(
    transcript: &'o Transcript,
    texts: &'o Texts<'s>,
    plan: &Plan,
) -> Result<Original<'o, 's>, Error> {
    if plan.messages.len() == transcript.messages().len() {
        texts.original(transcript)
    } else {
        Err(mismatch())
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
        for (texts, code) in
            [("[[\"a\"]]", "mismatch"), ("{}", "mismatch"), (r#"[["a"],["b"],["c"],["d"]]"#, "mismatch")]
        {
            let texts_of = Texts::of_json(texts).unwrap();
            let answer = request_of_texts(&transcript, &texts_of, &plan, &SummaryOptions::default());
            assert_eq!(answer.unwrap_err().code(), code, "{texts}");
        }
        let texts = Texts::of_json(r#"[{"ran":"ls"},[{"a":1},"b"],[]]"#).unwrap();
        let task = request_of_texts(&transcript, &texts, &plan, &SummaryOptions::default());
        let message = task.unwrap().unwrap().request.messages[0].text.to_text();
        assert!(message.contains("[User ran]: ls\n\n[Assistant]: {\"a\":1}\nb\n"), "{message}");
    }
}
