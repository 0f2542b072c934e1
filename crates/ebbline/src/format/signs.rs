//! Signs: the traits by which formats are recognized.
//!
//! Each format lists its signs in its entry of the table. Detection tries the signs of all formats, the most specific
//! one first: if two formats share a trait, the order decides.

use crate::json::{Text, Value};

/// How many elements of a list, or lines of a log, detection examines.
pub(super) const LOOKED_AT: usize = 400;

/// One sign of one format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sign {
    /// Among signs of the same kind, the one with the lowest rank is tried first.
    pub(super) rank: u16,
    pub(super) shows: Shows,
}

/// Where a sign appears, and its test.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shows {
    /// In the members of a JSON document. The function returns the evidence in words.
    Document(fn(Value<'_>) -> Option<String>),
    /// In a list of messages inside a document, if the list is of this format.
    ListIn {
        /// The place of the list, in words.
        place: &'static str,
        list: for<'d> fn(Value<'d>) -> Option<Value<'d>>,
    },
    /// In the object around a list of messages that could be of several formats.
    Envelope { words: &'static str, test: fn(Value<'_>) -> bool },
    /// In the lines of JSON Lines. The function returns the evidence in words.
    Log(fn(&Log<'_>) -> Option<String>),
    /// In one line, which shows that the lines are a list of messages.
    RowOfList(fn(Value<'_>) -> bool),
    /// In every line, each of which can be a message of a list.
    LineOfList(fn(Value<'_>) -> bool),
    /// In a list of messages. A sign shared by several formats is not certain.
    List { words: &'static str, is_certain: bool, test: fn(&List<'_>) -> bool },
    /// In one of a file's conversations: the object that contains it.
    Conversation(fn(Value<'_>) -> bool),
    /// In the chunks of a provider's stream, which is not a session.
    Stream(Stream),
}

/// The sign of a provider's stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    /// The name of the stream.
    pub(super) name: &'static str,
    /// The kind of a chunk, if it belongs to this stream.
    pub(super) kind: fn(Value<'_>) -> Option<String>,
    /// Whether each chunk has the shape of a whole answer.
    pub(super) is_answer: bool,
}

impl Sign {
    pub(super) const fn document(rank: u16, evidence: fn(Value<'_>) -> Option<String>) -> Self {
        Self { rank, shows: Shows::Document(evidence) }
    }

    pub(super) const fn list_in(
        rank: u16,
        place: &'static str,
        list: for<'d> fn(Value<'d>) -> Option<Value<'d>>,
    ) -> Self {
        Self { rank, shows: Shows::ListIn { place, list } }
    }

    pub(super) const fn envelope(rank: u16, words: &'static str, test: fn(Value<'_>) -> bool) -> Self {
        Self { rank, shows: Shows::Envelope { words, test } }
    }

    pub(super) const fn log(rank: u16, evidence: fn(&Log<'_>) -> Option<String>) -> Self {
        Self { rank, shows: Shows::Log(evidence) }
    }

    pub(super) const fn row_of_list(rank: u16, test: fn(Value<'_>) -> bool) -> Self {
        Self { rank, shows: Shows::RowOfList(test) }
    }

    pub(super) const fn line_of_list(rank: u16, test: fn(Value<'_>) -> bool) -> Self {
        Self { rank, shows: Shows::LineOfList(test) }
    }

    pub(super) const fn list(rank: u16, words: &'static str, test: fn(&List<'_>) -> bool) -> Self {
        Self { rank, shows: Shows::List { words, is_certain: true, test } }
    }

    /// A sign that other formats may show too.
    pub(super) const fn shared_list(rank: u16, words: &'static str, test: fn(&List<'_>) -> bool) -> Self {
        Self { rank, shows: Shows::List { words, is_certain: false, test } }
    }

    pub(super) const fn conversation(rank: u16, test: fn(Value<'_>) -> bool) -> Self {
        Self { rank, shows: Shows::Conversation(test) }
    }

    pub(super) const fn stream(rank: u16, stream: Stream) -> Self {
        Self { rank, shows: Shows::Stream(stream) }
    }

    /// The sign's position among all signs, which must be unique.
    pub(super) const fn order(self) -> u32 {
        let kind: u32 = match self.shows {
            Shows::Document(_) | Shows::ListIn { .. } => 0,
            Shows::Envelope { .. } => 1,
            Shows::Log(_) => 2,
            Shows::RowOfList(_) => 3,
            Shows::LineOfList(_) => 4,
            Shows::List { .. } => 5,
            Shows::Conversation(_) => 6,
            Shows::Stream(_) => 7,
        };
        (kind << 16) | self.rank as u32
    }
}

/// The first messages of a list.
#[derive(Debug)]
pub(super) struct List<'d> {
    pub(super) messages: Vec<Value<'d>>,
}

impl<'d> List<'d> {
    pub(super) fn any(&self, test: impl Fn(Value<'d>) -> bool) -> bool {
        self.messages.iter().any(|message| test(*message))
    }

    pub(super) fn all(&self, test: impl Fn(Value<'d>) -> bool) -> bool {
        self.messages.iter().all(|message| test(*message))
    }

    /// Whether a message has one of these roles.
    pub(super) fn role(&self, names: &[&str]) -> bool {
        self.any(|message| names.iter().any(|name| is(message, "role", name)))
    }

    /// Whether a message's own type is one of these.
    pub(super) fn kind(&self, names: &[&str]) -> bool {
        self.any(|message| names.iter().any(|name| is(message, "type", name)))
    }

    /// Whether a block of a message's content is of one of these types.
    pub(super) fn block(&self, names: &[&str]) -> bool {
        self.any(|message| {
            message.elements_of("content").any(|block| names.iter().any(|name| is(block, "type", name)))
        })
    }

    /// Whether a block of this type has this member.
    pub(super) fn block_with(&self, name: &str, key: &str) -> bool {
        self.any(|message| {
            message.elements_of("content").any(|block| is(block, "type", name) && has(block, &[key]))
        })
    }

    /// Whether a message has all of these members.
    pub(super) fn with(&self, keys: &[&str]) -> bool {
        self.any(|message| has(message, keys))
    }
}

/// The values of JSON Lines.
#[derive(Debug)]
pub(super) struct Log<'d> {
    pub(super) first: Value<'d>,
    pub(super) lines: Vec<Value<'d>>,
}

impl<'d> Log<'d> {
    /// The lines that detection examines.
    pub(super) fn head(&self) -> impl Iterator<Item = Value<'d>> {
        self.lines.iter().copied().take(LOOKED_AT)
    }

    /// How many of the lines pass a test.
    pub(super) fn count(&self, test: impl Fn(Value<'d>) -> bool) -> usize {
        self.lines.iter().filter(|line| test(**line)).count()
    }

    /// How many lines there are.
    pub(super) fn total(&self) -> usize {
        self.lines.len()
    }
}

/// Whether an object has all of these members.
pub(super) fn has(value: Value<'_>, keys: &[&str]) -> bool {
    keys.iter().all(|key| value.get(key).is_some())
}

/// Whether the member `key` equals this text.
pub(super) fn is(value: Value<'_>, key: &str, text: &str) -> bool {
    value.text_of(key).is_some_and(|found| found.is(text))
}

/// How many elements the member `key` has.
pub(super) fn count_of(value: Value<'_>, key: &str) -> usize {
    value.elements_of(key).count()
}

/// The value's own type, if it states one.
pub(super) fn type_of(value: Value<'_>) -> Option<String> {
    value.text_of("type").map(Text::decode).map(std::borrow::Cow::into_owned)
}
