//! The request to a summarizer: the system's headings with ebbline's wording.

use ebbline::notation::javascript::Utf16;
use ebbline::summary::{CLOSING, LANGUAGE, Section, outline};

use super::version::Version;

/// The sections of the anchored summary (since 2026-04-23).
const SECTIONS: &[Section] = &[
    Section::new("## Goal", "- [What the user wants in the end, in one sentence]"),
    Section::new(
        "## Constraints & Preferences",
        "- [What the user has ruled out, demanded or likes, and limits that were found; \"(none)\" if nothing]",
    ),
    Section::new("## Progress", ""),
    Section::new("### Done", "- [What works, and how that is known]"),
    Section::new("### In Progress", "- [What has been begun, and how far it is]"),
    Section::new("### Blocked", "- [What cannot go on, and what it waits for]"),
    Section::new("## Key Decisions", "- [What was chosen, over what, and why]"),
    Section::new("## Next Steps", "- [What comes next, the first thing first]"),
    Section::new(
        "## Critical Context",
        "- [Facts without which the work cannot go on: findings, values, errors in their own words, open questions]",
    ),
    Section::new("## Relevant Files", "- [path: why it matters]"),
];

/// What the answer to an older version's request should contain; such requests have no headings.
const FREE_FORM: &str = "Write what someone who has not seen this conversation needs to carry the work on: what was \
wanted, what has been done and with what result, what is being done now and in which files, and what is to be \
done next.";

/// The last message of a summary request.
///
/// `previous` is the summary to be updated, `context` contains texts from plugins; the previous summary appears once,
/// between its tags. Versions before the anchored summary write each summary from scratch.
#[must_use]
pub fn summary_prompt(previous: Option<&Utf16>, context: &[Utf16], version: Version) -> Utf16 {
    let mut pieces = Vec::new();
    if version.keeps_tail() {
        pieces.push(anchor(previous));
        pieces.push(Utf16::from(template().as_str()));
    } else {
        pieces.push(Utf16::from(format!("{FREE_FORM} {LANGUAGE}").as_str()));
    }
    pieces.extend_from_slice(context);
    Utf16::join(&pieces, "\n\n")
}

fn anchor(previous: Option<&Utf16>) -> Utf16 {
    let Some(previous) = previous else {
        return Utf16::from(
            "Sum up the conversation so far, so that the work can go on from your summary alone.",
        );
    };
    let mut anchor = Utf16::from(
        "Bring this summary up to date with the conversation above: keep what holds, correct what has changed, \
         drop what is settled, add what is new.\n<previous-summary>\n",
    );
    anchor.push(previous);
    anchor.push_str("\n</previous-summary>");
    anchor
}

fn template() -> String {
    let outline = outline(SECTIONS);
    format!(
        "Answer with nothing but this outline, filled in:\n<template>\n{outline}\n</template>\n\nRules:\n- {CLOSING}\n\
         - Write short bullets, not paragraphs.\n- Do not speak of this request or of summing up.\n- {LANGUAGE}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_previous_summary_stands_once_and_context_comes_last() {
        let previous = Utf16::from("old");
        let context = [Utf16::from("from a plugin")];
        let prompt = summary_prompt(Some(&previous), &context, Version::V2026_06).to_text();
        assert_eq!(prompt.matches("<previous-summary>\nold\n</previous-summary>\n\n").count(), 1);
        assert!(prompt.ends_with("\n\nfrom a plugin"));
        let headings: Vec<&str> = prompt.lines().filter(|line| line.starts_with('#')).collect();
        insta::assert_snapshot!(headings.join(" "), @"## Goal ## Constraints & Preferences ## Progress ### Done ### In Progress ### Blocked ## Key Decisions ## Next Steps ## Critical Context ## Relevant Files");
        assert!(!summary_prompt(None, &[], Version::V2026_06).to_text().contains("<previous-summary>"));
    }

    #[test]
    fn older_versions_ask_for_no_headings() {
        let prompt = summary_prompt(Some(&Utf16::from("old")), &[], Version::V2026_01).to_text();
        assert!(!prompt.contains('#') && !prompt.contains("old"), "{prompt}");
        assert!(prompt.ends_with(LANGUAGE));
    }
}
