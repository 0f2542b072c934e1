//! What remains of a pruned output: the placeholder, which may say what stood there, behind an excerpt of the output.
//!
//! A plan holds no text, so it assumes the longest text that this may become ([`longest`]). What is written
//! ([`written`]) is never longer.

pub(crate) mod names;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::json::Document;
use crate::length::Length;
use crate::marks;
use crate::numbers::grouped;
use crate::plan::Preview;
use crate::policy::{Estimator, Policy, PrunePolicy};
use crate::preview;
use crate::transcript::{Part, PartKind, Transcript};

/// The most characters of a tool's name, of what its call was about, and of how it ended: as much as has room. The call stands
/// in front of the output and says the first two as well, so they become shorter first.
const ROOMS: [[usize; 3]; 8] = [
    [64, 80, 100],
    [64, 60, 100],
    [64, 40, 100],
    [64, 40, 70],
    [64, 20, 50],
    [32, 20, 30],
    [32, 20, 0],
    [16, 12, 0],
];
/// The most characters of all values in the braces together; a size has 13 at most.
const VALUES: usize = 64 + 80 + 100 + 13;
/// A description with room for fewer characters says nothing.
const LEAST: usize = 24;
/// A description takes at most one of so many tokens of an output: in a small window, more does not pay.
const SHARE: u64 = 20;
/// The arguments that say what a call is about, the most telling first.
pub(crate) const TELLING: &[&str] = &[
    "command", "cmd", "script", "file_path", "filePath", "path", "target_file", "url", "query", "pattern",
    "prompt",
];

/// A pruned output.
#[derive(Clone, Debug)]
pub(crate) struct Gone<'a> {
    /// The name of its tool; empty where the session does not say it.
    pub(crate) tool: &'a str,
    /// The arguments of its call, as JSON or text.
    pub(crate) arguments: &'a str,
    pub(crate) text: &'a str,
    /// How its call ended, where the placeholder says it.
    pub(crate) outcome: Option<Outcome>,
    /// Its size, in tokens of the policy's estimator.
    pub(crate) tokens: u64,
    /// The identifiers that stood only there, the most telling first.
    pub(crate) names: &'a [&'a str],
}

/// How a call ended.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) has_failed: bool,
    /// The line of the output that says so.
    pub(crate) line: String,
}

/// How the call of a tool ended, from its name, its arguments, its output, and whether the session says that it failed; `None` where
/// nothing says it.
pub(crate) type OutcomeOf = fn(&str, &str, &str, bool) -> Option<Outcome>;

/// Whether the placeholder says how a call ended.
pub(crate) fn says_outcome(prune: &PrunePolicy) -> bool {
    prune.placeholder.contains("{outcome}")
}

/// Whether what remains depends on the output. Without the reference to its call, such a text could not be told from an
/// output.
pub(crate) fn differs(prune: &PrunePolicy) -> bool {
    prune.reference && (prune.excerpt > 0 || prune.names > 0 || prune.is_template())
}

/// Whether what remains of this output depends on it: the reference has to prove itself by the id of a call.
pub(crate) fn differs_for(prune: &PrunePolicy, transcript: &Transcript, output: &Part) -> bool {
    differs(prune) && output.call.is_some_and(|call| !transcript.is_paired_by_place(call))
}

/// For each call, the part that makes it; the newest where a number repeats.
pub(crate) fn calls(transcript: &Transcript) -> HashMap<u32, usize> {
    let parts = transcript.parts().iter().enumerate();
    let calls = parts.filter(|(_, part)| part.kind == PartKind::ToolCall);
    calls.filter_map(|(index, part)| Some((part.call?, index))).collect()
}

/// What remains of each output that leaves at one moment.
pub(crate) struct Remains<'r, 't> {
    policy: &'r Policy,
    transcript: &'r Transcript,
    calls: HashMap<u32, usize>,
    /// For each output, the identifiers that it names.
    names: HashMap<usize, Vec<String>>,
    /// The parts of messages with a field for what is pruned: nothing is said of them.
    marked: HashSet<usize>,
    text_of: &'r dyn Fn(usize) -> Cow<'t, str>,
    outcome_of: OutcomeOf,
}

impl<'r, 't> Remains<'r, 't> {
    /// `pruned` are the outputs, by their indices among the parts, in order; `text_of` gives the text of a part.
    pub(crate) fn of(
        policy: &'r Policy,
        transcript: &'r Transcript,
        pruned: &[usize],
        text_of: &'r dyn Fn(usize) -> Cow<'t, str>,
        outcome_of: OutcomeOf,
    ) -> Self {
        let differs = differs(&policy.prune);
        let calls = if differs { calls(transcript) } else { HashMap::new() };
        let mut names: HashMap<usize, Vec<String>> = HashMap::new();
        for (output, name) in names::names(&policy.prune, transcript, pruned, text_of) {
            names.entry(output).or_default().push(name);
        }
        let messages = transcript.messages().iter().enumerate().filter(|_| differs);
        let marked = messages.filter(|(_, message)| message.has_prune_field);
        let marked = marked.flat_map(|(at, _)| transcript.part_range(at)).collect();
        Self { policy, transcript, calls, names, marked, text_of, outcome_of }
    }

    /// What remains of the output in part `index`, without the reference to its call; `None` where that is the bare placeholder.
    pub(crate) fn text(&self, index: usize) -> Option<String> {
        let Self { policy, transcript, calls, names, marked, text_of, outcome_of } = self;
        let output = transcript.parts().get(index)?;
        if marked.contains(&index) || !differs_for(&policy.prune, transcript, output) {
            return None;
        }
        let tool = output.tool.and_then(|tool| transcript.tool_name(tool)).unwrap_or_default();
        let call = output.call.and_then(|call| calls.get(&call));
        let arguments = call.map(|call| text_of(*call)).unwrap_or_default();
        let names = names.get(&index).into_iter().flatten().map(String::as_str);
        let names = &names.collect::<Vec<_>>();
        let tokens = policy.estimator.alone(policy.estimator.weigh(transcript, output));
        let text = &text_of(index);
        let ended = || outcome_of(tool, &arguments, text, output.output.has_failed());
        let outcome = says_outcome(&policy.prune).then(ended).flatten();
        Some(written(policy, &Gone { tool, arguments: &arguments, text, outcome, tokens, names }))
    }
}

/// The lengths of the texts that stand in place of an output, each with the reference to a call, measured once for a policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    /// The policy's own text with what stands in braces, where it says what stood there.
    template: Option<Length>,
    /// Whether what remains depends on the output.
    pub(crate) differ: bool,
    /// Without a description.
    pub(crate) bare: Length,
}

impl Lengths {
    pub(crate) fn of(prune: &PrunePolicy) -> Self {
        let reference = if prune.reference { marks::NO_CALL } else { "" };
        let of = |text: &str| Length::of(&format!("{text}{reference}"));
        Self {
            template: prune.is_template().then(|| of(&prune.placeholder)),
            differ: differs(prune),
            bare: of(prune.bare_placeholder()),
        }
    }
}

/// How many characters the values in the braces may take for an output of so many tokens. The whole description takes at most
/// the share [`SHARE`] of the output, at four characters a token. `None`: there is no room.
fn room_for_values(prune: &PrunePolicy, tokens: u64) -> Option<usize> {
    let most = usize::try_from(tokens.saturating_mul(4) / SHARE).unwrap_or(usize::MAX);
    let room = most.checked_sub(prune.placeholder.len()).filter(|room| *room >= LEAST)?;
    Some(room.min(VALUES))
}

/// The longest text that may remain of an output of so many tokens: a placeholder that says what stood there is as much longer
/// as all that it may say together.
pub(crate) fn longest(lengths: Lengths, prune: &PrunePolicy, estimator: &Estimator, tokens: u64) -> Length {
    if !lengths.differ {
        return lengths.bare;
    }
    let with_values = |template: Length| Some(template.plus(Length::ascii(room_for_values(prune, tokens)?)));
    let described = lengths.template.and_then(with_values);
    let units = units_of(prune.excerpt.saturating_add(names::budget(prune, tokens)), estimator);
    let excerpt =
        Length { utf16: units, code_points: units, bytes: units, classed: units, classed_json: units };
    described.unwrap_or(lengths.bare).plus(Length::ascii(1)).plus(excerpt)
}

/// What remains of an output, without the reference to its call.
pub(crate) fn written(policy: &Policy, gone: &Gone<'_>) -> String {
    let Policy { prune, estimator, .. } = policy;
    let lengths = Lengths::of(prune);
    // Texts may measure a little more together than apart, so all of it is measured.
    let fits = |text: &str, prune: &PrunePolicy| {
        let unit = estimator.unit;
        let whole = Length::of(&format!("{text}{}", marks::NO_CALL));
        // What is longer would not be known again.
        whole.utf16 <= marks::MOST_LEFT
            && whole.in_unit(unit) <= longest(lengths, prune, estimator, gone.tokens).in_unit(unit)
    };
    let alone = PrunePolicy { excerpt: 0, ..prune.clone() };
    let unnamed = PrunePolicy { names: 0, ..alone.clone() };
    let described = description(prune, gone, &|text| fits(text, &unnamed));
    let mut names =
        names::within(&mut gone.names.iter().copied(), names::room(prune, gone.tokens, estimator), estimator);
    let placeholder = loop {
        let placeholder = described.clone() + &names::joined(&names);
        if fits(&placeholder, &alone) || names.pop().is_none() {
            break placeholder;
        }
    };
    let mut room = units_of(prune.excerpt, estimator);
    while let Some(excerpt) = excerpt(estimator, gone.text, room) {
        let whole = format!("{excerpt}\n{placeholder}");
        if fits(&whole, prune) {
            return whole;
        }
        room -= room.div_ceil(16);
    }
    placeholder
}

/// The placeholder with as much in its braces as has room; without a description where nothing has.
fn description(prune: &PrunePolicy, gone: &Gone<'_>, fits: &dyn Fn(&str) -> bool) -> String {
    let bare = || prune.bare_placeholder().to_owned();
    if !prune.is_template() || room_for_values(prune, gone.tokens).is_none() {
        return bare();
    }
    let size = grouped(Length::of(gone.text).utf16.into());
    let about = argument_of(gone.arguments);
    let ended = gone.outcome.as_ref().map(told).unwrap_or_default();
    // What is denser than plain letters, or said twice, takes more room than the plan assumes.
    ROOMS
        .iter()
        .map(|[tool, argument, outcome]| {
            let (tool, about) = (shortened(gone.tool, *tool), shortened(&about, *argument));
            filled(&prune.placeholder, [&tool, &about, &size, &shortened(&ended, *outcome)])
        })
        .find(|text| fits(text))
        .unwrap_or_else(bare)
}

/// An outcome, behind what leads over to it.
fn told(outcome: &Outcome) -> String {
    let lead = if outcome.has_failed { ", failed: " } else { ", ended: " };
    format!("{lead}{}", outcome.line)
}

/// Head and tail of an output, which measure at most `most`; nothing if the output is no longer, or if that is too little.
fn excerpt(estimator: &Estimator, text: &str, most: u32) -> Option<String> {
    let length = Length::of(text);
    let note = preview::longest_note(length.utf16, 0).in_unit(estimator.unit);
    let whole = length.in_unit(estimator.unit);
    let room = most.checked_sub(note).filter(|room| *room > 0 && whole > most)?;
    let kept = u64::from(length.utf16) * u64::from(room) / u64::from(whole.max(1));
    let kept = u32::try_from(kept).unwrap_or(u32::MAX);
    let cut = Preview { head: kept.div_ceil(2), tail: kept / 2, most, media: 0 };
    Some(preview::written(text, &cut, estimator))
}

/// How much so many tokens measure, in the estimator's unit.
fn units_of(tokens: u64, estimator: &Estimator) -> u32 {
    let units = tokens.saturating_mul(u64::from(estimator.per_token.max(1)));
    u32::try_from(units).unwrap_or(u32::MAX)
}

/// The placeholder with what stands in braces filled in.
fn filled(placeholder: &str, values: [&str; PrunePolicy::TOLD.len()]) -> String {
    let mut filled = String::with_capacity(placeholder.len());
    let mut rest = placeholder;
    while let Some(character) = rest.chars().next() {
        let known = PrunePolicy::TOLD.iter().zip(values);
        let inside = rest.strip_prefix('{');
        let behind = |name: &str| inside?.strip_prefix(name)?.strip_prefix('}');
        let found = known.into_iter().find_map(|(name, value)| Some((behind(name)?, value)));
        if let Some((behind, value)) = found {
            filled.push_str(value);
            rest = behind;
        } else {
            filled.push(character);
            rest = rest.get(character.len_utf8()..).unwrap_or_default();
        }
    }
    filled
}

/// What a call was about: the most telling of its arguments, or all of them, on one line.
fn argument_of(arguments: &str) -> String {
    let Ok(document) = Document::parse(arguments) else { return one_line(arguments) };
    let root = document.root();
    if let Some(text) = root.text() {
        return argument_of(&text.decode());
    }
    let telling = TELLING.iter().find_map(|key| root.text_of(key));
    let first = || root.members().find_map(|(_, value)| value.text());
    telling.or_else(first).map_or_else(|| one_line(arguments), |text| one_line(&text.decode()))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many UTF-16 units of a text; what is shortened ends with an ellipsis.
fn shortened(text: &str, most: usize) -> String {
    let units = |text: &str| text.encode_utf16().count();
    if units(text) <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(1);
    let kept: String = text
        .chars()
        .take_while(|character| {
            let fits = character.len_utf16() <= left;
            left = left.saturating_sub(character.len_utf16());
            fits
        })
        .collect();
    if most == 0 { kept } else { kept + "…" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles;

    fn policy(placeholder: &str, excerpt: u64) -> Policy {
        let mut policy = profiles::get("ebbline@2").unwrap();
        policy.prune.placeholder = placeholder.to_owned();
        policy.prune.excerpt = excerpt;
        policy
    }

    #[test]
    fn the_placeholder_says_what_stood_there() {
        let policy = policy("[{tool} {argument}: {size} characters cleared, {other} {tool}]", 0);
        let text = "x".repeat(12_345);
        for (tool, arguments, expected) in [
            (
                "bash",
                r#"{"timeout":3,"command":"ls\n -l"}"#,
                "[bash ls -l: 12,345 characters cleared, {other} bash]",
            ),
            ("", r#""{\"path\":\"a.rs\"}""#, "[ a.rs: 12,345 characters cleared, {other} ]"),
            ("f", r#"{"n":1}"#, "[f {\"n\":1}: 12,345 characters cleared, {other} f]"),
            ("f", "not json", "[f not json: 12,345 characters cleared, {other} f]"),
        ] {
            assert_eq!(
                written(
                    &policy,
                    &Gone { tool, arguments, text: &text, outcome: None, tokens: 9_000, names: &[] }
                ),
                expected
            );
        }
    }

    #[test]
    fn an_output_without_room_for_a_description_leaves_a_plain_text() {
        for (placeholder, tokens, expected) in [
            ("[{tool}: {size} characters cleared]", 400, "[bash: 900 characters cleared]"),
            ("[{tool}: {size} characters cleared]", 200, marks::PLACEHOLDER),
            (r#"{"cleared":true}"#, 200, r#"{"cleared":true}"#),
            (r#"{"cleared":true}"#, 9_000, r#"{"cleared":true}"#),
        ] {
            let text = "x".repeat(900);
            let gone = Gone { tool: "bash", arguments: "{}", text: &text, outcome: None, tokens, names: &[] };
            assert_eq!(written(&policy(placeholder, 0), &gone), expected, "{placeholder} {tokens}");
        }
    }

    #[test]
    fn what_is_written_is_never_longer_than_a_plan_assumes() {
        let dense = r#"{"command":"漢字かな交じり文漢字かな交じり文漢字かな交じり文漢字かな交じり文漢字かな交じり文漢字かな交じり文"}"#;
        for (placeholder, excerpt) in
            [("[{tool} {argument} {size}]", 0), ("[gone]", 100), ("{argument}{argument}", 300), ("{size}", 1)]
        {
            for unit in ["utf16", "code_points", "bytes", "classes", "classes_of_json"] {
                let mut policy = policy(placeholder, excerpt);
                policy.set("estimator.unit", unit).unwrap();
                let longest = longest(Lengths::of(&policy.prune), &policy.prune, &policy.estimator, 9_000)
                    .in_unit(policy.estimator.unit);
                for text in ["漢字".repeat(3_000), "plain words\n".repeat(9_000), "short".to_owned()] {
                    for tool in ["bash", &"道具".repeat(50)] {
                        let written = written(
                            &policy,
                            &Gone {
                                tool,
                                arguments: dense,
                                text: &text,
                                outcome: None,
                                tokens: 9_000,
                                names: &[],
                            },
                        );
                        let marked = written + marks::NO_CALL;
                        assert!(Length::of(&marked).in_unit(policy.estimator.unit) <= longest, "{marked}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_excerpt_is_head_and_tail_in_front_of_the_placeholder() {
        let text = (0..2_000).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n");
        let written = written(
            &policy("[gone]", 60),
            &Gone { tool: "bash", arguments: "", text: &text, outcome: None, tokens: 9_000, names: &[] },
        );
        let lines: Vec<&str> = written.lines().collect();
        assert_eq!((lines.first(), lines.last()), (Some(&"line 0"), Some(&"[gone]")));
        assert!(written.contains(" characters are left out here."), "{written}");
        assert!(written.contains("line 1999"), "{written}");
    }
}
