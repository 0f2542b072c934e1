//! The size of the context over the requests of a replay, as an SVG file.

use ebbline::economics::{CompactionReport, ReplayReport};

use super::axes::Axes;
use super::{BOTTOM, Chart, HEIGHT, LEFT, RIGHT, WIDTH, WORDS, Words, line, rounded, shortened, width_of};
use crate::amount::{self, amount, counted};
use crate::decimal::grouped;
use crate::scale::Scale;

const STYLE: &str = "
.size { fill: var(--fill); }
.curve { fill: none; stroke: var(--line); stroke-width: 1.5; stroke-linejoin: round; }
.limit { stroke: var(--limit); stroke-width: 1.2; }
.threshold { stroke-dasharray: 6 4; }
.of-limit { fill: var(--limit); font-size: 12px; }
.pruned { fill: var(--pruned); }
.summarized { fill: var(--summarized); }";

/// Requests that are more than so many are drawn as the largest and the smallest of each group.
const MOST_POINTS: usize = 800;
/// The longest title.
const TITLE: usize = 90;

/// The file.
pub(crate) fn replay_svg(name: &str, life: &ReplayReport<'_>) -> String {
    let sizes: Vec<u64> = life.requests.iter().map(|each| each.request.tokens + life.overhead).collect();
    let largest = sizes.iter().copied().max().unwrap_or(0).max(1);
    // A window that is far from being full would press the curve to the ground.
    let limits = [(life.threshold, "limit threshold", "full from"), (life.window, "limit", "window")];
    let limits: Vec<(u64, &str, &str)> = limits
        .into_iter()
        .filter_map(|(at, kind, label)| Some((at.filter(|at| *at <= largest * 3)?, kind, label)))
        .collect();
    let most = limits.iter().fold(largest, |most, (at, _, _)| most.max(*at));
    let chart = Axes {
        x: Scale::of_whole(0.0, sizes.len().saturating_sub(1).max(1) as f64),
        y: Scale::of_whole(0.0, most as f64),
        x_title: "requests",
        y_title: "tokens of the request",
        x_label: grouped,
        y_label: grouped,
        drop: 12.0,
    };
    let is_summary = |compaction: &&CompactionReport<'_>| compaction.decision.retain.applied;
    let summaries = life.compactions.iter().filter(is_summary).count();
    let prunes = life.compactions.len() - summaries;
    let made = counted(summaries, "summary").replace("summarys", "summaries");
    let limit = match (life.window, life.threshold) {
        (Some(window), threshold) => {
            format!("; window {} tokens, full from {}", amount(window), amount(threshold.unwrap_or(0)))
        }
        (None, _) => String::new(),
    };
    let what = format!(
        "{}, {}, {made}; cost {} fresh input tokens{limit}",
        counted(life.requests.len(), "request"),
        counted(prunes, "prune"),
        amount(amount::rounded(life.cost)),
    );
    let title = format!("{name} under {}", life.profile);
    let mut panel = vec![
        Words { kind: "title", ..WORDS }.at(LEFT, 34.0, &shortened(&title, TITLE)),
        Words { kind: "quiet", ..WORDS }.at(LEFT, 55.0, &what),
    ];
    panel.extend(chart.lines());
    panel.extend(curve(&sizes, &chart));
    for (at, kind, label) in limits {
        panel.extend(limit_line(chart.y_of(at as f64), kind, &format!("{label} {}", amount(at))));
    }
    let marks = life.compactions.iter();
    panel.extend(marks.map(|each| mark(chart.x_of(f64::from(each.request)), each.decision.retain.applied)));
    panel.extend(legend(prunes > 0, summaries > 0));
    let about = format!("The size of the context at each request. {what}.");
    Chart { title, about, style: STYLE, panels: vec![panel] }.file()
}

/// The curve, and what lies below it. Of neighbors that share a pixel, the largest and the smallest are drawn.
fn curve(sizes: &[u64], chart: &Axes<'_>) -> [String; 2] {
    let each = (2 * sizes.len()).div_ceil(MOST_POINTS).max(1);
    let mut places: Vec<(usize, u64)> = Vec::new();
    for (group, sizes) in sizes.chunks(each).enumerate() {
        let first = |wanted: Option<&u64>| {
            let place = sizes.iter().position(|size| Some(size) == wanted)?;
            Some((group * each + place, *wanted?))
        };
        let mut ends = [first(sizes.iter().max()), first(sizes.iter().min())];
        ends.sort_unstable();
        let [one, other] = ends;
        places.extend(one);
        places.extend(other.filter(|_| one != other));
    }
    let place = |(at, size): &(usize, u64)| {
        format!("{} {}", rounded(chart.x_of(*at as f64)), rounded(chart.y_of(*size as f64)))
    };
    let curve = places.iter().map(place).collect::<Vec<_>>().join("L");
    let ground = rounded(chart.y_of(0.0));
    let (from, to) = (rounded(chart.x_of(0.0)), rounded(chart.x_of(sizes.len().saturating_sub(1) as f64)));
    [
        format!(r#"<path class="size" d="M{from} {ground}L{curve}L{to} {ground}Z"/>"#),
        format!(r#"<path class="curve" d="M{curve}"/>"#),
    ]
}

fn limit_line(y: f64, kind: &str, label: &str) -> [String; 2] {
    let end = WIDTH - RIGHT;
    let words = Words { kind: "of-limit", anchor: "end", ..WORDS };
    [line((LEFT, y), (end, y), kind), words.at(end - 4.0, y - 6.0, label)]
}

/// A mark below the axis: a triangle for a prune, a diamond for a summary.
fn mark(x: f64, is_summary: bool) -> String {
    let (x, y) = (rounded(x), rounded(HEIGHT - BOTTOM + 3.0));
    if is_summary {
        format!(r#"<path class="summarized" d="M{x} {y}l5 6l-5 6l-5 -6Z"/>"#)
    } else {
        format!(r#"<path class="pruned" d="M{x} {y}l4.5 8h-9Z"/>"#)
    }
}

fn legend(has_prunes: bool, has_summaries: bool) -> Vec<String> {
    let entries = [(has_prunes, false, "outputs pruned"), (has_summaries, true, "summary made")];
    let lift = rounded(BOTTOM - 3.0 - 32.0);
    let mut x = LEFT + 6.0;
    let mut drawn = Vec::new();
    for (_, is_summary, text) in entries.into_iter().filter(|(is_there, _, _)| *is_there) {
        let words = Words { kind: "tick", ..WORDS }.at(x + 13.0, HEIGHT - 22.0, text);
        drawn.push(format!(r#"<g transform="translate(0 {lift})">{}</g>{words}"#, mark(x, is_summary)));
        x += width_of(text) + 44.0;
    }
    drawn
}
