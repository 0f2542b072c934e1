//! The requests of the event-based core: its own tags, headings and layout with ebbline's wording.

use ebbline::notation::javascript::Utf16;
use ebbline::summary::{CLOSING, LANGUAGE, Section, outline};

use super::version::{Version, tokens};

const JUNE: &[Section] = &[
    Section::new("## Goal", "- What the user wants to reach, in one sentence."),
    Section::new("## Constraints & Preferences", "- Rules, limits and wishes the user has stated."),
    Section::new("## Progress", ""),
    Section::new("### Done", "- What is finished and checked."),
    Section::new("### In Progress", "- What was begun, and how far it is."),
    Section::new("### Blocked", "- What stands in the way, and since when."),
    Section::new("## Key Decisions", "- What was decided, why, and what was rejected."),
    Section::new("## Next Steps", "- What comes next, in order."),
    Section::new("## Critical Context", "- Values, errors, commands and open questions the work needs."),
    Section::new("## Relevant Files", "- `path`: what it has to do with the work."),
];

const LATER: &[Section] = &[
    Section::new("## Objective", "- What the user wants to reach, in a sentence or two."),
    Section::new("## Requirements", "- Rules, limits, wishes, and what is out of scope."),
    Section::new("## Decisions", "- What was decided, why, and what was rejected."),
    Section::new("## Work State", ""),
    Section::new("### Completed", "- What is finished and checked."),
    Section::new("### Active", "- What was begun, and how far it is."),
    Section::new("### Blocked", "- What stands in the way: failing commands, open questions."),
    Section::new("## Next Move", "1. What comes next, in order; first what was interrupted."),
    Section::new("## Relevant Files", "- `path`: what it has to do with the work."),
    Section::new(
        "## Additional Context",
        "- Values, errors, commands and names that are hard to find again.",
    ),
];

/// The size of the original prompt of 2026-06 without summary and history, in UTF-16 units. It is used to decide, as
/// OpenCode does, whether a request is too large; ebbline's wording is no larger.
const JUNE_FIRST: usize = 1_006;
/// The same with an earlier summary, including its tags.
const JUNE_UPDATE: usize = 1_136;

/// The sections of a version's template.
fn sections(version: Version) -> &'static [Section] {
    match version {
        Version::V2026_06 => JUNE,
        Version::Later => LATER,
    }
}

/// The single message of a request of 2026-06: instructions, earlier summary, then the history in pieces.
#[must_use]
pub fn june_prompt(previous_summary: Option<&Utf16>, history: &[Utf16]) -> Utf16 {
    let previous = previous_summary.filter(|summary| !summary.is_empty());
    let mut prompt = Utf16::default();
    if let Some(previous) = previous {
        prompt.push_str("Bring this summary up to date with the history below; keep what still holds:\n");
        prompt.push_str("<previous-summary>\n");
        prompt.push(previous);
        prompt.push_str("\n</previous-summary>");
    } else {
        prompt.push_str("Summarize the history below for another model that continues the work.");
    }
    prompt.push_str(&format!(
        "\n\nAnswer with this outline filled in, without the tags:\n<template>\n{}\n</template>\n\n\
         Rules:\n- {CLOSING}\n- {LANGUAGE}",
        outline(JUNE)
    ));
    for piece in history {
        prompt.push_str("\n\n");
        prompt.push(piece);
    }
    prompt
}

/// The estimate with which 2026-06 decides whether its request is too large.
pub(super) fn june_tokens(previous_summary: Option<&Utf16>, history: &[Utf16]) -> f64 {
    let previous = previous_summary.map_or(0, Utf16::len);
    let wording = if previous > 0 { JUNE_UPDATE } else { JUNE_FIRST };
    tokens(wording + previous + history.iter().map(|piece| 2 + piece.len()).sum::<usize>())
}

/// The instruction that the later version appends to the messages of a normal request.
#[must_use]
pub fn instruction(update: bool) -> Utf16 {
    let task = if update {
        "Stop here and bring the checkpoint above up to date with the messages after it: where they disagree, the \
         newer word counts; keep what still holds, move what is finished to Completed and drop what is settled. Leave \
         out the tags around the old checkpoint."
    } else {
        "Stop here and write down where the session stands, so that another model can go on from your text alone."
    };
    Utf16::from(
        format!(
            "{task}\n\nNewer messages than those above may follow your text word for word; say nothing about \
             them. Do not go on with the work and call no tools.\n\nAnswer with nothing but this outline filled \
             in, without the tags:\n<template>\n{}\n</template>\n\nRules:\n- {CLOSING}\n- Carry questions of \
             the user that are still open word for word.\n- Say of every change whether it is only made, \
             committed or pushed.\n- {LANGUAGE}",
            outline(LATER)
        )
        .as_str(),
    )
}

/// What the later version sends once if an answer contains none of the headings.
#[must_use]
pub fn reminder() -> Utf16 {
    Utf16::from(
        "That was not the outline. Call no tools; answer with its headings exactly as given, filled in.",
    )
}

/// Whether an answer contains a heading of the version's template as a whole line.
#[must_use]
pub fn follows_template(answer: &Utf16, version: Version) -> bool {
    answer
        .units()
        .split(|unit| *unit == u16::from(b'\n'))
        .map(|line| Utf16::from(line).trim().to_text())
        .any(|line| sections(version).iter().any(|section| section.heading == line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prompt_of_june_holds_summary_template_and_history() {
        let history = [Utf16::from("[User]: old"), Utf16::from("[User]: new")];
        let first = june_prompt(None, &history).to_text();
        assert!(first.ends_with("\n\n[User]: old\n\n[User]: new"), "{first}");
        assert_eq!(june_prompt(Some(&Utf16::default()), &history).to_text(), first);
        let update = june_prompt(Some(&Utf16::from("so far")), &[]).to_text();
        assert!(update.contains(":\n<previous-summary>\nso far\n</previous-summary>\n\n"), "{update}");
        assert!(update.contains("\n## Progress\n### Done\n- "));
    }

    #[test]
    fn our_wording_is_no_larger_than_the_one_that_is_judged() {
        let first = june_prompt(None, &[]).len();
        let update = june_prompt(Some(&Utf16::from("s")), &[]).len() - 1;
        assert!(first <= JUNE_FIRST && update <= JUNE_UPDATE, "{first} and {update}");
    }

    #[test]
    fn an_answer_needs_one_heading_of_the_template() {
        for (answer, follows) in [
            ("## Objective\n- x", true),
            ("text\n  ### Blocked \r\n", true),
            ("## Goal", false),
            ("# Objective", false),
            ("see ## Objective", false),
            ("", false),
        ] {
            assert_eq!(follows_template(&Utf16::from(answer), Version::Later), follows, "{answer}");
        }
        assert!(follows_template(&Utf16::from("## Goal"), Version::V2026_06));
    }
}
