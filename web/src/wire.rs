//! Encodes requests and answers as bytes, which the page and the worker transfer in one buffer.
//!
//! A worker's message is an array of the request's number, a tag, and bytes. Numbers are little-endian; texts and
//! columns start with their length in bytes. A policy is encoded as the name of its profile and everything that the
//! page can change in it.

mod sheet;

use std::num::NonZeroU64;

use ebbline::effect::Situation;
use ebbline::plan::{Position, PruneReport, RetainReport, Source, TriggerReport, VerdictReason};
use ebbline::replay::Known;
use ebbline::{Policy, Verdict, profiles};

use crate::error_text::UserError;
use crate::export::{ExportKind, Exported, Theme};
use crate::inspect::Inspected;
use crate::knob::{Knob, change};
use crate::life::{Event, EventKind, Life};
use crate::open_session::{About, Answer, Line, Overview, Request, Rows};
use crate::opening::Opening;
use crate::planned::{Fates, Figures, Planned, Segments, Size};
use crate::readable::Block;
use crate::verdict::{Piece, Said};
use crate::view::At;

/// The worker runs and takes requests.
pub const READY: u8 = 100;
/// How many bytes of the file the worker has read.
pub const PROGRESS: u8 = 101;
/// The session is open or could not be opened: [`decode_overview`].
pub const OPENED: u8 = 102;
/// An answer: [`decode_answer`].
pub const ANSWER: u8 = 103;

/// The worker's script reports that its program is being fetched. Any unknown tag means that it stopped.
pub const LOADING: u8 = 1;

/// Stands for a missing number.
const NONE: u64 = u64::MAX;

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

    fn texts(&mut self, texts: &[String]) {
        self.number(texts.len() as u64);
        for text in texts {
            self.text(text);
        }
    }

    fn words(&mut self, words: &[u32]) {
        self.number(words.len() as u64 * 4);
        self.0.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn problem(&mut self, problem: &UserError) {
        for text in [&problem.code, &problem.sentence, &problem.place, &problem.snippet] {
            self.text(text);
        }
    }

    fn policy(&mut self, policy: &Policy) {
        self.text(policy.profile.trim_end_matches('*'));
        self.numbers(&[u64::from(policy.prune.enabled), u64::from(policy.retain.enabled)]);
        // The window first: other knobs may be shares of it.
        self.number(Knob::Context.value(policy));
        for knob in Knob::ALL {
            self.number(knob.value(policy));
        }
        self.number(policy.prune.protected_tools.len() as u64);
        for tool in &policy.prune.protected_tools {
            self.text(tool);
        }
    }

    /// A moment, as a list of none or one.
    fn at(&mut self, at: Option<&At>) {
        self.number(u64::from(at.is_some()));
        if let Some(At { history, request }) = at {
            self.number(u64::from(*request));
            self.policy(history);
        }
    }

    fn events(&mut self, events: &[Event]) {
        self.number(events.len() as u64);
        for Event { request, kind, sizes, outputs, messages } in events {
            let [request, outputs, messages] = [request, outputs, messages].map(|number| u64::from(*number));
            self.numbers(&[request, *kind as u64, sizes.0, sizes.1, outputs, messages]);
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

/// Reads bytes; `None` if they end too early or are invalid.
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

    fn problem(&mut self) -> Option<UserError> {
        Some(UserError {
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

    fn at(&mut self) -> Option<Vec<At>> {
        self.list(|from| {
            let request = u32::try_from(from.number()?).ok()?;
            Some(At { request, history: *from.policy()? })
        })
    }

    fn events(&mut self) -> Option<Vec<Event>> {
        self.list(|from| {
            let [request, kind, before, after, outputs, messages] = numbers(from)?;
            let narrow = |number: u64| u32::try_from(number).ok();
            Some(Event {
                request: narrow(request)?,
                kind: if kind == EventKind::Summary as u64 { EventKind::Summary } else { EventKind::Prune },
                sizes: (before, after),
                outputs: narrow(outputs)?,
                messages: narrow(messages)?,
            })
        })
    }

    fn policy(&mut self) -> Option<Box<Policy>> {
        let mut policy = profiles::find(&self.text()?)?.policy();
        let (prune, retain) = (self.number()? == 1, self.number()? == 1);
        Knob::Context.set(&mut policy, self.number()?);
        for knob in Knob::ALL {
            let value = self.number()?;
            if value != knob.value(&policy) {
                knob.set(&mut policy, value);
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

fn write_figures(figures: &Figures, out: &mut Writer) {
    let Figures { verdict, reason, before, pruned, after, allowance, turns, .. } = figures;
    let Figures { trigger, prune, retain, size, situation, places, .. } = figures;
    out.numbers(&[*verdict as u64, *reason as u64, *before, *pruned, *after, *allowance, *turns]);
    let TriggerReport { context, threshold, tokens, source, overhead, fires } = trigger;
    let context = context.map_or(0, NonZeroU64::get);
    let overhead = overhead.unwrap_or(NONE);
    out.numbers(&[context, *threshold, *tokens, *source as u64, overhead, u64::from(*fires)]);
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
    out.numbers(&[size.measured, size.source as u64, size.by_default, places.0, places.1]);
    out.numbers(&[u64::from(situation.force), situation.source as u64, situation.history]);
}

fn read_figures(from: &mut Reader<'_>) -> Option<Figures> {
    let code = |code: u64| usize::try_from(code).ok();
    let reason = |number: u64| VerdictReason::ALL.get(code(number)?).copied();
    let place = |number: u64| if number == NONE { None } else { code(number) };
    let [verdict, why, before, pruned, after, allowance, turns] = numbers(from)?;
    let [context, threshold, tokens, source, overhead, fires] = numbers(from)?;
    let [prune_applied, prune_why, message, part, counted, candidates, outputs, reclaimed] = numbers(from)?;
    let [retain_applied, retain_why, proposed, boundary, split_turn, kept, summarised, messages] =
        numbers(from)?;
    let [measured, measured_by, by_default, protect, keep] = numbers(from)?;
    let [force, sized_by, history] = numbers(from)?;
    let of_size = |number: u64| Source::ALL.get(code(number)?).copied();
    Some(Figures {
        size: Size { measured, source: of_size(measured_by)?, by_default },
        situation: Situation { force: force == 1, source: of_size(sized_by)?, history },
        places: (protect, keep),
        verdict: Verdict::ALL.get(code(verdict)?).copied()?,
        reason: reason(why)?,
        before,
        pruned,
        after,
        allowance,
        turns,
        trigger: TriggerReport {
            context: NonZeroU64::new(context),
            threshold,
            tokens,
            source: of_size(source)?,
            overhead: Some(overhead).filter(|tokens| *tokens != NONE),
            fires: fires == 1,
        },
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

fn write_plan(planned: &Planned, out: &mut Writer) {
    let Planned { figures, fates, segments, said } = planned;
    write_figures(figures, out);
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
    for pieces in [&said.headline, &said.details] {
        out.number(pieces.len() as u64);
        for piece in pieces {
            out.number(u64::from(piece.strong));
            out.text(&piece.text);
        }
    }
    out.text(&said.warning);
    for text in said.knobs.iter().flatten().chain(&said.boundaries) {
        out.text(text);
    }
    out.text(&said.forced);
    out.text(&said.picture);
}

fn read_plan(from: &mut Reader<'_>) -> Option<Planned> {
    let figures = read_figures(from)?;
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
    let piece = |from: &mut Reader<'_>| Some(Piece { strong: from.number()? == 1, text: from.text()? });
    let said = Said {
        headline: from.list(piece)?,
        details: from.list(piece)?,
        warning: from.text()?,
        knobs: {
            let mut knobs = Vec::new();
            for _ in Knob::ALL {
                knobs.push([from.text()?, from.text()?]);
            }
            knobs
        },
        boundaries: [from.text()?, from.text()?],
        forced: from.text()?,
        picture: from.text()?,
    };
    Some(Planned { figures, fates, segments, said })
}

fn write_life(life: &Life, out: &mut Writer) {
    let Life { answers, turns, found, sent, events, recorded, window, threshold, .. } = life;
    for column in [answers, turns, found, sent] {
        out.words(column);
    }
    out.events(events);
    out.events(recorded);
    out.numbers(&[
        window.unwrap_or(NONE),
        threshold.unwrap_or(NONE),
        life.beside,
        life.known as u64,
        u64::from(life.pruned_before),
    ]);
}

fn read_life(from: &mut Reader<'_>) -> Option<Life> {
    let (answers, turns, found, sent) = (from.words()?, from.words()?, from.words()?, from.words()?);
    let (events, recorded) = (from.events()?, from.events()?);
    let [window, threshold, beside, known, pruned_before] = numbers(from)?;
    let some = |number: u64| Some(number).filter(|number| *number != NONE);
    Some(Life {
        answers,
        turns,
        found,
        sent,
        events,
        recorded,
        window: some(window),
        threshold: some(threshold),
        beside,
        known: Known::ALL.get(usize::try_from(known).ok()?).copied()?,
        pruned_before: u32::try_from(pruned_before).ok()?,
    })
}

/// Encodes what the page knows of an open session, or why it could not be opened.
#[must_use]
pub fn encode_overview(opened: &Result<Overview, UserError>) -> Vec<u8> {
    let mut out = Writer::default();
    match opened {
        Err(problem) => {
            out.number(0);
            out.problem(problem);
        }
        Ok(Overview { about, rows }) => {
            out.number(1);
            out.text(&about.name);
            out.text(&about.format);
            out.text(&about.evidence);
            let counts = about.counts;
            out.numbers(&[about.bytes, about.problem_count as u64, counts.result_chars]);
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
            out.number(about.problems.len() as u64);
            for problem in &about.problems {
                out.problem(problem);
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

/// Decodes [`encode_overview`]; `None` if the bytes are invalid.
#[must_use]
pub fn decode_overview(bytes: &[u8]) -> Option<Result<Overview, UserError>> {
    let from = &mut Reader(bytes);
    if from.number()? == 0 {
        return Some(Err(from.problem()?));
    }
    let (name, format, evidence) = (from.text()?, from.text()?, from.text()?);
    let [bytes, problem_count, result_chars] = numbers(from)?;
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
    let problems = from.list(Reader::problem)?;
    let tools = from.list(Reader::text)?;
    let facts = from.list(|from| Some((from.text()?, from.text()?)))?;
    let problem_count = usize::try_from(problem_count).ok()?;
    let about = About { name, bytes, format, evidence, counts, problems, problem_count, tools, facts };
    Some(Ok(Overview { about, rows: Rows { kind: from.column()?, tool: from.words()? } }))
}

/// Encodes several encodings as one.
#[must_use]
pub fn encode_parts(parts: &[&[u8]]) -> Vec<u8> {
    let mut out = Writer::default();
    for part in parts {
        out.bytes(part);
    }
    out.0
}

/// Decodes [`encode_parts`] of `N` parts; `None` if the bytes are invalid.
#[must_use]
pub fn decode_parts<const N: usize>(bytes: &[u8]) -> Option<[&[u8]; N]> {
    let from = &mut Reader(bytes);
    let mut parts = [&[][..]; N];
    for part in &mut parts {
        *part = from.bytes()?;
    }
    Some(parts)
}

/// Encodes a request.
#[must_use]
pub fn encode_request(request: &Request) -> Vec<u8> {
    let mut out = Writer::default();
    match request {
        Request::Plan { policy, force, at } => {
            out.numbers(&[0, u64::from(*force)]);
            out.policy(policy);
            out.at(at.as_deref());
        }
        Request::Previews(messages) => {
            out.number(1);
            out.words(messages);
        }
        Request::Inspect { message, policy, force, whole, from, at } => {
            out.numbers(&[2, u64::from(*force), u64::from(*message), u64::from(*whole), *from as u64]);
            out.policy(policy);
            out.at(at.as_deref());
        }
        Request::Find(text) => {
            out.number(3);
            out.text(text);
        }
        Request::Export { wanted, policy, window, force, summary, free_bytes, at, theme } => {
            let is_dark = u64::from(*theme == Theme::Dark);
            out.numbers(&[4, u64::from(*force), u64::from(*free_bytes), is_dark, *wanted as u64]);
            out.number(window.unwrap_or(NONE));
            out.policy(policy);
            out.text(summary);
            out.at(at.as_deref());
        }
        Request::Fingerprint => out.number(8),
        Request::Sheet(ask) => {
            out.number(6);
            sheet::write_ask(ask, &mut out);
        }
        Request::Line(policy) => {
            out.number(7);
            out.policy(policy);
        }
        Request::Life { policy, fit, before } => {
            out.numbers(&[5, u64::from(*fit)]);
            out.policy(policy);
            out.number(u64::from(before.is_some()));
            if let Some(before) = before {
                out.policy(before);
            }
        }
    }
    out.0
}

/// Decodes [`encode_request`]; `None` if the bytes are invalid.
#[must_use]
pub fn decode_request(bytes: &[u8]) -> Option<Request> {
    let from = &mut Reader(bytes);
    Some(match from.number()? {
        0 => Request::Plan {
            force: from.number()? == 1,
            policy: from.policy()?,
            at: from.at()?.pop().map(Box::new),
        },
        1 => Request::Previews(from.words()?),
        2 => Request::Inspect {
            force: from.number()? == 1,
            message: u32::try_from(from.number()?).ok()?,
            whole: from.number()? == 1,
            from: from.size()?,
            policy: from.policy()?,
            at: from.at()?.pop().map(Box::new),
        },
        3 => Request::Find(from.text()?),
        4 => Request::Export {
            force: from.number()? == 1,
            free_bytes: from.number()? == 1,
            theme: if from.number()? == 1 { Theme::Dark } else { Theme::Light },
            wanted: ExportKind::ALL.get(from.size()?).copied()?,
            window: Some(from.number()?).filter(|window| *window != NONE),
            policy: from.policy()?,
            summary: from.text()?,
            at: from.at()?.pop().map(Box::new),
        },
        6 => Request::Sheet(Box::new(sheet::read_ask(from)?)),
        7 => Request::Line(from.policy()?),
        8 => Request::Fingerprint,
        5 => Request::Life {
            fit: from.number()? == 1,
            policy: from.policy()?,
            before: from.list(Reader::policy)?.pop(),
        },
        _ => return None,
    })
}

/// Encodes an answer.
#[must_use]
pub fn encode_answer(answer: &Answer) -> Vec<u8> {
    let mut out = Writer::default();
    match answer {
        Answer::Planned(planned) => {
            out.number(0);
            write_plan(planned, &mut out);
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
            out.text(&file.warning);
            out.text(&file.profile);
            out.number(file.summarised);
        }
        Answer::Exported(Err(problem)) => {
            out.number(5);
            out.problem(problem);
        }
        Answer::Fingerprint(fingerprint) => out.numbers(&[9, *fingerprint]),
        Answer::Sheet(blocks) => {
            out.number(7);
            sheet::write_blocks(blocks, &mut out);
        }
        Answer::Line(line) => {
            out.number(8);
            out.words(&line.found);
            out.words(&line.sent);
        }
        Answer::Life(life, opening) => {
            out.number(6);
            write_life(life, &mut out);
            let Opening { request, window, words, told } = opening;
            out.numbers(&[request.map_or(NONE, u64::from), window.unwrap_or(NONE)]);
            out.text(words);
            for text in told {
                out.text(text);
            }
        }
    }
    out.0
}

/// Decodes [`encode_answer`]; `None` if the bytes are invalid.
#[must_use]
pub fn decode_answer(bytes: &[u8]) -> Option<Answer> {
    let from = &mut Reader(bytes);
    Some(match from.number()? {
        0 => Answer::Planned(Box::new(read_plan(from)?)),
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
        4 => Answer::Exported(Ok(Exported {
            name: from.text()?,
            bytes: from.column()?,
            note: from.text()?,
            warning: from.text()?,
            profile: from.text()?,
            summarised: from.number()?,
        })),
        5 => Answer::Exported(Err(from.problem()?)),
        7 => Answer::Sheet(sheet::read_blocks(from)?),
        8 => Answer::Line(Line { found: from.words()?, sent: from.words()? }),
        9 => Answer::Fingerprint(from.number()?),
        6 => {
            let life = Box::new(read_life(from)?);
            let [request, window] = numbers(from)?;
            let request = u32::try_from(request).ok();
            let window = Some(window).filter(|window| *window != NONE);
            let (words, told) = (from.text()?, [from.text()?, from.text()?, from.text()?]);
            Answer::Life(life, Opening { request, window, words, told })
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_inverted() {
        assert!(ExportKind::ALL.iter().enumerate().all(|(code, wanted)| *wanted as usize == code));
    }

    #[test]
    fn every_question_and_answer_survives() {
        let (session, opened) = crate::sample::opened();
        let mut policy = Box::new(ebbline::profiles::get("tunacode@0.2").unwrap());
        change(&mut policy, |policy| {
            policy.prune.enabled = true;
            policy.prune.protected_tools.push("skill".to_owned());
        });
        Knob::Reserve.set(&mut policy, 1_234);
        let (force, message) = (true, 58);
        let at = Some(Box::new(At { history: ebbline::profiles::ALL[0].policy(), request: 40 }));
        let asks = [
            Request::Line(policy.clone()),
            Request::Life { policy: policy.clone(), fit: true, before: None },
            Request::Life {
                policy: policy.clone(),
                fit: true,
                before: Some(Box::new(ebbline::profiles::ALL[0].policy())),
            },
            Request::Plan { policy: policy.clone(), force, at: at.clone() },
            Request::Plan { policy: policy.clone(), force, at: None },
            Request::Previews(vec![0, 70]),
            Request::Inspect { message, policy: policy.clone(), force, whole: true, from: 1, at: at.clone() },
            Request::Find("voucher".to_owned()),
            Request::Export {
                wanted: ExportKind::Rust,
                policy: policy.clone(),
                window: None,
                force,
                summary: "s".to_owned(),
                free_bytes: true,
                at: None,
                theme: Theme::Light,
            },
            Request::Export {
                wanted: ExportKind::Context,
                policy,
                window: Some(64_000),
                force,
                summary: String::new(),
                free_bytes: false,
                at,
                theme: Theme::Dark,
            },
            Request::Fingerprint,
        ];
        for request in asks {
            let back = decode_request(&encode_request(&request)).unwrap();
            assert_eq!(format!("{back:?}"), format!("{request:?}"));
            let answer = session.answer(&request);
            assert_eq!(
                format!("{:?}", decode_answer(&encode_answer(&answer)).unwrap()),
                format!("{answer:?}")
            );
        }
        assert_eq!(decode_overview(&encode_overview(&Ok(opened.clone()))), Some(Ok(opened)));
        let problem = UserError::from_page("worker", "It stopped.");
        assert_eq!(decode_overview(&encode_overview(&Err(problem.clone()))), Some(Err(problem)));
    }

    #[test]
    fn torn_bytes_are_nothing() {
        let (session, _) = crate::sample::opened();
        let bytes = encode_answer(&session.answer(&Request::Previews(vec![1, 2, 3])));
        for end in 0..bytes.len() {
            assert!(decode_answer(&bytes[..end]).is_none());
        }
        assert!(decode_request(&[9; 8]).is_none());
    }
}
