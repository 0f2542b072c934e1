//! The lesson's figures: what the playground shows at each step, drawn. Scenes and sentences are those of the playground, so
//! their numbers are, too.

use ebbline::numbers::{counted, grouped};
use ebbline::{Fate, ReadOptions};
use ebbline_charts::{Event, Picture, Point, Sawtooth};
use ebbline_web::bars::{Bars, Piece, Row, Span, after, before};
use ebbline_web::drawn_plan::DrawnPlan;
use ebbline_web::file::File;
use ebbline_web::kind::{Kind, Shown};
use ebbline_web::knob::Knob;
use ebbline_web::lesson::stage::{self, AGENTS, Scene, of_agent};
use ebbline_web::lesson::{STEPS, Step};
use ebbline_web::life::{EventKind, Life};
use ebbline_web::open_session::OpenSession;
use ebbline_web::sample;
use ebbline_web::view::At;

/// How many requests the first figure shows.
const FIRST: u32 = 5;

/// A figure: the same picture for a desk and for a phone, and what is said about it.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// The picture for a desk.
    pub(crate) wide: Picture,
    /// The picture for a phone.
    pub(crate) narrow: Picture,
    /// What it shows.
    pub(crate) caption: String,
    /// The colors and shapes of its bars, in words.
    pub(crate) legend: Vec<Sign>,
}

/// A color or a shape, as the classes of a picture's element, and the word for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    pub(crate) kind: &'static str,
    pub(crate) fate: &'static str,
    pub(crate) word: String,
}

/// The width of a figure on a desk and on a phone, in CSS pixels. The narrow one fits into a screen of 320 pixels.
const WIDTHS: (u32, u32) = (752, 280);

impl Figure {
    fn bars(title: &str, rows: Vec<Row>, (window, fires): (u64, u64), caption: String) -> Self {
        let bars = Bars { title: title.to_owned(), rows, window, fires };
        let pieces = || bars.rows.iter().flat_map(|row| &row.pieces).filter(|piece| piece.tokens > 0);
        let kinds = Kind::ALL.into_iter().filter(|kind| pieces().any(|piece| piece.kind == *kind));
        let kinds = kinds.map(|kind| Sign { kind: kind.name(), fate: "kept", word: explained(kind) });
        let fates = Fate::ALL.iter().filter(|fate| **fate != Fate::Kept);
        let fates = fates.filter(|fate| pieces().any(|piece| piece.fate == **fate));
        let fates = fates.map(|fate| Sign {
            kind: "tool",
            fate: Shown::from_code(*fate as u8).name(),
            word: Shown::from_code(*fate as u8).word().to_owned(),
        });
        let legend = kinds.chain(fates).collect();
        Self { wide: bars.picture(WIDTHS.0), narrow: bars.picture(WIDTHS.1), caption, legend }
    }

    fn sawtooth(saw: &Sawtooth, caption: String) -> Self {
        Self { wide: saw.picture(WIDTHS.0), narrow: saw.picture(WIDTHS.1), caption, legend: Vec::new() }
    }
}

/// A step with the figures of its sentences and its picture.
pub(crate) struct Shot {
    /// The figures of its sentences.
    pub(crate) figures: stage::Figures,
    /// Its picture.
    pub(crate) figure: Figure,
    /// The rules of three agents, if it is about those.
    pub(crate) rules: Vec<[String; 4]>,
}

/// All steps, in order.
pub(crate) fn all() -> Result<Vec<Shot>, String> {
    let text = sample::text().into_bytes();
    let opened = OpenSession::open(text, sample::FIRST.name, &ReadOptions::default());
    let (session, _) = opened.map_err(|error| format!("the sample session: {}", error.sentence))?;
    Ok(STEPS.iter().map(|step| shot(step, &session)).collect())
}

fn shot(step: &Step, session: &OpenSession<File>) -> Shot {
    let begin = Scene::of(step, session);
    let rules = if step.name == "agents" {
        AGENTS.map(|name| stage::rule(&of_agent(&begin, name), session)).to_vec()
    } else {
        Vec::new()
    };
    Shot { figures: begin.figures(step, session, None), figure: drawn(step, &begin, session), rules }
}

fn drawn(step: &Step, begin: &Scene, session: &OpenSession<File>) -> Figure {
    let planned = |scene: &Scene| {
        let at = At { history: scene.history.clone(), request: scene.request };
        session.plan_at(&scene.policy, false, Some(&at))
    };
    let life = |scene: &Scene| session.open_life(&scene.policy, false).0;
    let here = planned(begin);
    let request = format!("Request {}", grouped(u64::from(begin.request) + 1));
    match step.name {
        "resend" => {
            let rows = (0..FIRST).map(|request| Row {
                label: format!("Request {}", request + 1),
                pieces: before(&planned(&Scene { request, ..begin.clone() })),
                spans: Vec::new(),
            });
            let title = format!("The first {FIRST} requests of a session");
            Figure::bars(
                &title,
                rows.collect(),
                (0, 0),
                format!("{title}: each begins with all of the one before."),
            )
        }
        "window" => {
            let life = life(begin);
            let over = life.found.iter().position(|found| u64::from(*found) > stage::WINDOW).unwrap_or(0);
            let saw = Sawtooth {
                title: "The context grows until it is larger than the window".to_owned(),
                life: ("Nothing gives way".to_owned(), points(&life)),
                window: stage::WINDOW,
                ..Sawtooth::default()
            };
            Figure::sawtooth(
                &saw,
                format!("If nothing gives way, request {} is the first that is refused.", over + 1),
            )
        }
        "placeholder" => placeholder(&here, &request),
        "summary" => {
            let title = "What stays of the context";
            let spans = vec![Span { from: 0, to: here.figures.allowance, label: "the summary".to_owned() }];
            let rows = vec![Row { label: "After".to_owned(), pieces: after(&here), spans }];
            let window = (here.figures.after, 0);
            let forgotten = counted(here.figures.retain.messages as u64, "message");
            Figure::bars(title, rows, window, format!("{request}: of {forgotten}, only the summary is left."))
        }
        "cache" => {
            let mut waits = begin.clone();
            Knob::Minimum.set(&mut waits.policy, 20_000);
            let (eager, waits) = (life(begin), life(&waits));
            let said = format!(
                "Cleared at every chance (filled): {} times. With a minimum of 20,000 (dashed): {} times.",
                eager.events.len(),
                waits.events.len()
            );
            let saw = Sawtooth {
                title: "Clearing at every chance, and clearing that waits".to_owned(),
                life: ("At every chance".to_owned(), points(&eager)),
                other: Some(("With a minimum".to_owned(), points(&waits))),
                window: stage::WINDOW,
                fires: 0,
            };
            Figure::sawtooth(&saw, said)
        }
        "thresholds" => {
            let life = life(begin);
            let fires = life.threshold.unwrap_or(0);
            let saw = Sawtooth {
                title: "The context over the life of a session".to_owned(),
                life: (begin.policy.profile.clone(), points(&life)),
                window: stage::WINDOW,
                fires,
                ..Sawtooth::default()
            };
            let times = life.events.len();
            Figure::sawtooth(
                &saw,
                format!("The whole session: above {}, room is made, {times} times.", grouped(fires)),
            )
        }
        "agents" => {
            let none = |label: String, pieces: Vec<Piece>| Row { label, pieces, spans: Vec::new() };
            let mut rows = vec![none("Before".to_owned(), before(&here))];
            rows.extend(AGENTS.iter().map(|name| {
                let planned = planned(&of_agent(begin, name));
                none(format!("After, as {name} does it"), after(&planned))
            }));
            let said = format!("{request} as each would make room. Each counts tokens in its own way.");
            Figure::bars("One moment under three rules", rows, (stage::WINDOW, 0), said)
        }
        _ => before_and_after(&here, &request),
    }
}

/// A plan as two bars.
fn before_and_after(here: &DrawnPlan, request: &str) -> Figure {
    let is_summary = here.figures.retain.applied;
    let (prune, keep) = here.figures.places;
    let (from, stays) = if is_summary { (keep, "kept word for word") } else { (prune, "stays") };
    let spans = vec![Span { from, to: here.figures.before, label: stays.to_owned() }];
    let rows = vec![
        Row { label: "Before".to_owned(), pieces: before(here), spans },
        Row { label: "After".to_owned(), pieces: after(here), spans: Vec::new() },
    ];
    let (title, goes) = if is_summary {
        ("Before and after summarizing", "What is drawn low becomes the summary")
    } else {
        ("Before and after clearing", "What is hatched is cleared")
    };
    let window = (stage::WINDOW, here.figures.trigger.threshold);
    Figure::bars(title, rows, window, format!("{request}. {goes}."))
}

/// The largest output that is cleared, before and after.
fn placeholder(planned: &DrawnPlan, request: &str) -> Figure {
    let cleared = planned.fates.fate.iter().zip(&planned.fates.before).enumerate();
    let cleared = cleared.filter(|(_, (fate, _))| Shown::from_code(**fate) == Shown::Pruned);
    let largest = cleared.max_by_key(|(_, (_, tokens))| **tokens).map_or(0, |(at, _)| at);
    let own = |pieces: Vec<Piece>| -> Vec<Piece> {
        pieces.into_iter().filter(|piece| piece.message as usize == largest).collect()
    };
    let rows = vec![
        Row { label: "The output".to_owned(), pieces: own(before(planned)), spans: Vec::new() },
        Row { label: "Its placeholder".to_owned(), pieces: own(after(planned)), spans: Vec::new() },
    ];
    let said = format!(
        "{request}, message {}: the largest output that is cleared, and the line that stays of it.",
        grouped(largest as u64 + 1)
    );
    Figure::bars("An output and its placeholder", rows, (0, 0), said)
}

/// A life as the points of a sawtooth.
pub(crate) fn points(life: &Life) -> Vec<Point> {
    let columns = life.found.iter().zip(&life.sent).zip(0..);
    let points = columns.map(|((before, sent), request)| {
        let event = life.event_at(request).map(|event| match event.kind {
            EventKind::Prune => Event::Prune,
            EventKind::Summary => Event::Summary,
        });
        Point { before: u64::from(*before), sent: u64::from(*sent), event }
    });
    points.collect()
}

/// A kind's word with what it means, for people who do not know the roles of messages.
fn explained(kind: Kind) -> String {
    let means = match kind {
        Kind::System => "the agent's instructions",
        Kind::User => "what you wrote",
        Kind::Assistant => "what the model wrote",
        Kind::Tool => "what tools gave back",
        Kind::Summary => "what stands for old messages",
    };
    format!("{}: {means}", kind.word())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_figure() {
        let shots = all().unwrap();
        assert_eq!(shots.len(), STEPS.len());
        for (Shot { figure, .. }, step) in shots.iter().zip(STEPS) {
            assert!(figure.wide.inline("x").len() > 500, "{}", step.name);
            assert_eq!(figure.wide.description, figure.narrow.description);
            assert!(figure.caption.split_whitespace().count() <= 25, "{}: {}", step.name, figure.caption);
        }
    }
}
