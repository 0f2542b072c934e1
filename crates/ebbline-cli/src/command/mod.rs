//! The commands, one a file.

pub(crate) mod detect;
pub(crate) mod profiles;
