//! What a peer's rows cost and lose, by the measures that judge policies.
#![expect(
    clippy::indexing_slicing,
    reason = "places of a life are those of its log; those of rows are checked first"
)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ebbline::SessionText;
use ebbline::economics::{Bill, Cache, Charge, Rates, SummaryContent, Totals};
use ebbline::length::Length;
use ebbline::loss::{Departure, Left, LossInput, Meter};
use ebbline::plan::{Fate, Plan};
use ebbline::replay::{Replay, Source};
use ebbline::transcript::{PartKind, Role};

use super::{Item, Life, Row};

/// A piece of a context, by which two requests are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece<'r> {
    Whole(usize),
    Replaced(usize, &'r str),
    Added(Role, &'r str),
}

impl Piece<'_> {
    fn part(&self) -> Option<usize> {
        match self {
            Self::Whole(part) | Self::Replaced(part, _) => Some(*part),
            Self::Added(..) => None,
        }
    }
}

/// What is measured of a life.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// What policies are judged by.
    pub totals: Totals,
    /// What providers ask of requests.
    pub order: Order,
}

/// The answered requests that are out of order, where the recorded request was in order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Order {
    /// Every provider refuses them: calls without results, results without calls, or no message at all.
    pub refused: u64,
    /// Some do: somebody else than the user speaks first.
    pub begun_by_others: u64,
}

impl Order {
    /// Adds those of other sessions.
    pub fn add(&mut self, other: Self) {
        self.refused += other.refused;
        self.begun_by_others += other.begun_by_others;
    }
}

/// Parts that leave before a request.
struct Leaving {
    /// The message that answers the request.
    at: usize,
    parts: Vec<(usize, Left)>,
    /// What the context has of texts that are not the session's own.
    text: String,
    /// The messages of the log of which nothing is left, so far.
    messages: BTreeSet<usize>,
}

/// What every peer is judged by.
#[derive(Debug)]
pub struct Judge<'j, 's> {
    /// What was lived.
    pub life: &'j Life<'s>,
    /// What is needed again, as the session's texts show it.
    pub meter: &'j Meter<'j, 's>,
    /// The context window, in tokens.
    pub window: u64,
    /// What tokens cost.
    pub rates: Rates,
    /// The provider's cache.
    pub cache: Cache,
    /// When each message of the log was written.
    pub moments: &'j [Option<u64>],
}

impl Judge<'_, '_> {
    /// Measures the rows of one peer, in one window, over this life, under each assumption about summaries. An error names the request.
    pub fn measure(&self, rows: &[&Row], contents: &[SummaryContent]) -> Result<Vec<Measured>, String> {
        let life = self.life;
        let overhead = life.never.options().overhead;
        let mut rows: BTreeMap<usize, &Row> = rows.iter().map(|row| (row.request, *row)).collect();
        let (mut context, mut seen, mut gone) = (Vec::new(), 0, HashSet::new());
        let mut sent: Option<(Vec<Piece<'_>>, u64, Option<u64>)> = None;
        let (mut measured, mut leavings) = (Measured::default(), Vec::new());
        let totals = &mut measured.totals;
        totals.without = Bill::of(&life.never, self.cache, self.rates, self.moments).cost();
        for (number, at) in life.requests().enumerate() {
            context.extend(life.parts(seen..at).map(Piece::Whole));
            seen = at;
            let row = rows.remove(&number);
            if let Some(row) = row {
                context = pieces(life, row, at)
                    .map_err(|why| format!("{}, {}, request {number}: {why}", row.peer, row.session))?;
            } else if number == 0 {
                return Err(format!("{}: the first request has no row", life.name));
            }
            let size =
                |pieces: &[Piece<'_>]| overhead + pieces.iter().map(|piece| self.tokens(piece)).sum::<u64>();
            let tokens = size(&context);
            let message = life.history.messages()[at] as usize;
            let moment = self.moments.get(message).copied().flatten();
            let unchanged = |before: &[Piece<'_>]| {
                before.iter().zip(&context).take_while(|(one, other)| one == other).count()
            };
            let before =
                sent.as_ref().map(|(before, tokens, _)| (*tokens, size(&context[..unchanged(before)])));
            let idle = sent.as_ref().and_then(|(_, _, before)| Some(moment?.saturating_sub((*before)?)));
            let mut charge = Charge::of_input(self.cache, tokens, before, idle.unwrap_or(0));
            let asked = row.map_or((0, 0), |row| row.asked);
            charge.output = life.never.requests()[number].output;
            (charge.summary_input, charge.summary_output) = (self.of_ascii(asked.0), self.of_ascii(asked.1));
            totals.requests += 1;
            totals.cost += charge.cost(self.rates);
            totals.input += charge.input();
            totals.peak = totals.peak.max(tokens);
            totals.over_window += u64::from(tokens > self.window);
            totals.summaries += u64::from(asked.1 > 0);
            measured.order.add(order(life, at, &context));
            let whole: HashSet<usize> = context
                .iter()
                .filter(|piece| matches!(piece, Piece::Whole(_)))
                .filter_map(Piece::part)
                .collect();
            let leaving: Vec<usize> =
                life.parts(0..at).filter(|part| !whole.contains(part) && gone.insert(*part)).collect();
            if !leaving.is_empty() {
                totals.prunes += u64::from(asked.1 == 0);
                leavings.push(leave(life, (at, message), &leaving, &context));
            }
            sent = Some((context.clone(), tokens, moment));
        }
        if let Some(row) = rows.into_values().next() {
            return Err(format!("{}, {}: there is no request {}", row.peer, row.session, row.request));
        }
        Ok(contents.iter().map(|content| self.with_loss(measured, &leavings, *content)).collect())
    }

    fn tokens(&self, piece: &Piece<'_>) -> u64 {
        match piece {
            Piece::Whole(part) => self.life.tokens[*part],
            Piece::Replaced(_, text) | Piece::Added(_, text) => self.of_length(Length::of(text)),
        }
    }

    fn of_length(&self, length: Length) -> u64 {
        self.life.never.policy().estimator.tokens_of_text(length)
    }

    fn of_ascii(&self, characters: u64) -> u64 {
        self.of_length(Length::ascii(characters as usize))
    }

    /// The same with what is lost if summaries carry `content`. What a peer itself writes in the place of something counts always.
    fn with_loss(&self, mut measured: Measured, leavings: &[Leaving], content: SummaryContent) -> Measured {
        let mut plan = idle(self.life);
        let (mut departures, mut summaries) = (Vec::new(), Vec::new());
        for leaving in leavings {
            let by_rule = if content == SummaryContent::ByRule {
                by_rule(self.life.session, &mut plan, &leaving.messages)
            } else {
                String::new()
            };
            for (part, how) in &leaving.parts {
                let mut departure = Departure::new(leaving.at, *part, *how);
                let is_output = self.life.history.log().parts()[*part].kind == PartKind::ToolResult;
                let is_replaced = leaving.messages.contains(&(self.life.message_of[*part] as usize));
                // Only a summary of unknown text names something: an output under it has none.
                let is_unknown = is_output && is_replaced && matches!(content, SummaryContent::Names(_));
                departure.summary = Some(summaries.len()).filter(|_| *how == Left::Summarized && !is_unknown);
                departures.push(departure);
            }
            // An empty text would be an unknown one.
            summaries.push(format!("- {}\n{by_rule}", leaving.text));
        }
        let named = if let SummaryContent::Names(tokens) = content { tokens } else { 0 };
        let mut input = LossInput::default();
        (input.undo, input.findings, input.named, input.summaries) = (true, 0, named, &summaries);
        let loss = self.meter.measure(&departures, &input);
        measured.totals.departed_outputs = loss.departed_outputs as u64;
        measured.totals.needed_again = loss.references.re_referenced as u64;
        measured
    }
}

/// The answered requests of a replay that are out of order.
pub fn order_of(life: &Life<'_>, replay: &Replay<'_>) -> Order {
    let mut found = Order::default();
    for (number, at) in life.requests().enumerate() {
        let Some(moment) = replay.sent(number) else { continue };
        let pieces = moment.sources().iter().enumerate().flat_map(|(message, source)| {
            let parts = moment.transcript().part_range(message).map(|part| moment.parts()[part] as usize);
            let is_summary = matches!(source, Source::Summary(_));
            parts.map(move |part| if is_summary { Piece::Added(Role::User, "") } else { Piece::Whole(part) })
        });
        found.add(order(life, at, &pieces.collect::<Vec<_>>()));
    }
    found
}

fn order(life: &Life<'_>, at: usize, context: &[Piece<'_>]) -> Order {
    let recorded: Vec<Piece<'_>> = life.parts(0..at).map(Piece::Whole).collect();
    let (first, usual) = (first(life, context), first(life, &recorded));
    let is_refused = first.is_none() && usual.is_some() || orphans(life, context) > orphans(life, &recorded);
    let is_begun_by_others = first.is_some() && first != Some(Role::User) && usual == Some(Role::User);
    Order { refused: is_refused.into(), begun_by_others: is_begun_by_others.into() }
}

/// Calls without a result, and results without a call. Agents use ids again.
fn orphans(life: &Life<'_>, context: &[Piece<'_>]) -> u64 {
    let parts = life.history.log().parts();
    let mut open: HashMap<u32, i64> = HashMap::new();
    for part in context.iter().filter_map(Piece::part).filter_map(|part| parts.get(part)) {
        match (part.kind, part.call) {
            (PartKind::ToolCall, Some(call)) => *open.entry(call).or_default() += 1,
            (PartKind::ToolResult, Some(call)) => *open.entry(call).or_default() -= 1,
            _ => {}
        }
    }
    open.into_values().map(i64::unsigned_abs).sum()
}

/// Who speaks first, behind the system.
fn first(life: &Life<'_>, context: &[Piece<'_>]) -> Option<Role> {
    let log = life.history.log();
    let role = |piece: &Piece<'_>| match piece {
        Piece::Added(role, _) => *role,
        Piece::Whole(part) | Piece::Replaced(part, _) => {
            match log.messages()[life.message_of[*part] as usize].role {
                Role::User if log.parts()[*part].kind == PartKind::ToolResult => Role::Tool,
                role => role,
            }
        }
    };
    context.iter().map(role).find(|role| *role != Role::System)
}

/// The pieces of a row, before the message at place `at` of the history.
fn pieces<'r>(life: &Life<'_>, row: &'r Row, at: usize) -> Result<Vec<Piece<'r>>, String> {
    let there: HashSet<usize> = life.parts(0..at).collect();
    let known = |part: &usize| {
        there.contains(part).then_some(()).ok_or_else(|| format!("part {part} is not there yet"))
    };
    let mut pieces = Vec::new();
    for item in &row.context {
        match item {
            Item::Whole([first, last]) => {
                known(last)?;
                for part in *first..=*last {
                    known(&part)?;
                    pieces.push(Piece::Whole(part));
                }
            }
            Item::Replaced { part, text } => {
                known(part)?;
                pieces.push(Piece::Replaced(*part, text));
            }
            Item::Added { role, text } => {
                let role = match role.as_str() {
                    "user" => Role::User,
                    "assistant" => Role::Assistant,
                    "tool" => Role::Tool,
                    "system" => Role::System,
                    other => return Err(format!("there is no role {other:?}")),
                };
                pieces.push(Piece::Added(role, text));
            }
        }
    }
    Ok(pieces)
}

/// What leaves: a summary stands for it if the peer wrote something of its own, or it is replaced.
fn leave(
    life: &Life<'_>,
    (at, message): (usize, usize),
    leaving: &[usize],
    context: &[Piece<'_>],
) -> Leaving {
    let left: HashSet<usize> =
        context.iter().filter_map(Piece::part).map(|part| life.message_of[part] as usize).collect();
    let is_summarized = context.iter().any(|piece| matches!(piece, Piece::Added(..)));
    let texts = context.iter().filter_map(|piece| match piece {
        Piece::Whole(_) => None,
        Piece::Replaced(_, text) | Piece::Added(_, text) => Some(*text),
    });
    let replaced: HashSet<usize> = context.iter().filter_map(Piece::part).collect();
    let how = |part: &usize| {
        let stands = is_summarized || replaced.contains(part);
        (*part, if stands { Left::Summarized } else { Left::Pruned })
    };
    let messages = life.history.messages()[..at].iter().map(|message| *message as usize);
    Leaving {
        at: message,
        parts: leaving.iter().map(how).collect(),
        text: texts.collect::<Vec<_>>().join("\n"),
        messages: messages.filter(|message| is_summarized && !left.contains(message)).collect(),
    }
}

/// A plan of the whole session that does nothing yet.
fn idle(life: &Life<'_>) -> Plan {
    let mut plan = life.session.plan(life.never.policy());
    plan.decision.retain.applied = true;
    plan
}

/// ebbline's deterministic summary of these messages.
fn by_rule(session: &SessionText<'_>, plan: &mut Plan, messages: &BTreeSet<usize>) -> String {
    for (index, message) in plan.messages.iter_mut().enumerate() {
        message.fate = if messages.contains(&index) { Fate::Summarized } else { Fate::Kept };
    }
    session.deterministic_summary(plan).ok().flatten().unwrap_or_default()
}
