//! The compacted session in its own format.

use ebbline::{EditOptions, ErrorCode, Plan, SessionText};

use super::Exported;
use crate::credentials;
use crate::error_text::UserError;
use ebbline::numbers::counted;

/// The compacted session. If messages are summarized and the user gave no summary, a visible stub takes its place:
/// the page cannot write summaries.
pub fn session(
    session: &SessionText<'_>,
    name: &str,
    plan: &Plan,
    summary: &str,
    options: &EditOptions,
) -> Result<Exported, UserError> {
    let given = summary.trim();
    let stub = stub(plan.decision.retain.messages);
    let text = if given.is_empty() { stub.as_str() } else { given };
    let with_summary = options.clone().summary(text);
    let name = compacted_name(name);
    let (bytes, note) = match session.compact_bytes(plan, &with_summary) {
        Ok(bytes) => {
            let note = if plan.decision.retain.applied && given.is_empty() {
                format!("It holds the stub “{stub}”: replace it by a summary, or give one above.")
            } else {
                String::new()
            };
            (bytes, note)
        }
        Err(error) if error.kind() == ErrorCode::NoPlaceForSummary => {
            let bytes = session
                .compact_bytes(plan, options)
                .map_err(|error| UserError::new(&error, session.text().as_str().as_bytes()))?;
            let note = format!(
                "There is no place for a summary in {}, so this is the pruned session only.",
                session.format()
            );
            (bytes, note)
        }
        Err(error) => return Err(UserError::new(&error, session.text().as_str().as_bytes())),
    };
    let warning = credentials::warning(&bytes);
    let summarized = if plan.decision.retain.applied { plan.decision.retain.messages as u64 } else { 0 };
    Ok(Exported { name, bytes, note, warning, summarized, ..Exported::default() })
}

/// The stub that takes the place of a missing summary.
pub(crate) fn stub(messages: usize) -> String {
    format!("[summary of {} goes here]", counted(messages as u64, "message"))
}

/// `bug-hunt.json` becomes `bug-hunt.compacted.json`.
pub(super) fn compacted_name(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => format!("{stem}.compacted.{ending}"),
        _ => format!("{name}.compacted.json"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_the_file_is() {
        assert_eq!(compacted_name("a.b.jsonl"), "a.b.compacted.jsonl");
        assert_eq!(compacted_name("session"), "session.compacted.json");
    }

    #[test]
    fn what_looks_like_a_key_is_told_with_its_message() {
        let key = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let text = format!(
            r#"[{{"role":"user","content":"hello"}},{{"role":"user","content":"use {key}, please"}}]"#
        );
        let read = SessionText::read(text.as_str()).unwrap();
        let plan = read.plan(&ebbline::profiles::ALL[0].policy());
        let exported = session(&read, "a.json", &plan, "", &EditOptions::new()).unwrap();
        assert!(
            exported.warning.starts_with("1 GitHub token stands in this file, in message 2."),
            "{}",
            exported.warning
        );
    }
}
