//! What Claude Code would send of a log now, and in which order.
//!
//! The agent walks from the newest line back over `parentUuid`. That walk alone loses calls and results: parallel
//! calls hang on each other, and the next line hangs on whichever result was written last. So the order of the file
//! counts, from the last compaction on; only what a person took back is left out.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::log::{Kind, Line, Log};
use crate::json::{Text, Value};
use crate::order::sort_by;

/// What is sent of a log.
#[derive(Clone, Debug, Default)]
pub(super) struct Context<'d> {
    /// The lines that say something, in the order in which they are sent; those that are not sent stand where
    /// they stood before.
    pub(super) order: Vec<usize>,
    /// The lines among them that are sent.
    pub(super) sent: HashSet<usize>,
    /// The lines that go on with the answer of the line before.
    pub(super) continuing: HashSet<usize>,
    /// The line with which each answer ends.
    pub(super) endings: HashSet<usize>,
    /// The calls whose results the agent has cleared from the context, though the file still holds them.
    pub(super) cleared: HashSet<Cow<'d, str>>,
    /// The prompts that took the place of one that was taken back.
    pub(super) retries: Vec<usize>,
    /// What was reported in front of this line describes a context that has been replaced since.
    pub(super) usage_from: usize,
}

impl<'d> Context<'d> {
    pub(super) fn of(log: &Log<'d>) -> Self {
        let ends =
            |line: &Line<'_>| matches!(line.kind, Kind::Boundary | Kind::Compressed) && !line.is_sidechain;
        let boundary = log.iter().rfind(|(_, line)| ends(line));
        let start = boundary.map_or(0, |(index, _)| index);
        let mut context = Self { usage_from: start, ..Self::default() };
        // Of several lines with the same id, the agent knows the last.
        let said: Vec<usize> = log
            .iter()
            .filter(|(index, line)| *index >= start && line.kind.is_said() && !line.is_sidechain)
            .filter(|(index, line)| line.uuid.as_deref().is_none_or(|uuid| log.find(uuid) == Some(*index)))
            .map(|(index, _)| index)
            .collect();
        let mut sent = if log.is_of_contents {
            let path = path(log, said.last().copied());
            said.into_iter().filter(|index| path.contains(index)).collect::<Vec<_>>()
        } else {
            let taken_back = context.taken_back(log, start, said.last().copied());
            said.into_iter().filter(|index| !taken_back.contains(index)).collect()
        };
        if let Some((index, boundary)) = boundary {
            preserve(log, index, boundary, &mut sent);
        }
        context.clear(log, start, &sent);
        context.arrange(log, start, &sent);
        context
    }

    /// The lines of branches that a person left by sending another prompt in the place of an earlier one.
    fn taken_back(&mut self, log: &Log<'_>, start: usize, last: Option<usize>) -> HashSet<usize> {
        let mut prompts: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let is_linked = log.lines.iter().any(|line| line.parent.is_some());
        for (index, line) in log.iter().skip(start) {
            // A parent that is not in the file says nothing.
            let parent = log.parent(index);
            let known = parent.is_some() || (line.parent.is_none() && is_linked);
            if line.kind == Kind::Prompt && !line.is_sidechain && known {
                prompts.entry(parent).or_default().push(index);
            }
        }
        prompts.retain(|_, siblings| siblings.len() > 1);
        let path = if prompts.is_empty() { HashSet::new() } else { path(log, last) };
        let mut left_behind = HashSet::new();
        for siblings in prompts.into_values() {
            let on_path = siblings.iter().find(|index| path.contains(index));
            let Some(kept) = on_path.or(siblings.last()).copied() else { continue };
            left_behind.extend(siblings.into_iter().filter(|index| *index != kept));
            self.retries.push(kept);
        }
        sort_by(&mut self.retries, &usize::cmp);
        if !left_behind.is_empty() {
            for (index, _) in log.iter().skip(start) {
                if log.parent(index).is_some_and(|parent| left_behind.contains(&parent)) {
                    left_behind.insert(index);
                }
            }
        }
        left_behind
    }

    /// Notes which results have been cleared; what was reported before describes a larger context.
    fn clear(&mut self, log: &Log<'d>, start: usize, sent: &[usize]) {
        for (index, line) in log.iter().filter(|(_, line)| line.kind == Kind::Clearing) {
            let ids: Vec<_> = line
                .value
                .get("microcompactMetadata")
                .into_iter()
                .flat_map(|record| record.elements_of("compactedToolIds"))
                .filter_map(Value::text)
                .map(Text::decode)
                .collect();
            let shrinks = index > start
                && sent.iter().take_while(|sent| **sent < index).filter_map(|sent| log.get(*sent)).any(
                    |line| line.kind == Kind::Results && line.calls.iter().any(|call| ids.contains(call)),
                );
            if shrinks {
                self.usage_from = self.usage_from.max(index);
            }
            self.cleared.extend(ids);
        }
    }

    /// Puts the lines of one answer together, and the results behind the calls they answer, as the agent does
    /// before it sends them. What is not sent stays behind what it stood behind.
    fn arrange(&mut self, log: &Log<'_>, start: usize, sent: &[usize]) {
        let mut groups = Groups::default();
        for index in sent {
            if let Some(line) = log.get(*index) {
                groups.add(*index, line);
            }
        }
        self.sent = sent.iter().copied().collect();
        let mut left: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let mut behind = None;
        for (index, line) in log.iter().filter(|(_, line)| line.kind.is_said()) {
            if self.sent.contains(&index) {
                behind = Some(index).filter(|index| *index >= start);
            } else if line.kind.is_message() {
                let group = behind.and_then(|index| groups.of_line.get(&index).copied());
                left.entry(group).or_default().push(index);
            }
        }
        self.order.extend(left.remove(&None).unwrap_or_default());
        for (position, group) in groups.all.into_iter().enumerate() {
            self.continuing.extend(group.answers.iter().skip(1));
            self.endings.extend(group.answers.last());
            self.order.extend(group.answers);
            self.order.extend(group.others);
            self.order.extend(left.remove(&Some(position)).unwrap_or_default());
        }
    }
}

/// The lines from the first to `last`.
fn path(log: &Log<'_>, last: Option<usize>) -> HashSet<usize> {
    let mut path = HashSet::new();
    let mut next = last;
    while let Some(index) = next.filter(|index| path.insert(*index)) {
        next = log.parent(index);
    }
    path
}

/// Puts the lines that a compaction kept word for word behind the line that it names as their anchor.
fn preserve(log: &Log<'_>, boundary: usize, line: &Line<'_>, sent: &mut Vec<usize>) {
    let Some(record) = line.value.present("compactMetadata") else { return };
    let listed = record.present("preservedMessages");
    let Some(kept) = listed.or_else(|| record.present("preservedSegment")) else { return };
    let found = match listed {
        Some(list) => listed_lines(log, list),
        None => segment(log, kept),
    };
    // The agent gives the whole list up when one line of it is missing.
    let Some(found) = found else { return };
    let mut seen = HashSet::new();
    let is_kept = |index: &usize| {
        *index < boundary
            && seen.insert(*index)
            && log.get(*index).is_some_and(|line| line.kind.is_said() && !line.is_sidechain)
    };
    let found: Vec<usize> = found.into_iter().filter(is_kept).collect();
    let anchor = kept.text_of("anchorUuid").and_then(|anchor| log.find(&anchor.decode()));
    let behind = anchor.filter(|anchor| *anchor >= boundary);
    let at = match behind {
        Some(anchor) => sent.iter().take_while(|index| **index <= anchor).count(),
        None => sent.len().min(1),
    };
    sent.splice(at..at, found);
}

fn listed_lines(log: &Log<'_>, list: Value<'_>) -> Option<Vec<usize>> {
    list.elements_of("uuids").map(|uuid| log.find(&uuid.text()?.decode())).collect()
}

/// The lines from the head of a segment to its tail. The chain between the two passes some of the lines of parallel
/// calls by: what belongs to its answers belongs to it.
fn segment(log: &Log<'_>, segment: Value<'_>) -> Option<Vec<usize>> {
    let end = |key: &str| segment.text_of(key).and_then(|uuid| log.find(&uuid.decode()));
    let (head, tail) = (end("headUuid")?, end("tailUuid")?);
    let mut chain = HashSet::new();
    let mut next = Some(tail);
    while next != Some(head) {
        next = log.parent(next.filter(|index| chain.insert(*index))?);
    }
    chain.insert(head);
    let on_chain = |index: usize| chain.contains(&index);
    let answers: HashSet<_> = chain.iter().filter_map(|index| log.get(*index)?.answer.as_deref()).collect();
    let is_answer = |line: &Line<'_>| line.answer.as_deref().is_some_and(|answer| answers.contains(answer));
    let answering = log.lines.iter().filter(|line| is_answer(line));
    let calls: HashSet<&str> = answering.flat_map(|line| &line.calls).map(AsRef::as_ref).collect();
    let is_result = |line: &Line<'_>| {
        line.kind == Kind::Results && line.calls.iter().any(|call| calls.contains(call.as_ref()))
    };
    let kept = log.iter().filter(|(index, line)| on_chain(*index) || is_answer(line) || is_result(line));
    Some(kept.map(|(index, _)| index).collect())
}

/// An answer with the results of its calls, or anything else that is sent.
#[derive(Clone, Debug, Default)]
struct Group {
    answers: Vec<usize>,
    others: Vec<usize>,
}

#[derive(Debug, Default)]
struct Groups<'l> {
    all: Vec<Group>,
    of_line: HashMap<usize, usize>,
    /// The answers that may still go on, by the id of the API's message.
    open: HashMap<&'l str, usize>,
    of_call: HashMap<&'l str, usize>,
}

impl<'l> Groups<'l> {
    fn add(&mut self, index: usize, line: &'l Line<'_>) {
        let next = self.all.len();
        let group = match line.kind {
            Kind::Answer => {
                let known = line.answer.as_deref().map(|answer| *self.open.entry(answer).or_insert(next));
                self.of_call.extend(line.calls.iter().map(|call| (call.as_ref(), known.unwrap_or(next))));
                known.unwrap_or(next)
            }
            Kind::Results => {
                line.calls.iter().find_map(|call| self.of_call.get(call.as_ref())).copied().unwrap_or(next)
            }
            // The agent moves these out of the way.
            Kind::Aside | Kind::Compressed | Kind::LocalError => next,
            _ => {
                self.open.clear();
                next
            }
        };
        if group == next {
            self.all.push(Group::default());
        }
        self.of_line.insert(index, group);
        if let Some(group) = self.all.get_mut(group) {
            let list = if line.kind == Kind::Answer { &mut group.answers } else { &mut group.others };
            list.push(index);
        }
    }
}
