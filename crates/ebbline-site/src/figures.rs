//! The lesson's figures: the engine's own plans of the playground's sample session, drawn.

use ebbline::numbers::{counted, grouped};
use ebbline::plan::Decision;
use ebbline::replay::{Replay, ReplayOptions};
use ebbline::{Fate, Plan, PlanOptions, Policy, Session, SessionText, Transcript, profiles};
use ebbline_charts::{Event, Picture, Point, Sawtooth};
use ebbline_web::bars::{Bars, Piece, Row, Span, after, before};
use ebbline_web::drawn_plan::DrawnPlan;
use ebbline_web::figures::Size;
use ebbline_web::kind::{Kind, Shown};
use ebbline_web::view::View;

/// The model of the lesson: a window that the sample fills several times, and a tenth of it for an answer.
const WINDOW: u64 = 64_000;
const OUTPUT: u64 = 6_400;
/// The policy that the lesson explains.
const PROFILE: &str = "ebbline@3";
/// The policies of the last step, by what they are called there.
const OTHERS: [(&str, &str); 3] = [("ebbline", PROFILE), ("OpenCode", "opencode@2026-06"), ("pi", "pi@1.5")];
/// How many requests the first figure shows.
const FIRST: usize = 5;

/// A figure: the same picture for a desk and for a phone, and a sentence with its numbers.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// The picture for a desk.
    pub(crate) wide: Picture,
    /// The picture for a phone.
    pub(crate) narrow: Picture,
    /// What the numbers say.
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
    fn bars(bars: &Bars, caption: String) -> Self {
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

/// The figures of all steps, in order.
pub(crate) fn all() -> Result<Vec<Figure>, String> {
    let text = ebbline_web::sample::text();
    let session = SessionText::read(&text).map_err(|error| format!("the sample session: {error}"))?;
    let lesson = Lesson::new(session.transcript())?;
    Ok(vec![
        lesson.resend()?,
        lesson.contents()?,
        lesson.wall(),
        lesson.prune()?,
        lesson.summarize()?,
        lesson.sawtooth()?,
        lesson.cost()?,
        lesson.yours()?,
    ])
}

/// The session and its life under the policies of the lesson.
struct Lesson<'t> {
    policy: Policy,
    /// Nothing gives way.
    endless: Replay<'t>,
    /// The policy as it is.
    life: Replay<'t>,
}

/// `profile` for the lesson's model.
pub(crate) fn policy(profile: &str, window: u64) -> Result<Policy, String> {
    let mut policy = profiles::get(profile).map_err(|error| format!("the profile {profile}: {error}"))?;
    for (knob, tokens) in [("model.context", window), ("model.output", OUTPUT)] {
        policy.set(knob, &tokens.to_string()).map_err(|error| format!("{knob} of {profile}: {error}"))?;
    }
    Ok(policy)
}

fn without(policy: &Policy, prune: bool, retain: bool) -> Policy {
    let mut policy = policy.clone();
    policy.prune.enabled &= !prune;
    policy.retain.enabled &= !retain;
    policy
}

pub(crate) fn replayed<'t>(transcript: &'t Transcript, policy: &Policy) -> Replay<'t> {
    Replay::new(transcript, policy, &ReplayOptions::new())
}

/// A moment under a policy, laid out, with its plan.
fn planned(transcript: &Transcript, policy: &Policy, force: bool) -> (DrawnPlan, Plan) {
    let mut session = Session::of(transcript.clone(), policy);
    let size = |_: &mut Session, decision: &Decision| {
        let measured = decision.tokens_before;
        Size { measured, source: decision.trigger.source, by_default: measured }
    };
    let planned = DrawnPlan::new((&View::whole(transcript), &mut session), policy, force, size, |_, _| ());
    (planned, session.plan(PlanOptions::new().force(force)))
}

/// A replay as the points of a sawtooth.
pub(crate) fn life(replay: &Replay<'_>) -> Vec<Point> {
    let points = replay.requests().iter().map(|request| {
        let compaction = request.compaction.and_then(|index| replay.compactions().get(index as usize));
        let event = compaction
            .map(|compaction| if compaction.summarized.is_empty() { Event::Prune } else { Event::Summary });
        let before = compaction.map_or(request.tokens, |compaction| compaction.decision.tokens_before);
        Point { before: before.max(request.tokens), sent: request.tokens, event }
    });
    points.collect()
}

fn events(life: &[Point], event: Event) -> u64 {
    life.iter().filter(|point| point.event == Some(event)).count() as u64
}

impl<'t> Lesson<'t> {
    fn new(transcript: &'t Transcript) -> Result<Self, String> {
        let policy = policy(PROFILE, WINDOW)?;
        let endless = replayed(transcript, &without(&policy, true, true));
        let life = replayed(transcript, &policy);
        Ok(Self { policy, endless, life })
    }

    /// The context before a request, if nothing gives way, as one piece a message.
    fn context(&self, request: usize) -> Result<Vec<Piece>, String> {
        let moment =
            self.endless.moment(request).ok_or_else(|| format!("the sample has no request {request}"))?;
        let idle = without(&self.policy, true, true);
        Ok(before(&planned(moment.transcript(), &idle, false).0))
    }

    /// The first request before which the policy makes room.
    fn full(&self) -> Result<usize, String> {
        let full = self.life.requests().iter().position(|request| request.compaction.is_some());
        full.ok_or_else(|| format!("the sample never fills {WINDOW} tokens under {PROFILE}"))
    }

    fn at_full(&self, policy: &Policy, force: bool) -> Result<(DrawnPlan, Plan), String> {
        let moment =
            self.life.moment(self.full()?).ok_or("there is no moment at which the window is full")?;
        Ok(planned(moment.transcript(), policy, force))
    }

    fn resend(&self) -> Result<Figure, String> {
        let rows = (0..FIRST).map(|request| {
            let label = format!("Request {}", request + 1);
            Ok(Row { label, pieces: self.context(request)?, spans: Vec::new() })
        });
        let rows = rows.collect::<Result<Vec<_>, String>>()?;
        let sent: u64 = rows.iter().map(Row::tokens).sum();
        let longest = rows.last().map_or(0, Row::tokens);
        let title = format!("The first {FIRST} requests of a session");
        let caption = format!(
            "The first {FIRST} requests of an agent that looks for a bug. The last one is {} tokens long; together they sent {}, \
             because each begins with everything before it.",
            grouped(longest),
            grouped(sent)
        );
        Ok(Figure::bars(&Bars { title, rows, ..Bars::default() }, caption))
    }

    fn contents(&self) -> Result<Figure, String> {
        let last = self.endless.requests().len().saturating_sub(1);
        let context = self.context(last)?;
        let all: u64 = context.iter().map(|piece| u64::from(piece.tokens)).sum();
        let of = |kind| context.iter().copied().filter(move |piece: &Piece| piece.kind == kind);
        let mut rows: Vec<Row> = Kind::ALL
            .into_iter()
            .map(|kind| Row {
                label: capitalized(&explained(kind)),
                pieces: of(kind).collect(),
                spans: Vec::new(),
            })
            .filter(|row| row.tokens() > 0)
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.tokens()));
        let tools: u64 = of(Kind::Tool).map(|piece| u64::from(piece.tokens)).sum();
        let caption = format!(
            "The whole session, {} tokens, by who wrote it. {} of 100 tokens came from tools.",
            grouped(all),
            tools * 100 / all.max(1)
        );
        let title = "What a session consists of".to_owned();
        // Each bar has its name: a legend would only repeat it.
        Ok(Figure { legend: Vec::new(), ..Figure::bars(&Bars { title, rows, ..Bars::default() }, caption) })
    }

    fn wall(&self) -> Figure {
        let saw = Sawtooth {
            title: "The context grows until it is larger than the window".to_owned(),
            life: ("Nothing gives way".to_owned(), life(&self.endless)),
            window: WINDOW,
            ..Sawtooth::default()
        };
        let first = self.endless.requests().iter().position(|request| request.over_window);
        let caption = format!(
            "The same session with a window of {} tokens, if nothing gives way. Request {} is the first that is refused.",
            grouped(WINDOW),
            first.map_or(0, |first| first + 1)
        );
        Figure::sawtooth(&saw, caption)
    }

    fn prune(&self) -> Result<Figure, String> {
        let (planned, plan) = self.at_full(&self.policy, false)?;
        let pruned = plan.messages.iter().filter(|message| message.fate == Fate::Pruned).count();
        let caption = format!(
            "Request {}, the first at which compaction fires. {} are cleared (hatched); {} tokens become {}.",
            self.full()? + 1,
            counted(pruned as u64, "old output"),
            grouped(planned.figures.before),
            grouped(planned.figures.after)
        );
        let stays = (planned.figures.places.0, "protected");
        Ok(Figure::bars(&before_and_after("Before and after pruning", &planned, stays), caption))
    }

    fn summarize(&self) -> Result<Figure, String> {
        let (planned, plan) = self.at_full(&without(&self.policy, true, false), false)?;
        let gone = plan.messages.iter().filter(|message| message.fate == Fate::Summarized).count();
        let caption = format!(
            "The same moment without pruning. {} (drawn low) become one summary of about {} tokens; {} tokens become {}.",
            counted(gone as u64, "message"),
            grouped(planned.figures.allowance),
            grouped(planned.figures.before),
            grouped(planned.figures.after)
        );
        let stays = (planned.figures.places.1, "kept word for word");
        Ok(Figure::bars(&before_and_after("Before and after summarizing", &planned, stays), caption))
    }

    fn sawtooth(&self) -> Result<Figure, String> {
        let transcript = self.life.history().log();
        let only_summaries = replayed(transcript, &without(&self.policy, true, false));
        let (pruned, summarized) = (life(&self.life), life(&only_summaries));
        let half = life(&replayed(transcript, &policy(PROFILE, WINDOW / 2)?));
        let count = |life: &[Point]| events(life, Event::Prune) + events(life, Event::Summary);
        let caption = format!(
            "The whole life. Pruned first (filled, upper marks): {} and {}. Only summarized (dashed, hollow marks): {}. In a window half as large, pruned \
             first, room is made {} times.",
            counted(events(&pruned, Event::Prune), "prune"),
            summaries(events(&pruned, Event::Summary)),
            summaries(events(&summarized, Event::Summary)),
            count(&half)
        );
        let saw = Sawtooth {
            title: "The context over the life of a session".to_owned(),
            life: ("Pruned first".to_owned(), pruned),
            other: Some(("Only summarized".to_owned(), summarized)),
            window: WINDOW,
            fires: self.life.threshold().unwrap_or(0),
        };
        Ok(Figure::sawtooth(&saw, caption))
    }

    fn cost(&self) -> Result<Figure, String> {
        let full = self.full()?;
        let request = |index: usize| {
            let request = self.life.requests().get(index).ok_or_else(|| format!("no request {index}"))?;
            let moment = self.life.moment(index).ok_or_else(|| format!("no moment {index}"))?;
            Ok::<_, String>((request.unchanged, planned(moment.transcript(), &self.policy, false).0))
        };
        let spans = |known: u64, all: u64| {
            vec![
                Span { from: 0, to: known, label: format!("known: {}", grouped(known)) },
                Span {
                    from: known,
                    to: all,
                    label: format!("new, charged in full: {}", grouped(all - known)),
                },
            ]
        };
        let row = |label: String, pieces: Vec<Piece>, known: u64| {
            let mut row = Row { label, pieces, spans: Vec::new() };
            row.spans = spans(known.min(row.tokens()), row.tokens());
            row
        };
        let (known, earlier) = request(full.saturating_sub(1))?;
        let (left, compacted) = request(full)?;
        let rows = vec![
            row(format!("Request {full}"), before(&earlier), known),
            row(format!("Request {}, compacted", full + 1), after(&compacted), left),
        ];
        let caption = format!(
            "Before the compaction, {} tokens of the request were known. Afterwards {}: everything behind the first cleared \
             output is new to the provider.",
            grouped(known),
            grouped(left)
        );
        let title = "What the provider knows of two requests".to_owned();
        Ok(Figure::bars(&Bars { title, rows, ..Bars::default() }, caption))
    }

    fn yours(&self) -> Result<Figure, String> {
        let (here, _) = self.at_full(&without(&self.policy, true, true), false)?;
        let mut rows = vec![Row { label: "Before".to_owned(), pieces: before(&here), spans: Vec::new() }];
        for (name, profile) in OTHERS {
            let (planned, _) = self.at_full(&policy(profile, WINDOW)?, true)?;
            rows.push(Row {
                label: format!("After, as {name} does it"),
                pieces: after(&planned),
                spans: Vec::new(),
            });
        }
        let caption = "The same moment as each would compact it. Each counts tokens in its own way, so lengths differ a little \
                       even where nothing else does."
            .to_owned();
        let title = "One moment under three policies".to_owned();
        Ok(Figure::bars(&Bars { title, rows, window: WINDOW, fires: 0 }, caption))
    }
}

/// A moment as two bars. What stays begins at a place in the upper one, and has a name.
fn before_and_after(title: &str, planned: &DrawnPlan, (from, stays): (u64, &str)) -> Bars {
    let spans = vec![Span { from, to: planned.figures.before, label: stays.to_owned() }];
    let rows = vec![
        Row { label: "Before".to_owned(), pieces: before(planned), spans },
        Row { label: "After".to_owned(), pieces: after(planned), spans: Vec::new() },
    ];
    Bars { title: title.to_owned(), rows, window: WINDOW, fires: planned.figures.trigger.threshold }
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

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
        .unwrap_or_default()
}

fn summaries(count: u64) -> String {
    if count == 1 { "1 summary".to_owned() } else { format!("{count} summaries") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline_web::lesson::STEPS;

    fn with_lesson(check: impl FnOnce(&Lesson<'_>)) {
        let text = ebbline_web::sample::text();
        let session = SessionText::read(&text).unwrap();
        check(&Lesson::new(session.transcript()).unwrap());
    }

    #[test]
    fn every_step_has_its_figure() {
        let figures = all().unwrap();
        assert_eq!(figures.len(), STEPS.len());
        for (figure, step) in figures.iter().zip(STEPS) {
            assert!(figure.wide.inline("x").len() > 900, "{}", step.name);
            assert_eq!(figure.wide.description, figure.narrow.description);
            assert!(figure.caption.split_whitespace().count() <= 45, "{}: {}", step.name, figure.caption);
        }
    }

    #[test]
    fn what_the_steps_say_holds_for_the_session() {
        with_lesson(|lesson| {
            let transcript = lesson.life.history().log();
            // Most of it comes from tools.
            let context = lesson.context(lesson.endless.requests().len() - 1).unwrap();
            let sum = |only: Option<Kind>| -> u64 {
                let chosen = context.iter().filter(|piece| only.is_none_or(|kind| piece.kind == kind));
                chosen.map(|piece| u64::from(piece.tokens)).sum()
            };
            assert!(sum(Some(Kind::Tool)) * 2 > sum(None));
            // It fills the window, and one twice as large later.
            let over = |window: u64| {
                let policy = without(&policy(PROFILE, window).unwrap(), true, true);
                replayed(transcript, &policy).requests().iter().position(|request| request.over_window)
            };
            assert!(over(WINDOW).unwrap() < over(2 * WINDOW).unwrap());
            // With the policy it never does, and a window half as large is full more often.
            assert!(lesson.life.requests().iter().all(|request| !request.over_window));
            let half = replayed(transcript, &policy(PROFILE, WINDOW / 2).unwrap());
            assert!(half.compactions().len() > lesson.life.compactions().len());
            // More protection does not prune more.
            let mut last = u64::MAX;
            for protect in (0..60_000).step_by(5_000) {
                let mut more = lesson.policy.clone();
                more.prune.protect = protect;
                let (planned, _) = lesson.at_full(&more, false).unwrap();
                let freed = planned.figures.before - planned.figures.pruned;
                assert!(freed <= last, "{protect}: {freed}, {last}");
                last = freed;
            }
            // A compaction breaks the known beginning.
            let full = lesson.full().unwrap();
            let known = |index: usize| lesson.life.requests()[index].unchanged;
            assert!(known(full) * 10 < known(full - 1));
        });
    }
}
