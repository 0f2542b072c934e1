//! What was lost in sessions, in figures.

use ebbline::loss::LossReport;
use serde::{Deserialize, Serialize};

use crate::amount::{amount, counted};

/// What was lost in sessions together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LossTotals {
    pub(crate) sessions: usize,
    pub(crate) compacted: usize,
    pub(crate) compactions: usize,
    pub(crate) outputs: usize,
    pub(crate) needed_again: usize,
    pub(crate) read_again: usize,
    pub(crate) orders: usize,
    pub(crate) orders_lost: usize,
    pub(crate) goal_kept: usize,
    pub(crate) findings: usize,
    /// How bad the loss of a single session is.
    pub(crate) weights: [usize; 6],
}

impl LossTotals {
    /// Those of one session.
    pub(crate) fn of(loss: &LossReport) -> Self {
        Self {
            sessions: 1,
            compacted: usize::from(loss.compactions > 0),
            compactions: loss.compactions,
            outputs: loss.departed_outputs,
            needed_again: loss.references.re_referenced,
            read_again: loss.re_reads.exact,
            orders: loss.orders.given,
            orders_lost: loss.orders.lost.unwrap_or(0),
            goal_kept: loss.words.goal_kept,
            findings: loss.worst.len(),
            weights: weights(loss),
        }
    }

    /// Adds those of others.
    pub(crate) fn add(&mut self, other: &Self) {
        self.sessions += other.sessions;
        self.compacted += other.compacted;
        self.compactions += other.compactions;
        self.outputs += other.outputs;
        self.needed_again += other.needed_again;
        self.read_again += other.read_again;
        self.orders += other.orders;
        self.orders_lost += other.orders_lost;
        self.goal_kept += other.goal_kept;
        self.findings += other.findings;
    }

    /// What an audit of many sessions says of them.
    pub(crate) fn page(&self) -> String {
        format!(
            "{} in {} of {}; {} left the context\nneeded again: {}; calls repeated: {}; orders given: {}, lost: {}\n\
             first goal kept at {} of {}\n",
            counted(self.compactions, "compaction"),
            amount(self.compacted),
            counted(self.sessions, "session"),
            counted(self.outputs, "output"),
            amount(self.needed_again),
            amount(self.read_again),
            amount(self.orders),
            amount(self.orders_lost),
            amount(self.goal_kept),
            counted(self.compactions, "compaction"),
        )
    }
}

/// How bad a loss is: first in the order of the kinds of findings, then of compactions.
pub(crate) fn weights(loss: &LossReport) -> [usize; 6] {
    [
        loss.orders.lost.unwrap_or(0),
        loss.words.compactions.saturating_sub(loss.words.goal_kept),
        loss.references.re_referenced,
        loss.re_reads.exact,
        loss.decisions.never_return,
        loss.compactions,
    ]
}
