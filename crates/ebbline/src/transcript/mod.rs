//! The engine's view of a session: messages, parts, their lengths, and which result answers which call. It holds
//! no text.

mod change;
mod message;
mod numbering;
mod part;

use std::collections::{HashMap, HashSet};

use crate::growth;
use crate::length::Length;
use crate::origin::Origin;

pub use message::{Message, Role, Turn};
pub use part::{Output, Part, PartKind};

/// The largest value of [`Message::kept`]. A record stores it in 18 bits, together with the value for "not
/// known".
pub(crate) const MOST_KEPT: u32 = (1 << 18) - 2;

/// The range of parts that belong to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    first: u32,
    count: u32,
}

/// Messages, parts and lengths: what a plan is made from. It holds no text.
///
/// # Example
///
/// ```
/// use ebbline::length::Length;
/// use ebbline::transcript::{Message, Part, PartKind};
/// use ebbline::Transcript;
/// let mut transcript = Transcript::default();
/// transcript.begin(Message::person());
/// transcript.push(Part::new(PartKind::Text, Length::of("fix the login test")));
/// assert_eq!(transcript.messages().len(), 1);
/// assert_eq!(transcript.parts_of(0)[0].length.utf16, 18);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    messages: Vec<Message>,
    of_message: Vec<Parts>,
    parts: Vec<Part>,
    tools: Vec<Tool>,
    tool_index: HashMap<String, u32>,
    call_index: HashMap<String, u32>,
    /// One entry for each appended conversation: the number of its first call, and the index of its calls. Ids
    /// repeat between conversations, so each has its own index.
    added: Vec<(u32, HashMap<String, u32>)>,
    paired_by_place: HashSet<u32>,
    /// How many calls have been numbered.
    calls: u32,
    /// What it was read from, until it is changed.
    origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Tool {
    name: String,
    length: Length,
}

impl Transcript {
    /// An empty transcript that numbers tools as `other` does.
    pub(crate) fn with_tools_of(other: &Self) -> Self {
        Self { tools: other.tools.clone(), tool_index: other.tool_index.clone(), ..Self::default() }
    }

    /// Reserves room for `messages` messages with one part each.
    pub(crate) fn reserve(&mut self, messages: usize) {
        self.messages.reserve_exact(messages);
        self.of_message.reserve_exact(messages);
        self.parts.reserve_exact(messages);
    }

    /// Reserves room for `more` messages and parts. A full list doubles its capacity, so that a session that
    /// keeps growing is rarely moved; a session that is read once takes no more memory than it needs.
    pub(crate) fn make_room(&mut self, more: usize) {
        fn double<T>(list: &mut Vec<T>, more: usize) {
            if list.capacity() - list.len() < more {
                list.reserve(list.len().max(more));
            }
        }
        double(&mut self.messages, more);
        double(&mut self.of_message, more);
        double(&mut self.parts, more);
    }

    /// Begins a message. Parts pushed from now on belong to it.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// transcript.begin(Message::person());
    /// assert_eq!(transcript.messages().len(), 2);
    /// ```
    pub fn begin(&mut self, message: Message) {
        self.origin = Origin::default();
        growth::push(&mut self.messages, message);
        growth::push(&mut self.of_message, Parts { first: self.parts.len() as u32, count: 0 });
    }

    /// Adds a part to the newest message and returns the part's index. If there is no message yet, this begins
    /// one.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(transcript.push(Part::new(PartKind::Image, Length::ascii(400))), 1);
    /// ```
    pub fn push(&mut self, part: Part) -> usize {
        self.origin = Origin::default();
        if self.messages.is_empty() {
            self.begin(Message::new(Role::Other));
        }
        if let Some(parts) = self.of_message.last_mut() {
            parts.count += 1;
        }
        growth::push(&mut self.parts, part);
        self.parts.len() - 1
    }

    /// What it was read from; nothing once it has been changed.
    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// Says what it was read from, once it is whole.
    pub(crate) fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// All messages. The active ones are in the order in which the agent would send them.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert!(transcript.messages()[0].active);
    /// ```
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// All parts, in reading order.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(transcript.parts()[0].kind, PartKind::Text);
    /// ```
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The parts of message `index`; empty when there is no such message.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!((transcript.parts_of(0).len(), transcript.parts_of(1).len()), (1, 0));
    /// ```
    #[must_use]
    pub fn parts_of(&self, index: usize) -> &[Part] {
        self.parts.get(self.part_range(index)).unwrap_or_default()
    }

    /// The range in [`Transcript::parts`] that holds the parts of message `index`.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Transcript;
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind};
    /// let mut transcript = Transcript::default();
    /// transcript.begin(Message::person());
    /// transcript.push(Part::new(PartKind::Text, Length::of("hello")));
    /// assert_eq!(transcript.part_range(0), 0..1);
    /// ```
    #[must_use]
    pub fn part_range(&self, index: usize) -> std::ops::Range<usize> {
        self.of_message.get(index).map_or(0..0, |parts| {
            let first = parts.first as usize;
            first..first + parts.count as usize
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_belong_to_the_message_begun_last_wherever_it_is_moved() {
        let mut transcript = Transcript::default();
        for size in [1, 2, 3] {
            transcript.begin(Message::person());
            for _ in 0..size {
                transcript.push(Part::new(PartKind::Text, Length::ascii(size)));
            }
        }
        transcript.reorder(&[2, 0, 1]);
        let counts: Vec<_> = (0..3).map(|index| transcript.parts_of(index).len()).collect();
        assert_eq!(counts, [3, 1, 2]);
        assert_eq!(transcript.parts_of(0)[0].length.utf16, 3);
        assert_eq!(transcript.part_range(1), 0..1);
        assert!(transcript.parts_of(9).is_empty());
    }

    #[test]
    fn names_and_ids_are_kept_once() {
        let mut transcript = Transcript::default();
        assert_eq!((transcript.tool("bash"), transcript.tool("read"), transcript.tool("bash")), (0, 1, 0));
        assert_eq!((transcript.call("c1"), transcript.call("c2"), transcript.call("c1")), (0, 1, 0));
        assert_eq!(transcript.tool_name(1), Some("read"));
        assert_eq!(transcript.tool_name(7), None);
    }
}
