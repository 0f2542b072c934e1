//! The five kinds of content, each with a color, a word and a name for styles; and the words for fates.

use ebbline::Fate;
use ebbline::transcript::{Message, Part, PartKind, Role};

/// The kind of a segment of the strip or of a row of the list. Thinking and calls belong to the assistant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Instructions of the application, and everything without a kind of its own.
    System,
    /// What the user wrote.
    User,
    /// What the model wrote: text, thinking, calls.
    Assistant,
    /// Results of tools.
    Tool,
    /// A summary of earlier messages.
    Summary,
}

impl Kind {
    /// All kinds; `ALL[kind as usize]` is `kind`.
    pub const ALL: [Self; 5] = [Self::System, Self::User, Self::Assistant, Self::Tool, Self::Summary];

    /// The kind with this code; [`Kind::System`] for an unknown code.
    pub fn from_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::System)
    }

    /// The kind of one part of `message`.
    pub fn of_part(message: &Message, part: &Part) -> Self {
        match part.kind {
            PartKind::Summary => Self::Summary,
            PartKind::ToolResult => Self::Tool,
            PartKind::Image | PartKind::File if part.call.is_some() => Self::Tool,
            PartKind::ToolCall | PartKind::Thinking => Self::Assistant,
            _ => Self::of_message(message),
        }
    }

    /// The kind of a message as a whole.
    pub fn of_message(message: &Message) -> Self {
        match message.role {
            _ if message.summary => Self::Summary,
            Role::User => Self::User,
            Role::Assistant => Self::Assistant,
            Role::Tool => Self::Tool,
            _ => Self::System,
        }
    }

    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool output",
            Self::Summary => "summary",
        }
    }

    /// The name in style sheets and attributes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            _ => self.word(),
        }
    }
}

/// How a message is shown: by its fate, or because it is not in the context that is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shown {
    /// It stays as it is.
    Kept,
    /// Its outputs are pruned.
    Pruned,
    /// A summary replaces it.
    Summarized,
    /// Its outputs were pruned before.
    AlreadyPruned,
    /// It is never sent.
    NotSent,
    /// An earlier summary stands for it.
    Gone,
    /// It comes after this moment.
    Later,
}

impl Shown {
    /// All of them; the first are the fates, with their codes.
    pub const ALL: [Self; 7] = [
        Self::Kept,
        Self::Pruned,
        Self::Summarized,
        Self::AlreadyPruned,
        Self::NotSent,
        Self::Gone,
        Self::Later,
    ];

    /// The one with this code; [`Shown::Kept`] for an unknown code.
    pub fn from_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Kept)
    }

    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Pruned => "pruned",
            Self::Summarized => "summarized",
            Self::AlreadyPruned => "pruned before",
            Self::NotSent => "not sent",
            Self::Gone => "summarized before",
            Self::Later => "later",
        }
    }

    /// The name in style sheets and attributes.
    pub fn name(self) -> &'static str {
        match self {
            Self::AlreadyPruned => "already",
            Self::NotSent => "inactive",
            Self::Gone => "gone",
            other => other.word(),
        }
    }

    /// Whether it is in the context that is planned.
    pub fn is_in_context(self) -> bool {
        !matches!(self, Self::NotSent | Self::Gone | Self::Later)
    }
}

/// The fate with this code; [`Fate::Kept`] for an unknown code.
pub fn fate_from_code(code: u8) -> Fate {
    Fate::ALL.get(usize::from(code)).copied().unwrap_or(Fate::Kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::Reason;

    #[test]
    fn codes_are_inverted() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_code(kind as u8), kind);
        }
        for fate in Fate::ALL {
            assert_eq!(fate_from_code(*fate as u8), *fate);
        }
        let fates = ["kept", "pruned", "summarized", "already_pruned", "inactive"];
        assert_eq!(
            Fate::ALL.iter().map(|fate| fate.as_str()).collect::<Vec<_>>(),
            fates,
            "the order of `Shown`"
        );
        for shown in Shown::ALL {
            assert_eq!(Shown::from_code(shown as u8), shown);
        }
        for (index, reason) in Reason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, index);
        }
    }
}
