//! Damaged sessions: a seed ([`seeds`]) with a few mutations ([`text`], [`values`]), and what must be true of every text
//! ([`oracle`]). `tests/fuzz.rs` lets proptest choose them.

pub mod choices;
pub mod oracle;
pub mod seeds;
pub mod text;
pub mod values;

use choices::Choices;
use seeds::Seed;

/// The most numbers that one mutation asks for.
pub const CHOICES: usize = 24;

/// Changes `text` in one way. Parts of other texts come from `own`, which are mostly of the same format, or from `all`.
pub fn damage(text: &mut String, own: &[&Seed], all: &[Seed], choices: &mut Choices<'_>) {
    let other = if choices.one_in(4) { choices.pick(all) } else { choices.pick(own).copied() };
    let other = other.map_or("", |seed| seed.text.as_str());
    if choices.one_in(3) || !values::damage(text, other, choices) {
        text::damage(text, other, choices);
    }
}
