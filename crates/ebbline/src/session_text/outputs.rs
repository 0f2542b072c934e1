//! The outputs of calls by their ids, with what the file still has of those that were pruned.

use std::borrow::Cow;
use std::ops::Range;

use super::SessionText;
use crate::transcript::{Output, PartKind};

/// The output of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallOutput<'s> {
    /// Its text.
    pub text: Cow<'s, str>,
    /// Whether the text is the output, and not what was left of it when it was pruned.
    pub is_whole: bool,
}

impl SessionText<'_> {
    /// The output of the call with this id, or with the reference that stands in place of its pruned output (`kpbmgken` of
    /// `[ref kpbmgken]`); `None` if no result answers it. Where the file keeps the text of an output
    /// that was pruned, that text is given. Of several results the newest whole one is given.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::SessionText;
    /// let text = r#"[{"role":"user","content":"list"},{"role":"assistant","content":null,"tool_calls":[
    ///  {"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}}]},
    ///  {"role":"tool","tool_call_id":"c1","content":"Cargo.toml"}]"#;
    /// let session = SessionText::read(text)?;
    /// let output = session.output_of_call("c1").unwrap();
    /// assert_eq!((output.text.as_ref(), output.is_whole), ("Cargo.toml", true));
    /// assert_eq!(session.output_of_call("c2"), None);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn output_of_call(&self, id: &str) -> Option<CallOutput<'_>> {
        self.output_among(id, 0..self.transcript().parts().len())
    }

    /// The same for an output that stands in one message: several calls may have the same id.
    pub(crate) fn output_in(&self, id: &str, message: usize) -> Option<CallOutput<'_>> {
        self.output_among(id, self.transcript().part_range(message))
    }

    fn output_among(&self, id: &str, places: Range<usize>) -> Option<CallOutput<'_>> {
        let transcript = self.transcript();
        let number = transcript.known_call(id).or_else(|| transcript.referred_call(id))?;
        let parts = transcript.parts().iter().enumerate().filter(|(index, _)| places.contains(index));
        let results =
            parts.filter(|(_, part)| part.kind == PartKind::ToolResult && part.call == Some(number));
        let outputs: Vec<_> = results
            .map(|(index, part)| {
                let kept = self.reading.text_before_pruning(self.source(), index);
                let is_pruned = part.output == Output::Pruned || part.output.says_placeholder();
                match kept.filter(|_| is_pruned) {
                    Some(text) => CallOutput { text, is_whole: true },
                    None => CallOutput { text: self.text_of(index), is_whole: !is_pruned },
                }
            })
            .collect();
        let newest = outputs.iter().rposition(|output| output.is_whole).or(outputs.len().checked_sub(1))?;
        outputs.into_iter().nth(newest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_found_by_its_id_and_by_its_reference() {
        let text = r#"[{"role":"user","content":"list"},{"role":"assistant","content":null,"tool_calls":[
            {"id":"c1","type":"function","function":{"name":"ls","arguments":"{}"}},
            {"id":"kpbmgken","type":"function","function":{"name":"pwd","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"c1","content":"Cargo.toml"},
            {"role":"tool","tool_call_id":"kpbmgken","content":"/tmp"}]"#;
        let session = SessionText::read(text).unwrap();
        let reference = crate::marks::Reference::to_call("c1").to_string();
        let letters = reference.trim_start_matches(" [ref ").trim_end_matches(']');
        for (id, output) in [
            ("c1", Some("Cargo.toml")),
            (letters, Some("Cargo.toml")),
            // An id that looks like a reference is an id.
            ("kpbmgken", Some("/tmp")),
            ("aaaaaaaa", None),
            ("", None),
        ] {
            let found = session.output_of_call(id).map(|output| output.text);
            assert_eq!(found.as_deref(), output, "{id}");
        }
    }
}
