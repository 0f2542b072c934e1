//! The cost of a part: turns lengths into tokens, as each system does.

use crate::length::Length;
use crate::policy::{CountCalls, Estimator, Rounding, Scope};
use crate::transcript::{Part, PartKind, Transcript};

/// The number of characters that a part adds to its message, and the number of texts that they come from.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weight {
    characters: u64,
    pieces: u64,
}

impl Estimator {
    /// The tokens of a single text.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::policy::Estimator;
    /// assert_eq!(Estimator::default().tokens_of_text(Length::of("abcdef")), 2);
    /// ```
    #[must_use]
    pub fn tokens_of_text(&self, length: Length) -> u64 {
        self.round(u64::from(length.in_unit(self.unit)))
    }

    /// The tokens of each part of message `index`, in order. Their sum is the cost of the message.
    ///
    /// If the estimator rounds whole messages, a part's tokens are what it adds to the rounded total of the parts
    /// before it. So the parts always add up to the message.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::policy::Estimator;
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!(Estimator::default().parts(session.transcript(), 0), [2]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn parts(&self, transcript: &Transcript, index: usize) -> Vec<u64> {
        let weights = transcript.parts_of(index).iter().map(|part| self.weigh(transcript, part));
        self.spread(weights)
    }

    /// The tokens of message `index`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::policy::Estimator;
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// assert_eq!(Estimator::default().message(session.transcript(), 0), 2);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn message(&self, transcript: &Transcript, index: usize) -> u64 {
        self.parts(transcript, index).into_iter().sum()
    }

    pub(crate) fn spread(&self, weights: impl Iterator<Item = Weight>) -> Vec<u64> {
        let mut tokens = Vec::new();
        self.spread_into(weights, &mut tokens);
        tokens
    }

    /// Appends the tokens of each weight to `tokens`.
    pub(crate) fn spread_into(&self, weights: impl Iterator<Item = Weight>, tokens: &mut Vec<u64>) {
        let (mut characters, mut pieces, mut counted) = (0_u64, 0_u64, 0_u64);
        tokens.extend(weights.map(|weight| match self.rounded {
            Scope::Part => self.alone(weight),
            Scope::Message => {
                characters += weight.characters;
                pieces += weight.pieces;
                let total = self.round(characters + self.between(pieces));
                let added = total.saturating_sub(counted);
                counted = counted.max(total);
                added
            }
        }));
    }

    /// The tokens of a single weight, independent of the parts beside it.
    pub(crate) fn alone(&self, weight: Weight) -> u64 {
        self.round(weight.characters + self.between(weight.pieces))
    }

    pub(crate) fn weigh(&self, transcript: &Transcript, part: &Part) -> Weight {
        let length = match part.native {
            Some(native) if self.native_notation => u64::from(native.get()),
            _ => u64::from(part.length.in_unit(self.unit)),
        };
        let characters = match part.kind {
            PartKind::ToolCall => match (self.calls, part.tool) {
                (CountCalls::Nothing, _) => return Weight::default(),
                (CountCalls::NameAndArguments, Some(tool)) => {
                    length + u64::from(transcript.tool_name_length(tool).in_unit(self.unit))
                }
                _ => length,
            },
            PartKind::Image => self.image.map_or(length, u64::from),
            _ => length,
        };
        Weight { characters, pieces: u64::from(part.pieces) }
    }

    /// The weight of a text of `length` that replaces a part.
    pub(crate) fn weigh_text(&self, length: Length) -> Weight {
        Weight { characters: u64::from(length.in_unit(self.unit)), pieces: 1 }
    }

    fn between(&self, pieces: u64) -> u64 {
        pieces.saturating_sub(1) * u64::from(self.separator)
    }

    fn round(&self, characters: u64) -> u64 {
        let per_token = u64::from(self.per_token.max(1));
        match self.rounding {
            Rounding::Floor => characters / per_token,
            Rounding::Nearest => (characters + per_token / 2) / per_token,
            Rounding::Ceil => characters.div_ceil(per_token),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Unit;
    use crate::transcript::Message;

    fn message(parts: &[Part]) -> Transcript {
        let mut transcript = Transcript::default();
        transcript.begin(Message::person());
        for part in parts {
            transcript.push(*part);
        }
        transcript
    }

    fn text(characters: usize) -> Part {
        Part::new(PartKind::Text, Length::ascii(characters))
    }

    #[test]
    fn each_rounding_differs_at_its_edge() {
        let of = |rounding, characters| {
            Estimator { rounding, ..Estimator::default() }.tokens_of_text(Length::ascii(characters))
        };
        let table = [0, 1, 2, 3, 4, 5, 6, 7].map(|characters| {
            (
                of(Rounding::Floor, characters),
                of(Rounding::Nearest, characters),
                of(Rounding::Ceil, characters),
            )
        });
        assert_eq!(
            table,
            [(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 1), (1, 1, 1), (1, 1, 2), (1, 2, 2), (1, 2, 2)]
        );
    }

    #[test]
    fn a_message_scope_joins_texts_and_the_parts_still_add_up() {
        let estimator = Estimator {
            rounding: Rounding::Floor,
            rounded: Scope::Message,
            separator: 1,
            calls: CountCalls::Nothing,
            image: None,
            ..Estimator::default()
        };
        let call = Part::new(PartKind::ToolCall, Length::ascii(4_000));
        let transcript =
            message(&[text(4), call, text(3), Part { pieces: 0, ..text(0) }, Part { pieces: 3, ..text(0) }]);
        // "aaaa bbb" is 8; three empty texts add three separators.
        assert_eq!(estimator.parts(&transcript, 0), [1, 0, 1, 0, 0]);
        assert_eq!(estimator.message(&transcript, 0), 2);
    }

    #[test]
    fn images_count_a_fixed_size_or_their_data() {
        let image = Part::new(PartKind::Image, Length::ascii(100_000));
        let transcript = message(&[image]);
        assert_eq!(Estimator::default().message(&transcript, 0), 1_200);
        let as_text = Estimator { image: None, ..Estimator::default() };
        assert_eq!(as_text.message(&transcript, 0), 25_000);
    }

    #[test]
    fn kinds_of_characters_cost_differently() {
        let estimator = Estimator {
            unit: Unit::Classes,
            per_token: crate::length::classes::TOKEN,
            ..Estimator::default()
        };
        let of = |text| estimator.tokens_of_text(Length::of(text));
        let prose = "the outputs of old tool calls are cleared";
        let data = "{\"id\":4817,\"load\":[0.73,0.12],\"ok\":true}";
        assert_eq!((prose.len(), data.len()), (41, 40));
        assert_eq!((of(prose), of(data)), (9, 20), "o200k_base: 8 and 20");
    }

    #[test]
    fn nothing_overflows() {
        let huge = Part::new(
            PartKind::Text,
            Length {
                utf16: u32::MAX,
                code_points: u32::MAX,
                bytes: u32::MAX,
                classed: u32::MAX,
                classed_json: u32::MAX,
            },
        );
        let transcript = message(&[huge; 4]);
        let bytes = Estimator { unit: Unit::Bytes, per_token: 0, ..Estimator::default() };
        assert_eq!(bytes.message(&transcript, 0), 4 * u64::from(u32::MAX));
    }
}
