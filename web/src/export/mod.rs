//! What the page exports: the session, the policy as configuration of an agent and as code, reports and pictures.

mod code;
mod command;
mod config;
mod environment;
mod file;
mod kind;
mod left_out;
mod markdown;
mod on_screen;
mod picture;
mod plug_in;
mod report;
pub(crate) mod session;
mod turned;

use ebbline::replay::History;
use ebbline::{Plan, Policy};

use crate::readable::stem;

pub use code::{javascript, rust};
pub use command::{command_line, python};
pub use config::{open_code, pi, tuna_code};
pub use environment::environment;
pub use file::Exported;
pub use kind::{Choice, ExportKind, GROUPS};
pub use markdown::markdown;
pub(crate) use on_screen::as_shown;
pub use picture::Theme;
pub(crate) use picture::{context, life};
pub use plug_in::{hermes, open_claw};
pub use report::report;
pub use session::session;

/// The policy as configuration or as code; as JSON if `wanted` is neither.
pub fn of_policy(wanted: ExportKind, policy: &Policy, force: bool, name: &str) -> Exported {
    match wanted {
        ExportKind::Pi => pi(policy),
        ExportKind::OpenCode => open_code(policy),
        ExportKind::TunaCode => tuna_code(policy),
        ExportKind::OpenClaw => open_claw(policy),
        ExportKind::Hermes => hermes(policy),
        ExportKind::Environment => environment(policy),
        ExportKind::JavaScript => javascript(policy, force),
        ExportKind::Python => python(policy, force),
        ExportKind::Rust => rust(policy, force),
        ExportKind::CommandLine => command_line(policy, force, name),
        _ => policy_json(policy),
    }
}

/// Exports the policy as JSON. A share of the window stays one; the figure beside it is that of the screen.
pub fn policy_json(policy: &Policy) -> Exported {
    Exported::of_text("ebbline-policy.json", policy.resolved().to_json() + "\n")
}

/// Exports the plan as JSON.
pub fn plan(plan: &Plan, name: &str) -> Exported {
    Exported::of_text(format!("{}.plan.json", stem(name)), plan.to_json() + "\n")
}

/// A session of filler with the roles and sizes of this one.
pub(crate) fn shape(history: &History<'_>, name: &str) -> Exported {
    let text = crate::shape::of_items(&crate::shape::of(history));
    Exported::of_text(format!("{}.shape.json", stem(name)), text).with_note(
        "Roles, calls and sizes are those of the session; all text is filler, and tools have no names."
            .to_owned(),
    )
}

#[cfg(test)]
pub(crate) use tests::random_policies;

#[cfg(test)]
mod tests {
    use super::*;

    /// A policy of which several knobs differ from its profile.
    pub(super) fn turned() -> Policy {
        let mut policy = ebbline::profiles::get("opencode@2026-01").unwrap();
        for (knob, value) in
            [("prune.protect", "30000"), ("prune.protectedTools", "skill,task"), ("model.context", "128000")]
        {
            policy.set(knob, value).unwrap();
        }
        policy
    }

    pub(super) fn text(exported: Exported) -> String {
        String::from_utf8(exported.bytes).unwrap()
    }

    /// Policies as the page can set them, the same in every run.
    pub(crate) fn random_policies(count: u64) -> impl Iterator<Item = Policy> {
        use crate::knob::{Knob, change};
        let mut state = 11_u64;
        let mut next = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        (0..count).map(move |_| {
            let profile = &ebbline::profiles::ALL[next(ebbline::profiles::ALL.len() as u64) as usize];
            let mut policy = profile.policy();
            for knob in Knob::ALL {
                if next(2) == 0 {
                    let below = if knob == Knob::Turns { 9 } else { 250_000 };
                    knob.set(&mut policy, next(below) + u64::from(knob == Knob::Context));
                }
            }
            change(&mut policy, |policy| {
                policy.prune.enabled = next(4) != 0;
                policy.retain.enabled = next(4) != 0;
                match next(4) {
                    0 => policy.prune.protected_tools.clear(),
                    1 => policy.prune.protected_tools.push(format!("tool {}% = {}", next(9), next(9))),
                    _ => {}
                }
            });
            policy
        })
    }

    #[test]
    fn a_policy_comes_back_from_its_json() {
        assert_eq!(Policy::from_json(&text(policy_json(&turned()))).unwrap(), turned());
    }
}
