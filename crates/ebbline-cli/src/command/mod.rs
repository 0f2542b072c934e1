//! The commands, one a file.

pub(crate) mod detect;
pub(crate) mod plan;
pub(crate) mod profiles;
pub(crate) mod validate;
