//! The commands, one a file.

pub(crate) mod audit;
pub(crate) mod compact;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod detect;
pub(crate) mod inspect;
pub(crate) mod man;
pub(crate) mod plan;
pub(crate) mod probe;
pub(crate) mod profiles;
pub(crate) mod recall;
pub(crate) mod repair;
pub(crate) mod replay;
pub(crate) mod scan;
pub(crate) mod summarize;
pub(crate) mod summary_request;
pub(crate) mod sweep;
pub(crate) mod undo;
pub(crate) mod validate;
