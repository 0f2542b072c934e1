//! The verdict, what changes and the policy as Markdown, to be pasted into an issue. It contains no text of the session, and
//! neither its name nor those of its tools.

use ebbline::Policy;

use super::Exported;
use super::turned::{paths, turned};
use crate::drawn_plan::DrawnPlan;
use crate::kind::{Kind, Shown};
use crate::verdict;
use ebbline::numbers::{counted, grouped};

/// How many of the largest changes are listed.
const LISTED: usize = 10;

/// Writes the plan that is shown as Markdown. `format` is the session's format, `kinds` the kind of each message as a
/// code.
pub fn markdown(planned: &DrawnPlan, policy: &Policy, format: &str, kinds: &[u8]) -> Exported {
    let headline = verdict::plain(&planned.said.headline);
    let details = verdict::plain(&planned.said.details);
    let mut text = format!("## {headline}\n\n{details}\n\n");
    if !planned.said.warning.is_empty() {
        text += &format!("{}\n\n", planned.said.warning);
    }
    text += &by_fate(planned);
    text += &largest(planned, kinds);
    let (profile, changes) = turned(policy);
    text += &format!("### Policy\n\n`{profile}`");
    // A name of a tool may come from the session.
    let sets: Vec<_> = paths(&changes).filter(|(path, _)| path != "prune.protectedTools").collect();
    text += if sets.is_empty() { ", unchanged.\n" } else { " with these changes:\n\n```\n" };
    for (path, value) in &sets {
        text += &format!("{path} = {value}\n");
    }
    if !sets.is_empty() {
        text += "```\n";
    }
    text += &format!(
        "\n{format}, {}. Token counts are estimates. No text of the session is in this report.\n",
        counted(kinds.len() as u64, "message")
    );
    Exported::of_text("ebbline.md", text)
}

fn by_fate(planned: &DrawnPlan) -> String {
    let mut table = "| fate | messages | tokens before | after |\n|---|---:|---:|---:|\n".to_owned();
    let fates = &planned.fates;
    for shown in Shown::ALL {
        let at = |index: &usize| fates.fate.get(*index) == Some(&(shown as u8));
        let found: Vec<usize> = (0..fates.fate.len()).filter(at).collect();
        if found.is_empty() {
            continue;
        }
        let sum = |column: &[u32]| {
            let tokens: u64 =
                found.iter().filter_map(|index| column.get(*index)).map(|one| u64::from(*one)).sum();
            grouped(tokens)
        };
        let (before, after) = (sum(&fates.before), sum(&fates.after));
        table += &format!("| {} | {} | {before} | {after} |\n", shown.word(), grouped(found.len() as u64));
    }
    if planned.figures.allowance > 0 {
        table += &format!("| new summary | 1 | | {} |\n", grouped(planned.figures.allowance));
    }
    table + "\n"
}

fn largest(planned: &DrawnPlan, kinds: &[u8]) -> String {
    let fates = &planned.fates;
    let mut changed: Vec<(u32, usize, u32)> = fates
        .before
        .iter()
        .zip(&fates.after)
        .enumerate()
        .filter(|(_, (before, after))| after < before)
        .map(|(index, (before, after))| (before - after, index, *before))
        .collect();
    changed.sort_unstable_by_key(|(saved, index, _)| (std::cmp::Reverse(*saved), *index));
    if changed.is_empty() {
        return String::new();
    }
    let all = changed.len();
    changed.truncate(LISTED);
    let mut table = format!(
        "The largest of {}:\n\n| message | kind | fate | tokens before | after |\n|---:|---|---|---:|---:|\n",
        counted(all as u64, "change")
    );
    for (saved, index, before) in changed {
        let kind = Kind::from_code(kinds.get(index).copied().unwrap_or_default());
        let fate = Shown::from_code(fates.fate.get(index).copied().unwrap_or_default());
        table += &format!(
            "| {} | {} | {} | {} | {} |\n",
            grouped(index as u64 + 1),
            kind.word(),
            fate.word(),
            grouped(u64::from(before)),
            grouped(u64::from(before - saved))
        );
    }
    table + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Content;
    use crate::export::tests::text;
    use crate::knob::{Knob, change};

    #[test]
    fn a_report_for_an_issue_has_the_figures_and_no_text() {
        let (session, overview) = crate::sample::opened();
        let mut policy = ebbline::profiles::get("ebbline@1").unwrap();
        Knob::Context.set(&mut policy, 64_000);
        Knob::Keep.set(&mut policy, 20_000);
        change(&mut policy, |policy| policy.prune.protected_tools.push("secret_tool".to_owned()));
        let planned = session.plan(&policy, false);
        let written = text(markdown(&planned, &policy, &overview.about.format, &overview.rows.kind));
        insta::assert_snapshot!(written, @r"
        ## Context 187,317 of 64,000 tokens. Pruning clears 35 old outputs (−158,281): 187,317 → 29,036.

        The newest 12,800 tokens of tool output are protected. Summarizing would fire above 32,000: 2,964 to go.

        | fate | messages | tokens before | after |
        |---|---:|---:|---:|
        | kept | 80 | 28,616 | 28,616 |
        | pruned | 35 | 158,701 | 420 |

        The largest of 35 changes:

        | message | kind | fate | tokens before | after |
        |---:|---|---|---:|---:|
        | 85 | tool output | pruned | 12,038 | 12 |
        | 21 | tool output | pruned | 10,767 | 12 |
        | 80 | tool output | pruned | 8,654 | 12 |
        | 63 | tool output | pruned | 7,627 | 12 |
        | 44 | tool output | pruned | 7,321 | 12 |
        | 13 | tool output | pruned | 7,288 | 12 |
        | 24 | tool output | pruned | 7,136 | 12 |
        | 59 | tool output | pruned | 7,028 | 12 |
        | 12 | tool output | pruned | 6,295 | 12 |
        | 49 | tool output | pruned | 6,091 | 12 |

        ### Policy

        `ebbline@1` with these changes:

        ```
        model.context = 64000
        retain.keep = 20000
        ```

        OpenAI Chat, 115 messages. Token counts are estimates. No text of the session is in this report.
        ");
        assert!(!written.contains("secret_tool"));
        let transcript = session.content();
        let source = transcript.source().to_owned();
        // No four words of the session, one behind the other, stand in the report.
        let words: Vec<&str> = written.split_whitespace().collect();
        for four in words.windows(4) {
            assert!(!source.contains(&four.join(" ")), "{four:?}");
        }
    }

    #[test]
    fn where_nothing_changes_nothing_is_listed() {
        let (session, overview) = crate::sample::opened();
        let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
        Knob::Context.set(&mut policy, 1_000_000);
        let planned = session.plan(&policy, false);
        let written = text(markdown(&planned, &policy, &overview.about.format, &overview.rows.kind));
        assert!(!written.contains("largest") && written.contains("| kept |"), "{written}");
    }
}
