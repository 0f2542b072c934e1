//! Calls and tools by number: parts are compared and stored without their ids and names.

use super::{Tool, Transcript};
use crate::length::Length;
use crate::marks::Reference;

impl Transcript {
    /// The number of the call `id`. The same id always gives the same number.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// assert_eq!((transcript.call("c1"), transcript.call("c2"), transcript.call("c1")), (0, 1, 0));
    /// ```
    pub fn call(&mut self, id: &str) -> u32 {
        if let Some(index) = self.call_index.get(id) {
            return *index;
        }
        let index = self.calls;
        self.calls += 1;
        self.call_index.insert(id.to_owned(), index);
        index
    }

    /// The id of the call with this number. `None` when the session has no id for the call, and in a transcript
    /// that was made from records.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let call = transcript.call("c1");
    /// assert_eq!(transcript.call_id(call), Some("c1"));
    /// ```
    #[must_use]
    pub fn call_id(&self, call: u32) -> Option<&str> {
        let added = self.added.iter().rfind(|(first, _)| *first <= call);
        let (first, index) = added.map_or((0, &self.call_index), |(first, index)| (*first, index));
        let id = index.iter().find(|(_, number)| **number == call - first).map(|(id, _)| id.as_str());
        // Keys that are not ids of the session begin with a character that no id contains.
        id.filter(|id| !id.starts_with('\0') && !self.is_paired_by_place(call))
    }

    /// The number of the call that the session calls `id`.
    pub(crate) fn known_call(&self, id: &str) -> Option<u32> {
        let call = *self.call_index.get(id)?;
        (!id.starts_with('\0') && !self.is_paired_by_place(call)).then_some(call)
    }

    /// The number of the call whose pruned output ends in the reference with these letters.
    pub(crate) fn referred_call(&self, letters: &str) -> Option<u32> {
        let wanted = Reference::of_letters(letters)?;
        self.call_index
            .keys()
            .find(|id| wanted.is_variant_of(Reference::to_call(id)))
            .and_then(|id| self.known_call(id))
    }

    /// Records that the session has no id for `call`: only their order pairs the call with its result.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let call = transcript.call("the first call of read");
    /// transcript.pair_by_place(call);
    /// assert_eq!(transcript.call_id(call), None);
    /// ```
    pub fn pair_by_place(&mut self, call: u32) {
        self.paired_by_place.insert(call);
    }

    /// Whether the session has no id for `call`.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let call = transcript.call("c1");
    /// assert!(!transcript.is_paired_by_place(call));
    /// ```
    #[must_use]
    pub fn is_paired_by_place(&self, call: u32) -> bool {
        self.paired_by_place.contains(&call)
    }

    /// The number of the tool `name`.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// assert_eq!((transcript.tool("read"), transcript.tool("bash"), transcript.tool("read")), (0, 1, 0));
    /// ```
    pub fn tool(&mut self, name: &str) -> u32 {
        if let Some(index) = self.tool_index.get(name) {
            return *index;
        }
        let index = self.tools.len() as u32;
        self.tools.push(Tool { name: name.to_owned(), length: Length::of(name) });
        self.tool_index.insert(name.to_owned(), index);
        index
    }

    /// The name of a tool.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let tool = transcript.tool("read");
    /// assert_eq!(transcript.tool_name(tool), Some("read"));
    /// ```
    #[must_use]
    pub fn tool_name(&self, tool: u32) -> Option<&str> {
        self.tools.get(tool as usize).map(|tool| tool.name.as_str())
    }

    /// The length of a tool's name.
    ///
    /// # Example
    ///
    /// ```
    /// let mut transcript = ebbline::Transcript::default();
    /// let tool = transcript.tool("read");
    /// assert_eq!(transcript.tool_name_length(tool).utf16, 4);
    /// ```
    #[must_use]
    pub fn tool_name_length(&self, tool: u32) -> Length {
        self.tools.get(tool as usize).map(|tool| tool.length).unwrap_or_default()
    }
}
