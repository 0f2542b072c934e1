//! What gives way to passes, and what must not.

use std::collections::HashSet;

use super::scene::Scene;
use super::{Spots, arguments, old, repeated, superseded};
use crate::plan::Given;
use crate::policy::Policy;
use crate::summary::Original;

/// Everything that gives way to the passes that are switched on, in order of parts.
pub(super) fn all(
    original: Original<'_, '_>,
    policy: &Policy,
    spots_of: &dyn Fn(usize) -> Spots,
) -> Vec<Given> {
    let scene = Scene::new(original, policy, spots_of);
    let prune = &policy.prune;
    let mut given: Vec<Given> = Vec::new();
    if prune.repeated {
        given.extend(repeated::outputs(&scene));
    }
    if prune.superseded {
        given.extend(superseded::parts(&scene));
    }
    if prune.thinking.is_some() {
        given.extend(old::thinking(&scene));
    }
    if prune.arguments > 0 {
        given.extend(arguments::long(&scene));
    }
    if prune.images.is_some() {
        let cleared: HashSet<usize> = given.iter().map(|given| given.part).collect();
        given.extend(old::images(&scene, &cleared));
    }
    // The first pass that finds a part has it.
    let mut seen = HashSet::new();
    given.retain(|given| seen.insert(given.part));
    crate::order::sort_by(&mut given, &|one, other| one.part.cmp(&other.part));
    given
}
