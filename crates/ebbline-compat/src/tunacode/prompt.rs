//! The summary request of TunaCode 0.2: its own headings and layout with ebbline's wording.

use ebbline::notation::javascript::Utf16;
use ebbline::notation::python::strip;
use ebbline::summary::{CLOSING, LANGUAGE, Section, outline};

const SECTIONS: &[Section] = &[
    Section::new(
        "## Goal",
        "What the user wants to reach, in their terms; several goals if the work has moved on.",
    ),
    Section::new(
        "## Constraints & Preferences",
        "- Every rule, limit and wish the user has stated, and what was ruled out.",
    ),
    // The parts of these two stand without a blank line between them.
    Section::new(
        "## Progress",
        "### Done\n- [x] What is finished and checked, with the files it changed.\n### In Progress\n- [ ] What was \
         begun, how far it is, and what stands in its way.",
    ),
    Section::new("## Key Decisions", "- **What was decided**: why, and what was rejected for it."),
    Section::new("## Next Steps", "1. What is to be done next, in order; first what was interrupted."),
    Section::new("## Files Touched", "### Read\n- [path]\n### Modified\n- [path]"),
    Section::new(
        "## Critical Context",
        "- Facts the work depends on and that are hard to find again: values, errors, commands, names, results.",
    ),
];

/// The prompt for a transcript; with an earlier summary, it requests an update of that.
///
/// An earlier summary with only white space counts as none.
#[must_use]
pub fn summary_prompt(transcript: &Utf16, previous_summary: Option<&Utf16>) -> Utf16 {
    let previous = previous_summary.map(strip).filter(|summary| !summary.is_empty());
    let task = if previous.is_some() {
        "Bring the summary of a working session up to date: what it says still holds unless the new messages change \
         it. Carry everything over that still matters, move what is finished to Done, and leave out what is settled \
         and no longer needed. Another model continues from your text alone."
    } else {
        "Write down where a working session stands, so that another model can go on from your text alone, without \
         asking the user again. Do not carry on with the work and do not answer what is asked in the messages."
    };
    let mut prompt = Utf16::from(task);
    prompt.push_str(&format!(
        "\n\n{CLOSING} {LANGUAGE}\n\nAnswer with nothing but Markdown of this form:\n\n{}\n\n\n",
        outline(SECTIONS)
    ));
    if let Some(previous) = previous {
        prompt.push_str("The summary so far:\n");
        prompt.push(&previous);
        prompt.push_str("\n\nThe messages since then:\n");
    } else {
        prompt.push_str("The messages:\n");
    }
    prompt.push(transcript);
    prompt.push_str("\n");
    prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_and_a_later_prompt_differ_in_the_summary_so_far() {
        let transcript = Utf16::from("[User]: {x}");
        let first = summary_prompt(&transcript, None).to_text();
        assert!(first.contains("\n\n## Progress\n### Done\n- [x] "), "{first}");
        assert!(first.contains("\n### Read\n- [path]\n### Modified\n- [path]\n\n## Critical Context\n"));
        assert!(first.ends_with("\n\n\nThe messages:\n[User]: {x}\n"));
        assert_eq!(summary_prompt(&transcript, Some(&Utf16::from(" \n"))).to_text(), first);
        let later = summary_prompt(&transcript, Some(&Utf16::from(" so far\n"))).to_text();
        assert!(later.ends_with(":\nso far\n\nThe messages since then:\n[User]: {x}\n"));
    }
}
