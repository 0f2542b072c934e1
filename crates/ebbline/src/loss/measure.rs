//! The measurement: one walk over the messages in the order in which they were written.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::context::{Context, Entry, Keys};
use super::departure::{Departure, LossInput};
use super::meter::{Meter, each_in, key_of_call, text_of};
use super::owner::Owner;
use super::report::{Coverage, Finding, LossKind, LossReport, Utilization, ratio, shown};
use super::summaries::{Carrier, Survival};
use super::timeline::is_beside;
use crate::format::PieceKind;
use crate::identifiers::{Identifier, key};
use crate::injection::Speech;
use crate::order::sort_by;
use crate::orders::{Orders, joined, sentences};
use crate::session_text::SessionText;
use crate::transcript::{Part, PartKind, Role, Turn};

/// Seeds of keys that are no identifiers: a whole message, a sentence, a call.
pub(super) const WHOLE: u8 = 20;
pub(super) const SENTENCE: u8 = 21;

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
/// let session = ebbline::SessionText::read(text)?;
/// let departures = [Departure::new(4, 2, Left::Pruned)];
/// let report = loss::measure(&session, &departures, &LossInput::default());
/// assert_eq!((report.departed_outputs, report.references.re_referenced), (1, 1));
/// assert_eq!(report.worst[0].words, ["src/server/listen.rs", "listen.rs"]);
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn measure(session: &SessionText<'_>, departures: &[Departure], input: &LossInput<'_>) -> LossReport {
    Meter::of(session).measure(departures, input)
}

impl Meter<'_, '_> {
    /// What `departures` lost of the session; as [`measure()`](super::measure()).
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::loss::{LossInput, Meter};
    /// let session = ebbline::SessionText::read(r#"[{"role":"user","content":"hello"}]"#)?;
    /// assert_eq!(Meter::of(&session).measure(&[], &LossInput::default()).departed_parts, 0);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn measure(&self, departures: &[Departure], input: &LossInput<'_>) -> LossReport {
        let Self { session, timeline, .. } = self;
        let mut leaving: Vec<(usize, &Departure)> =
            departures.iter().map(|departure| (timeline.rank(departure.at), departure)).collect();
        sort_by(&mut leaving, &|(one, _), (other, _)| one.cmp(other));
        let mut walk = Walk::new(session, self, input);
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
}

/// Who says what a part says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
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
pub(super) enum Place {
    #[default]
    Ahead,
    InContext,
    Gone,
}

/// A decision that left.
#[derive(Clone, Debug)]
pub(super) struct Gone {
    pub(super) finding: Finding,
    pub(super) keys: Vec<u64>,
    pub(super) moment: u32,
}

/// Identifiers that something names in the place of what left.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    /// The number of its holder.
    pub(super) holder: u32,
    /// The identifiers, each with the output that contained it.
    pub(super) names: Vec<(usize, String)>,
}

pub(super) struct Walk<'w, 's> {
    pub(super) session: &'w SessionText<'s>,
    pub(super) meter: &'w Meter<'w, 's>,
    pub(super) input: &'w LossInput<'w>,
    pub(super) report: LossReport,
    pub(super) findings: Vec<Finding>,
    pub(super) context: Context,
    pub(super) places: Vec<Place>,
    pub(super) messages: Vec<u32>,
    pub(super) owners: HashMap<usize, Owner>,
    /// The key of each call, and the calls whose outputs left, with the output and when it left.
    pub(super) calls: HashMap<u32, u64>,
    pub(super) departed_calls: Keys<(usize, usize)>,
    pub(super) read_again: HashSet<u32>,
    pub(super) orders: Orders,
    /// For each order its part, and whether it is known to be lost or carried.
    pub(super) order_parts: Vec<(usize, Option<Survival>)>,
    pub(super) carriers: Vec<Carrier>,
    /// The summary that departures named last, with its holder.
    pub(super) given: Option<(usize, u32)>,
    pub(super) is_unknown: bool,
    /// What the placeholder of each output names.
    pub(super) named: Vec<Option<Named>>,
    /// What the newest summary of unknown text names.
    pub(super) named_by_summary: Named,
    /// Whether a person's words or a summary left or came since orders were looked at.
    pub(super) is_stale: bool,
    /// Messages of the user that are known to be kept or not, until that changes.
    pub(super) kept: HashMap<usize, bool>,
    pub(super) goal: Option<usize>,
    pub(super) newest: Option<usize>,
    pub(super) gone: Vec<Gone>,
    pub(super) holders: u32,
    pub(super) requests_at: Vec<usize>,
    pub(super) coverage: Coverage,
    pub(super) is_covered: bool,
}

impl<'w, 's> Walk<'w, 's> {
    pub(super) fn new(
        session: &'w SessionText<'s>,
        meter: &'w Meter<'w, 's>,
        input: &'w LossInput<'w>,
    ) -> Self {
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
            meter,
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
            read_again: HashSet::new(),
            orders: Orders::default(),
            order_parts: Vec::new(),
            carriers: Vec::new(),
            given: None,
            is_unknown: false,
            named: vec![None; transcript.parts().len()],
            named_by_summary: Named::default(),
            is_stale: false,
            kept: HashMap::new(),
            goal: None,
            newest: None,
            gone: Vec::new(),
            requests_at: Vec::new(),
            coverage: Coverage::default(),
            is_covered: false,
        }
    }

    pub(super) fn part(&self, part: usize) -> Option<Part> {
        self.session.transcript().parts().get(part).copied()
    }

    pub(super) fn message_of(&self, part: usize) -> usize {
        self.messages.get(part).map_or(0, |message| *message as usize)
    }

    pub(super) fn is_in_context(&self, part: usize) -> bool {
        self.places.get(part) == Some(&Place::InContext)
    }

    /// The text of a part; `None` if it is an output that was pruned and that the file no longer contains.
    pub(super) fn text(&self, at: usize, part: Part) -> Option<Cow<'w, str>> {
        text_of(self.session, at, part)
    }

    pub(super) fn voice(&self, at: usize, part: Part) -> Voice {
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
            PartKind::Text if turn == Turn::Person && self.is_own(at) => Voice::Person,
            _ => Voice::Application,
        }
    }

    /// Whether a user's text is the user's own: the application adds files, for example.
    fn is_own(&self, at: usize) -> bool {
        let pieces = self.session.reading.pieces.of(at);
        pieces.iter().all(|piece| piece.kind == PieceKind::Content)
    }

    /// A message enters the context.
    pub(super) fn message(&mut self, index: usize, is_of_compaction: bool) {
        let meter = self.meter;
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
            let Some(said) = meter.said(at) else { continue };
            let voice = self.voice(at, part);
            self.context.begin();
            if part.kind == PartKind::ToolCall {
                self.call(index, at, part, said.arguments);
            }
            self.note_change(voice);
            if voice == Voice::Person {
                let text = self.text(at, part).unwrap_or_default();
                self.person(index, at, Speech::of(&text).own, is_of_compaction);
            }
            if voice == Voice::Summary {
                let text = self.text(at, part).unwrap_or_default();
                self.carriers.push(Carrier::of(at as u32 + 1, &text));
            }
            let mut returned = Keys::default();
            for (key, _) in &said.identifiers {
                if let Entry::Returned(owner) = self.context.enter(*key, at as u32 + 1) {
                    returned.insert(*key, owner);
                }
            }
            if voice == Voice::Assistant && !returned.is_empty() {
                self.use_again(index, at, part, returned);
            }
        }
    }

    /// The assistant uses identifiers that only outputs that left had contained.
    fn use_again(&mut self, index: usize, at: usize, part: Part, mut returned: Keys<usize>) {
        let text = self.text(at, part).unwrap_or_default();
        let owners = &mut self.owners;
        each_in(part, &text, &mut |found: Identifier<'_>| {
            let owner = returned.remove(&found.key);
            if let Some(owner) = owner.and_then(|owner| owners.get_mut(&owner)) {
                owner.use_in(index, found);
            }
        });
    }

    /// What carries the user's words has changed.
    pub(super) fn note_change(&mut self, voice: Voice) {
        if matches!(voice, Voice::Person | Voice::Summary) {
            self.is_stale = true;
            self.kept.clear();
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
    fn call(&mut self, index: usize, at: usize, part: Part, arguments: u64) {
        let (Some(call), Some(tool)) = (part.call, part.tool) else { return };
        let name = self.session.transcript().tool_name(tool).unwrap_or_default();
        let key = key_of_call(name, arguments);
        self.calls.insert(call, key);
        let Some((output, left)) = self.departed_calls.remove(&key) else { return };
        self.report.re_reads.exact += 1;
        self.read_again.insert(call);
        let words = vec![shown(name), shown(&self.text(at, part).unwrap_or_default())];
        self.find(LossKind::ReRead, output, left, words, Some(index), 1);
    }

    pub(super) fn find(
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

    pub(super) fn finish(mut self) -> LossReport {
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
        self.report.utilization = utilization(self.input);
        let place =
            |finding: &Finding| (finding.kind, std::cmp::Reverse(finding.weight), finding.part, finding.at);
        sort_by(&mut self.findings, &|one, other| place(one).cmp(&place(other)));
        self.findings.truncate(self.input.findings);
        self.report.worst = self.findings;
        self.report
    }

    fn finish_references(&mut self) {
        let mut owners: Vec<(usize, Owner)> = std::mem::take(&mut self.owners).into_iter().collect();
        sort_by(&mut owners, &|(one, _), (other, _)| one.cmp(other));
        self.report.references.with_unique = owners.len();
        for (part, owner) in owners.into_iter().filter(|(_, owner)| owner.is_needed()) {
            self.report.references.re_referenced += 1;
            self.report.references.pruned += usize::from(owner.is_pruned);
            self.find(LossKind::ReReference, part, owner.at, owner.words, owner.used_in, owner.used);
        }
        let references = &mut self.report.references;
        references.per_100_requests = ratio(references.re_referenced * 100, self.report.requests);
        references.rate = ratio(references.re_referenced, self.report.departed_outputs);
    }
}

/// The keys of a person's message and of its sentences.
pub(super) fn keys_of_words(text: &str) -> Vec<u64> {
    let whole = key(WHOLE, &joined(text));
    let of_sentences = sentences(text).into_iter().map(|sentence| key(SENTENCE, &joined(sentence.text)));
    std::iter::once(whole).chain(of_sentences).collect()
}

fn utilization(input: &LossInput<'_>) -> Option<Utilization> {
    let window = input.window?.get() as f64;
    let peak = *input.sizes.iter().max()? as f64 / window;
    let sum: f64 = input.sizes.iter().map(|size| *size as f64).sum();
    Some(Utilization { peak, mean: sum / input.sizes.len() as f64 / window })
}
