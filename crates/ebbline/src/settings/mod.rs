//! Reads another system's own settings into a policy.
//!
//! The caller passes the settings as data: the text of the system's settings file, and the environment flags that
//! the system uses. The engine itself reads neither files nor the environment.

mod group;
mod opencode;
mod pi;
mod tunacode;

use crate::error::Error;
use crate::json::Document;
use crate::policy::Policy;
use crate::profiles;
pub use group::Surroundings;
use group::{Group, put};

/// The policy of `profile`, changed by the system's own settings.
///
/// | system | `settings` | environment |
/// |---|---|---|
/// | pi | `settings.json`: `compaction.{enabled,reserveTokens,keepRecentTokens}`; `modelOverrides` in 1.5 | |
/// | OpenCode | `opencode.json`: `compaction.{auto,prune,tail_turns,preserve_recent_tokens,reserved}`, a model's `limit` | `OPENCODE_DISABLE_AUTOCOMPACT`, `OPENCODE_DISABLE_PRUNE`, `OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX` |
/// | OpenCode v2 | `compaction.{auto,buffer,keep.tokens}`, also in a list of documents, the last one first | |
/// | TunaCode | `tunacode.json`: `settings.local_mode`; in 0.2 `keep_recent_tokens`, `reserve_tokens`, `auto_compact` | |
///
/// A knob that the settings do not mention keeps the profile's value. Of `ebbline`, BRUTUS, Claude Code, Codex and Gemini CLI
/// no settings are read: use a partial policy with them, see [`Policy::overlay`].
///
/// Sources: pi 0.58.3 to 1.5.2; OpenCode from commit 48dc520f (2025-12-04) to e6c45134 (2026-06-25); OpenCode v2
/// at commits e6c45134 and 031a4a9c; TunaCode at commit 41ae26a (2026-01-20) and version 0.2.3.
///
/// # Errors
///
/// `unknown_profile`; `not_json` with its place; `invalid_settings` names the member whose type or value the
/// system cannot use.
///
/// # Example
///
/// ```
/// use ebbline::settings::{self, Surroundings};
/// let file = r#"{"compaction": {"reserveTokens": 30000}}"#;
/// let policy = settings::policy("pi@1.5", file, &Surroundings::default())?;
/// assert_eq!((policy.trigger.reserve, policy.retain.keep), (30_000, 20_000));
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn policy(profile: &str, settings: &str, surroundings: &Surroundings<'_>) -> Result<Policy, Error> {
    let base = profiles::get(profile)?;
    let document = Document::parse(if settings.trim().is_empty() { "{}" } else { settings })?;
    let group = Group { path: String::new(), value: Some(document.root()) };
    let system = profile.split_once('@').map_or(profile, |(system, _)| system);
    let policy = match system {
        "pi" => pi::policy(base, &group, surroundings),
        "opencode" => opencode::policy(base, &group, surroundings),
        "opencode-v2" => opencode::core_policy(base, &document),
        "tunacode" => tunacode::policy(base, &group),
        _ => {
            let mut policy = base;
            policy.overlay(document.root().source())?;
            Ok(policy)
        }
    }?;
    policy.check()?;
    Ok(policy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Model;
    use crate::profiles;

    fn read(profile: &str, settings: &str, environment: &[(&str, &str)], model: Option<&str>) -> Policy {
        policy(profile, settings, &Surroundings { environment: environment.to_vec(), model }).unwrap()
    }

    #[test]
    fn without_settings_a_profile_is_what_it_is() {
        for name in profiles::names() {
            for settings in ["", "{}", r#"{"theme": "dark", "compaction": {}}"#] {
                if ["ebbline", "brutus", "claude-code", "codex", "gemini-cli"]
                    .iter()
                    .any(|own| name.starts_with(own))
                {
                    continue;
                }
                assert_eq!(
                    read(name, settings, &[], None),
                    profiles::get(name).unwrap(),
                    "{name} {settings}"
                );
            }
        }
    }

    #[test]
    fn pi_reads_thresholds_and_from_1_5_those_of_single_models() {
        let settings = r#"{"compaction": {"enabled": false, "reserveTokens": 1, "keepRecentTokens": 2,
            "modelOverrides": {"local/tiny": {"keepRecentTokens": 3}}}}"#;
        let figures = |policy: Policy| (policy.trigger.enabled, policy.trigger.reserve, policy.retain.keep);
        assert_eq!(figures(read("pi@0.84", settings, &[], Some("local/tiny"))), (false, 1, 2));
        assert_eq!(figures(read("pi@1.5", settings, &[], Some("local/tiny"))), (false, 1, 3));
        assert_eq!(figures(read("pi@1.5", settings, &[], Some("local/Tiny"))), (false, 1, 2));
    }

    #[test]
    fn opencode_reads_its_file_and_flags_that_only_switch_off() {
        let settings = r#"{"compaction": {"prune": true, "tail_turns": 3, "preserve_recent_tokens": 5000, "reserved": 1000},
            "provider": {"local": {"models": {"tiny": {"limit": {"context": 32000, "output": 4000}}}}}}"#;
        let june = read("opencode@2026-06", settings, &[], Some("local/tiny"));
        assert!(june.prune.enabled && june.trigger.enabled);
        assert_eq!((june.retain.turns, june.retain.keep, june.retain.keep_share), (3, 5_000, None));
        assert_eq!((june.trigger.reserve, june.trigger.reserve_within_output), (1_000, false));
        assert_eq!(june.model, Model::new(32_000).output(4_000));
        let flags = [("OPENCODE_DISABLE_PRUNE", "TRUE"), ("OPENCODE_DISABLE_AUTOCOMPACT", "1")];
        let off = read("opencode@2026-06", settings, &flags, None);
        assert!(!off.prune.enabled && !off.trigger.enabled);
        let not = [("OPENCODE_DISABLE_PRUNE", "yes"), ("OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX", "64000")];
        let on = read("opencode@2026-01", "{}", &not, None);
        assert!(on.prune.enabled);
        assert_eq!(on.trigger.output_cap, 64_000);
        assert!(!read("opencode@2026-01", r#"{"compaction": {"prune": false}}"#, &[], None).prune.enabled);
    }

    #[test]
    fn the_last_document_of_the_core_that_names_a_setting_decides() {
        let documents = r#"[{"compaction": {"buffer": 1, "keep": {"tokens": 2}}}, {"compaction": {"auto": false, "buffer": 3}}]"#;
        let core = read("opencode-v2@2026-06", documents, &[], None);
        assert_eq!((core.trigger.reserve, core.retain.keep, core.trigger.enabled), (3, 2, false));
    }

    #[test]
    fn tunacode_has_a_mode_for_local_models_and_later_thresholds() {
        let local = read("tunacode@2026-01", r#"{"settings": {"local_mode": true}}"#, &[], None);
        assert_eq!(local, profiles::get("tunacode@2026-01/local").unwrap());
        let settings =
            r#"{"settings": {"keep_recent_tokens": 5, "reserve_tokens": 6, "auto_compact": false}}"#;
        let controller = read("tunacode@0.2", settings, &[], None);
        assert_eq!(
            (controller.retain.keep, controller.trigger.reserve, controller.trigger.enabled),
            (5, 6, false)
        );
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (profile, settings, fault) in [
            (
                "tunacode@0.2",
                r#"{"settings": {"reserve_tokens": -1}}"#,
                "the setting settings.reserve_tokens must be a whole number of 0 or more",
            ),
            ("pi@1.5", r#"{"compaction": []}"#, "the setting compaction must be an object"),
            (
                "pi@1.5",
                r#"{"compaction": {"enabled": 1}}"#,
                "the setting compaction.enabled must be true or false",
            ),
            (
                "pi@1.5",
                r#"{"compaction": {"modelOverrides": {"a/b": {"reserveTokens": -1}}}}"#,
                "the setting compaction.modelOverrides.a/b.reserveTokens must be a whole number of 0 or more",
            ),
            (
                "opencode@2026-06",
                r#"{"compaction": {"tail_turns": 1.5}}"#,
                "the setting compaction.tail_turns must be",
            ),
        ] {
            let error =
                policy(profile, settings, &Surroundings { model: Some("a/b"), ..Surroundings::default() });
            let error = error.unwrap_err();
            assert_eq!(error.code(), "invalid_settings");
            assert!(error.message().starts_with(fault), "{}", error.message());
        }
        assert_eq!(policy("pi@1.5", "{]", &Surroundings::default()).unwrap_err().code(), "not_json");
        assert_eq!(policy("pi@9", "{}", &Surroundings::default()).unwrap_err().code(), "unknown_profile");
    }
}
