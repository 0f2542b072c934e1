//! The edits of one round.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::mended::Mended;
use super::round::Round;
use super::{removal, results};
use crate::edit::{self, Edit};
use crate::rules::Rules;
use crate::session_text::SessionText;
use crate::transcript::Role;
use crate::validate::Violation;

/// The edits of a round that mend `faults`, in source order, and what they mend. Without edits nothing more can be mended.
pub(super) fn of(session: &SessionText<'_>, rules: Rules, faults: &[Violation]) -> (Vec<Edit>, Vec<Mended>) {
    let Some(layout) = session.format().layout() else { return Default::default() };
    let messages = session.transcript().messages().iter().enumerate();
    let mut round = Round {
        session,
        layout,
        rules,
        active: messages.filter(|(_, message)| message.active).map(|(index, _)| index).collect(),
        edits: Vec::new(),
        done: Vec::new(),
        touched: HashSet::new(),
        gone: BTreeSet::new(),
        calls: HashMap::new(),
        shared: HashSet::new(),
    };
    round.index();
    // What has no known role is of somebody else.
    let is_known = |fault: &&Violation| round.role(fault.message) != Some(Role::Other);
    let faults: Vec<_> = faults.iter().filter(is_known).cloned().collect();
    round.fill(&faults);
    removal::of(&mut round, &faults);
    results::front(&mut round, &faults);
    let placed = results::wanted(&round, &faults);
    results::place(&mut round, placed);
    results::join(&mut round, &faults);
    removal::of_messages(&mut round);
    (edit::disjoint(round.edits), round.done)
}
