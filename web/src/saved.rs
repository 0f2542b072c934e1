//! The settings as a short text that the browser stores between visits: the profile, and the numbers and switches
//! that differ from it. It contains nothing from a session. Tool names may come from one, so the text only records
//! which of the profile's own protected tools were removed.

use ebbline::{Policy, profiles};

use crate::knob::{Knob, change, preset};

/// Writes settings as a text: `ebbline@1 protect=30000 force`.
pub fn write(policy: &Policy, force: bool) -> String {
    let base = preset(policy);
    let mut words = vec![policy.profile.trim_end_matches('*').to_owned()];
    // The window first: other knobs may be shares of it.
    if policy.model.context != base.model.context {
        words.push(format!("{}={}", Knob::Context.id(), Knob::Context.value(policy)));
    }
    for knob in Knob::ALL.into_iter().filter(|knob| *knob != Knob::Context) {
        let is_share = policy.share(knob.path()).is_some();
        let was_share = base.share(knob.path()).is_some();
        if !is_share && (was_share || knob.value(policy) != knob.value(&base)) {
            words.push(format!("{}={}", knob.id(), knob.value(policy)));
        }
    }
    for (name, is, was) in [
        ("prune", policy.prune.enabled, base.prune.enabled),
        ("retain", policy.retain.enabled, base.retain.enabled),
    ] {
        if is != was {
            words.push(format!("{name}={}", u8::from(is)));
        }
    }
    for (at, tool) in base.prune.protected_tools.iter().enumerate() {
        if !policy.prune.protected_tools.contains(tool) {
            words.push(format!("tool={at}"));
        }
    }
    if force {
        words.push("force".to_owned());
    }
    words.join(" ")
}

/// Reads settings from a text; `None` if the profile is unknown. Other unknown words are ignored.
pub fn parse(text: &str) -> Option<(Policy, bool)> {
    let mut words = text.split(' ');
    let mut policy = profiles::find(words.next()?)?.policy();
    let base = policy.clone();
    let mut force = false;
    for word in words {
        force |= word == "force";
        let Some((name, number)) = word.split_once('=') else { continue };
        let Ok(number) = number.parse::<u64>() else { continue };
        if let Some(knob) = Knob::ALL.into_iter().find(|knob| knob.id() == name) {
            knob.set(&mut policy, number);
            continue;
        }
        change(&mut policy, |policy| match name {
            "prune" => policy.prune.enabled = number == 1,
            "retain" => policy.retain.enabled = number == 1,
            "tool" => {
                let tool = usize::try_from(number).ok().and_then(|at| base.prune.protected_tools.get(at));
                policy.prune.protected_tools.retain(|other| Some(other) != tool);
            }
            _ => {}
        });
    }
    Some((policy, force))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_writing_and_parsing() {
        for profile in profiles::ALL {
            let plain = profile.policy();
            assert_eq!(write(&plain, false), profile.name);
            for turned in [&[][..], &Knob::ALL, &[Knob::Keep], &[Knob::Context, Knob::Reserve]] {
                let mut policy = plain.clone();
                for (at, knob) in turned.iter().enumerate() {
                    knob.set(&mut policy, 7_000 + at as u64);
                }
                change(&mut policy, |policy| {
                    policy.prune.enabled ^= turned.len() == 1;
                    policy.prune.protected_tools.retain(|_| turned.len() != 2);
                });
                let force = turned.len() % 2 == 1;
                assert_eq!(parse(&write(&policy, force)), Some((policy, force)), "{}", profile.name);
            }
        }
        // A share that was set to its own value is still a share, so it follows the window.
        let (policy, _) = parse("ebbline@1 context=100000").unwrap();
        assert_eq!(Knob::Protect.value(&policy), 20_000);
    }

    #[test]
    fn nothing_from_a_session_is_stored() {
        let mut policy = profiles::get("ebbline@1").unwrap();
        change(&mut policy, |policy| policy.prune.protected_tools.push("secret_tool".to_owned()));
        assert_eq!(write(&policy, true), "ebbline@1 force");
    }

    #[test]
    fn unknown_words_are_ignored() {
        let plain = profiles::get("pi@1.5").unwrap();
        assert_eq!(parse("pi@1.5 what=3 keep=x keep=99999999999999999999 tool=9 ="), Some((plain, false)));
        assert_eq!((parse(""), parse("gone@1 keep=3")), (None, None));
    }
}
