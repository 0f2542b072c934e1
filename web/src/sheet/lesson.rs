//! The lesson on the screen itself: a step's text, its prediction, what to do and whether it was done, and what the screen has
//! to show.

use super::{Act, Ask, Block, Row};
use crate::content::Content;
use crate::lesson::stage::{AGENTS, Scene, filled, of_agent, rule};
use crate::lesson::{STEPS, Step};
use crate::open_session::OpenSession;

/// The field with the number of the lesson's step, from 1; empty without a lesson.
pub const STEP: &str = "lesson";
/// The field with the numbers of the steps that were done.
const DONE: &str = "lesson-done";
/// The fields in which the page says what it shows beside the plan: the message whose after is read, and the sheet that was
/// opened last.
pub const READ: &str = "lesson-read";
/// See [`READ`].
pub const OPENED: &str = "lesson-opened";

/// The step that is asked for: its number from 1, and the step.
fn step_of(ask: &Ask) -> (usize, &'static Step) {
    let number = ask.field(STEP).and_then(|number| number.parse::<usize>().ok()).unwrap_or(1);
    let number = number.clamp(1, STEPS.len());
    let [first, ..] = &STEPS;
    (number, STEPS.get(number - 1).unwrap_or(first))
}

/// A step.
pub(super) fn lesson<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    let (number, step) = step_of(ask);
    let begin = Scene::of(step, session);
    let now = Scene {
        history: ask.history.clone(),
        policy: ask.policy.clone(),
        request: ask.request.unwrap_or_default(),
    };
    let read = ask.field(READ).and_then(|at| at.parse().ok());
    let mut done: Vec<&str> =
        ask.field(DONE).unwrap_or_default().split(',').filter(|of| !of.is_empty()).collect();
    let is_done_now = now.is_done(step, &begin, session, (read, ask.field(OPENED).unwrap_or_default()));
    let own = number.to_string();
    if is_done_now && !done.contains(&own.as_str()) {
        done.push(&own);
    }
    let figures = begin.figures(step, session, read);
    let mut blocks = vec![
        Block::Stage {
            policy: Box::new(begin.policy.clone()),
            history: Box::new(begin.history.clone()),
            request: Some(begin.request),
            light: step.light.name().to_owned(),
            step: number as u32,
            is_compared: step.name == "cache",
        },
        Block::Typed { id: DONE.to_owned(), value: done.join(",") },
        Block::Progress { done: done.len() as u64, of: STEPS.len() as u64 },
        Block::heading(format!("Step {number} of {}: {}", STEPS.len(), step.title)),
        Block::plain(filled(step.text, &figures)),
    ];
    if step.name == "agents" {
        blocks.push(agents(session, &begin));
    }
    if let Some(guess) = step.guess {
        let id = format!("lesson-answer-{number}");
        let answers =
            guess.answers.iter().enumerate().map(|(at, answer)| {
                ((*answer).to_owned(), Act::Type { id: id.clone(), value: at.to_string() })
            });
        blocks.push(Block::plain(format!("Predict: {}", guess.question)));
        blocks.push(Block::Actions(answers.collect()));
        let chosen = ask.field(&id).and_then(|at| at.parse::<usize>().ok());
        if let Some((chosen, answer)) = chosen.and_then(|at| Some((at, guess.answers.get(at)?))) {
            let verdict = if chosen == guess.right { "Right." } else { "Not quite." };
            blocks.push(Block::plain(format!("{verdict} “{answer}”: {}", guess.because)));
        }
    }
    blocks.push(Block::plain(format!("Try it: {}", step.action)));
    if is_done_now {
        let seen = filled(step.seen, &now.figures(step, session, read));
        blocks.push(Block::Words(super::Look::Done, format!("Done. {seen}")));
    } else if done.contains(&own.as_str()) {
        blocks.push(Block::Words(super::Look::Done, "Done.".to_owned()));
    }
    blocks.push(Block::Actions(ways(number)));
    blocks
}

/// The rules of three agents at one moment; a click takes one.
fn agents<C: Content>(session: &OpenSession<C>, begin: &Scene) -> Block {
    let rows = AGENTS.iter().map(|name| {
        let scene = of_agent(begin, name);
        let cells = rule(&scene, session).to_vec();
        Row { cells, act: Act::Take(Box::new(scene.policy)) }
    });
    Block::Table {
        caption: "The same moment under three rules".to_owned(),
        columns: ["Agent", "Full above", "Does", "Then"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

/// Where a step leads.
fn ways(number: usize) -> Vec<(String, Act)> {
    let mut ways = Vec::new();
    if number > 1 {
        ways.push(("Back".to_owned(), Act::Step(number as u32 - 1)));
    }
    if number < STEPS.len() {
        ways.push(("Continue".to_owned(), Act::Step(number as u32 + 1)));
        ways.push(("Leave".to_owned(), Act::Step(0)));
    } else {
        ways.push(("Finish".to_owned(), Act::Step(0)));
        ways.push(("Now on your own session".to_owned(), Act::Choose));
        ways.push(("All steps on one page".to_owned(), Act::Go("learn/".to_owned())));
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Which;

    fn step(number: usize, fields: &[(&str, &str)]) -> Vec<Block> {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::ALL[0].policy();
        let number = number.to_string();
        let own = [(STEP, number.as_str())];
        let fields =
            fields.iter().chain(&own).map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect();
        let history = policy.clone();
        let ask = Ask { which: Which::Lesson, history, policy, force: false, request: None, fields };
        lesson(&session, &ask)
    }

    fn says(blocks: &[Block], wanted: &str) -> bool {
        blocks.iter().any(|block| matches!(block, Block::Words(_, words) if words.contains(wanted)))
    }

    #[test]
    fn each_answer_is_answered_and_every_step_leads_on() {
        for (number, of) in (1..).zip(&STEPS) {
            for (at, answer) in of.guess.iter().flat_map(|guess| guess.answers.iter().enumerate()) {
                let said = step(number, &[(&format!("lesson-answer-{number}"), &at.to_string())]);
                let guess = of.guess.unwrap();
                let verdict = if at == guess.right { "Right." } else { "Not quite." };
                assert!(says(&said, &format!("{verdict} “{answer}”: {}", guess.because)), "{answer}");
            }
            let Some(Block::Actions(ways)) = step(number, &[]).pop() else { panic!("no way on") };
            let steps: Vec<u32> = ways
                .iter()
                .filter_map(|(_, act)| if let Act::Step(step) = act { Some(*step) } else { None })
                .collect();
            let number = number as u32;
            let expected: &[u32] = match number {
                1 => &[2, 0],
                9 => &[8, 0],
                _ => &[number - 1, number + 1, 0],
            };
            assert_eq!(steps, expected);
        }
        assert_eq!(step(99, &[]), step(9, &[]), "a number beyond the last is the last");
    }

    #[test]
    fn what_was_done_stays_done() {
        let is = |blocks: &[Block], done| blocks.contains(&Block::Progress { done, of: 9 });
        assert!(is(&step(3, &[]), 0) && !says(&step(3, &[]), "Done."));
        assert!(is(&step(3, &[(DONE, "1,3")]), 2) && says(&step(3, &[(DONE, "1,3")]), "Done."));
    }
}
