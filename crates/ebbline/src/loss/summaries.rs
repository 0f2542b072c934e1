//! Whether a summary still carries what the user said.

use std::collections::HashMap;

use crate::orders::{Word, content, joined, words};

/// A line of a summary carries an order if it has this share of the order's words.
const ENOUGH: f64 = 0.8;
/// So many lines with a word are looked at: a word on more of them tells nothing.
const LINES: usize = 200;

/// What became of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Survival {
    Lost,
    Paraphrased,
    Repeated,
}

/// A summary in the context.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    /// The number of its holder.
    pub(super) holder: u32,
    text: String,
    lines: HashMap<String, Vec<u32>>,
    numbers: Vec<Vec<String>>,
}

impl Carrier {
    pub(super) fn of(holder: u32, text: &str) -> Self {
        let mut carrier =
            Self { holder, text: joined(text).to_lowercase(), lines: HashMap::new(), numbers: Vec::new() };
        for (number, line) in text.lines().enumerate() {
            let said = words(line);
            for word in content(&said) {
                carrier.lines.entry(word).or_default().push(number as u32);
            }
            carrier.numbers.push(numbers(&said));
        }
        carrier
    }

    /// Whether the summary contains `words`, white space aside.
    pub(super) fn repeats(&self, sentence: &str) -> bool {
        let sentence = joined(sentence).to_lowercase();
        self.text.contains(sentence.trim_end_matches(['.', '!']))
    }

    /// What the summary has left of an order.
    pub(super) fn survival(&self, order: &str) -> Survival {
        if self.repeats(order) {
            return Survival::Repeated;
        }
        let said = words(order);
        let (content, amounts) = (content(&said), numbers(&said));
        let mut found: HashMap<u32, usize> = HashMap::new();
        for word in &content {
            for line in self.lines.get(word).into_iter().flatten().take(LINES) {
                *found.entry(*line).or_default() += 1;
            }
        }
        let needed = (content.len() as f64 * ENOUGH).ceil() as usize;
        let is_told = |(line, count): (u32, usize)| {
            let of_line = self.numbers.get(line as usize);
            count >= needed.max(1)
                && of_line.is_some_and(|line| amounts.iter().all(|amount| line.contains(amount)))
        };
        if found.into_iter().any(is_told) { Survival::Paraphrased } else { Survival::Lost }
    }
}

fn numbers(said: &[Word]) -> Vec<String> {
    said.iter().filter(|word| word.is_number()).map(|word| word.text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_survives_word_for_word_or_in_other_words() {
        let summary = "## Rules\n- The user said: never push to main.\n- Answers stay below 100 words\n";
        let carrier = Carrier::of(1, summary);
        for (order, expected) in [
            ("Never push to\nmain.", Survival::Repeated),
            ("Please never ever push to main!", Survival::Lost),
            ("Don't push to main.", Survival::Paraphrased),
            ("Keep answers below 100 words.", Survival::Paraphrased),
            ("Keep answers below 50 words.", Survival::Lost),
            ("Always run the linter.", Survival::Lost),
        ] {
            assert_eq!(carrier.survival(order), expected, "{order}");
        }
    }
}
