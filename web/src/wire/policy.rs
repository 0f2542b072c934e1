//! A policy as bytes: the words of its profile and its knobs, which the browser stores as well, and its protected tools.

use ebbline::Policy;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::knob::change;
use crate::saved;

type Words = (String, Vec<String>);

fn words(policy: &Policy) -> Words {
    (saved::write(policy, false), policy.prune.protected_tools.clone())
}

fn policy<E: Error>((words, tools): Words) -> Result<Policy, E> {
    let (mut policy, _) = saved::parse(&words).ok_or_else(|| E::custom("an unknown profile"))?;
    change(&mut policy, |policy| policy.prune.protected_tools = tools);
    Ok(policy)
}

pub(crate) fn serialize<S: Serializer>(policy: &Policy, to: S) -> Result<S::Ok, S::Error> {
    words(policy).serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>, P: From<Policy>>(from: D) -> Result<P, D::Error> {
    policy(Words::deserialize(from)?).map(P::from)
}

/// A policy that may be missing.
pub(crate) mod optional {
    use super::{Deserialize, Deserializer, Policy, Serialize, Serializer, Words};

    #[expect(clippy::ref_option, reason = "serde passes a reference")]
    pub(crate) fn serialize<S: Serializer>(policy: &Option<Box<Policy>>, to: S) -> Result<S::Ok, S::Error> {
        policy.as_deref().map(super::words).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<Policy>>, D::Error> {
        let words = Option::<Words>::deserialize(from)?;
        words.map(|words| super::policy(words).map(Box::new)).transpose()
    }
}
