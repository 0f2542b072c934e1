//! Questions and answers as bytes: what crosses between the page and the worker, handed over in one buffer.
//!
//! A worker's message is an array: a number that says which request it belongs to, a tag, and bytes. Numbers in the
//! bytes are little-endian; texts and columns have their length in bytes in front. A policy crosses as the name of
//! its profile and what the page can change of it.

use ebbline::effect::Situation;
use ebbline::plan::{Position, PruneReport, RetainReport, Source, TriggerReport, VerdictReason};
use ebbline::{Policy, Verdict, profiles};

use crate::desk::{About, Answer, Ask, Inspected, Opened, Rows};
use crate::error_text::Trouble;
use crate::export::{Exported, Wanted};
use crate::knob::{Knob, change};
use crate::planned::{Fates, Head, Planned, Segments, Size};
use crate::readable::Block;

/// The tag of a worker's message: it runs and can be asked.
pub const READY: u8 = 100;
/// So many bytes of the file have been read.
pub const PROGRESS: u8 = 101;
/// The session is open, or could not be opened: [`to_opened`].
pub const OPENED: u8 = 102;
/// An answer: [`to_answer`].
pub const ANSWER: u8 = 103;

/// What the worker's script tells by itself: its program is coming. Any tag that is none of these says that it stopped.
pub const COMING: u8 = 1;

/// Stands for a number that is not there.
const NONE: u64 = u64::MAX;

/// Bytes being written.
#[derive(Debug, Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn numbers(&mut self, numbers: &[u64]) {
        for number in numbers {
            self.number(*number);
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn words(&mut self, words: &[u32]) {
        self.number(words.len() as u64 * 4);
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn trouble(&mut self, trouble: &Trouble) {
        for text in [&trouble.code, &trouble.sentence, &trouble.place, &trouble.snippet] {
            self.text(text);
        }
    }

    fn policy(&mut self, policy: &Policy) {
        self.text(policy.profile.trim_end_matches('*'));
        self.numbers(&[u64::from(policy.prune.enabled), u64::from(policy.retain.enabled)]);
        // The window first: other knobs may be shares of it.
        self.number(policy.model.context);
        for knob in Knob::ALL {
            self.number(knob.value(policy));
        }
        self.number(policy.prune.protected_tools.len() as u64);
        for tool in &policy.prune.protected_tools {
            self.text(tool);
        }
    }

    fn blocks(&mut self, blocks: &[Block]) {
        self.number(blocks.len() as u64);
        for block in blocks {
            self.text(&block.label);
            self.text(&block.text);
        }
    }
}

/// Bytes being read; `None` where they end too early or stand for nothing.
#[derive(Debug)]
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    fn bytes(&mut self) -> Option<&'b [u8]> {
        let length = self.size()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn column(&mut self) -> Option<Vec<u8>> {
        self.bytes().map(<[u8]>::to_vec)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.column()?).ok()
    }

    fn words(&mut self) -> Option<Vec<u32>> {
        Some(self.bytes()?.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    fn trouble(&mut self) -> Option<Trouble> {
        Some(Trouble {
            code: self.text()?,
            sentence: self.text()?,
            place: self.text()?,
            snippet: self.text()?,
        })
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.size()?;
        let mut list = Vec::new();
        for _ in 0..count {
            list.push(read(self)?);
        }
        Some(list)
    }

    fn blocks(&mut self) -> Option<Vec<Block>> {
        self.list(|from| Some(Block { label: from.text()?, text: from.text()? }))
    }

    fn policy(&mut self) -> Option<Box<Policy>> {
        let mut policy = profiles::find(&self.text()?)?.policy();
        let (prune, retain) = (self.number()? == 1, self.number()? == 1);
        Knob::Context.turn(&mut policy, self.number()?);
        for knob in Knob::ALL {
            let value = self.number()?;
            if value != knob.value(&policy) {
                knob.turn(&mut policy, value);
            }
        }
        let tools = self.list(Self::text)?;
        change(&mut policy, |policy| {
            (policy.prune.enabled, policy.retain.enabled) = (prune, retain);
            policy.prune.protected_tools = tools;
        });
        Some(Box::new(policy))
    }
}

fn optional(number: Option<usize>) -> u64 {
    number.map_or(NONE, |number| number as u64)
}

fn head_to(head: &Head, out: &mut Writer) {
    let Head { verdict, reason, before, pruned, after, allowance, turns, .. } = head;
    let Head { trigger, prune, retain, size, situation, places, .. } = head;
    out.numbers(&[*verdict as u64, *reason as u64, *before, *pruned, *after, *allowance, *turns]);
    let TriggerReport { context, threshold, tokens, source, fires } = trigger;
    out.numbers(&[*context, *threshold, *tokens, *source as u64, u64::from(*fires)]);
    out.numbers(&[
        u64::from(prune.applied),
        prune.reason as u64,
        optional(prune.boundary.map(|boundary| boundary.message)),
        optional(prune.boundary.map(|boundary| boundary.part)),
        prune.counted,
        prune.candidates,
        prune.outputs as u64,
        prune.reclaimed,
    ]);
    out.numbers(&[
        u64::from(retain.applied),
        retain.reason as u64,
        optional(retain.proposed),
        optional(retain.boundary),
        optional(retain.split_turn),
        retain.kept,
        retain.summarised,
        retain.messages as u64,
    ]);
    out.numbers(&[size.measured, size.source as u64, size.usual, places.0, places.1]);
    out.numbers(&[u64::from(situation.force), situation.source as u64, situation.history]);
}

fn head_from(from: &mut Reader<'_>) -> Option<Head> {
    let code = |code: u64| usize::try_from(code).ok();
    let reason = |number: u64| VerdictReason::ALL.get(code(number)?).copied();
    let place = |number: u64| if number == NONE { None } else { code(number) };
    let [verdict, why, before, pruned, after, allowance, turns] = numbers(from)?;
    let [context, threshold, tokens, source, fires] = numbers(from)?;
    let [prune_applied, prune_why, message, part, counted, candidates, outputs, reclaimed] = numbers(from)?;
    let [retain_applied, retain_why, proposed, boundary, split_turn, kept, summarised, messages] =
        numbers(from)?;
    let [measured, rests_on, usual, protect, keep] = numbers(from)?;
    let [force, sized_by, history] = numbers(from)?;
    let of_size = |number: u64| Source::ALL.get(code(number)?).copied();
    Some(Head {
        size: Size { measured, source: of_size(rests_on)?, usual },
        situation: Situation { force: force == 1, source: of_size(sized_by)?, history },
        places: (protect, keep),
        verdict: Verdict::ALL.get(code(verdict)?).copied()?,
        reason: reason(why)?,
        before,
        pruned,
        after,
        allowance,
        turns,
        trigger: TriggerReport { context, threshold, tokens, source: of_size(source)?, fires: fires == 1 },
        prune: PruneReport {
            applied: prune_applied == 1,
            reason: reason(prune_why)?,
            boundary: place(message).zip(place(part)).map(|(message, part)| Position { message, part }),
            counted,
            candidates,
            outputs: code(outputs)?,
            reclaimed,
        },
        retain: RetainReport {
            applied: retain_applied == 1,
            reason: reason(retain_why)?,
            proposed: place(proposed),
            boundary: place(boundary),
            split_turn: place(split_turn),
            kept,
            summarised,
            messages: code(messages)?,
        },
    })
}

fn numbers<const N: usize>(from: &mut Reader<'_>) -> Option<[u64; N]> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = from.number()?;
    }
    Some(numbers)
}

fn planned_to(planned: &Planned, out: &mut Writer) {
    let Planned { head, fates, segments } = planned;
    head_to(head, out);
    out.bytes(&fates.fate);
    out.words(&fates.before);
    out.words(&fates.after);
    out.words(&segments.message);
    out.bytes(&segments.kind);
    out.bytes(&segments.fate);
    out.bytes(&segments.counted);
    out.words(&segments.before);
    out.words(&segments.pruned);
    out.words(&segments.after);
}

fn planned_from(from: &mut Reader<'_>) -> Option<Planned> {
    let head = head_from(from)?;
    let fates = Fates { fate: from.column()?, before: from.words()?, after: from.words()? };
    let segments = Segments {
        message: from.words()?,
        kind: from.column()?,
        fate: from.column()?,
        counted: from.column()?,
        before: from.words()?,
        pruned: from.words()?,
        after: from.words()?,
    };
    Some(Planned { head, fates, segments })
}

/// What is known of an opened session, or why it could not be opened.
#[must_use]
pub fn from_opened(opened: &Result<Opened, Trouble>) -> Vec<u8> {
    let mut out = Writer::default();
    match opened {
        Err(trouble) => {
            out.number(0);
            out.trouble(trouble);
        }
        Ok(Opened { about, rows }) => {
            out.number(1);
            out.text(&about.name);
            out.text(&about.format);
            out.text(&about.evidence);
            let counts = about.counts;
            out.numbers(&[about.bytes, about.trouble_count as u64, counts.result_chars]);
            out.numbers(&[
                counts.messages as u64,
                counts.inactive as u64,
                counts.calls as u64,
                counts.results as u64,
                counts.already_pruned as u64,
                counts.calls_without_result as u64,
                counts.paired_by_place as u64,
                counts.results_without_call as u64,
                counts.images as u64,
            ]);
            out.number(about.troubles.len() as u64);
            for trouble in &about.troubles {
                out.trouble(trouble);
            }
            out.number(about.tools.len() as u64);
            for tool in &about.tools {
                out.text(tool);
            }
            out.number(about.facts.len() as u64);
            for (name, fact) in &about.facts {
                out.text(name);
                out.text(fact);
            }
            out.bytes(&rows.kind);
            out.words(&rows.tool);
        }
    }
    out.0
}

/// What `bytes` say of an opened session; `None` when they say nothing.
#[must_use]
pub fn to_opened(bytes: &[u8]) -> Option<Result<Opened, Trouble>> {
    let from = &mut Reader(bytes);
    if from.number()? == 0 {
        return Some(Err(from.trouble()?));
    }
    let (name, format, evidence) = (from.text()?, from.text()?, from.text()?);
    let [bytes, trouble_count, result_chars] = numbers(from)?;
    let counts = ebbline::session::Counts {
        messages: from.size()?,
        inactive: from.size()?,
        calls: from.size()?,
        results: from.size()?,
        result_chars,
        already_pruned: from.size()?,
        calls_without_result: from.size()?,
        paired_by_place: from.size()?,
        results_without_call: from.size()?,
        images: from.size()?,
    };
    let troubles = from.list(Reader::trouble)?;
    let tools = from.list(Reader::text)?;
    let facts = from.list(|from| Some((from.text()?, from.text()?)))?;
    let trouble_count = usize::try_from(trouble_count).ok()?;
    let about = About { name, bytes, format, evidence, counts, troubles, trouble_count, tools, facts };
    Some(Ok(Opened { about, rows: Rows { kind: from.column()?, tool: from.words()? } }))
}

/// A question as bytes.
#[must_use]
pub fn from_ask(ask: &Ask) -> Vec<u8> {
    let mut out = Writer::default();
    match ask {
        Ask::Plan { policy, force } => {
            out.numbers(&[0, u64::from(*force)]);
            out.policy(policy);
        }
        Ask::Previews(messages) => {
            out.number(1);
            out.words(messages);
        }
        Ask::Inspect { message, policy, force, whole, from } => {
            out.numbers(&[2, u64::from(*force), u64::from(*message), u64::from(*whole), *from as u64]);
            out.policy(policy);
        }
        Ask::Find(text) => {
            out.number(3);
            out.text(text);
        }
        Ask::Export { wanted, policy, force, summary, free_bytes } => {
            out.numbers(&[4, u64::from(*force), u64::from(*free_bytes), *wanted as u64]);
            out.policy(policy);
            out.text(summary);
        }
    }
    out.0
}

/// The question that `bytes` were made from.
#[must_use]
pub fn to_ask(bytes: &[u8]) -> Option<Ask> {
    let from = &mut Reader(bytes);
    Some(match from.number()? {
        0 => Ask::Plan { force: from.number()? == 1, policy: from.policy()? },
        1 => Ask::Previews(from.words()?),
        2 => Ask::Inspect {
            force: from.number()? == 1,
            message: u32::try_from(from.number()?).ok()?,
            whole: from.number()? == 1,
            from: from.size()?,
            policy: from.policy()?,
        },
        3 => Ask::Find(from.text()?),
        4 => Ask::Export {
            force: from.number()? == 1,
            free_bytes: from.number()? == 1,
            wanted: Wanted::ALL.get(from.size()?).copied()?,
            policy: from.policy()?,
            summary: from.text()?,
        },
        _ => return None,
    })
}

/// An answer as bytes.
#[must_use]
pub fn from_answer(answer: &Answer) -> Vec<u8> {
    let mut out = Writer::default();
    match answer {
        Answer::Planned(planned) => {
            out.number(0);
            planned_to(planned, &mut out);
        }
        Answer::Previews(lines) => {
            out.numbers(&[1, lines.len() as u64]);
            for line in lines {
                out.text(line);
            }
        }
        Answer::Inspected(inspected) => {
            let Inspected { message, why, blocks, blocks_after, raw, left_out, parts, partners, span } =
                &**inspected;
            out.numbers(&[2, u64::from(*message), left_out.0, left_out.1, parts.0, parts.1, span.0, span.1]);
            out.text(why);
            out.text(raw);
            out.words(partners);
            out.blocks(blocks);
            out.blocks(blocks_after);
        }
        Answer::Found(messages) => {
            out.number(3);
            out.words(messages);
        }
        Answer::Exported(Ok(file)) => {
            out.number(4);
            out.text(&file.name);
            out.bytes(&file.bytes);
            out.text(&file.note);
        }
        Answer::Exported(Err(trouble)) => {
            out.number(5);
            out.trouble(trouble);
        }
    }
    out.0
}

/// The answer that `bytes` were made from.
#[must_use]
pub fn to_answer(bytes: &[u8]) -> Option<Answer> {
    let from = &mut Reader(bytes);
    Some(match from.number()? {
        0 => Answer::Planned(Box::new(planned_from(from)?)),
        1 => Answer::Previews(from.list(Reader::text)?),
        2 => Answer::Inspected(Box::new(Inspected {
            message: u32::try_from(from.number()?).ok()?,
            left_out: (from.number()?, from.number()?),
            parts: (from.number()?, from.number()?),
            span: (from.number()?, from.number()?),
            why: from.text()?,
            raw: from.text()?,
            partners: from.words()?,
            blocks: from.blocks()?,
            blocks_after: from.blocks()?,
        })),
        3 => Answer::Found(from.words()?),
        4 => Answer::Exported(Ok(Exported { name: from.text()?, bytes: from.column()?, note: from.text()? })),
        5 => Answer::Exported(Err(from.trouble()?)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::Desk;

    #[test]
    fn codes_lead_back_to_what_they_stand_for() {
        assert!(Wanted::ALL.iter().enumerate().all(|(code, wanted)| *wanted as usize == code));
    }

    #[test]
    fn every_question_and_answer_survives() {
        let (desk, opened) =
            Desk::open(crate::sample::text().into_bytes(), "sample.json", &ebbline::ReadOptions::default())
                .unwrap();
        let mut policy = Box::new(ebbline::profiles::get("tunacode@0.2").unwrap());
        change(&mut policy, |policy| {
            policy.prune.enabled = true;
            policy.prune.protected_tools.push("skill".to_owned());
        });
        Knob::Reserve.turn(&mut policy, 1_234);
        let (force, message) = (true, 58);
        let asks = [
            Ask::Plan { policy: policy.clone(), force },
            Ask::Previews(vec![0, 70]),
            Ask::Inspect { message, policy: policy.clone(), force, whole: true, from: 1 },
            Ask::Find("voucher".to_owned()),
            Ask::Export { wanted: Wanted::Rust, policy, force, summary: "s".to_owned(), free_bytes: true },
        ];
        for ask in asks {
            let back = to_ask(&from_ask(&ask)).unwrap();
            assert_eq!(format!("{back:?}"), format!("{ask:?}"));
            let answer = desk.answer(&ask).unwrap();
            assert_eq!(format!("{:?}", to_answer(&from_answer(&answer)).unwrap()), format!("{answer:?}"));
        }
        assert_eq!(to_opened(&from_opened(&Ok(opened.clone()))), Some(Ok(opened)));
        let trouble = Trouble::of_page("worker", "It stopped.");
        assert_eq!(to_opened(&from_opened(&Err(trouble.clone()))), Some(Err(trouble)));
    }

    #[test]
    fn torn_bytes_are_nothing() {
        let (desk, _) =
            Desk::open(crate::sample::text().into_bytes(), "sample.json", &ebbline::ReadOptions::default())
                .unwrap();
        let bytes = from_answer(&desk.answer(&Ask::Previews(vec![1, 2, 3])).unwrap());
        for end in 0..bytes.len() {
            assert!(to_answer(&bytes[..end]).is_none());
        }
        assert!(to_ask(&[9; 8]).is_none());
    }
}
