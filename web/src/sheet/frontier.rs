//! Cost and loss of many policies over the session: every profile, the two on screen, and variations of the one on the
//! knobs. No policy is best in both, so the sheet shows which are beaten by none.

use ebbline::Policy;
use ebbline::economics::{Grid, Merits, Standing, Totals, frontier as standings, weigh};

use super::compare::named;
use super::cost::{self, Prices, share};
use super::{Act, Ask, Block, Dot, Row};
use crate::content::Content;
use crate::knob::Knob;
use crate::open_session::OpenSession;
use ebbline::numbers::{counted, grouped};
use ebbline_charts::{Frontier, FrontierPoint, Picture};

/// The values of the knobs that are varied, in thousandths of the window.
const PROTECT: [u64; 4] = [50, 100, 200, 400];
const KEEP: [u64; 4] = [25, 50, 100, 200];
/// A session with more messages is replayed only under the profiles and the policies on screen: each point replays all of
/// it.
const MANY: usize = 20_000;

/// Said of a policy that no other beats.
const BEST: &str = "best trade-off";
/// The picture in CSS pixels.
const SIZE: (u32, u32) = (640, 340);

/// Targets of 24 pixels do not overlap if they are so far apart in one direction, in thousandths of a picture that is 320
/// pixels wide and 150 high.
const APART: (u64, u64) = (75, 160);

/// A policy that is weighed.
struct Candidate {
    name: String,
    /// The letter of the policy on screen; empty for others.
    letter: &'static str,
    policy: Policy,
}

/// The policies, without repetition, those on screen first.
fn candidates(ask: &Ask, messages: usize) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::new();
    let mut add = |letter: &'static str, policy: Policy| {
        if !all.iter().any(|known| known.policy == policy) {
            all.push(Candidate { name: named(&policy), letter, policy });
        }
    };
    let is_one = ask.policy == ask.history;
    add(if is_one { "A and B" } else { "B" }, ask.policy.clone());
    add("A", ask.history.clone());
    let window = Knob::Context.value(&ask.policy);
    for profile in ebbline::profiles::ALL {
        let mut policy = profile.policy();
        Knob::Context.set(&mut policy, window);
        add("", policy);
    }
    if messages <= MANY {
        for protect in PROTECT.iter().filter(|_| ask.policy.prune.enabled) {
            let mut policy = ask.policy.clone();
            Knob::Protect.set(&mut policy, window * protect / 1_000);
            add("", policy.clone());
            for keep in KEEP.iter().filter(|_| ask.policy.retain.enabled) {
                Knob::Keep.set(&mut policy, window * keep / 1_000);
                add("", policy.clone());
            }
        }
    }
    all
}

/// The frontier.
pub(super) fn frontier<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    let (prices, wrong) = Prices::of(ask);
    let content = session.content();
    let moments = content.moments();
    let terms = prices.terms(session.beside(&ask.history), &moments);
    let candidates = candidates(ask, content.transcript().messages().len());
    let policies = candidates.iter().map(|candidate| candidate.policy.clone());
    let points = Grid::default().beside(policies).points().unwrap_or_default();
    let totals = weigh(content.session(), &points, &terms);
    let cost = |totals: &Totals| if totals.without > 0.0 { totals.cost / totals.without } else { 1.0 };
    let merits: Vec<Merits> = candidates
        .iter()
        .zip(&totals)
        .map(|(candidate, totals)| {
            let mut merits = Merits::default();
            merits.window = candidate.policy.model.context.map(|window| window.get());
            (merits.cost, merits.loss) = (cost(totals), totals.needed_again);
            merits.over_window = totals.over_window;
            merits
        })
        .collect();
    let standings = standings(&merits);
    let order = in_order(&merits, &standings);
    let (mut spots, mut rows, mut dots) = (Vec::new(), Vec::new(), Vec::new());
    for at in order {
        let (Some(candidate), Some(totals), Some(standing)) =
            (candidates.get(at), totals.get(at), standings.get(at))
        else {
            continue;
        };
        let take = Act::Take(Box::new(candidate.policy.clone()));
        spots.push(FrontierPoint {
            cost: cost(totals) * 100.0,
            loss: totals.needed_again,
            is_best: standing.on_frontier,
            over: totals.over_window,
            name: (!candidate.letter.is_empty()).then(|| candidate.letter.to_owned()),
            is_first: true,
            about: candidate.name.clone(),
        });
        let name = match candidate.letter {
            "" => candidate.name.clone(),
            letter => format!("{letter}: {}", candidate.name),
        };
        let beaten_by = standing.beaten_by.and_then(|by| candidates.get(by as usize));
        let place = beaten_by.map_or_else(|| BEST.to_owned(), |by| by.name.clone());
        dots.push((
            format!(
                "{name}: cost {}, {} used later",
                share(cost(totals)),
                counted(totals.needed_again, "output")
            ),
            take.clone(),
        ));
        rows.push(Row {
            cells: vec![
                name,
                share(cost(totals)),
                grouped(totals.needed_again),
                grouped(totals.over_window),
                grouped(totals.prunes),
                grouped(totals.summaries),
                place,
            ],
            act: take,
        });
    }
    let (picture, places) = drawn(spots);
    let dots = apart(dots.into_iter().zip(places).map(|((name, act), place)| Dot { place, name, act }));
    let mut blocks = vec![
        Block::plain(format!(
            "Each point is a policy over the whole session in a window of {}: what it costs, and how many outputs it removes that the agent uses later. \
             Filled points are the best trade-offs: no other policy is cheaper and loses less. A click puts a point's settings on the knobs; the table also has the points that lie on each other.",
            grouped(Knob::Context.value(&ask.policy))
        )),
        Block::Picture { svg: picture.standalone(), about: picture.description.clone(), dots },
        Block::Table {
            caption: "The policies, the best trade-offs first".to_owned(),
            columns: ["Policy", "Cost", "Used later", "Over the window", "Prunes", "Summaries", "Beaten by"]
                .map(str::to_owned)
                .to_vec(),
            rows,
        },
        Block::quiet(
            "A simulated summary has no words, so everything that it stands for counts as gone: policies that summarize look worse than they are.",
        ),
        Block::heading("What tokens cost, as multiples of a fresh input token"),
        cost::fields(),
    ];
    blocks.extend(cost::warning(&wrong));
    blocks
}

/// The points as a picture, and where each stands in it.
fn drawn(points: Vec<FrontierPoint>) -> (Picture, Vec<(u64, u64)>) {
    let best = points.iter().filter(|point| point.is_best).count() as u64;
    let about = format!("{} of {} policies beaten by no other", grouped(best), grouped(points.len() as u64));
    Frontier { title: "Cost and loss".to_owned(), about, points }.picture(SIZE)
}

/// The points beaten by none first, the cheaper before the dearer.
fn in_order(merits: &[Merits], standings: &[Standing]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..merits.len()).collect();
    let is_beaten = |at: usize| standings.get(at).is_none_or(|standing| !standing.on_frontier);
    let cost = |at: usize| merits.get(at).map_or(0.0, |merits| merits.cost);
    order.sort_by(|one, other| {
        is_beaten(*one).cmp(&is_beaten(*other)).then(cost(*one).total_cmp(&cost(*other)))
    });
    order
}

/// The points that can be clicked apart from each other on a phone; the table leads to all.
fn apart(dots: impl Iterator<Item = Dot>) -> Vec<Dot> {
    let mut kept: Vec<Dot> = Vec::new();
    for dot in dots {
        let is_near = |other: &Dot| {
            other.place.0.abs_diff(dot.place.0) < APART.0 && other.place.1.abs_diff(dot.place.1) < APART.1
        };
        if !kept.iter().any(is_near) {
            kept.push(dot);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Which;

    #[test]
    fn every_profile_and_both_policies_have_a_point_and_a_row_that_takes_its_settings() {
        let (session, _) = crate::sample::opened();
        let a = ebbline::profiles::ALL[0].policy();
        let mut b = a.clone();
        Knob::Protect.set(&mut b, 30_000);
        let ask = Ask {
            which: Which::Frontier,
            history: a.clone(),
            policy: b.clone(),
            force: false,
            request: None,
            fields: Vec::new(),
        };
        let blocks = frontier(&session, &ask);
        let (dots, svg) = blocks
            .iter()
            .find_map(|block| match block {
                Block::Picture { dots, svg, .. } => Some((dots, svg)),
                _ => None,
            })
            .unwrap();
        let rows = blocks
            .iter()
            .find_map(|block| match block {
                Block::Table { rows, .. } => Some(rows),
                _ => None,
            })
            .unwrap();
        assert!(!dots.is_empty() && dots.len() <= rows.len());
        for (at, dot) in dots.iter().enumerate() {
            assert!(rows.iter().any(|row| row.act == dot.act), "{}", dot.name);
            assert_eq!(apart([&dots[..at], &dots[at..]].concat().into_iter()).len(), dots.len());
        }
        assert!(svg.starts_with("<svg "));
        let takes = |policy: &Policy| {
            rows.iter().any(|row| matches!(&row.act, Act::Take(taken) if **taken == *policy))
        };
        assert!(takes(&a) && takes(&b));
        for profile in ebbline::profiles::ALL {
            let mut policy = profile.policy();
            Knob::Context.set(&mut policy, Knob::Context.value(&b));
            assert!(takes(&policy), "{}", profile.name);
        }
        assert!(rows[0].cells[6] == BEST && rows.iter().any(|row| row.cells[6] != BEST));
        let best = rows.iter().take_while(|row| row.cells[6] == BEST).count();
        assert!(rows[best..].iter().all(|row| row.cells[6] != BEST), "the best trade-offs come first");
    }
}
