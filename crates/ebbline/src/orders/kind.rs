//! The kinds of standing orders.

use crate::words;

words! {
    /// What a standing order is.
    pub enum OrderKind [non_exhaustive] {
        /// A rule: always, never, from now on, don't, must, only; in German immer, nie, ab jetzt, darf nicht.
        Rule "rule",
        /// A limit or a budget: at most, no more than, under, with an amount.
        Limit "limit",
        /// A time by which something has to be done.
        Deadline "deadline",
        /// One thing is preferred to another.
        Preference "preference",
        /// An order that corrects what the user said before.
        Correction "correction",
    }
}
