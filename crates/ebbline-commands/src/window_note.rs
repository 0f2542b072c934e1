//! Nothing weighs more in a replay than the window, so an assumed one is never assumed in silence.

use std::num::NonZeroU64;

use crate::amount::amount;
use crate::output::Notes;

/// Says which window a profile assumes; `option` is how another one is given.
pub(crate) fn note_assumed(profile: Option<&str>, notes: &mut Notes, option: &str) {
    let known = ebbline::profiles::ALL.iter().find(|known| Some(known.name) == profile);
    let Some(known) = known.or(ebbline::profiles::ALL.first()) else { return };
    let window = known.policy().model.context.map_or(0, NonZeroU64::get);
    notes.write(&format!("ebbline: without {option}, a window of {} tokens is assumed\n", amount(window)));
}
