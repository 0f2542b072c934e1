//! The charts of the commands: what they show, and where they are written.

use ebbline::economics::{ReplayReport, SweepReport};
use ebbline_charts::cells::{Line, Tone};
use ebbline_charts::{Event, Frontier, FrontierPoint, Picture, Point as RequestPoint, Sawtooth, stacked};

use crate::amount::{self, amount, counted};
use crate::decimal::fixed;
use crate::failure::Failure;
use crate::io::Io;
use crate::points::{Panel, Point, far_in_words, panels};
use crate::style::Style;

/// The longest title of a picture.
const TITLE: usize = 90;
/// The size of a picture of one window in CSS pixels.
const SIZE: (u32, u32) = (960, 600);

/// The life of a session under a policy.
pub(crate) fn sawtooth(name: &str, life: &ReplayReport<'_>) -> Sawtooth {
    let sent = life.requests.iter().map(|each| each.request.tokens + life.overhead);
    let mut points: Vec<RequestPoint> =
        sent.map(|sent| RequestPoint { before: sent, sent, event: None }).collect();
    for compaction in &life.compactions {
        if let Some(point) = points.get_mut(compaction.request as usize) {
            let is_summary = compaction.decision.retain.applied;
            point.event = Some(if is_summary { Event::Summary } else { Event::Prune });
        }
    }
    // A window that is far from being full would press the curve to the ground.
    let largest = points.iter().map(|point| point.sent).max().unwrap_or(0).max(1);
    let near = |limit: Option<u64>| limit.filter(|at| *at <= largest * 3).unwrap_or(0);
    Sawtooth {
        title: shortened(&format!("{name} under {}", life.profile), TITLE),
        life: (life.profile.to_owned(), points),
        other: None,
        window: near(life.window),
        fires: near(life.threshold),
    }
}

/// The life as a picture.
pub(crate) fn replay_picture(name: &str, life: &ReplayReport<'_>) -> Picture {
    let summaries = life.compactions.iter().filter(|each| each.decision.retain.applied).count();
    let limit = life.window.map_or_else(String::new, |window| {
        let full = amount(life.threshold.unwrap_or(0));
        format!("; window {} tokens, full from {full}", amount(window))
    });
    let about = format!(
        "{}, {}, {}; cost {} fresh input tokens{limit}",
        counted(life.requests.len(), "request"),
        counted(life.compactions.len() - summaries, "prune"),
        counted(summaries, "summary").replace("summarys", "summaries"),
        amount(amount::rounded(life.cost)),
    );
    sawtooth(name, life).chart(&about)
}

/// The points of a window by cost and loss.
pub(crate) fn frontier(panel: &Panel<'_>, sessions: u32) -> Frontier {
    let points: Vec<FrontierPoint> = panel.points.iter().map(point).collect();
    let requests = panel.points.first().map_or(0, |point| point.report.totals.requests);
    let best = points.iter().filter(|point| point.is_best).count();
    let far = if panel.far.is_empty() { String::new() } else { format!("; {}", far_in_words(&panel.far)) };
    let window = match panel.window {
        None => "without a known window".to_owned(),
        Some(window) => format!("in a window of {} tokens", amount(window)),
    };
    Frontier {
        title: format!("Cost against loss {window}"),
        about: format!(
            "{} over {} with {}; {best} on the frontier{far}",
            counted(points.len() + panel.far.len(), "point"),
            counted(sessions, "session"),
            counted(requests, "request"),
        ),
        points,
    }
}

/// A point as charts draw it.
pub(crate) fn point(point: &Point<'_>) -> FrontierPoint {
    FrontierPoint {
        cost: point.cost(),
        loss: point.loss(),
        is_best: point.is_best(),
        over: point.report.totals.over_window,
        name: point.name(),
        is_first: point.is_as_it_is(),
        about: about(point),
    }
}

fn about(point: &Point<'_>) -> String {
    let (report, settings) = (point.report, point.settings());
    let settings = if settings.is_empty() { String::new() } else { format!(" {settings}") };
    let mut said = vec![
        format!("#{} {}{settings}", point.number, report.profile),
        format!("cost {} %", fixed(point.cost(), 1)),
        format!("needed again {}", amount(point.loss())),
        format!("prunes {}", amount(report.totals.prunes)),
        format!("summaries {}", amount(report.totals.summaries)),
    ];
    if report.totals.over_window > 0 {
        said.push(format!("requests over the window {}", amount(report.totals.over_window)));
    }
    said.extend(report.standing.beaten_by.map(|by| format!("beaten by #{}", by + 1)));
    said.join(", ")
}

/// A sweep as a picture: one chart for each window.
pub(crate) fn sweep_picture(report: &SweepReport<'_>) -> Picture {
    let panels = panels(&report.points);
    let drawn = panels.iter().map(|panel| frontier(panel, report.sessions).picture(SIZE).0);
    stacked(&drawn.collect::<Vec<_>>())
}

/// Lines of a chart in the colors of the terminal.
pub(crate) fn painted(lines: &[Line], style: Style) -> Vec<String> {
    let paint = |tone: Tone, text: &str| match tone {
        Tone::Plain => text.to_owned(),
        Tone::Quiet => style.dim(text),
        Tone::Best => style.good(text),
        Tone::Pruned => style.pruned(text),
        Tone::Summarized => style.summarized(text),
    };
    lines.iter().map(|line| line.painted(paint)).collect()
}

/// Writes a picture to the file that `--svg` names.
pub(crate) async fn write(name: &str, picture: &Picture, io: &Io) -> Result<(), Failure> {
    check(name)?;
    io.write(name, picture.standalone().into_bytes(), None).await
}

fn check(name: &str) -> Result<(), Failure> {
    match name {
        "" | "-" => Err(Failure::Usage("--svg needs the name of a file".to_owned())),
        _ => Ok(()),
    }
}

/// A text that fits on a line; of a long one, such as a path, the end says more than the beginning.
fn shortened(text: &str, longest: usize) -> String {
    let characters = text.chars().count();
    if characters <= longest {
        return text.to_owned();
    }
    let end: String = text.chars().skip(characters + 1 - longest).collect();
    format!("…{end}")
}

#[cfg(test)]
mod tests {
    use ebbline::SessionText;
    use ebbline::economics::{Rates, Terms};
    use ebbline::replay::Replay;

    use super::*;
    use crate::points::tests::swept;

    #[test]
    fn long_titles_keep_their_end() {
        assert_eq!((shortened("abcdef", 4), shortened("abcd", 4)), ("…def".to_owned(), "abcd".to_owned()));
    }

    #[test]
    fn a_chart_needs_a_name() {
        for name in ["", "-"] {
            assert!(matches!(check(name), Err(Failure::Usage(_))));
        }
    }

    #[test]
    fn every_window_has_a_chart_and_every_point_a_mark() {
        let sweep = swept();
        let svg = sweep_picture(&sweep.report()).standalone();
        assert_eq!(svg.matches(">Cost against loss in a window of ").count(), 3, "two charts and the title");
        let marks = svg.matches("<title>#").count();
        assert!((2..=10).contains(&marks), "{marks}");
        assert!(svg.contains("ebbline@2 and ") && !svg.contains("NaN") && !svg.contains("null"));
    }

    #[test]
    fn a_life_is_drawn_with_its_compactions() {
        let text = r#"[{"role":"user","content":"one"},{"role":"assistant","content":"two"}]"#;
        let session = SessionText::read(text).unwrap();
        let policy = ebbline::profiles::get("ebbline@2").unwrap();
        let terms = Terms::new(Rates::new(0.1, 1.25, 5.0));
        let replay = Replay::new(&session, &policy, &terms.options);
        let life = ReplayReport::of(&replay, &terms.bill(&replay));
        let saw = sawtooth("a.json", &life);
        assert_eq!(
            (saw.life.1.len(), saw.window),
            (life.requests.len(), 0),
            "the window is far from being full"
        );
        let picture = replay_picture("a.json", &life);
        assert!(picture.description.contains(" 0 prunes, 0 summaries; cost "), "{}", picture.description);
    }
}
