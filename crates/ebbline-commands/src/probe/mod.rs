//! What the command `probe` is asked for, what it is answered, and the rows and totals that it leaves.

pub(crate) mod answer;
pub(crate) mod options;
pub(crate) mod rows;
pub(crate) mod totals;
