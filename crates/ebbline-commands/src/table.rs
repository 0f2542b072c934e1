//! A plan as a table: a row for each message, the boundaries as lines between rows.

use ebbline::plan::{MessagePlan, VerdictReason};
use ebbline::sentences::of_fate;
use ebbline::transcript::Role;
use ebbline::{Fate, Plan, SessionText};

use crate::amount::{amount, counted, rounded};
use crate::printable::printable;
use crate::style::Style;
use crate::utf16::{fit, length, pad_start};
use crate::words::{Sizes, reason_of, tokens, totals_of, verdict_of};

const ROLE: usize = 9;
const FATE: usize = 15;
/// One part in this many of the width is for the tools' column at most.
const TOOL_PART: usize = 6;
const SMALLEST_TOOL: usize = 8;
const SMALLEST_BAR: i64 = 8;
const LARGEST_BAR: i64 = 30;
const SMALLEST_REASON: i64 = 8;
/// Below this width there is no room for bars.
const NARROW: usize = 72;
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The table, which ends with a line break.
pub(crate) fn plan_table(
    name: &str,
    session: &SessionText<'_>,
    plan: &Plan,
    width: usize,
    style: Style,
) -> String {
    let tools: Vec<String> = (0..plan.messages.len()).map(|message| tools_of(session, message)).collect();
    let layout = Layout::of(plan, &tools, width);
    let mut lines = header(name, session, plan, style);
    lines.extend([String::new(), style.dim(&layout.titles())]);
    let boundaries = boundaries(plan);
    let before = |index: usize| {
        let here = boundaries.iter().filter(move |(at, _)| *at == index);
        here.map(move |(_, label)| boundary_line(label, width, style))
    };
    for (index, (message, tools)) in plan.messages.iter().zip(&tools).enumerate() {
        lines.extend(before(index));
        lines.push(paint(message, &layout.row(index, message, tools), style));
    }
    lines.extend(before(plan.messages.len()));
    lines.join("\n") + "\n"
}

fn header(name: &str, session: &SessionText<'_>, plan: &Plan, style: Style) -> Vec<String> {
    let decision = &plan.decision;
    let context = decision.trigger.context.map_or(0, std::num::NonZeroU64::get);
    let sizes = Sizes {
        before: decision.tokens_before,
        after: decision.tokens_after,
        summary: decision.summary_allowance,
    };
    let (window, threshold) = (amount(context), amount(decision.trigger.threshold));
    let mut lines = vec![
        format!(
            "{}  {}: {}",
            style.strong(&printable(name)),
            session.format().title(),
            printable(session.evidence())
        ),
        style.dim(&format!("{}, context window {window}, summarizes above {threshold}", plan.profile)),
        format!("{} {}", verdict_of(plan), style.strong(&totals_of(sizes))),
    ];
    if let Some(first) = session.problems().first() {
        let line = first.place().map_or(0, |place| place.line);
        let places = counted(session.problems().len(), "place");
        lines.push(format!("{places} could not be read; first: {}, line {line}", first.message()));
    }
    lines
}

/// The names of the tools that a message calls or whose results it contains.
fn tools_of(session: &SessionText<'_>, message: usize) -> String {
    let transcript = session.transcript();
    let mut names = Vec::new();
    for part in transcript.parts_of(message) {
        let name = part.tool.and_then(|tool| transcript.tool_name(tool));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    printable(&names.join(", "))
}

/// The widths of the columns.
struct Layout {
    largest: u64,
    index: usize,
    cost: usize,
    tool: usize,
    bar: usize,
    reason: usize,
    pruning: VerdictReason,
}

impl Layout {
    fn of(plan: &Plan, tools: &[String], width: usize) -> Self {
        let pruning = plan.decision.prune.reason;
        let largest = plan.messages.iter().map(|message| message.tokens_before).fold(1, u64::max);
        let index = plan.messages.len().saturating_sub(1).to_string().len();
        let cost = amount(largest).len().max(6);
        let longest_tool = tools.iter().map(|tools| length(tools)).fold(4, usize::max);
        let tool = longest_tool.min(SMALLEST_TOOL.max(width / TOOL_PART));
        let left = width as i64 - (index + ROLE + tool + cost + FATE + 5 * 2) as i64;
        let reasons = plan.messages.iter().map(|message| length(&reason_of(message, pruning)));
        let longest = reasons.fold(0, usize::max) as i64;
        let bar = if width < NARROW { 0 } else { (left - 2 - longest).clamp(SMALLEST_BAR, LARGEST_BAR) };
        let room = left - if bar > 0 { bar + 2 } else { 0 };
        let reason = if room < SMALLEST_REASON { 0 } else { room };
        Self { largest, index, cost, tool, bar: bar as usize, reason: reason as usize, pruning }
    }

    fn titles(&self) -> String {
        let mut columns = vec![
            pad_start("#", self.index),
            fit("role", ROLE),
            fit("tool", self.tool),
            pad_start("tokens", self.cost),
        ];
        if self.bar > 0 {
            columns.push(fit("", self.bar));
        }
        columns.extend([fit("fate", FATE), fit(if self.reason > 0 { "why" } else { "" }, self.reason)]);
        columns.join("  ").trim_end().to_owned()
    }

    fn row(&self, index: usize, message: &MessagePlan, tools: &str) -> String {
        let (mark, word) = of_fate(message.fate);
        let mut columns = vec![
            pad_start(&index.to_string(), self.index),
            fit(message.role.as_str(), ROLE),
            fit(tools, self.tool),
            pad_start(&amount(message.tokens_before), self.cost),
        ];
        if self.bar > 0 {
            columns.push(self.bar_of(message));
        }
        columns.push(fit(&format!("{mark} {word}"), FATE));
        columns.push(fit(&reason_of(message, self.pruning), self.reason));
        columns.join("  ").trim_end().to_owned()
    }

    /// A bar whose kept part is solid, to an eighth of a cell, and whose removed part is shaded.
    fn bar_of(&self, message: &MessagePlan) -> String {
        let (before, after) = (message.tokens_before, message.tokens_after);
        let cells = |cost: u64| cost.min(before) as f64 / self.largest as f64 * self.bar as f64;
        let eighths = if after == 0 { 0 } else { 1.max(rounded(cells(after) * 8.0) as usize) };
        let rest = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
        let stays = "█".repeat(eighths / 8) + rest;
        let whole = if before == 0 { 0 } else { 1.max(cells(before).ceil() as usize) };
        let gone = if after < before { whole.saturating_sub(stays.chars().count()) } else { 0 };
        fit(&(stays + &"░".repeat(gone)), self.bar)
    }
}

fn paint(message: &MessagePlan, row: &str, style: Style) -> String {
    match message.fate {
        Fate::Pruned => style.pruned(row),
        Fate::Summarized => style.summarized(row),
        Fate::Inactive | Fate::AlreadyPruned => style.dim(row),
        Fate::Kept if message.role == Role::System => style.dim(row),
        _ => row.to_owned(),
    }
}

/// The labels of the boundaries, with the message that follows each.
fn boundaries(plan: &Plan) -> Vec<(usize, String)> {
    let (prune, retain) = (&plan.decision.prune, &plan.decision.retain);
    let mut lines = Vec::new();
    if let Some(boundary) = prune.boundary.as_ref().filter(|_| prune.reason != VerdictReason::Disabled) {
        let what = if prune.applied { "older outputs are pruned" } else { "older outputs stay" };
        lines.push((boundary.message + 1, format!("protection boundary: {what}")));
    }
    if let Some(boundary) = retain.boundary.filter(|_| retain.reason != VerdictReason::Disabled) {
        let what = if retain.applied { "older messages are summarized" } else { "would begin here" };
        let kept = if boundary >= plan.messages.len() {
            "nothing is kept".to_owned()
        } else {
            format!("{} from here", tokens(retain.kept))
        };
        lines.push((boundary, format!("retention window: {what}, {kept}")));
    }
    lines
}

fn boundary_line(label: &str, width: usize, style: Style) -> String {
    let line = "─".repeat(width.saturating_sub(length(label) + 4).max(2));
    style.boundary(&format!("── {label} {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_row_is_wider_than_the_terminal() {
        let text = r#"[{"role":"user","content":"list the files"},
         {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]},
         {"role":"tool","tool_call_id":"c1","content":"Cargo.toml"}]"#;
        let session = SessionText::read(text).unwrap();
        let plan = session.plan(&ebbline::profiles::get("ebbline@1").unwrap());
        for width in [1, 40, 71, 72, 100, 200] {
            let table = plan_table("a.json", &session, &plan, width, Style::new(false));
            let rows: Vec<&str> = table.lines().skip(4).collect();
            assert!(width < 60 || rows.iter().all(|row| row.chars().count() <= width), "{table}");
            assert_eq!(table.contains('█'), width >= NARROW, "{table}");
            assert!(rows.iter().any(|row| row.contains("ls")));
        }
    }
}
