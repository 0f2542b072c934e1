//! Which lines of a log Claude Code would send now, and in which order.
//!
//! The agent follows `parentUuid` from the newest line. That path alone misses calls and results: parallel calls are
//! each other's parents, and the next line's parent is the result that was written last. Therefore all lines since
//! the last compaction are sent in the order of the file, except branches that the user abandoned.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::log::{Kind, Line, Log};
use crate::json::{Text, Value};
use crate::order::sort_by;

/// The sent lines of a log.
#[derive(Clone, Debug, Default)]
pub(super) struct Context<'d> {
    /// The lines with content, in the order in which they are sent; lines that are not sent keep their place.
    pub(super) order: Vec<usize>,
    /// Which of these lines are sent.
    pub(super) sent: HashSet<usize>,
    /// The lines that continue the answer of the line before.
    pub(super) continuing: HashSet<usize>,
    /// The last line of each answer.
    pub(super) endings: HashSet<usize>,
    /// The calls whose results the agent has cleared from the context but not from the file, and the end of
    /// the line that says so.
    pub(super) cleared: HashMap<Cow<'d, str>, usize>,
    /// The prompts that replaced an abandoned one.
    pub(super) retries: Vec<usize>,
    /// Usage reported before this line describes a context that has since been replaced.
    pub(super) usage_from: usize,
}

impl<'d> Context<'d> {
    pub(super) fn of(log: &Log<'d>) -> Self {
        let ends =
            |line: &Line<'_>| matches!(line.kind, Kind::Boundary | Kind::Compressed) && !line.is_sidechain;
        let boundary = log.iter().rfind(|(_, line)| ends(line));
        let start = boundary.map_or(0, |(index, _)| index);
        let mut context = Self { usage_from: start, ..Self::default() };
        // If several lines have the same id, the agent uses the last.
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

    /// The lines of branches that the user abandoned by sending another prompt in place of an earlier one.
    fn taken_back(&mut self, log: &Log<'_>, start: usize, last: Option<usize>) -> HashSet<usize> {
        let mut prompts: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let is_linked = log.lines.iter().any(|line| line.parent.is_some());
        for (index, line) in log.iter().skip(start) {
            // A parent that is not in the file is ignored.
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

    /// Records which results were cleared. Usage reported before describes a larger context.
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
            self.cleared.extend(ids.into_iter().map(|id| (id, line.value.span().end)));
        }
    }

    /// Groups the lines of one answer and moves results behind their calls, as the agent does before it sends them. A
    /// line that is not sent stays behind its predecessor.
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
        let mut before: Option<(usize, &Line<'_>)> = None;
        for (index, line) in log.iter().filter(|(_, line)| line.kind.is_said()) {
            self.join_unsent(before.replace((index, line)), index, line);
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

    /// An answer was one answer before a compaction replaced it, too: a replay counts the requests of that time.
    fn join_unsent(&mut self, before: Option<(usize, &Line<'_>)>, index: usize, line: &Line<'_>) {
        if line.kind != Kind::Answer || self.sent.contains(&index) {
            return;
        }
        self.endings.insert(index);
        if let Some((before, other)) = before
            && other.kind == Kind::Answer
            && !self.sent.contains(&before)
            && line.answer.is_some()
            && line.answer == other.answer
        {
            self.endings.remove(&before);
            self.continuing.insert(index);
        }
    }
}

/// The lines on the path from the root to `last`.
fn path(log: &Log<'_>, last: Option<usize>) -> HashSet<usize> {
    let mut path = HashSet::new();
    let mut next = last;
    while let Some(index) = next.filter(|index| path.insert(*index)) {
        next = log.parent(index);
    }
    path
}

/// Moves the lines that a compaction kept behind the line that it names as their anchor.
fn preserve(log: &Log<'_>, boundary: usize, line: &Line<'_>, sent: &mut Vec<usize>) {
    let Some(record) = line.value.present("compactMetadata") else { return };
    let listed = record.present("preservedMessages");
    let Some(kept) = listed.or_else(|| record.present("preservedSegment")) else { return };
    let found = match listed {
        Some(list) => listed_lines(log, list),
        None => segment(log, kept),
    };
    // The agent ignores the whole list if one of its lines is missing.
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

/// The lines from the head of a segment to its tail. The chain between them skips some lines of parallel calls, so
/// all lines of its answers are included.
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

/// An answer with the results of its calls, or another sent line.
#[derive(Clone, Debug, Default)]
struct Group {
    answers: Vec<usize>,
    others: Vec<usize>,
}

#[derive(Debug, Default)]
struct Groups<'l> {
    all: Vec<Group>,
    of_line: HashMap<usize, usize>,
    /// The answers that may still continue, by the id of the API's message.
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
            // The agent moves these lines out of the group.
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
