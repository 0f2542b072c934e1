//! Fitting a transcript into a budget: what each entry may cost, what is shortened first, and cutting texts in the
//! middle.

use std::borrow::Cow;

use super::escape::behind_cut;
use super::serialize::{Entry, Voice};
use crate::length::Length;
use crate::policy::Estimator;

/// Measures texts with a policy's estimator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meter<'p>(pub(crate) &'p Estimator);

impl Meter<'_> {
    /// The tokens of a text that is sent alone.
    pub(crate) fn whole(self, text: &str) -> u64 {
        self.0.tokens_of_text(Length::in_one_unit(text, self.0.unit))
    }

    /// The tokens that a text adds to others: one more than alone, because with an estimator that rounds down the
    /// pieces would otherwise cost less than the whole.
    pub(crate) fn piece(self, text: &str) -> u64 {
        if text.is_empty() { 0 } else { self.whole(text) + 1 }
    }

    /// A prefix of `text`, which costs `tokens`, that costs at most `most`; the longest one or nearly so.
    fn beginning(self, text: &str, tokens: u64, most: u64) -> &str {
        self.fitting(text.len(), tokens, most, |length| {
            text.get(..text.floor_char_boundary(length)).unwrap_or_default()
        })
    }

    /// A suffix of `text` that costs at most `most`; the longest one or nearly so.
    fn end(self, text: &str, most: u64) -> &str {
        self.fitting(text.len(), self.piece(text), most, |length| {
            text.get(text.ceil_char_boundary(text.len() - length)..).unwrap_or_default()
        })
    }

    /// Takes as many bytes as fit, of `all`, which cost `tokens`. It guesses by proportion and measures the result, which
    /// takes linear time and only assumes that shorter texts cost less in the long run.
    fn fitting<'t>(self, all: usize, mut tokens: u64, most: u64, take: impl Fn(usize) -> &'t str) -> &'t str {
        let (mut text, mut slack) = (take(all), 0);
        loop {
            if tokens <= most {
                return text;
            }
            let guess = (text.len() as u128 * u128::from(most) / u128::from(tokens)) as usize;
            text = take(guess.saturating_sub(slack).min(text.len().saturating_sub(1)));
            tokens = self.piece(text);
            // The steps grow after a few guesses that were too long, so that the loop ends.
            slack = slack * 2 + 1;
        }
    }
}

/// Removes the middle of a text, which costs `tokens`, so that it costs at most `most`; a mark states how many characters
/// are missing. If there is no room for the mark, only the prefix remains. No character is split.
pub(crate) fn cut<'t>(text: &'t str, tokens: u64, most: u64, meter: Meter<'_>) -> Cow<'t, str> {
    if tokens <= most {
        return Cow::Borrowed(text);
    }
    let characters = text.chars().count();
    let room = most.saturating_sub(meter.piece(&mark(characters)));
    if room < 3 {
        return Cow::Borrowed(meter.beginning(text, tokens, most));
    }
    // The end of an output shows the outcome, but its beginning shows what it is.
    let head = meter.beginning(text, tokens, room.saturating_mul(2) / 3);
    let tail = behind_cut(meter.end(text.get(head.len()..).unwrap_or_default(), room / 3));
    let missing = characters - head.chars().count() - tail.chars().count();
    Cow::Owned([head, &mark(missing), tail].concat())
}

/// The mark for `characters` that are left out.
fn mark(characters: usize) -> String {
    format!("\n[… {characters} characters left out …]\n")
}

/// The tokens that an entry may cost: its frame (label, separator) in full, its text up to `text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    frame: u64,
    /// What the whole text costs, and what it may cost.
    pub(crate) whole: u64,
    text: u64,
    /// Whether the whole entry is left out.
    pub(crate) is_left_out: bool,
}

impl Allowance {
    /// The tokens that the entry's text may have.
    pub(crate) fn text(self) -> u64 {
        if self.is_left_out { 0 } else { self.text }
    }

    fn total(self) -> u64 {
        if self.is_left_out { 0 } else { self.frame + self.text }
    }
}

/// The largest share of a budget for one text of a voice.
fn share(voice: Voice, budget: u64) -> u64 {
    match voice {
        // Results and arguments are long, and the answers after them repeat what matters.
        Voice::Result | Voice::Other => (budget / 100).clamp(250, 2_000),
        Voice::Arguments => (budget / 200).clamp(120, 1_000),
        Voice::Thinking => (budget / 200).clamp(120, 500),
        Voice::Assistant => (budget / 20).max(500),
        Voice::Application => (budget / 20).max(250),
        Voice::EarlierSummary => (budget / 10).max(500),
        Voice::User | Voice::TurnRequest | Voice::PreviousSummary => u64::MAX,
    }
}

/// One step of reducing a transcript.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Shorten the texts of a voice to this many tokens, oldest first, no further than needed.
    Shrink(Voice, u64),
    /// Leave out entries of a voice, oldest first, no more than needed.
    LeaveOut(Voice),
}

/// The order of reduction. What the user said is reduced last, in alternation with the summary of what the user said
/// before, because nothing else repeats it. In both, long texts (such as a pasted log) are reduced before short ones.
const STEPS: &[Step] = &[
    Step::Shrink(Voice::Result, 60),
    Step::Shrink(Voice::Arguments, 40),
    Step::LeaveOut(Voice::Thinking),
    Step::LeaveOut(Voice::Other),
    Step::Shrink(Voice::Assistant, 60),
    Step::Shrink(Voice::Application, 60),
    Step::Shrink(Voice::EarlierSummary, 100),
    Step::LeaveOut(Voice::Result),
    Step::LeaveOut(Voice::Arguments),
    Step::LeaveOut(Voice::Application),
    Step::LeaveOut(Voice::Assistant),
    Step::LeaveOut(Voice::EarlierSummary),
    Step::Shrink(Voice::PreviousSummary, 2_000),
    Step::Shrink(Voice::User, 2_000),
    Step::Shrink(Voice::TurnRequest, 2_000),
    Step::Shrink(Voice::PreviousSummary, 400),
    Step::Shrink(Voice::User, 400),
    Step::Shrink(Voice::TurnRequest, 400),
    Step::Shrink(Voice::PreviousSummary, 100),
    Step::Shrink(Voice::User, 32),
    Step::Shrink(Voice::TurnRequest, 64),
];

/// What each entry may cost in a request of `budget` tokens, whatever the others cost.
pub(crate) fn shares(entries: &[Entry<'_>], budget: u64, meter: Meter<'_>) -> Vec<Allowance> {
    let separator = meter.piece(super::prompt::SEPARATOR);
    let of = |entry: &Entry<'_>| {
        let whole = meter.piece(&entry.text);
        let text = whole.min(share(entry.voice, budget));
        Allowance { frame: meter.piece(&entry.label) + separator, whole, text, is_left_out: false }
    };
    entries.iter().map(of).collect()
}

/// The allowance of each entry, of at most its share, so that together they fit into `room` tokens; if they do not fit after
/// all steps, the missing tokens as an error.
///
/// It only computes with costs, in one pass over the entries per step, and touches no text.
pub(crate) fn allot(
    entries: &[Entry<'_>],
    mut allowances: Vec<Allowance>,
    room: u64,
) -> Result<Vec<Allowance>, u64> {
    let mut total: u64 = allowances.iter().map(|allowance| allowance.total()).sum();
    for step in STEPS {
        for (entry, allowance) in entries.iter().zip(&mut allowances) {
            if total <= room {
                return Ok(allowances);
            }
            let before = allowance.total();
            match *step {
                Step::Shrink(voice, least) if voice == entry.voice => {
                    let needed = allowance.text.saturating_sub(total - room);
                    allowance.text = needed.max(least).min(allowance.text);
                }
                Step::LeaveOut(voice) if voice == entry.voice => allowance.is_left_out = true,
                _ => {}
            }
            total -= before - allowance.total();
        }
    }
    if total <= room { Ok(allowances) } else { Err(total - room) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimator(per_token: u32) -> Estimator {
        Estimator { per_token, ..Estimator::default() }
    }

    fn entries(kinds: &[(Voice, usize)]) -> Vec<Entry<'static>> {
        let entry = |(voice, size): &(Voice, usize)| Entry {
            voice: *voice,
            label: "[Label]: ".to_owned(),
            text: Cow::Owned("word ".repeat(*size)),
        };
        kinds.iter().map(entry).collect()
    }

    #[test]
    fn a_cut_text_fits_and_says_what_is_missing() {
        let estimator = estimator(4);
        let meter = Meter(&estimator);
        let text = "日本語😀abc\n".repeat(400);
        for most in 0..200 {
            let short = cut(&text, meter.piece(&text), most, meter);
            assert!(meter.piece(&short) <= most, "{most}: {}", meter.piece(&short));
            if let Some((head, rest)) = short.split_once("\n[… ") {
                let (count, tail) = rest.split_once(" characters left out …]\n").unwrap();
                let missing: usize = count.parse().unwrap();
                assert!(text.starts_with(head) && text.ends_with(tail));
                assert_eq!(head.chars().count() + missing + tail.chars().count(), text.chars().count());
            } else {
                assert!(text.starts_with(&*short));
            }
        }
        assert_eq!(cut("short", meter.piece("short"), 3, meter), "short");
    }

    #[test]
    fn the_oldest_outputs_give_way_first_and_the_user_last() {
        let estimator = estimator(4);
        let kinds = [
            (Voice::User, 200),
            (Voice::Result, 200),
            (Voice::Thinking, 50),
            (Voice::Assistant, 200),
            (Voice::Result, 200),
        ];
        let entries = entries(&kinds);
        let texts = |room: u64| {
            let shares = shares(&entries, 100_000, Meter(&estimator));
            let allowances = allot(&entries, shares, room).ok()?;
            assert!(allowances.iter().map(|allowance| allowance.total()).sum::<u64>() <= room);
            Some(allowances.iter().map(|allowance| allowance.text()).collect::<Vec<_>>())
        };
        assert_eq!(texts(2_000).unwrap(), [251, 251, 64, 251, 251]);
        assert_eq!(texts(1_000).unwrap(), [251, 153, 64, 251, 251], "no further than needed");
        assert_eq!(texts(800).unwrap(), [251, 60, 64, 251, 144]);
        assert_eq!(texts(600).unwrap(), [251, 60, 0, 205, 60]);
        assert_eq!(texts(300).unwrap()[0], 251);
        assert_eq!(texts(100).unwrap(), [94, 0, 0, 0, 0]);
        assert_eq!(texts(30), None);
    }
}
