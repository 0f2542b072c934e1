//! Passes: what gives way before the protection boundary is drawn, each by a knob of its own (`prune.repeated`,
//! `prune.superseded`, `prune.thinking`, `prune.arguments`, `prune.images`). All of them are off in every profile.
//!
//! A pass needs texts, which a transcript does not hold: so passes are part of a plan of a
//! [`SessionText`](crate::SessionText) or of live messages, never of a plan of a transcript alone, and a replay takes none. A plan
//! with passes is a plan of the messages that they leave ([`plan`]), with what gave way to them.

mod arguments;
mod found;
mod old;
mod plan;
mod repeated;
mod scene;
mod spots;
mod superseded;
mod write;

pub(crate) use plan::{alone, planned};
pub(crate) use spots::Spots;
pub(crate) use write::{edits, write};

use crate::policy::PrunePolicy;

/// Whether any pass is switched on.
pub(crate) fn any(prune: &PrunePolicy) -> bool {
    prune.enabled
        && (prune.repeated
            || prune.superseded
            || prune.thinking.is_some()
            || prune.arguments > 0
            || prune.images.is_some())
}
