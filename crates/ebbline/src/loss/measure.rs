//! The measurement: one walk over the messages in the order in which they were written.

use std::borrow::Cow;
use std::collections::HashMap;

use super::context::{Context, Entry, Keys};
use super::decisions::decisions;
use super::departure::{Departure, Left, LossInput};
use super::identifiers::{Class, Identifier, each, each_of_arguments, key};
use super::report::{Coverage, Finding, LossKind, LossReport, Share, Utilisation, ratio};
use super::summaries::{Carrier, Survival};
use super::timeline::{Timeline, is_beside};
use crate::orders::{Orders, joined, sentences};
use crate::session::Session;
use crate::transcript::{Output, Part, PartKind, Role, Turn};

/// So many identifiers of a finding are written out.
const SHOWN: usize = 6;
/// A quoted identifier of a finding is cut behind so many characters.
const SHOWN_CHARACTERS: usize = 160;
/// Seeds of keys that are no identifiers: a whole message, a sentence, a call.
const WHOLE: u8 = 20;
const SENTENCE: u8 = 21;
const CALL: u8 = 22;

/// Measures what `departures` lost of the session.
///
/// Departures of parts that do not exist, that left before, or that were not yet written, are ignored. It takes time
/// and memory linear in the texts of the session.
///
/// # Example
///
/// ```
/// use ebbline::loss::{self, Departure, Left, LossInput};
/// let text = r#"[{"role":"user","content":"Where is the port set?"},
///  {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]},
///  {"role":"tool","tool_call_id":"c1","content":"src/server/listen.rs"},
///  {"role":"assistant","content":"I have seen it."},
///  {"role":"user","content":"Open it."},
///  {"role":"assistant","content":"I open src/server/listen.rs."}]"#;
/// let session = ebbline::Session::read(text)?;
/// let departures = [Departure { at: 4, part: 2, how: Left::Pruned, summary: None }];
/// let report = loss::measure(&session, &departures, &LossInput::default());
/// assert_eq!((report.departed_outputs, report.references.re_referenced), (1, 1));
/// assert_eq!(report.worst[0].words, ["src/server/listen.rs", "listen.rs"]);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn measure(session: &Session<'_>, departures: &[Departure], input: &LossInput<'_>) -> LossReport {
    let timeline = Timeline::of(session);
    let mut leaving: Vec<(usize, &Departure)> =
        departures.iter().map(|departure| (timeline.rank(departure.at), departure)).collect();
    leaving.sort_by_key(|(rank, _)| *rank);
    let mut walk = Walk::new(session, input);
    let mut leaving = leaving.as_slice();
    for (rank, index) in timeline.order.iter().enumerate() {
        let due = leaving.partition_point(|(at, _)| *at <= rank);
        let (now, later) = leaving.split_at_checked(due).unwrap_or((leaving, &[]));
        walk.leave(now);
        leaving = later;
        let is_of_compaction = timeline.is_of_compaction(*index, session.reading.span(*index).start);
        if !(is_beside(session, *index) || input.undo && is_of_compaction) {
            walk.message(*index, is_of_compaction);
        }
    }
    walk.leave(leaving);
    walk.finish()
}

/// Who says what a part says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    /// The assistant: its words, its thinking, the arguments of its calls.
    Assistant,
    /// A person.
    Person,
    Output,
    Summary,
    /// The application.
    Application,
}

/// Where a part is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Ahead,
    InContext,
    Gone,
}

/// An output that left with identifiers that nothing else contained.
#[derive(Clone, Debug, Default)]
struct Owner {
    at: usize,
    strong: usize,
    weak: usize,
    words: Vec<String>,
    used_in: Option<usize>,
}

/// A decision that left.
#[derive(Clone, Debug)]
struct Gone {
    finding: Finding,
    keys: Vec<u64>,
    moment: u32,
}

struct Walk<'w, 's> {
    session: &'w Session<'s>,
    input: &'w LossInput<'w>,
    report: LossReport,
    findings: Vec<Finding>,
    context: Context,
    places: Vec<Place>,
    messages: Vec<u32>,
    owners: HashMap<usize, Owner>,
    /// The key of each call, and the calls whose outputs left, with the output and when it left.
    calls: HashMap<u32, u64>,
    departed_calls: Keys<(usize, usize)>,
    read_again: HashMap<u32, ()>,
    orders: Orders,
    /// For each order its part, and whether it is known to be lost or carried.
    order_parts: Vec<(usize, Option<Survival>)>,
    carriers: Vec<Carrier>,
    /// The summary that departures named last, with its holder.
    given: Option<(usize, u32)>,
    is_unknown: bool,
    goal: Option<usize>,
    newest: Option<usize>,
    gone: Vec<Gone>,
    holders: u32,
    requests_at: Vec<usize>,
    coverage: Coverage,
    is_covered: bool,
}

impl<'w, 's> Walk<'w, 's> {
    fn new(session: &'w Session<'s>, input: &'w LossInput<'w>) -> Self {
        let transcript = session.transcript();
        let mut messages = vec![0; transcript.parts().len()];
        for index in 0..transcript.messages().len() {
            for part in transcript.part_range(index) {
                if let Some(slot) = messages.get_mut(part) {
                    *slot = index as u32;
                }
            }
        }
        Self {
            session,
            input,
            report: LossReport::default(),
            findings: Vec::new(),
            context: Context::default(),
            places: vec![Place::Ahead; messages.len()],
            holders: messages.len() as u32,
            messages,
            owners: HashMap::new(),
            calls: HashMap::new(),
            departed_calls: Keys::default(),
            read_again: HashMap::new(),
            orders: Orders::default(),
            order_parts: Vec::new(),
            carriers: Vec::new(),
            given: None,
            is_unknown: false,
            goal: None,
            newest: None,
            gone: Vec::new(),
            requests_at: Vec::new(),
            coverage: Coverage::default(),
            is_covered: false,
        }
    }

    fn part(&self, part: usize) -> Option<Part> {
        self.session.transcript().parts().get(part).copied()
    }

    fn message_of(&self, part: usize) -> usize {
        self.messages.get(part).map_or(0, |message| *message as usize)
    }

    fn is_in_context(&self, part: usize) -> bool {
        self.places.get(part) == Some(&Place::InContext)
    }

    /// The text of a part; `None` if it is an output that was pruned and that the file no longer contains.
    fn text(&self, at: usize, part: Part) -> Option<Cow<'w, str>> {
        let source = self.session.source();
        let text = self.session.reading.text_of(source, at);
        if part.kind != PartKind::ToolResult || !(text.is_empty() && part.output == Output::Pruned) {
            return Some(text).filter(|_| !part.output.says_placeholder());
        }
        self.session.reading.text_before_pruning(source, at)
    }

    fn voice(&self, at: usize, part: Part) -> Voice {
        let message = self.session.transcript().messages().get(self.message_of(at));
        let (role, turn) = message.map_or((Role::Other, Turn::No), |message| (message.role, message.turn));
        let is_summary = message.is_some_and(|message| message.summary);
        match part.kind {
            // A format may call the task an observation.
            PartKind::ToolResult if part.call.is_none() && turn == Turn::Person => Voice::Person,
            PartKind::ToolResult => Voice::Output,
            PartKind::Summary => Voice::Summary,
            _ if is_summary => Voice::Summary,
            PartKind::ToolCall | PartKind::Thinking => Voice::Assistant,
            PartKind::Text if role == Role::Assistant => Voice::Assistant,
            PartKind::Text if turn == Turn::Person => Voice::Person,
            _ => Voice::Application,
        }
    }

    /// A message enters the context.
    fn message(&mut self, index: usize, is_of_compaction: bool) {
        let transcript = self.session.transcript();
        let Some(message) = transcript.messages().get(index).copied() else { return };
        let is_answer = message.role == Role::Assistant && !message.continues && !message.summary;
        let is_listed = self.session.reading.listed.get(index).copied().unwrap_or(true);
        if is_answer && is_listed && !is_of_compaction && !transcript.part_range(index).is_empty() {
            self.report.requests += 1;
        }
        for at in transcript.part_range(index) {
            let Some(part) = self.part(at) else { continue };
            if let Some(place) = self.places.get_mut(at) {
                *place = Place::InContext;
            }
            let Some(text) = self.text(at, part) else { continue };
            let voice = self.voice(at, part);
            self.context.begin();
            if part.kind == PartKind::ToolCall {
                self.call(index, part, &text);
            }
            if voice == Voice::Person {
                self.person(index, at, &text, is_of_compaction);
            }
            if voice == Voice::Summary {
                self.carriers.push(Carrier::of(at as u32 + 1, &text));
            }
            let Self { context, owners, .. } = self;
            each_in(part, &text, &mut |found: Identifier<'_>| {
                if let Entry::Returned(owner) = context.enter(found.key, at as u32 + 1)
                    && voice == Voice::Assistant
                    && let Some(owner) = owners.get_mut(&owner)
                {
                    owner.use_in(index, found);
                }
            });
        }
    }

    /// A person's words: the goal, orders, and what is compared word for word.
    fn person(&mut self, index: usize, at: usize, text: &str, is_of_compaction: bool) {
        let is_new = !self.context.is_live(key(WHOLE, &joined(text)));
        for key in keys_of_words(text) {
            self.context.enter(key, at as u32 + 1);
        }
        if is_of_compaction || !is_new || text.trim().is_empty() {
            return;
        }
        self.goal.get_or_insert(at);
        self.newest = Some(at);
        let added = self.orders.add(index, text);
        self.order_parts.extend(std::iter::repeat_n((at, None), added));
    }

    /// A call: whether it repeats one whose output left.
    fn call(&mut self, index: usize, part: Part, arguments: &str) {
        let (Some(call), Some(tool)) = (part.call, part.tool) else { return };
        let name = self.session.transcript().tool_name(tool).unwrap_or_default();
        let key = key(CALL, name) ^ key(CALL + 1, arguments);
        self.calls.insert(call, key);
        let Some((output, at)) = self.departed_calls.remove(&key) else { return };
        self.report.re_reads.exact += 1;
        self.read_again.insert(call, ());
        let words = vec![shown(name), shown(arguments)];
        self.find(LossKind::ReRead, output, at, words, Some(index), 1);
    }

    /// Parts leave, all of one moment after those of another.
    fn leave(&mut self, leaving: &[(usize, &Departure)]) {
        for moment in leaving.chunk_by(|(one, _), (next, _)| one == next) {
            let is_due = |departure: &&Departure| self.is_in_context(departure.part);
            let due: Vec<Departure> =
                moment.iter().map(|(_, departure)| *departure).filter(is_due).copied().collect();
            if !due.is_empty() {
                self.moment(&due);
            }
        }
    }

    fn moment(&mut self, due: &[Departure]) {
        self.report.compactions += 1;
        self.requests_at.push(self.report.requests);
        let mut owned: Vec<(u64, usize)> = Vec::new();
        let mut named: Vec<(u64, Class, bool)> = Vec::new();
        let mut decided: Vec<Gone> = Vec::new();
        for departure in due {
            let at = departure.part;
            let Some(part) = self.part(at).filter(|_| self.is_in_context(at)) else { continue };
            if let Some(place) = self.places.get_mut(at) {
                *place = Place::Gone;
            }
            self.report.departed_parts += 1;
            let voice = self.voice(at, part);
            if voice == Voice::Output {
                self.output_leaves(*departure, part);
            }
            let Some(text) = self.text(at, part) else {
                self.report.without_text += 1;
                continue;
            };
            match voice {
                Voice::Person => {
                    for key in keys_of_words(&text) {
                        self.context.leave(key, at as u32 + 1);
                    }
                }
                Voice::Summary => self.carriers.retain(|carrier| carrier.holder != at as u32 + 1),
                Voice::Assistant if part.kind == PartKind::Text => {
                    self.decisions_leave(*departure, &text, &mut decided)
                }
                _ => {}
            }
            let is_summarised = departure.how == Left::Summarised && voice != Voice::Summary;
            let context = &mut self.context;
            each_in(part, &text, &mut |found: Identifier<'_>| {
                if !context.leave(found.key, at as u32 + 1) {
                    return;
                }
                if voice == Voice::Output {
                    owned.push((found.key, at));
                }
                if is_summarised {
                    named.push((found.key, found.class, voice == Voice::Output));
                }
            });
        }
        self.summaries(due);
        self.owners(due, owned);
        self.cover(&named);
        self.words_kept(due);
        self.orders_left(due);
        for gone in decided {
            self.report.decisions.departed += 1;
            if !gone.keys.iter().any(|key| self.context.is_live(*key)) {
                self.gone.push(gone);
            }
        }
    }

    fn output_leaves(&mut self, departure: Departure, part: Part) {
        self.report.departed_outputs += 1;
        let Some((call, key)) = part.call.and_then(|call| Some((call, *self.calls.get(&call)?))) else {
            return;
        };
        self.report.re_reads.outputs += 1;
        self.departed_calls.insert(key, (departure.part, departure.at));
        if self.read_again.contains_key(&call) {
            self.report.thrash.departed_again += 1;
        }
    }

    fn decisions_leave(&self, departure: Departure, text: &str, decided: &mut Vec<Gone>) {
        for decision in decisions(text) {
            let finding = Finding {
                kind: LossKind::Decision,
                message: self.message_of(departure.part),
                part: departure.part,
                at: departure.at,
                words: vec![shown(decision.sentence.text)],
                used_in: None,
                weight: decision.keys.len(),
            };
            decided.push(Gone { finding, keys: decision.keys, moment: self.context.now() });
        }
    }

    /// The summaries that departures name replace the one that was named before.
    fn summaries(&mut self, due: &[Departure]) {
        for departure in due.iter().filter(|departure| departure.how == Left::Summarised) {
            let text = departure.summary.and_then(|number| self.input.summaries.get(number));
            let Some((number, text)) =
                departure.summary.zip(text).filter(|(_, text)| !text.trim().is_empty())
            else {
                self.is_unknown = true;
                continue;
            };
            if self.given.is_some_and(|(given, _)| given == number) {
                continue;
            }
            if let Some((old, holder)) = self.given.take() {
                let old = self.input.summaries.get(old).map_or("", String::as_str);
                each(old, &mut |found: Identifier<'_>| {
                    self.context.leave(found.key, holder);
                });
                self.carriers.retain(|carrier| carrier.holder != holder);
            }
            self.holders = self.holders.saturating_add(1);
            self.context.begin();
            each(text, &mut |found: Identifier<'_>| {
                self.context.enter(found.key, self.holders);
            });
            self.carriers.push(Carrier::of(self.holders, text));
            self.given = Some((number, self.holders));
        }
    }

    /// Outputs that took identifiers with them own them, until these come back.
    fn owners(&mut self, due: &[Departure], owned: Vec<(u64, usize)>) {
        let moments: HashMap<usize, usize> =
            due.iter().map(|departure| (departure.part, departure.at)).collect();
        for (key, part) in owned {
            if !self.context.is_live(key) {
                self.context.own(key, part);
                let at = moments.get(&part).copied().unwrap_or(0);
                self.owners.entry(part).or_insert_with(|| Owner { at, ..Owner::default() });
            }
        }
    }

    fn cover(&mut self, named: &[(u64, Class, bool)]) {
        self.is_covered |= !named.is_empty();
        let compaction = self.report.compactions as u32;
        // What somebody named is counted as named, even where an output contains it as well.
        for in_output in [false, true] {
            for (key, class, _) in named.iter().filter(|(_, _, output)| *output == in_output) {
                let Some(kept) = self.context.count(*key, compaction) else { continue };
                if let Some(share) = share_of(&mut self.coverage, *class, in_output) {
                    share.departed += 1;
                    share.kept += usize::from(kept);
                }
            }
        }
    }

    /// Whether the first and the newest message of the user are still there.
    fn words_kept(&mut self, due: &[Departure]) {
        let (Some(goal), Some(newest)) = (self.goal, self.newest) else { return };
        self.report.words.compactions += 1;
        let (has_goal, has_newest) = (self.is_kept(goal), self.is_kept(newest));
        self.report.words.goal_kept += usize::from(has_goal);
        self.report.words.last_kept += usize::from(has_newest);
        let left_now = due.iter().find(|departure| departure.part == goal);
        if let Some(departure) = left_now.filter(|_| !has_goal) {
            let text = self.part(goal).and_then(|part| self.text(goal, part)).unwrap_or_default();
            self.find(LossKind::LostGoal, goal, departure.at, vec![shown(&text)], None, 1);
        }
    }

    fn is_kept(&self, at: usize) -> bool {
        if self.is_in_context(at) {
            return true;
        }
        let text = self.part(at).and_then(|part| self.text(at, part)).unwrap_or_default();
        self.context.is_live(key(WHOLE, &joined(&text)))
            || self.carriers.iter().any(|carrier| carrier.repeats(&text))
    }

    /// What became of the orders in force whose message is no longer in the context.
    fn orders_left(&mut self, due: &[Departure]) {
        let now = due.first().map_or(0, |departure| departure.at);
        let mut lost = Vec::new();
        for (number, order) in self.orders.all().iter().enumerate() {
            let Some((at, before)) = self.order_parts.get(number).copied() else { continue };
            let is_here = self.is_in_context(at) || self.context.is_live(key(SENTENCE, &order.sentence));
            if order.superseded_by.is_some() || is_here || before == Some(Survival::Lost) {
                continue;
            }
            let survives = self.carriers.iter().map(|carrier| carrier.survival(&order.sentence)).max();
            let survives = survives.unwrap_or(Survival::Lost);
            if before.is_none_or(|before| survives < before) {
                lost.push((number, at, survives, order.sentence.clone()));
            }
        }
        for (number, at, survives, sentence) in lost {
            if let Some(slot) = self.order_parts.get_mut(number) {
                slot.1 = Some(survives);
            }
            if survives == Survival::Lost && !self.is_unknown {
                self.find(LossKind::LostOrder, at, now, vec![shown(&sentence)], None, 1);
            }
        }
    }

    fn find(
        &mut self,
        kind: LossKind,
        part: usize,
        at: usize,
        words: Vec<String>,
        used_in: Option<usize>,
        weight: usize,
    ) {
        let message = self.message_of(part);
        self.findings.push(Finding { kind, message, part, at, words, used_in, weight });
    }

    fn finish(mut self) -> LossReport {
        self.finish_references();
        for gone in std::mem::take(&mut self.gone) {
            if !gone.keys.iter().any(|key| self.context.appears_after(*key, gone.moment)) {
                self.report.decisions.never_return += 1;
                self.findings.push(gone.finding);
            }
        }
        let orders = &mut self.report.orders;
        orders.given = self.orders.all().len();
        orders.superseded = orders.given - self.orders.in_force().count();
        let count = |what| self.order_parts.iter().filter(|(_, survival)| *survival == Some(what)).count();
        orders.repeated = count(Survival::Repeated);
        orders.paraphrased = count(Survival::Paraphrased);
        orders.lost = (!self.is_unknown).then(|| count(Survival::Lost));
        self.report.coverage = Some(self.coverage).filter(|_| self.is_covered && !self.is_unknown);
        let gaps = self.requests_at.windows(2);
        let is_close = |gap: &&[usize]| matches!(gap, [one, next] if next - one < self.input.closer_than);
        self.report.thrash.close = gaps.filter(is_close).count();
        self.report.thrash.index = ratio(self.report.thrash.close, self.report.compactions.saturating_sub(1));
        self.report.utilisation = utilisation(self.input);
        self.findings.sort_by_key(|finding| {
            (finding.kind, std::cmp::Reverse(finding.weight), finding.part, finding.at)
        });
        self.findings.truncate(self.input.findings);
        self.report.worst = self.findings;
        self.report
    }

    fn finish_references(&mut self) {
        let mut owners: Vec<(usize, Owner)> = std::mem::take(&mut self.owners).into_iter().collect();
        owners.sort_by_key(|(part, _)| *part);
        self.report.references.with_unique = owners.len();
        for (part, owner) in owners.into_iter().filter(|(_, owner)| owner.is_needed()) {
            self.report.references.re_referenced += 1;
            let weight = 2 * owner.strong + owner.weak;
            self.find(LossKind::ReReference, part, owner.at, owner.words, owner.used_in, weight);
        }
        let references = &mut self.report.references;
        references.per_100_requests = ratio(references.re_referenced * 100, self.report.requests);
        references.rate = ratio(references.re_referenced, self.report.departed_outputs);
    }
}

impl Owner {
    fn use_in(&mut self, message: usize, found: Identifier<'_>) {
        self.used_in.get_or_insert(message);
        if found.is_strong {
            self.strong += 1;
        } else {
            self.weak += 1;
        }
        if self.words.len() < SHOWN {
            self.words.push(shown(found.text));
        }
    }

    /// One identifier that nobody guesses, or two others.
    fn is_needed(&self) -> bool {
        self.strong > 0 || self.weak > 1
    }
}

/// Calls `take` with the identifiers of a part's text.
fn each_in(part: Part, text: &str, take: &mut impl FnMut(Identifier<'_>)) {
    match part.kind {
        PartKind::ToolCall => each_of_arguments(text, take),
        // The file has a pruned output as the value that it was.
        PartKind::ToolResult if part.output == Output::Pruned => each_of_arguments(text, take),
        _ => each(text, take),
    }
}

/// The keys of a person's message and of its sentences.
fn keys_of_words(text: &str) -> Vec<u64> {
    let whole = key(WHOLE, &joined(text));
    let of_sentences = sentences(text).into_iter().map(|sentence| key(SENTENCE, &joined(sentence.text)));
    std::iter::once(whole).chain(of_sentences).collect()
}

fn share_of(coverage: &mut Coverage, class: Class, in_output: bool) -> Option<&mut Share> {
    Some(match class {
        Class::Error => &mut coverage.errors,
        Class::Command => &mut coverage.commands,
        Class::Quote => return None,
        _ if in_output => &mut coverage.in_outputs,
        Class::File => &mut coverage.files,
        Class::Number => &mut coverage.numbers,
        Class::Name => &mut coverage.names,
    })
}

fn utilisation(input: &LossInput<'_>) -> Option<Utilisation> {
    let window = input.window.filter(|window| *window > 0)? as f64;
    let peak = *input.sizes.iter().max()? as f64 / window;
    let sum: f64 = input.sizes.iter().map(|size| *size as f64).sum();
    Some(Utilisation { peak, mean: sum / input.sizes.len() as f64 / window })
}

/// A text for a finding: on one line, and not too long.
fn shown(text: &str) -> String {
    let text = joined(
        text.get(..text.char_indices().nth(4 * SHOWN_CHARACTERS).map_or(text.len(), |(at, _)| at))
            .unwrap_or(text),
    );
    if text.chars().count() <= SHOWN_CHARACTERS {
        return text;
    }
    text.chars().take(SHOWN_CHARACTERS).chain(['…']).collect()
}
