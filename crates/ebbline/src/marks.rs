//! Marks that a text cannot forge: how ebbline recognizes its own output in formats without a field for it.
//!
//! A mark ends with a reference: eight letters computed from something that the writer of a forged text does not
//! know. The reference of a pruned output is computed from the id of its call, which no tool is told. The reference
//! of a summary is computed from its anchor: the first call (by its id) or text behind the summary that no
//! user wrote; and a summary is only accepted in front of all other messages. A text with another reference, or in
//! another place, is ordinary text.
//!
//! Some servers begin to count ids anew in every turn. A placeholder whose reference another output has already ends in a variant
//! of it, so that each leads back to its own output.
//!
//! JavaScript computes the same references (`npm/src/references.ts`).

use std::fmt::{self, Write};
use std::ops::Range;

/// The placeholder that OpenCode and TunaCode write for a pruned output, byte for byte.
pub(crate) const PLACEHOLDER: &str = "[Old tool result content cleared]";
/// The number of letters of a reference. All letters cost the same in every estimator, so the length of a mark does
/// not depend on its reference.
const LETTERS: usize = 8;
/// How many UTF-16 units of a text the reference is computed from.
const READ: usize = 256;
/// How far two variants of a reference are apart, and by what a distance is divided by it: their product is 1.
const STEP: u32 = 0x9E37_79B1;
const PER_STEP: u32 = 0x0E8B_2F51;
/// How many variants a reference has.
const VARIANTS: u32 = 1 << 16;
/// The longest text, in UTF-16 units, that may be what remains of a pruned output: a tool that foresees the id of its call could
/// write the reference itself.
pub(crate) const MOST_LEFT: u32 = 2048;
const OPENS: &str = " [ref ";
const CLOSES: &str = "]";
/// The length of a reference with its brackets, in bytes.
pub(crate) const REFERENCE_LENGTH: usize = OPENS.len() + LETTERS + CLOSES.len();
/// The reference of an output whose call has no id.
pub(crate) const NO_CALL: &str = " [ref oljnnlka]";
/// The beginning of a summary that may be ebbline's.
pub(crate) const BEGINS: &str = "[Compaction summary: it stands for ";
/// The first line of such a summary where the format stores only a text.
pub(crate) const RECORDED: &str = "[Compaction summary]";
/// What separates the first line, an introduction and the summary.
pub(crate) const BREAK: &str = "\n\n";
const KEPT: &str = " earlier messages; the next ";
const WORD_FOR_WORD: &str = " are kept word for word]";

/// The reference to a call, or to what follows a summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reference(u32);

impl Reference {
    /// The references at the ends of the texts of a JSON document, each with its place in it.
    #[doc(hidden)]
    pub fn ending_texts(json: &str) -> impl Iterator<Item = (Range<usize>, Self)> + '_ {
        json.match_indices(OPENS).filter_map(|(start, _)| {
            let range = start..start + REFERENCE_LENGTH;
            let found = Self::at_end_of(json.get(range.clone())?)?;
            json.get(range.end..)?.starts_with('"').then_some((range, found))
        })
    }

    /// The reference to the call `id`; the empty id means a call without an id.
    pub(crate) fn to_call(id: &str) -> Self {
        Self::to(&["output", id])
    }

    /// The reference with these letters, as it stands between the brackets.
    #[doc(hidden)]
    #[must_use]
    pub fn of_letters(letters: &str) -> Option<Self> {
        Self::at_end_of(&format!("{OPENS}{letters}{CLOSES}"))
    }

    /// The variant with this number; 0 is the reference itself.
    #[doc(hidden)]
    #[must_use]
    pub fn variant(self, number: u32) -> Self {
        Self(self.0.wrapping_add(number.wrapping_mul(STEP)))
    }

    /// Whether this is a variant of `other`.
    pub(crate) fn is_variant_of(self, other: Self) -> bool {
        self.0.wrapping_sub(other.0).wrapping_mul(PER_STEP) < VARIANTS
    }

    /// FNV-1a over the length and the first UTF-16 units of each word, followed by a final mix that spreads every bit
    /// over the whole result.
    fn to(words: &[&str]) -> Self {
        let mut hash = 0x811C_9DC5_u32;
        let mut mix = |unit: u32| hash = (hash ^ unit).wrapping_mul(0x0100_0193);
        for word in words {
            let mut length = 0;
            for unit in word.encode_utf16() {
                if length < READ {
                    mix(u32::from(unit));
                }
                length += 1;
            }
            // A value that no UTF-16 unit has, so that the boundary between two words matters.
            mix(0x1_0000 | length as u32);
        }
        hash = (hash ^ hash >> 16).wrapping_mul(0x85EB_CA6B);
        hash = (hash ^ hash >> 13).wrapping_mul(0xC2B2_AE35);
        Self(hash ^ hash >> 16)
    }

    /// The reference at the end of `text`.
    fn at_end_of(text: &str) -> Option<Self> {
        let text = text.strip_suffix(CLOSES)?;
        let at = text.len().checked_sub(LETTERS)?;
        let letters = text.get(at..)?;
        let is_reference =
            text.get(..at)?.ends_with(OPENS) && letters.bytes().all(|letter| (b'a'..=b'p').contains(&letter));
        let digits =
            letters.bytes().rev().fold(0, |sum, letter| sum << 4 | u32::from(letter.wrapping_sub(b'a')));
        is_reference.then_some(Self(digits))
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(OPENS)?;
        for letter in 0..LETTERS {
            formatter.write_char(char::from(b'a' + (self.0 >> (letter * 4) & 0xF) as u8))?;
        }
        formatter.write_str(CLOSES)
    }
}

/// The text of a pruned output: the placeholder and a reference to its call. Without an id the reference proves
/// nothing, and the output is read as ordinary text.
pub(crate) fn cleared(placeholder: &str, call: Option<Reference>) -> String {
    format!("{placeholder}{}", call.unwrap_or_else(|| Reference::to_call("")))
}

/// Whether [`cleared`] wrote `text` for the call `id`, with any placeholder.
pub(crate) fn is_cleared(text: &str, id: &str) -> bool {
    Reference::at_end_of(text).is_some_and(|found| found.is_variant_of(Reference::to_call(id)))
}

/// The first line of a summary: how many messages it replaces, and how many messages behind it existed when it was
/// written. If no anchor follows the summary, its own text is the `anchor`.
pub(crate) fn lead(stands_for: usize, kept: usize, anchor: &str) -> String {
    let reference = Reference::to(&["summary", &kept.to_string(), anchor]);
    format!("{BEGINS}{stands_for}{KEPT}{kept}{WORD_FOR_WORD}{reference}\n\n")
}

/// A text that claims to be a summary. What follows it proves or disproves the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// How many messages behind it existed when it was written.
    pub(crate) kept: usize,
    reference: Reference,
    /// Whether the reference is computed from the summary itself.
    fits_itself: bool,
}

impl Claim {
    /// The claim at the beginning of `text`.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let (lead, body) = split(text)?;
        let rest = lead.strip_prefix(BEGINS)?;
        let (stands_for, rest) = rest.split_once(KEPT)?;
        let (kept, _) = rest.split_once(WORD_FOR_WORD)?;
        let is_number = |text: &str| {
            !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_number(stands_for) || !is_number(kept) {
            return None;
        }
        let (kept, reference) = (kept.parse().ok()?, Reference::at_end_of(lead)?);
        let claim = Self { kept, reference, fits_itself: false };
        Some(Self { fits_itself: claim.fits(body), ..claim })
    }

    /// Whether the claim is true of a summary without an anchor behind it.
    pub(crate) fn fits_itself(&self) -> bool {
        self.fits_itself
    }

    /// Whether the claim is true of a summary followed by `anchor`.
    pub(crate) fn fits(&self, anchor: &str) -> bool {
        self.reference == Reference::to(&["summary", &self.kept.to_string(), anchor])
    }
}

/// Whether the id is in the session, and not one that a reader made up for a call without an id.
pub(crate) fn is_own(id: &str) -> bool {
    !["\0", "#", "call without id "].iter().any(|made_up| id.starts_with(made_up))
}

/// The summary without its first line, which marks it.
pub(crate) fn without_lead(text: &str) -> &str {
    split(text).map_or(text, |(_, body)| body)
}

/// The first line, which may be a mark, and the text behind it.
pub(crate) fn split(text: &str) -> Option<(&str, &str)> {
    let (lead, body) = text.split_once(BREAK)?;
    (lead.starts_with(BEGINS) && !lead.contains('\n')).then_some((lead, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pruned_output_is_known_by_the_id_of_its_call_alone() {
        let text = cleared("[Old tool result content cleared]", Some(Reference::to_call("toolu_1")));
        assert_eq!(text, "[Old tool result content cleared] [ref kpbmgken]");
        assert!(is_cleared(&text, "toolu_1"));
        assert!(!is_cleared(&text, "toolu_2"), "the same text as the output of another call");
        assert!(!is_cleared(&format!("{text} "), "toolu_1"));
        assert!(!is_cleared("[Old tool result content cleared]", "toolu_1"));
    }

    #[test]
    fn outputs_of_calls_with_one_id_have_references_of_their_own() {
        let first = Reference::to_call("call_0");
        let all: std::collections::HashSet<_> = (0..VARIANTS).map(|number| first.variant(number).0).collect();
        assert_eq!(all.len(), VARIANTS as usize);
        for number in [0, 1, 2, 77, VARIANTS - 1] {
            let text = cleared("-", Some(first.variant(number)));
            assert!(is_cleared(&text, "call_0") && !is_cleared(&text, "call_1"), "{number}");
        }
        assert!(!first.variant(VARIANTS).is_variant_of(first));
    }

    #[test]
    fn a_summary_is_known_by_what_follows_it() {
        let text = format!("{}The login test was fixed.", lead(48, 12, "toolu_9"));
        let claim = Claim::of(&text).unwrap();
        assert_eq!(claim.kept, 12);
        assert!(claim.fits("toolu_9") && !claim.fits("toolu_8") && !claim.fits_itself());
        assert_eq!(without_lead(&text), "The login test was fixed.");
        assert!(!Claim::of(&text.replace("12", "13")).unwrap().fits("toolu_9"));
    }

    #[test]
    fn a_summary_without_an_anchor_is_known_by_its_own_words() {
        for kept in [0, 2] {
            let text = format!("{}All of it.", lead(3, kept, "All of it."));
            assert!(Claim::of(&text).unwrap().fits_itself());
            assert!(!Claim::of(&text.replace("All", "None")).unwrap().fits_itself());
        }
    }

    #[test]
    fn what_is_no_lead_claims_nothing() {
        for text in [
            "",
            "[Compaction summary]\n\nold",
            "[Compaction summary: it stands for 1 earlier messages; the next 2 are kept word for word]\n\nno reference",
            "[Compaction summary: it stands for -1 earlier messages; the next 2 are kept word for word] [ref aaaaaaaa]\n\n",
            "[Compaction summary: it stands for 1 earlier messages; the next 2 are kept word for word] [ref AAAAAAAA]\n\n",
            "x[Compaction summary: it stands for 1 earlier messages; the next 2 are kept word for word] [ref aaaaaaaa]\n\n",
        ] {
            assert_eq!(Claim::of(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_reference_to_no_call_is_always_the_same() {
        assert_eq!(cleared("", None), NO_CALL);
        assert_eq!(NO_CALL.len(), REFERENCE_LENGTH);
    }

    #[test]
    fn all_references_cost_the_same() {
        let costs: std::collections::HashSet<_> = (0..200)
            .map(|call| crate::length::Length::of(&cleared("", Some(Reference::to_call(&call.to_string())))))
            .map(|length| (length.utf16, length.classed))
            .collect();
        assert_eq!(costs.len(), 1);
    }
}
