//! Where an export differs from what is on screen. A session that never fills its window is shown with a smaller one, which is
//! not the user's, so it must not leave the page as if it were. A session is exported as its file holds it, whatever moment is
//! shown.

use ebbline::Policy;

use super::{ExportKind, Exported};
use crate::knob::Knob;
use ebbline::numbers::grouped;

/// The policy that an export is made with, and what is said about it.
#[derive(Debug)]
pub(crate) struct Shown {
    /// The policy.
    pub(crate) policy: Policy,
    note: String,
    warning: String,
}

/// With which policy `wanted` is made where the page shows `policy`, with another window than the user's own if that is given: a
/// configuration and code are for the user's own, everything else is of what is on screen. `is_moment` tells whether a moment
/// of the life is on screen.
pub(crate) fn as_shown(
    wanted: ExportKind,
    policy: &Policy,
    (window, is_moment): (Option<u64>, bool),
) -> Shown {
    let mut shown = Shown { policy: policy.clone(), note: String::new(), warning: String::new() };
    if is_moment && wanted.is_of_file() {
        "This is the session as its file holds it, not the moment on screen.".clone_into(&mut shown.note);
    }
    let Some(window) = window else { return shown };
    let here = grouped(Knob::Context.value(policy));
    let own = if window == 0 { "0, which stands for unknown".to_owned() } else { grouped(window) };
    if wanted.is_policy() {
        Knob::Context.set(&mut shown.policy, window);
        shown.note = format!(
            "This is for your window of {own}. The window of {here} on screen is only there to show what would happen."
        );
    } else if wanted != ExportKind::Shape {
        shown.warning = format!(
            "This is made with the window of {here}, which is only there to show what would happen. Yours is {own}, and this session \
             does not fill it."
        );
    }
    shown
}

impl Shown {
    /// `exported` with what is said about the window.
    pub(crate) fn told(self, exported: Exported) -> Exported {
        let both = |one: String, other: String| {
            [one, other].map(|said| said.trim().to_owned()).join(" ").trim().to_owned()
        };
        let (note, warning) = (both(self.note, exported.note), both(self.warning, exported.warning));
        Exported { note, warning, ..exported }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{of_policy, tests::text};

    #[test]
    fn a_configuration_is_for_the_window_of_the_user() {
        let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
        let own = text(of_policy(ExportKind::Pi, &policy, false, "a.json"));
        Knob::Context.set(&mut policy, 32_000);
        for wanted in ExportKind::ALL {
            let shown = as_shown(wanted, &policy, (Some(200_000), false));
            assert_eq!(Knob::Context.value(&shown.policy), if wanted.is_policy() { 200_000 } else { 32_000 });
            if wanted == ExportKind::Pi {
                let exported = of_policy(wanted, &shown.policy, false, "a.json");
                let exported = shown.told(exported);
                assert!(
                    exported.note.starts_with("This is for your window of 200,000. The window of 32,000"),
                    "{}",
                    exported.note
                );
                assert_eq!(text(exported), own);
            } else if wanted == ExportKind::Session {
                assert!(
                    shown.warning.contains("window of 32,000") && shown.warning.contains("Yours is 200,000")
                );
            }
        }
        let shown = as_shown(ExportKind::Pi, &policy, (None, true));
        assert_eq!((Knob::Context.value(&shown.policy), shown.note), (32_000, String::new()));
    }

    #[test]
    fn a_session_is_exported_as_its_file_holds_it_and_that_is_said_at_a_moment() {
        let policy = ebbline::profiles::get("ebbline@2").unwrap();
        for wanted in ExportKind::ALL {
            let said = as_shown(wanted, &policy, (None, true)).note;
            let is_of_file =
                [ExportKind::Session, ExportKind::Report, ExportKind::Plan, ExportKind::Markdown]
                    .contains(&wanted);
            assert_eq!(said.contains("not the moment on screen"), is_of_file, "{wanted:?}");
            assert_eq!(as_shown(wanted, &policy, (None, false)).note, "");
        }
    }

    /// What the user set by hand is the user's, whatever the window.
    #[test]
    fn a_number_that_was_set_by_hand_stays() {
        let mut policy = ebbline::profiles::get("ebbline@2").unwrap();
        Knob::Context.set(&mut policy, 32_000);
        Knob::Keep.set(&mut policy, 7_000);
        let shown = as_shown(ExportKind::Pi, &policy, (Some(200_000), true));
        assert_eq!((Knob::Keep.value(&shown.policy), Knob::Reserve.value(&shown.policy)), (7_000, 30_000));
    }
}
