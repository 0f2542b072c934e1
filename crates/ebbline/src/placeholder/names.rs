//! The identifiers that a placeholder names: those that stood only in the outputs that leave together.

use std::borrow::Cow;

use crate::holdings::{Held, Holdings};
use crate::identifiers::Class;
use crate::length::Length;
use crate::order::sort_by;
use crate::policy::{Estimator, PrunePolicy};
use crate::transcript::{Output, PartKind, Transcript};

/// What stands in front of the names.
const LEAD: &str = " Named only there: ";
/// What stands between two names.
const BETWEEN: &str = ", ";
/// Names take at most one of so many tokens of an output: a short output would not become shorter.
pub(super) const SHARE: u64 = 10;
/// A longer identifier, such as a command, is not named.
const LONGEST: usize = 120;

/// The identifiers of the outputs `pruned` (indices among the parts, in order) that stand in no text that stays, each with its output,
/// the most telling first. What stood in several of the outputs is named by the newest.
pub(crate) fn names<'t>(
    prune: &PrunePolicy,
    transcript: &Transcript,
    pruned: &[usize],
    text_of: &dyn Fn(usize) -> Cow<'t, str>,
) -> Vec<(usize, String)> {
    if !names_anything(prune) || pruned.is_empty() {
        return Vec::new();
    }
    let mut holdings = Holdings::default();
    for (index, message) in transcript.messages().iter().enumerate() {
        for at in transcript.part_range(index) {
            let Some(part) = transcript.parts().get(at) else { continue };
            if pruned.binary_search(&at).is_ok() {
                if part.kind == PartKind::ToolResult {
                    holdings.leaves(at, part.kind, &text_of(at));
                }
            } else if message.active && part.output != Output::Pruned {
                holdings.stays(part.kind, &text_of(at));
            }
        }
    }
    ranked(&holdings)
}

/// The names that stand only in what leaves, each with the newest place that contained it, the most telling first.
pub(crate) fn ranked(holdings: &Holdings) -> Vec<(usize, String)> {
    let mut held = holdings.only_there();
    held.retain(|held| is_name(&held.text));
    sort_by(&mut held, &|one, other| rank(one).cmp(&rank(other)));
    let newest = |held: &Held| held.messages.iter().max().copied().unwrap_or_default();
    held.into_iter().map(|held| (newest(&held), held.text)).collect()
}

/// How many tokens of identifiers a placeholder names of an output of so many tokens.
pub(crate) fn budget(prune: &PrunePolicy, tokens: u64) -> u64 {
    if names_anything(prune) { prune.names.min(tokens / SHARE) } else { 0 }
}

/// The same without what stands in front of the names.
pub(crate) fn room(prune: &PrunePolicy, tokens: u64, estimator: &Estimator) -> u64 {
    budget(prune, tokens).saturating_sub(estimator.tokens_of_text(Length::ascii(LEAD.len())))
}

/// Whether a placeholder names identifiers.
pub(crate) fn names_anything(prune: &PrunePolicy) -> bool {
    prune.reference && prune.names > 0
}

/// What nobody guesses comes first, then what tells most.
fn rank(held: &Held) -> (bool, u8) {
    let by_class = match held.class {
        Class::Error => 0,
        Class::File => 1,
        Class::Name => 2,
        Class::Number => 3,
        Class::Command | Class::Quote => 4,
    };
    (!held.is_strong, by_class)
}

/// Whether a placeholder may name an identifier: a sentence or a command is none of its names.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() <= LONGEST && !text.contains(char::is_whitespace)
}

/// As many of `names` as have at most `most` tokens together, with what stands between them.
pub(crate) fn within<'n>(
    names: &mut dyn Iterator<Item = &'n str>,
    most: u64,
    estimator: &Estimator,
) -> Vec<&'n str> {
    let mut kept: Vec<&str> = Vec::new();
    let mut used = 0;
    for name in names {
        // A path says its last name, too.
        if kept.iter().any(|longer| says(longer, name)) {
            continue;
        }
        used += estimator.tokens_of_text(Length::of(name).plus(Length::ascii(BETWEEN.len())));
        if used > most {
            break;
        }
        kept.push(name);
    }
    kept
}

/// Whether a text contains a name as a whole.
pub(crate) fn says(text: &str, name: &str) -> bool {
    let goes_on = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (text.get(..at), text.get(at + name.len()..));
        !goes_on(before.and_then(|text| text.chars().next_back()))
            && !goes_on(behind.and_then(|text| text.chars().next()))
    })
}

/// Names as they stand behind a placeholder; nothing if there are none.
pub(crate) fn joined(names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!("{LEAD}{}", names.join(BETWEEN)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EditOptions, PlanOptions, Policy, SessionText, profiles};

    fn output(call: &str, text: &str) -> String {
        let call = format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{call}","type":"function","function":{{"name":"bash","arguments":"{{\"command\":\"ls src/app\"}}"}}}}]}},{{"role":"tool","tool_call_id":"{call}","content":"{text}"}}"#
        );
        format!("{call},{}", r#"{"role":"assistant","content":"I see src/seen/known.rs and go on."}"#)
    }

    fn session(outputs: &[&str]) -> SessionText<'static> {
        let outputs = outputs.iter().enumerate().map(|(at, text)| output(&format!("call_{at}"), text));
        let outputs = outputs.collect::<Vec<_>>().join(",");
        SessionText::read(format!(r#"[{{"role":"user","content":"Look around."}},{outputs}]"#)).unwrap()
    }

    /// `ebbline@3` that prunes every output.
    fn greedy() -> Policy {
        let mut policy = profiles::get("ebbline@3").unwrap();
        policy.shares.clear();
        (policy.prune.protect, policy.prune.minimum, policy.prune.down_to) = (0, 1, 1);
        (policy.prune.protected_turns, policy.retain.enabled, policy.prune.preview) = (0, false, 0);
        policy
    }

    /// A session of these outputs after a forced prune.
    fn pruned(policy: &Policy, outputs: &[&str]) -> SessionText<'static> {
        let session = session(outputs);
        let plan = session.plan_with(policy, PlanOptions::new().force(true));
        SessionText::read(session.compact(&plan, &EditOptions::new()).unwrap()).unwrap()
    }

    fn remains(outputs: &[&str]) -> Vec<String> {
        let written = pruned(&greedy(), outputs);
        let parts = written.transcript().parts().iter().enumerate();
        let results = parts.filter(|(_, part)| part.kind == PartKind::ToolResult);
        results.map(|(index, _)| written.text_of(index).into_owned()).collect()
    }

    #[test]
    fn a_placeholder_names_what_stood_only_there() {
        let words = "plain words ".repeat(300);
        let first = format!("src/deep/cart.rs E4211 src/seen/known.rs deadbeef1234 {words}");
        let second = format!("src/deep/cart.rs src/other/total.ts {words}");
        let told = remains(&[&first, &second]);
        let named =
            |text: &str| text.split_once("Named only there: ").map(|(_, rest)| rest.to_owned()).unwrap();
        assert!(told[0].starts_with("[Old tool result content cleared: bash ls src/app, 3,6"), "{}", told[0]);
        assert!(named(&told[0]).starts_with("E4211, deadbeef1234 [ref "), "{}", told[0]);
        // The newest output names what both contained.
        assert!(named(&told[1]).starts_with("src/deep/cart.rs, src/other/total.ts [ref "), "{}", told[1]);
        let told = remains(&[&"plain words ".repeat(300)]);
        assert!(told[0].contains(" characters] [ref "), "nothing is said of names: {}", told[0]);
    }

    #[test]
    fn what_remains_is_known_again_however_much_it_may_be() {
        let paths = (0..4_000).map(|at| format!("src/deep/part{at}/listen.rs")).collect::<Vec<_>>().join(" ");
        for knob in ["prune.names", "prune.excerpt"] {
            let mut policy = greedy();
            policy.set(knob, "4000").unwrap();
            let read = pruned(&policy, &[&paths]);
            assert_eq!(read.counts().already_pruned, 1, "{knob}");
        }
    }

    #[test]
    fn names_stay_within_their_budget() {
        let paths = (0..400).map(|at| format!("src/deep/part{at}/listen.rs")).collect::<Vec<_>>().join(" ");
        let told = remains(&[&paths]);
        let count = told[0].matches("src/deep/").count();
        assert!((10..40).contains(&count), "{count} in {}", told[0]);
        let estimator = profiles::get("ebbline@3").unwrap().estimator;
        let names = ["src/a/one.rs", "one.rs", "ne.rs", "src/a/two.rs"];
        assert_eq!(
            within(&mut names.into_iter(), 1_000, &estimator),
            ["src/a/one.rs", "ne.rs", "src/a/two.rs"]
        );
        assert_eq!(within(&mut names.into_iter(), 0, &estimator), [""; 0]);
    }
}
