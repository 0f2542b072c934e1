//! Facts that the agent used after they had left the context.

use std::collections::{HashMap, HashSet};

use super::fact::{Fact, FactKind, Shape, shape};
use super::{Life, Probe, question, score};
use crate::identifiers::{Class, Identifier, each, each_of_arguments, key};
use crate::loss::Left;
use crate::order::sort_by;
use crate::transcript::{Message, Part, PartKind, Role};

/// Seeds of keys that are no identifiers: a line, a place in the order of questions.
const LINE: u8 = 31;
const ORDER: u8 = 32;
/// A shorter line is found in two places by chance; of a longer one nobody remembers each letter.
const LINES: std::ops::RangeInclusive<usize> = 24..=160;
/// A shorter name or number may be guessed.
const NAME: usize = 8;
const DIGITS: usize = 4;

/// Where a fact stands: the part, its message, and the message's place in the history.
#[derive(Clone, Copy)]
struct Holder {
    part: u32,
    message: u32,
    at: u32,
    is_output: bool,
}

/// What stands in front of an answer.
#[derive(Default)]
struct Known {
    /// The parts that hold something, by its key, oldest first.
    holders: HashMap<u64, Vec<Holder>>,
    /// How many things of an output have a shape.
    shapes: HashMap<(u32, Shape), u32>,
    /// The parts of calls.
    calls: HashMap<u32, usize>,
}

/// Something in a text that may be a fact.
struct Found {
    key: u64,
    kind: FactKind,
    text: String,
    /// Whether it is worth a question: nobody guesses it.
    is_telling: bool,
}

impl Probe<'_, '_> {
    /// The facts that the agent used and that at least one of the policies had removed, oldest first.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact> {
        let Some(first) = self.lives.first() else { return Vec::new() };
        let (history, requests) = (first.replay.history(), first.replay.requests());
        let log = history.log();
        let mut facts = Vec::new();
        let mut known = Known::default();
        let mut next = 0;
        for (at, message) in (0_u32..).zip(history.messages()) {
            let Some(said) = log.messages().get(*message as usize) else { continue };
            if requests.get(next).is_some_and(|request| request.at == at) {
                next += 1;
            }
            let answered = next.checked_sub(1).and_then(|request| Some((request, requests.get(request)?.at)));
            for (part, kind) in log.part_range(*message as usize).zip(log.parts_of(*message as usize)) {
                let text = self.text(part, kind);
                if text.is_empty() {
                    continue;
                }
                let found = found_in(kind, &text);
                if let Some(answered) = answered.filter(|_| is_answer(said, kind)) {
                    self.uses(answered, (*message, part as u32), kind, &text, &found, &known, &mut facts);
                }
                let is_output = kind.kind == PartKind::ToolResult;
                let holder = Holder { part: part as u32, message: *message, at, is_output };
                match (kind.kind, kind.call) {
                    (PartKind::ToolCall, Some(call)) => _ = known.calls.insert(call, part),
                    (PartKind::ToolResult, _) => {
                        for found in &found {
                            let shape = shape(found.kind, &found.text);
                            *known.shapes.entry((part as u32, shape)).or_default() += 1;
                        }
                    }
                    // What a model thought is not sent back as words.
                    (PartKind::Thinking, _) => continue,
                    _ => {}
                }
                for found in found {
                    known.holders.entry(found.key).or_default().push(holder);
                }
            }
        }
        facts
    }

    /// The facts that a part of an answer uses: at most one of each kind.
    #[expect(clippy::too_many_arguments, reason = "a place, a text, and what is known before it")]
    fn uses(
        &self,
        (request, begun): (usize, u32),
        (message, part): (u32, u32),
        kind: &Part,
        text: &str,
        found: &[Found],
        known: &Known,
        facts: &mut Vec<Fact>,
    ) {
        let mut best: Vec<Fact> = Vec::new();
        let is_better = |best: &[Fact], found: &Found| {
            let own = best.iter().find(|fact| fact.kind == found.kind);
            own.is_none_or(|own| own.text.len() < found.text.len())
        };
        for found in found.iter().filter(|found| found.is_telling) {
            let Some(holders) = known.holders.get(&found.key).filter(|_| is_better(&best, found)) else {
                continue;
            };
            // What the answer itself said before is not asked for.
            let newest = holders.iter().rev().find(|holder| holder.is_output);
            let Some(newest) =
                newest.filter(|_| holders.last().is_some_and(|newest| newest.at < begun)).copied()
            else {
                continue;
            };
            let left = self.lives.iter().map(|life| life.removed(holders, newest.part, request as u32));
            let left: Vec<Option<Left>> = left.collect();
            if left.iter().all(Option::is_none) {
                continue;
            }
            let shape = shape(found.kind, &found.text);
            // A question has one answer only if nothing else in the output looks like it.
            if known.shapes.get(&(newest.part, shape)) != Some(&1) {
                continue;
            }
            let written = question::written(self.tool_of(kind), kind, text);
            let Some(excerpt) = question::excerpt(&written, &found.text) else { continue };
            let Some(output) = self.session.transcript().parts().get(newest.part as usize) else { continue };
            // A path is known by its end, and may be longer here than there.
            if !score::is_in(&self.text(newest.part as usize, output), found.kind, &found.text) {
                continue;
            }
            let call = output.call.and_then(|call| known.calls.get(&call));
            let call = call.and_then(|at| Some((*at, self.session.transcript().parts().get(*at)?)));
            let source =
                call.map(|(at, call)| question::written(self.tool_of(call), call, &self.text(at, call)));
            let source = source.map(|source| question::source(&source, &found.text)).unwrap_or_default();
            let fact = Fact {
                request: request as u32,
                message,
                part,
                kind: found.kind,
                text: found.text.clone(),
                output: newest.part,
                output_message: newest.message,
                left,
                excerpt,
                source,
            };
            best.retain(|fact| fact.kind != found.kind);
            best.push(fact);
        }
        facts.extend(best);
    }

    fn tool_of(&self, part: &Part) -> &str {
        part.tool.and_then(|tool| self.session.transcript().tool_name(tool)).unwrap_or_default()
    }
}

impl Life<'_> {
    /// How the newest output had left the context of a request, if all that held a fact had.
    fn removed(&self, holders: &[Holder], newest: u32, request: u32) -> Option<Left> {
        let is_gone = |holder: &Holder| self.left(holder.part, request).is_some();
        if holders.iter().rev().all(is_gone) { self.left(newest, request) } else { None }
    }
}

/// At most so many facts, in an order that follows from the seed: the kinds take turns, each fact and each answer is asked for
/// once. More of them begin with the same ones.
#[must_use]
pub fn chosen(facts: &[Fact], seed: u64, most: usize) -> Vec<Fact> {
    let place = |fact: &Fact| key(ORDER, &format!("{seed} {} {} {}", fact.message, fact.part, fact.text));
    let mut rest: Vec<Vec<(u64, &Fact)>> = FactKind::ALL
        .iter()
        .map(|kind| {
            let own = facts.iter().filter(|fact| fact.kind == *kind);
            let mut own: Vec<(u64, &Fact)> = own.map(|fact| (place(fact), fact)).collect();
            // The last is taken first.
            sort_by(&mut own, &|one, other| (other.0, other.1.part).cmp(&(one.0, one.1.part)));
            own
        })
        .collect();
    let (mut texts, mut answers) = (HashSet::new(), HashSet::new());
    let mut chosen = Vec::new();
    while chosen.len() < most && rest.iter().any(|own| !own.is_empty()) {
        for own in &mut rest {
            while let Some((_, fact)) = own.pop() {
                let asked = fact.question(false);
                let is_new =
                    !texts.contains(&asked) && !texts.contains(&fact.text) && !answers.contains(&fact.part);
                if is_new && chosen.len() < most {
                    texts.extend([asked, fact.text.clone()]);
                    answers.insert(fact.part);
                    chosen.push(fact.clone());
                    break;
                }
            }
        }
    }
    chosen
}

/// Whether a part is what the model says in an answer.
fn is_answer(message: &Message, part: &Part) -> bool {
    message.role == Role::Assistant
        && !message.summary
        && matches!(part.kind, PartKind::Text | PartKind::ToolCall)
}

/// What may be a fact in a text, each once.
fn found_in(part: &Part, text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut take = |identifier: Identifier<'_>| {
        if seen.insert(identifier.key) {
            let Identifier { class, text, key, is_strong } = identifier;
            let kind = if class == Class::Number { FactKind::Value } else { FactKind::Identifier };
            let is_telling = match class {
                Class::Command | Class::Quote => false,
                Class::Number => text.bytes().filter(u8::is_ascii_digit).count() >= DIGITS,
                _ => is_strong || text.len() >= NAME,
            };
            let is_telling = is_telling && !text.contains(char::is_whitespace);
            found.push(Found { key, kind, text: text.to_owned(), is_telling });
        }
    };
    if part.kind == PartKind::ToolCall {
        each_of_arguments(text, &mut take);
    } else {
        each(text, &mut take);
    }
    let is_call = part.kind == PartKind::ToolCall;
    let shown = if is_call { question::arguments(text) } else { text.to_owned() };
    for line in shown.lines().map(str::trim).filter(|line| is_content(line)) {
        let key = key(LINE, line);
        if seen.insert(key) {
            found.push(Found { key, kind: FactKind::Content, text: line.to_owned(), is_telling: is_call });
        }
    }
    found
}

/// Whether a line says enough that it stands in two places because one is from the other.
fn is_content(line: &str) -> bool {
    LINES.contains(&line.len())
        && line.split_whitespace().nth(2).is_some()
        && line.bytes().filter(u8::is_ascii_alphabetic).nth(NAME + DIGITS).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Length;

    #[test]
    fn what_nobody_guesses_may_be_a_fact() {
        let telling = |kind, text: &str| {
            let found = found_in(&Part::new(kind, Length::of(text)), text).into_iter();
            let found = found.filter(|found| found.is_telling);
            found.map(|found| (found.kind, found.text)).collect::<Vec<_>>()
        };
        let of = |kind, text: &str| (kind, text.to_owned());
        assert_eq!(
            telling(PartKind::Text, "Look at src/deep/cart.rs."),
            [of(FactKind::Identifier, "src/deep/cart.rs")]
        );
        assert_eq!(telling(PartKind::Text, "It took 48213 steps, not 12."), [of(FactKind::Value, "48213")]);
        let edit = r#"{"old":"    let total = round(sum + tax);\n}"}"#;
        assert!(
            telling(PartKind::ToolCall, edit)
                .contains(&of(FactKind::Content, "let total = round(sum + tax);")),
        );
        assert_eq!(telling(PartKind::Text, "let total = round(sum + tax);"), []);
    }

    #[test]
    fn facts_are_chosen_by_the_seed_and_the_kinds_take_turns() {
        let fact = |part: u32, kind: FactKind| Fact {
            request: part,
            message: part,
            part,
            kind,
            text: format!("fact-{}", part % 20),
            output: 0,
            output_message: 0,
            left: vec![Some(Left::Pruned)],
            excerpt: format!("excerpt {part}"),
            source: String::new(),
        };
        let facts: Vec<Fact> = (0..30)
            .map(|part| fact(part, if part % 3 == 0 { FactKind::Value } else { FactKind::Identifier }))
            .collect();
        let parts = |seed, most| chosen(&facts, seed, most).iter().map(|fact| fact.part).collect::<Vec<_>>();
        assert_eq!(parts(1, 8), parts(1, 8));
        assert_eq!(parts(1, 8)[..5], parts(1, 5)[..]);
        assert_ne!(parts(1, 8), parts(2, 8));
        // Twenty different texts are asked for once each.
        assert_eq!(parts(1, 100).len(), 20);
        let kinds: Vec<FactKind> = chosen(&facts, 1, 4).iter().map(|fact| fact.kind).collect();
        assert_eq!(kinds, [FactKind::Identifier, FactKind::Value, FactKind::Identifier, FactKind::Value]);
    }
}
