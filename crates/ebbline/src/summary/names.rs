//! The identifiers that a summary takes over by rule: those that only the messages name which it replaces.

use super::original::Original;
use crate::holdings::{Held, Holdings};
use crate::order::sort_by;
use crate::placeholder::names::{is_name, says, within};
use crate::plan::{Fate, Plan};
use crate::transcript::Role;

const LEAD: &str = "\n\n<identifiers>\nOnly what this summary replaces named these: ";
const END: &str = "\n</identifiers>";

/// What only the summarized messages name, within the policy's budget: first what the agent used, the newest use first.
pub(super) fn names(original: Original<'_, '_>, plan: &Plan) -> Vec<String> {
    let policy = plan.policy();
    if policy.retain.names == 0 {
        return Vec::new();
    }
    let transcript = original.transcript;
    let mut holdings = Holdings::default();
    for (index, message) in plan.messages.iter().enumerate().filter(|(_, it)| it.fate != Fate::Inactive) {
        for (at, part) in transcript.part_range(index).zip(transcript.parts_of(index)) {
            let text = original.pieces.text_of(original.source, at);
            if message.fate == Fate::Summarized {
                holdings.leaves(index, part.kind, &text);
            } else {
                holdings.stays(part.kind, &text);
            }
        }
    }
    let of = |index: &usize| transcript.messages().get(*index);
    let rank = |held: &Held| {
        let is_used = |index: &&usize| of(index).is_some_and(|message| message.role == Role::Assistant);
        let is_carried = held.messages.iter().any(|index| of(index).is_some_and(|message| message.summary));
        let used = held.messages.iter().rev().find(is_used).map(|index| index + 1);
        let newest = held.messages.last().copied().unwrap_or_default();
        // What nobody has used since comes last, and a name in code that may stand anywhere last of all.
        (
            used.is_none() && !is_carried,
            !held.is_strong,
            std::cmp::Reverse(used.unwrap_or(0)),
            std::cmp::Reverse(newest),
        )
    };
    let mut held = holdings.only_there();
    sort_by(&mut held, &|one, other| rank(one).cmp(&rank(other)));
    let mut texts = held.iter().map(|held| held.text.as_str()).filter(|text| is_name(text));
    within(&mut texts, policy.retain.names, &policy.estimator).into_iter().map(str::to_owned).collect()
}

/// The names that a summary does not say, as they stand behind it; empty if it says all of them.
pub(super) fn behind(summary: &str, names: &[String]) -> String {
    let mut text = String::new();
    for name in names.iter().filter(|name| !says(summary, name)) {
        text.push_str(if text.is_empty() { LEAD } else { ", " });
        text.push_str(name);
    }
    if !text.is_empty() {
        text.push_str(END);
    }
    text
}

/// A summary without the names that stand behind it: they say nothing of the model's own answer.
pub(super) fn without(summary: &str) -> String {
    match summary.split_once(LEAD).map(|(own, rest)| (own, rest.split_once(END))) {
        Some((own, Some((_, behind)))) => [own, behind].concat(),
        _ => summary.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::summary::{Answer, SummaryContext, SummaryOptions, finish};
    use crate::{PlanOptions, SessionText, profiles};

    fn task(names: u64) -> crate::summary::SummaryTask {
        let words = "It waits for a mail. ".repeat(900);
        let text = format!(
            r#"[{{"role":"user","content":"Mend the login test."}},
            {{"role":"assistant","content":"I read src/deep/login.rs and src/kept/mail.rs: E4211. {words}"}},
            {{"role":"user","content":"The build 9f86d08a1 is old, and so is src/unused/part.rs. {words}"}},
            {{"role":"assistant","content":"I see."}},
            {{"role":"user","content":"Go on in src/kept/mail.rs."}}]"#
        );
        let mut policy = profiles::get("ebbline@3").unwrap();
        policy.shares.clear();
        (policy.retain.keep, policy.retain.names, policy.prune.enabled) = (1, names, false);
        let session = SessionText::read(text).unwrap();
        let plan = session.plan_with(&policy, PlanOptions::new().force(true));
        session.summary_request(&plan, &SummaryOptions::new()).unwrap().unwrap()
    }

    #[test]
    fn a_request_names_what_only_the_summarized_messages_name() {
        let names = |budget: u64| task(budget).context.names.join(" ");
        // What the agent used comes first.
        assert_eq!(names(400), "src/deep/login.rs E4211 9f86d08a1 src/unused/part.rs");
        assert_eq!(names(10), "src/deep/login.rs");
        assert_eq!(names(0), "");
        let message = task(400).request.messages[0].text.to_text();
        assert!(
            message.contains("say of each what it is if the work still needs it: src/deep/login.rs, E4211")
        );
        assert!(!task(0).request.messages[0].text.to_text().contains("say of each what it is"));
    }

    #[test]
    fn names_that_an_answer_leaves_out_stand_behind_it() {
        let context = SummaryContext::from_json(&serde_json::to_string(&task(400).context).unwrap()).unwrap();
        let finished = |text: &str| finish(&context, Answer { text, truncated: false }).unwrap();
        assert!(finished("## Goal\nsrc/deep/login.rs fails.").ends_with(
            "fails.\n\n<identifiers>\nOnly what this summary replaces named these: E4211, 9f86d08a1, src/unused/part.rs\n</identifiers>"
        ));
        assert_eq!(super::without(&finished("undefined")), "undefined");
        let all = "src/deep/login.rs E4211 9f86d08a1 src/unused/part.rs";
        assert_eq!(finished(all), all);
    }
}
