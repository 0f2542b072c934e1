//! The estimator's knobs: how text becomes tokens. The module `estimate` applies them to a transcript.

use super::knob::knobs;
use crate::length::Unit;
use crate::words;

words! {
    /// Where fractions of a token go.
    pub enum Rounding {
        /// Down: TunaCode, `len // 4`.
        Floor "floor",
        /// To the nearest, halves up: OpenCode, `Math.round(len / 4)`.
        Nearest "nearest",
        /// Up: pi, `Math.ceil(chars / 4)`.
        Ceil "ceil",
    }

    /// What is rounded.
    pub enum Scope [non_exhaustive] {
        /// Each part by itself.
        Part "part",
        /// The characters of a whole message.
        Message "message",
    }

    /// Which parts of a tool call are counted.
    pub enum CountCalls [non_exhaustive] {
        /// Nothing: TunaCode 0.2 counts tool-call arguments as 0.
        Nothing "nothing",
        /// The arguments as compact JSON.
        Arguments "arguments",
        /// The tool's name and the arguments.
        NameAndArguments "name_and_arguments",
    }
}

knobs! {
    /// How text becomes tokens.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::policy::{Estimator, Rounding};
    /// let mut opencode = Estimator::default();
    /// opencode.rounding = Rounding::Nearest;
    /// assert_eq!(opencode.tokens_of_text(Length::of("abcdef")), 2);
    /// ```
    pub struct Estimator in estimator {
        /// The unit in which text is measured.
        unit "unit": Unit,
        /// How many of these units make one token.
        per_token "perToken": u32 [Characters, 1],
        /// How fractions are rounded.
        rounding "rounding": Rounding,
        /// Whether parts or whole messages are rounded.
        rounded "rounded": Scope,
        /// The number of characters between the texts of a message when they are joined for measuring.
        separator "separator": u32 [Characters],
        /// What of a tool call is counted.
        calls "calls": CountCalls,
        /// How many characters an image counts as, in `unit`; `null` measures its URL or base64 data like text.
        image "image": Option<u32> [Characters],
        /// Whether a part is measured in the notation of the format's own system where that is another than compact
        /// JSON: for pydantic-ai's results Python's `repr`, for pi's arguments exactly what `JSON.stringify` writes.
        native_notation "nativeNotation": bool,
        /// Whether usage that the provider reported corrects the estimate, as far as there is any.
        calibrate "calibrate": bool,
    }
}

impl Default for Estimator {
    /// Four UTF-16 units a token, each part rounded up, and an image counted as 4,800 characters (pi's 1,200
    /// tokens).
    fn default() -> Self {
        Self {
            unit: Unit::Utf16,
            per_token: 4,
            rounding: Rounding::Ceil,
            rounded: Scope::Part,
            separator: 0,
            calls: CountCalls::NameAndArguments,
            image: Some(4_800),
            native_notation: false,
            calibrate: false,
        }
    }
}
