//! The walk from the newest entry back to the start of the kept part, over any weighted entries.

/// What the walk needs to know about an entry, whatever its format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// What the entry weighs.
    pub(crate) weight: Weight,
    /// Its visibility in the context.
    pub(crate) standing: Standing,
    /// What begins with it.
    pub(crate) begins: Begins,
    /// Whether the kept part may begin with it.
    pub(crate) may_be_cut_before: bool,
}

/// What an entry weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Weight {
    /// Nothing: the walk skips it without checking the budget.
    None,
    /// A number of tokens.
    Tokens(f64),
    /// Unknown: the walk fails when it reaches it.
    Unknown,
}

/// An entry's visibility in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The model sees it.
    Visible,
    /// It is not in the context, and stays with the entry after it.
    Invisible,
    /// It is a compaction, which no cut may pass.
    Compaction,
}

/// What an entry begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    /// Nothing: it is in the middle of a turn.
    Nothing,
    /// A turn, but a cut before it counts as one inside a turn.
    SplitTurn,
    /// A turn: a cut before it splits none.
    Turn,
}

/// Where to cut if the budget is used up after the newest possible place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exhausted {
    /// At the oldest place: everything is kept.
    OldestPlace,
    /// At the newest place.
    NewestPlace,
}

/// The walk's result, as a position among the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) at: usize,
    /// Whether the budget was used up.
    pub(crate) is_budget_used: bool,
}

/// A cut, as positions among the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) first_kept: usize,
    /// The start of the turn that the cut splits.
    pub(crate) turn_start: Option<usize>,
}

/// The walk reached an entry of unknown weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unweighed;

/// Walks from the newest step until `keep` tokens are reached, and moves to the next newer place where a cut is
/// possible; if the budget is not used up, to the oldest one. `None` if no cut is possible.
pub(crate) fn choose(steps: &[Step], keep: f64, exhausted: Exhausted) -> Result<Option<Place>, Unweighed> {
    let mut places = steps.iter().enumerate().filter(|(_, step)| step.may_be_cut_before).map(|(at, _)| at);
    let Some(oldest) = places.clone().next() else { return Ok(None) };
    let mut held = 0.0;
    for (at, step) in steps.iter().enumerate().rev() {
        match step.weight {
            Weight::None => continue,
            Weight::Unknown => return Err(Unweighed),
            Weight::Tokens(tokens) => held += tokens,
        }
        if held >= keep {
            let newest = places.clone().next_back().unwrap_or(oldest);
            let fallback = match exhausted {
                Exhausted::OldestPlace => oldest,
                Exhausted::NewestPlace => newest,
            };
            let place = places.find(|place| *place >= at).unwrap_or(fallback);
            return Ok(Some(Place { at: place, is_budget_used: true }));
        }
    }
    Ok(Some(Place { at: oldest, is_budget_used: false }))
}

/// Adds invisible entries directly before `place` to the kept part, and finds the turn that the cut splits: the one
/// that begins nearest before it.
///
/// A cut before a turn counts as a split of the turn before if something invisible is between them, because the entry
/// at the final cut decides. pi behaves so up to 1.5.
pub(crate) fn settle(steps: &[Step], place: usize) -> Cut {
    let invisible = steps
        .get(..place)
        .unwrap_or_default()
        .iter()
        .rev()
        .take_while(|step| step.standing == Standing::Invisible)
        .count();
    let first_kept = place - invisible;
    let begins = |at: &usize| steps.get(*at).map_or(Begins::Nothing, |step| step.begins);
    let turn_start = if begins(&first_kept) == Begins::Turn {
        None
    } else {
        (0..=first_kept).rev().find(|at| begins(at) != Begins::Nothing)
    };
    Cut { first_kept, turn_start }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps from letters, ten tokens each: `u`ser, `a`nswer, `r`esult, `b`ash of pi 0.58, `m`etadata,
    /// `C`ompaction, `?` a message of unknown weight, `0` a message that weighs nothing but counts.
    fn steps(shape: &str) -> Vec<Step> {
        let step = |letter| {
            let (standing, begins, may_be_cut_before) = match letter {
                'u' => (Standing::Visible, Begins::Turn, true),
                'b' => (Standing::Visible, Begins::SplitTurn, true),
                'a' | '0' => (Standing::Visible, Begins::Nothing, true),
                'm' => (Standing::Invisible, Begins::Nothing, false),
                'C' => (Standing::Compaction, Begins::Nothing, false),
                _ => (Standing::Visible, Begins::Nothing, false),
            };
            let weight = match letter {
                'm' | 'C' => Weight::None,
                '0' => Weight::Tokens(0.0),
                '?' => Weight::Unknown,
                _ => Weight::Tokens(10.0),
            };
            Step { weight, standing, begins, may_be_cut_before }
        };
        shape.chars().map(step).collect()
    }

    fn cut(shape: &str, keep: f64, exhausted: Exhausted) -> Option<(usize, Option<usize>)> {
        let steps = steps(shape);
        let place = choose(&steps, keep, exhausted).unwrap()?;
        let cut = settle(&steps, place.at);
        Some((cut.first_kept, cut.turn_start))
    }

    #[test]
    fn the_cut_snaps_to_newer_places_and_names_the_turn_it_splits() {
        let cases = [
            ("uaua", 10.0, Some((3, Some(2)))),
            ("uaua", 20.0, Some((2, None))),
            ("uaua", 11.0, Some((2, None))),
            ("uarra", 20.0, Some((4, Some(0)))),
            ("uaua", 1e9, Some((0, None))),
            ("uaua", -1.0, Some((3, Some(2)))),
            ("ua0", 0.0, Some((2, Some(0)))),
            ("uaua", f64::NAN, Some((0, None))),
            ("ua", f64::INFINITY, Some((0, None))),
            ("aa", 10.0, Some((1, None))),
            ("ubu", 20.0, Some((1, Some(1)))),
            ("rr", 10.0, None),
            ("", 10.0, None),
        ];
        for (shape, keep, expected) in cases {
            assert_eq!(cut(shape, keep, Exhausted::OldestPlace), expected, "{shape} keep {keep}");
        }
    }

    #[test]
    fn trailing_results_alone_may_use_the_budget_up() {
        assert_eq!(cut("uarr", 10.0, Exhausted::OldestPlace), Some((0, None)));
        assert_eq!(cut("uarr", 10.0, Exhausted::NewestPlace), Some((1, Some(0))));
    }

    #[test]
    fn what_is_invisible_goes_with_what_follows_it() {
        assert_eq!(cut("uamma", 10.0, Exhausted::NewestPlace), Some((2, Some(0))));
        assert_eq!(cut("uaCma", 10.0, Exhausted::NewestPlace), Some((3, Some(0))));
        assert_eq!(cut("uamu", 10.0, Exhausted::NewestPlace), Some((2, Some(0))), "a turn is cut cleanly");
    }

    #[test]
    fn a_weight_that_nobody_knows_matters_only_when_the_walk_gets_there() {
        let steps = steps("u?a");
        assert!(choose(&steps, 10.0, Exhausted::NewestPlace).is_ok());
        assert_eq!(choose(&steps, 11.0, Exhausted::NewestPlace), Err(Unweighed));
    }
}
