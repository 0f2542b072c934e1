//! The lines of a rollout in order: items, usage, compactions, rollbacks. All other lines are for the interface and
//! not for the model.

use std::collections::HashMap;
use std::ops::Range;

use super::words::text_of;
use crate::format::openai_responses::item::{Entry, Kind};
use crate::format::openai_responses::spelling::RESPONSES;
use crate::format::slot::{Shape, Slot};
use crate::format::source::Source;
use crate::format::usage;
use crate::json::{Text, Value};

/// One change of the context; ranges are of [`Log::entries`].
#[derive(Debug)]
pub(super) enum Step<'d> {
    /// Items are added.
    Said(Range<usize>),
    /// Items replace everything before.
    Replaced {
        /// The whole line.
        line: Value<'d>,
        /// The items.
        entries: Range<usize>,
    },
    /// A summary replaces everything but the newest messages of the user.
    Summarized {
        /// The whole line.
        line: Value<'d>,
        /// The value with the summary.
        payload: Value<'d>,
    },
    /// The newest turns are rolled back.
    TakenBack {
        /// The whole line.
        line: Value<'d>,
        /// How many turns.
        turns: usize,
    },
    /// A message of another agent.
    Told(Value<'d>),
}

/// A rollout, read line by line.
#[derive(Debug, Default)]
pub(super) struct Log<'d> {
    /// The system prompt, if the rollout contains it.
    pub(super) instructions: Option<Value<'d>>,
    pub(super) entries: Vec<Entry<'d>>,
    pub(super) steps: Vec<Step<'d>>,
    /// Whether the lines are bare items, as Codex wrote them until summer 2025.
    pub(super) is_legacy: bool,
    /// For each call, the events that repeat its output.
    copies: HashMap<String, Vec<Slot>>,
    reports: Reports<'d>,
}

/// The state of reading usage. Codex of 2025 reports usage before the answer's items, later versions after them; both
/// report it again when their rate limits change.
#[derive(Debug, Default)]
struct Reports<'d> {
    last: Option<&'d str>,
    /// Whether the first report came before the model's first item.
    come_first: bool,
    /// A report that precedes its answer.
    pending: Option<u32>,
    /// Whether the answer at the end has its report, so that what follows is another answer.
    is_settled: bool,
}

impl<'d> Log<'d> {
    pub(super) fn of(source: &'d Source<'_>) -> Self {
        let mut log = Self::default();
        let lines: Vec<Value<'d>> = match source.root() {
            Some(root) if root.is_array() && !source.is_lines => root.elements().collect(),
            _ => source.values().collect(),
        };
        log.is_legacy = lines.iter().all(|line| line.get("payload").is_none());
        for line in lines {
            log.line(line);
        }
        log.find_copies();
        log
    }

    fn line(&mut self, line: Value<'d>) {
        let Some(payload) = line.get("payload") else {
            // In mid 2025 the first line describes the session, and others its state: neither is an item.
            let entry = Entry::of(line, &RESPONSES);
            if self.is_legacy && entry.item.kind != Kind::Unknown {
                self.say(entry);
            }
            return;
        };
        match line.text_of("type").map(Text::decode).as_deref() {
            Some("response_item") if is_item(payload) => self.say(Entry::of(payload, &RESPONSES)),
            Some("compacted") => self.compacted(line, payload),
            Some("event_msg") => self.event(line, payload),
            Some("session_meta") if self.instructions.is_none() => {
                let instructions = payload.get("base_instructions").and_then(|base| base.get("text"));
                self.instructions = instructions.filter(|text| text.is_string());
            }
            Some("inter_agent_communication") => self.steps.push(Step::Told(payload)),
            _ => {}
        }
    }

    fn say(&mut self, mut entry: Entry<'d>) {
        if entry.item.is_models() {
            entry.afresh = std::mem::take(&mut self.reports.is_settled);
            entry.usage = self.reports.pending.take();
        }
        let at = self.entries.len();
        self.entries.push(entry);
        match self.steps.last_mut() {
            Some(Step::Said(range)) => range.end = at + 1,
            _ => self.steps.push(Step::Said(at..at + 1)),
        }
    }

    fn compacted(&mut self, line: Value<'d>, payload: Value<'d>) {
        // Later reports describe another context.
        (self.reports.pending, self.reports.is_settled) = (None, false);
        let Some(history) = payload.get("replacement_history").filter(|history| history.is_array()) else {
            return self.steps.push(Step::Summarized { line, payload });
        };
        let first = self.entries.len();
        let items = history.elements().filter(|item| is_item(*item));
        self.entries.extend(items.map(|item| Entry { unlisted: true, ..Entry::of(item, &RESPONSES) }));
        // The record's message repeats the summary, so the item with this text is the summary.
        let summary = payload.text_of("message").filter(|summary| !summary.is_empty()).map(Text::decode);
        let is_summary = |entry: &&mut Entry<'_>| {
            let text = entry.item.texts().next().filter(|_| entry.item.has_role("user"));
            summary.as_deref().is_some_and(|summary| text.is_some_and(|text| text.is(summary)))
        };
        if let Some(entry) = self.entries.iter_mut().skip(first).rev().find(is_summary) {
            entry.is_summary = true;
        }
        self.steps.push(Step::Replaced { line, entries: first..self.entries.len() });
    }

    fn event(&mut self, line: Value<'d>, payload: Value<'d>) {
        match payload.text_of("type").map(Text::decode).as_deref() {
            Some("token_count") => self.reported(payload),
            Some("thread_rolled_back") => {
                let turns = payload.get("num_turns").and_then(Value::number).unwrap_or(0.0);
                self.steps.push(Step::TakenBack { line, turns: turns as usize });
            }
            Some("exec_command_end" | "patch_apply_end") => {
                for key in ["aggregated_output", "formatted_output", "stdout", "stderr"] {
                    if payload.text_of(key).is_some_and(|text| !text.is_empty()) {
                        self.copied(payload, Slot::of_member(payload, key, Shape::Text));
                    }
                }
            }
            Some("mcp_tool_call_end") => {
                let given = payload.get("result").and_then(|result| result.get("Ok"));
                if let Some(given) = given.filter(|given| given.elements_of("content").next().is_some()) {
                    self.copied(payload, Slot::of_member(given, "content", Shape::Blocks));
                }
            }
            _ => {}
        }
    }

    fn copied(&mut self, payload: Value<'d>, slot: Slot) {
        if payload.text_of("call_id").is_some() {
            self.copies.entry(text_of(payload, "call_id")).or_default().push(slot);
        }
    }

    /// If several outputs have the same id, the last one is sent: a compaction may have kept it.
    fn find_copies(&mut self) {
        for entry in self.entries.iter_mut().rev().filter(|entry| entry.item.kind == Kind::Output) {
            let copies = self.copies.remove(&text_of(entry.item.value, "call_id"));
            entry.copies = copies.unwrap_or_default();
        }
    }

    fn reported(&mut self, payload: Value<'d>) {
        let Some(info) = payload.present("info") else { return };
        // The session's totals distinguish a repeated report from one that happens to be equal.
        let again = self.reports.last.replace(info.source()) == Some(info.source());
        let last = info.get("last_token_usage");
        // After a compaction Codex reports its own estimate, a total that is not the sum of its parts.
        let is_estimate = !last.is_some_and(|last| {
            ["input_tokens", "output_tokens"].iter().any(|key| last.get(key).is_some_and(Value::is_truthy))
        });
        let Some(usage) = usage::total(last, &usage::OPENAI).filter(|_| !again && !is_estimate) else {
            return;
        };
        let answer = self.entries.iter().rposition(|entry| entry.item.is_models());
        self.reports.come_first |= answer.is_none();
        let is_open = answer.is_some_and(|answer| answer + 1 == self.entries.len());
        if self.reports.come_first && !is_open {
            self.reports.pending = Some(usage);
        } else if let Some(entry) = answer.and_then(|answer| self.entries.get_mut(answer)) {
            // After a compaction there may be no answer yet.
            if !entry.unlisted {
                entry.usage = Some(usage);
                self.reports.is_settled = is_open;
            }
        }
    }
}

/// Whether a value can be an item: Codex ignores values without a type.
fn is_item(value: Value<'_>) -> bool {
    ["type", "role"].iter().any(|key| value.text_of(key).is_some())
}

/// The time and, if lines are numbered, the number of the next line.
pub(super) fn following(source: &Source<'_>) -> (Option<String>, Option<u64>) {
    let last =
        source.values().rev().find_map(|line| line.get("timestamp").filter(|moment| moment.is_string()));
    let ordinals = source.values().filter_map(|line| line.get("ordinal").and_then(Value::number));
    let ordinal = ordinals.fold(None, |largest: Option<f64>, number| {
        Some(largest.map_or(number, |largest| largest.max(number)))
    });
    (last.map(|moment| moment.source().to_owned()), ordinal.map(|ordinal| (ordinal as u64).saturating_add(1)))
}
