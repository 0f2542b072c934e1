//! The first picture of the sample: what the worker would answer about it under the default policy.
//!
//! It is part of the page's program, so that the page shows something before the worker's program has been fetched. It
//! is written by a test from the worker's own answers, and the same test fails if it differs from them:
//! `UPDATE_FIRST=1 cargo test -p ebbline-web --profile dev first` writes it again.

use serde::{Deserialize, Serialize};

use crate::drawn_plan::DrawnPlan;
use crate::inspected::Inspected;
use crate::life::Life;
use crate::opening::Opening;
use crate::overview::Overview;
use crate::wire;

/// What is shown of the sample until the worker answers.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct First {
    /// What the page knows of the session.
    pub overview: Overview,
    /// Its life under the default policy, and where it opens.
    pub life: (Life, Opening),
    /// The plan under the default policy, at the moment at which it opens.
    pub planned: DrawnPlan,
    /// The lines of the rows that are visible, with the index of the first.
    pub previews: (u32, Vec<String>),
    /// The message that is selected, with the beginning of its text.
    pub inspected: Inspected,
}

/// The first picture. `None` would mean that the file beside this one is damaged; a test excludes that.
pub fn picture() -> Option<First> {
    wire::decode(include_bytes!("first.bin"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::Knob;
    use crate::question::{Answer, Request};
    use crate::verdict::OfKnob;
    use crate::view::At;

    /// How many rows have a line, and how many characters of the selected message are in the picture.
    const ROWS: u32 = 24;
    const SHOWN: usize = 900;

    fn answered() -> First {
        let (session, overview) = crate::sample::opened();
        let policy = Box::new(ebbline::profiles::ALL[0].policy());
        let (life, opening) = session.open_life(&policy, true);
        let at = At { history: (*policy).clone(), request: opening.request.unwrap() };
        let mut planned = session.plan_at(&policy, false, Some(&at));
        // Until the worker answers, nobody opens the knobs that do not stand first.
        for (knob, said) in Knob::ALL.into_iter().zip(&mut planned.said.knobs) {
            if !planned.said.first.contains(&knob) {
                *said = OfKnob::default();
            }
        }
        let message = planned.figures.prune.boundary.unwrap().message as u32;
        let mut inspected = session.inspect_at(message, &policy, false, (false, 0), Some(&at));
        let cut = |text: &mut String| {
            let left_out = text.chars().count().saturating_sub(SHOWN) as u64;
            *text = text.chars().take(SHOWN).collect();
            left_out
        };
        inspected.left_out =
            (inspected.blocks.iter_mut().map(|block| cut(&mut block.text)).sum(), cut(&mut inspected.raw));
        for block in &mut inspected.blocks_after {
            cut(&mut block.text);
        }
        let first_row = message.saturating_sub(ROWS / 2);
        let rows = (first_row..first_row + ROWS).filter(|row| (*row as usize) < overview.rows.kind.len());
        let Answer::Previews(lines) = session.answer(&Request::Previews(rows.collect())) else {
            panic!("no previews")
        };
        First { overview, life: (life, opening), planned, previews: (first_row, lines), inspected }
    }

    #[test]
    fn the_first_picture_is_what_the_worker_answers() {
        let answered = wire::encode(&answered());
        if std::env::var_os("UPDATE_FIRST").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/sample/first.bin"), &answered).unwrap();
            return;
        }
        assert!(
            answered == include_bytes!("first.bin"),
            "the first picture of the sample is out of date: UPDATE_FIRST=1 writes it"
        );
        let first = picture().unwrap();
        let selected = (first.inspected.message - first.previews.0) as usize;
        assert!(!first.previews.1[selected].is_empty());
        assert!(!first.inspected.blocks.is_empty());
    }
}
