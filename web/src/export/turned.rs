//! The knobs of a policy that differ from its profile.

use ebbline::Policy;
use ebbline::json::{Document, Value};

use crate::knob::preset;

/// Knobs by group: name and value as JSON.
pub(super) type Turned = Vec<(String, Vec<(String, String)>)>;

/// The name of the profile that `policy` is based on, and the knobs that differ from it, by group.
pub(super) fn turned(policy: &Policy) -> (String, Turned) {
    let base = preset(policy);
    let (from, to) = (base.to_json(), policy.to_json());
    let mut changes = Turned::new();
    if let (Ok(from), Ok(to)) = (Document::parse(&from), Document::parse(&to)) {
        for (group, members) in to.root().members() {
            let group = group.decode();
            let before = from.root().get(&group);
            let knobs: Vec<_> = members
                .members()
                .map(|(name, value)| (name.decode().into_owned(), value))
                .filter(|(name, value)| {
                    // A number that replaced a share is a change even if it equals the profile's number.
                    let path = format!("{group}.{name}");
                    let (was, is) = (base.share(&path), policy.share(&path));
                    if was.is_some() && was == is {
                        // Its figure follows the window, and so it does wherever the profile is used.
                        return false;
                    }
                    was.is_some()
                        || before
                            .and_then(|before| before.get(name))
                            .is_none_or(|before| before.source() != value.source())
                })
                .map(|(name, value)| (name, in_one_line(value)))
                .collect();
            if !knobs.is_empty() {
                changes.push((group.into_owned(), knobs));
            }
        }
    }
    (policy.profile.trim_end_matches('*').to_owned(), changes)
}

/// The same knobs by path: `prune.protect` and its value as JSON.
pub(super) fn paths(turned: &Turned) -> impl Iterator<Item = (String, &str)> {
    turned.iter().flat_map(|(group, knobs)| {
        knobs.iter().map(move |(name, value)| (format!("{group}.{name}"), value.as_str()))
    })
}

/// A list on one line; other values unchanged.
fn in_one_line(value: Value<'_>) -> String {
    if !value.is_array() {
        return value.source().to_owned();
    }
    let elements: Vec<_> = value.elements().map(|element| element.source().to_owned()).collect();
    format!("[{}]", elements.join(", "))
}
