//! The policy as configuration of an agent. An agent has settings for some knobs only; what it cannot express is said in
//! the file's comments where the format has them, and else beside the file.

use ebbline::Policy;
use ebbline::settings::{self, Surroundings};

use super::Exported;
use super::left_out::{LeftOut, is_automatic, left_out, system};

/// The profile of the policy if it is one of `system`, else `newest`.
fn target(policy: &Policy, system_of: &str, newest: &'static str) -> String {
    let own = policy.profile.trim_end_matches('*');
    if system(policy) == system_of { own.to_owned() } else { newest.to_owned() }
}

/// What `agent`, which reads `config` as `profile` does, cannot express of `policy`.
fn not_expressed(policy: &Policy, agent: &'static str, profile: &str, config: &str) -> LeftOut {
    let back = settings::policy(profile, config, &Surroundings::default());
    back.map_or_else(|_| LeftOut::nothing(agent), |back| left_out(policy, &back, agent))
}

/// What is said beside a file: what the agent cannot express, what the file switches off with `switch`, or that it sets nothing
/// new.
fn told(exported: Exported, policy: &Policy, (profile, switch): (&str, &str), missing: &LeftOut) -> Exported {
    let agent = missing.agent();
    let mut note = exported.note;
    if policy.profile == profile && missing.is_all_carried() {
        note = format!("These are {agent}'s own defaults: without the file it does the same. {note}");
    }
    if !is_automatic(policy) && !switch.is_empty() {
        note = format!(
            "{switch} is false because this policy does not summarize: {agent} then summarizes only when it is told to. {note}"
        );
    }
    let profile = if missing.is_foreign() { profile.to_owned() } else { String::new() };
    Exported { note, warning: missing.warning(), profile, ..exported }
}

/// The `settings.json` of pi.
pub fn pi(policy: &Policy) -> Exported {
    let resolved = policy.resolved();
    let config = format!(
        "{{\n  \"compaction\": {{\n    \"enabled\": {},\n    \"reserveTokens\": {},\n    \"keepRecentTokens\": {}\n  }}\n}}\n",
        is_automatic(policy),
        resolved.trigger.reserve.max(0),
        resolved.retain.keep
    );
    let profile = target(policy, "pi", "pi@1.5");
    let missing = not_expressed(policy, "pi", &profile, &config);
    let exported = Exported::of_text("settings.json", config).with_note(format!(
        "For ~/.pi/agent/settings.json, beside what stands there. {}",
        missing.sentences()
    ));
    told(exported, policy, (&profile, "enabled"), &missing)
}

/// The `opencode.jsonc` of `OpenCode`.
pub fn open_code(policy: &Policy) -> Exported {
    let is_core = system(policy) == "opencode-v2";
    let profile = if is_core {
        target(policy, "opencode-v2", "opencode-v2@later")
    } else {
        target(policy, "opencode", "opencode@2026-06")
    };
    let resolved = policy.resolved();
    let (keep, reserve) = (resolved.retain.keep, resolved.trigger.reserve.max(0));
    let mut members = vec![format!("\"auto\": {}", is_automatic(policy))];
    if is_core {
        members.push(format!("\"buffer\": {reserve}"));
        members.push(format!("\"keep\": {{ \"tokens\": {keep} }}"));
    } else {
        members.push(format!("\"prune\": {}", policy.prune.enabled));
    }
    // The window and its budget came in April 2026.
    if profile == "opencode@2026-06" {
        members.push(format!("\"preserve_recent_tokens\": {keep}"));
        members.push(format!("\"reserved\": {reserve}"));
    }
    let config = format!("{{\n  \"compaction\": {{\n    {}\n  }}\n}}\n", members.join(",\n    "));
    let missing = not_expressed(policy, "OpenCode", &profile, &config);
    let comments: Vec<_> = missing.lines().iter().map(|line| format!("// {line}\n")).collect();
    let exported = Exported::of_text("opencode.jsonc", comments.concat() + &config)
        .with_note("For the opencode.jsonc of a project, beside what stands there.".to_owned());
    told(exported, policy, (&profile, "auto"), &missing)
}

/// The `tunacode.json` of `TunaCode`.
pub fn tuna_code(policy: &Policy) -> Exported {
    let base = target(policy, "tunacode", "tunacode@0.2");
    // January's only setting is the local mode; February's prune has no settings at all.
    let is_prune = base.starts_with("tunacode@2026-01");
    let resolved = policy.resolved();
    let (profile, switch, members) = if is_prune {
        ("tunacode@2026-01", "", vec![format!("\"local_mode\": {}", base.ends_with("/local"))])
    } else {
        (
            "tunacode@0.2",
            "auto_compact",
            vec![
                format!("\"auto_compact\": {}", is_automatic(policy)),
                format!("\"keep_recent_tokens\": {}", resolved.retain.keep),
                format!("\"reserve_tokens\": {}", resolved.trigger.reserve.max(0)),
            ],
        )
    };
    let config = format!("{{\n  \"settings\": {{\n    {}\n  }}\n}}\n", members.join(",\n    "));
    let missing = not_expressed(policy, "TunaCode", profile, &config);
    let february = if base == "tunacode@2026-02" {
        "TunaCode of February 2026 has no settings for its pruning, so this file is for 0.2, which does not prune. "
    } else {
        ""
    };
    let exported = Exported::of_text("tunacode.json", config).with_note(format!(
        "{february}For ~/.config/tunacode.json, beside what stands there. {}",
        missing.sentences()
    ));
    told(exported, policy, (profile, switch), &missing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{random_policies, text, turned};
    use crate::knob::{Knob, change};

    /// A configuration without its comments, as the agent itself reads it.
    fn read(profile: &str, exported: Exported) -> Policy {
        let lines = text(exported);
        let lines: Vec<_> = lines.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        settings::policy(profile, &lines.join("\n"), &Surroundings::default()).unwrap()
    }

    fn figures(policy: &Policy) -> (bool, u64, i64) {
        let resolved = policy.resolved();
        (is_automatic(policy), resolved.retain.keep, resolved.trigger.reserve)
    }

    /// 50 policies of every profile: what the agent has a setting for comes back from its configuration.
    #[test]
    fn configurations_come_back_with_the_same_values() {
        let mut of_system = std::collections::BTreeMap::new();
        for policy in random_policies(50) {
            *of_system.entry(system(&policy).to_owned()).or_insert(0) += 1;
            let (automatic, keep, reserve) = figures(&policy);
            for profile in ["pi@0.58", "pi@1.5"] {
                let back = read(profile, pi(&policy));
                assert_eq!(
                    (back.trigger.enabled, back.retain.keep, back.trigger.reserve),
                    (automatic, keep, reserve)
                );
            }
            if system(&policy) == "opencode-v2" {
                let back = read("opencode-v2@later", open_code(&policy));
                assert_eq!(figures(&back), (automatic, keep, reserve));
            } else {
                let back = read("opencode@2026-06", open_code(&policy));
                assert_eq!((back.trigger.enabled, back.prune.enabled), (automatic, policy.prune.enabled));
                let is_early = ["opencode@2025", "opencode@2026-01"];
                if !is_early.iter().any(|early| policy.profile.starts_with(early)) {
                    assert_eq!((back.retain.keep, back.trigger.reserve), (keep, reserve));
                }
            }
            if policy.profile.starts_with("tunacode@2026-01") {
                let local = policy.profile.contains("/local");
                let back = read("tunacode@2026-01", tuna_code(&policy));
                assert_eq!(back.prune.protect, if local { 2_000 } else { 40_000 });
            } else {
                let back = read("tunacode@0.2", tuna_code(&policy));
                assert_eq!(
                    (back.trigger.enabled, back.retain.keep, back.trigger.reserve),
                    (automatic, keep, reserve)
                );
            }
        }
        assert!(of_system.len() >= 5, "{of_system:?}");
    }

    /// Whatever differs after the way there and back is named.
    #[test]
    fn what_is_left_out_is_named() {
        for policy in random_policies(50) {
            let exported = pi(&policy);
            assert_eq!(exported.warning.starts_with("pi cannot prune."), policy.prune.enabled);
            assert_eq!(exported.profile, if system(&policy) == "pi" { "" } else { "pi@1.5" });
            let profile = target(&policy, "opencode", "opencode@2026-06");
            let exported = open_code(&policy);
            if system(&policy) == "opencode-v2" {
                continue;
            }
            let said = text(exported.clone());
            let back = read(&profile, exported);
            for knob in [Knob::Protect, Knob::Minimum, Knob::Turns, Knob::Keep, Knob::Reserve] {
                let is_of_prune = matches!(knob, Knob::Protect | Knob::Minimum | Knob::Turns);
                let is_on = if is_of_prune { policy.prune.enabled } else { is_automatic(&policy) };
                let differs = knob.value(&policy) != knob.value(&back) && is_on;
                assert_eq!(said.contains(&format!("// {}:", knob.label())), differs, "{knob:?} {said}");
            }
        }
    }

    #[test]
    fn what_is_switched_off_and_what_sets_nothing_new_is_said() {
        let of = |name: &str| ebbline::profiles::get(name).unwrap();
        let defaults = "These are pi's own defaults: without the file it does the same.";
        assert!(pi(&of("pi@1.5")).note.starts_with(defaults), "{}", pi(&of("pi@1.5")).note);
        let mut turned = of("pi@1.5");
        Knob::Keep.set(&mut turned, 30_000);
        for policy in [turned, of("ebbline@2")] {
            assert!(!pi(&policy).note.contains("own defaults"));
        }
        assert!(open_code(&of("opencode@2026-06")).note.starts_with("These are OpenCode's own defaults"));
        assert!(tuna_code(&of("tunacode@0.2")).note.starts_with("These are TunaCode's own defaults"));
        assert!(!tuna_code(&of("tunacode@2026-01/local")).note.contains("own defaults"));
        let february = tuna_code(&of("tunacode@2026-02"));
        assert!(february.warning.starts_with("TunaCode cannot prune."), "{}", february.warning);
        assert!(
            february.note.starts_with("auto_compact is false because this policy does not summarize: TunaCode then summarizes only when it is told to. TunaCode of February 2026 has no settings"),
            "{}",
            february.note
        );
    }

    #[test]
    fn configurations_are_what_the_agents_read() {
        insta::assert_snapshot!(text(pi(&turned())), @r#"
        {
          "compaction": {
            "enabled": true,
            "reserveTokens": 0,
            "keepRecentTokens": 0
          }
        }
        "#);
        insta::assert_snapshot!(pi(&turned()).note, @"For ~/.pi/agent/settings.json, beside what stands there. The context window belongs to the model; pi knows it. The numbers are yours; how pi counts tokens and where it cuts are rules of its own.");
        insta::assert_snapshot!(text(open_code(&turned())), @r#"
        // OpenCode has no setting for this, so it is left out:
        // the tools that are never pruned
        // Protect: 30,000 here, 40,000 there
        // The context window belongs to the model; OpenCode knows it.
        {
          "compaction": {
            "auto": true,
            "prune": true
          }
        }
        "#);
        let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
        insta::assert_snapshot!(text(open_code(&policy)), @r#"
        // OpenCode has no setting for this, so it is left out:
        // Protect: 20,000 here, 40,000 there
        // The context window belongs to the model; OpenCode knows it.
        // The numbers are yours; how OpenCode counts tokens and where it cuts are rules of its own.
        {
          "compaction": {
            "auto": true,
            "prune": true,
            "preserve_recent_tokens": 20000,
            "reserved": 30000
          }
        }
        "#);
        change(&mut policy, |policy| policy.retain.enabled = false);
        insta::assert_snapshot!(text(tuna_code(&policy)), @r#"
        {
          "settings": {
            "auto_compact": false,
            "keep_recent_tokens": 20000,
            "reserve_tokens": 30000
          }
        }
        "#);
        insta::assert_snapshot!(tuna_code(&policy).note, @"auto_compact is false because this policy does not summarize: TunaCode then summarizes only when it is told to. For ~/.config/tunacode.json, beside what stands there. The context window belongs to the model; TunaCode knows it. The numbers are yours; how TunaCode counts tokens and where it cuts are rules of its own.");
        let local = ebbline::profiles::get("tunacode@2026-01/local").unwrap();
        insta::assert_snapshot!(text(tuna_code(&local)), @r#"
        {
          "settings": {
            "local_mode": true
          }
        }
        "#);
        insta::assert_snapshot!(tuna_code(&local).note, @"For ~/.config/tunacode.json, beside what stands there. The context window belongs to the model; TunaCode knows it.");
    }
}
