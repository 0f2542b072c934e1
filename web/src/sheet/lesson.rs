//! The lesson on the screen itself: a step's text, its question with feedback, and what the screen has to show. It is about
//! the session that is open, so that it goes on with the reader's own.

use ebbline::Policy;

use super::{Act, Ask, Block};
use crate::content::Content;
use crate::knob::{Knob, change};
use crate::lesson::{STEPS, Step};
use crate::open_session::OpenSession;
use crate::opening;

/// The field with the number of the lesson's step, from 1; empty without a lesson.
pub const STEP: &str = "lesson";

/// The step that is asked for: its number from 1, and the step.
fn step_of(ask: &Ask) -> (usize, &'static Step) {
    let number = ask.field(STEP).and_then(|number| number.parse::<usize>().ok()).unwrap_or(1);
    let number = number.clamp(1, STEPS.len());
    let [first, ..] = &STEPS;
    (number, STEPS.get(number - 1).unwrap_or(first))
}

/// The field with what was answered in a step.
fn answer_id(number: usize) -> String {
    format!("lesson-answer-{number}")
}

/// A step.
pub(super) fn lesson<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    let (number, step) = step_of(ask);
    let (history, request) = stage(session, step);
    let mut blocks = vec![
        Block::Stage {
            policy: Box::new(history.clone()),
            history: Box::new(history),
            request,
            light: step.light.name().to_owned(),
        },
        Block::heading(format!("Step {number} of {}: {}", STEPS.len(), step.title)),
        Block::plain(step.text),
        Block::plain(format!("Try it: {}", step.action)),
        Block::plain(format!("Predict: {}", step.question)),
        Block::Actions(
            (0..)
                .zip(step.answers)
                .map(|(at, answer)| {
                    let value = at.to_string();
                    (answer.text.to_owned(), Act::Type { id: answer_id(number), value })
                })
                .collect(),
        ),
    ];
    let chosen = ask.field(&answer_id(number)).and_then(|at| at.parse::<usize>().ok());
    if let Some(answer) = chosen.and_then(|at| step.answers.get(at)) {
        let verdict = if answer.right { "Right." } else { "Not quite." };
        blocks.push(Block::plain(format!("{verdict} “{}”: {}", answer.text, answer.feedback)));
    }
    let mut ways = Vec::new();
    if number > 1 {
        ways.push(("Back".to_owned(), Act::Step(number as u32 - 1)));
    }
    if number < STEPS.len() {
        ways.push(("Continue".to_owned(), Act::Step(number as u32 + 1)));
    }
    let leave = if number == STEPS.len() { "Finish" } else { "Leave" };
    ways.push((leave.to_owned(), Act::Step(0)));
    blocks.push(Block::Actions(ways));
    blocks
}

/// The policy and the moment that a step is about, in a window that the session fills.
fn stage<C: Content>(session: &OpenSession<C>, step: &Step) -> (Policy, Option<u32>) {
    let Some(mut policy) = ebbline::profiles::ALL.first().map(ebbline::profiles::Profile::policy) else {
        unreachable!("there are profiles")
    };
    let open = |policy: &Policy, fit: bool| opening::open(session.content(), session.history(), policy, fit);
    let (_, opening) = open(&policy, true);
    if let Some(window) = opening.window {
        Knob::Context.set(&mut policy, window);
    }
    match step.name {
        "resend" => (policy, Some(2)),
        "window" => {
            change(&mut policy, |policy| (policy.prune.enabled, policy.retain.enabled) = (false, false));
            let (kept, _) = open(&policy, false);
            let found = &kept.life.found;
            // A round figure if there is one: the session is the reader's, and may be tiny.
            let most = kept.life.peak() * 4 / 5;
            let window =
                Knob::Context.value(&policy).min(if most > 10_000 { most / 1_000 * 1_000 } else { most });
            Knob::Context.set(&mut policy, window);
            let over = found.iter().position(|found| u64::from(*found) > window);
            (policy, over.map(|at| at as u32))
        }
        "summarize" | "cost" => {
            change(&mut policy, |policy| policy.prune.enabled = false);
            let (_, opening) = open(&policy, false);
            (policy, opening.request)
        }
        "sawtooth" => {
            let window = Knob::Context.value(&policy);
            Knob::Context.set(&mut policy, window / 2);
            (policy, Some(0))
        }
        _ => (policy, opening.request),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Which;

    fn step(number: usize, fields: &[(String, String)]) -> Vec<Block> {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::ALL[0].policy();
        let mut fields = fields.to_vec();
        fields.push((STEP.to_owned(), number.to_string()));
        let ask = Ask {
            which: Which::Lesson,
            history: policy.clone(),
            policy,
            force: false,
            request: None,
            fields,
        };
        lesson(&session, &ask)
    }

    #[test]
    fn each_step_shows_what_it_tells_of() {
        let (session, _) = crate::sample::opened();
        for (number, of) in (1..).zip(&STEPS) {
            let blocks = step(number, &[]);
            let Block::Stage { history, policy, request, light } = &blocks[0] else { panic!("no stage") };
            assert_eq!((history, light.as_str()), (policy, of.light.name()));
            let life = session.open_life(history, false).0;
            let at = request.unwrap() as usize;
            match of.name {
                "resend" => assert_eq!(at, 2),
                "window" => assert!(u64::from(life.found[at]) > life.window.unwrap()),
                "sawtooth" => assert!(life.events.len() > 1, "{} events", life.events.len()),
                "summarize" | "cost" => {
                    assert_eq!(life.event_at(at as u32).unwrap().kind, crate::life::EventKind::Summary);
                }
                _ => assert!(life.event_at(at as u32).is_some(), "{}", of.name),
            }
        }
    }

    #[test]
    fn each_answer_has_feedback_and_every_step_leads_on() {
        for (number, of) in (1..).zip(&STEPS) {
            for (at, answer) in of.answers.iter().enumerate() {
                let blocks = step(number, &[(answer_id(number), at.to_string())]);
                let said = blocks
                    .iter()
                    .any(|block| matches!(block, Block::Words(_, words) if words.contains(answer.feedback)));
                assert!(said, "{}", answer.text);
            }
            let Some(Block::Actions(ways)) = step(number, &[]).pop() else { panic!("no way on") };
            let steps: Vec<u32> = ways
                .iter()
                .map(|(_, act)| match act {
                    Act::Step(step) => *step,
                    other => panic!("{other:?}"),
                })
                .collect();
            let number = number as u32;
            let expected: &[u32] = match number {
                1 => &[2, 0],
                8 => &[7, 0],
                _ => &[number - 1, number + 1, 0],
            };
            assert_eq!(steps, expected);
        }
        assert_eq!(step(99, &[]).len(), step(8, &[]).len(), "a number beyond the last is the last");
    }
}
