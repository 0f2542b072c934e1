//! What a JSON value is.

/// The kinds of JSON values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`
    True,
    /// `false`
    False,
    /// A number of any size and spelling.
    Number,
    /// A string without escapes.
    Plain,
    /// A string with at least one escape.
    Escaped,
    /// `[...]`
    Array,
    /// `{...}`: its nodes alternate between keys and values.
    Object,
}
