//! The blocks of a message's content, as validated by the models of tiny-agent-os 1.2.29.

use super::member::{required, texts};
use crate::json::{Text, Value};

/// What a block of a message's content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockKind {
    /// `text`
    Text,
    /// `image`
    Image,
    /// `thinking`
    Thinking,
    /// `tool_call`
    ToolCall,
}

impl BlockKind {
    /// What a user message or tool result may contain, in the order of validation.
    pub const OF_INPUT: &[Self] = &[Self::Text, Self::Image];
    /// What an assistant message may contain.
    pub const OF_ASSISTANT: &[Self] = &[Self::Text, Self::Thinking, Self::ToolCall];

    /// What a message of `role` may contain; empty for a role without a model.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::format::tinyagent::BlockKind;
    /// let message = ebbline::json::Document::parse(r#"{"role": "user"}"#)?;
    /// assert_eq!(BlockKind::of_role(message.root().text_of("role")), BlockKind::OF_INPUT);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of_role(role: Option<Text<'_>>) -> &'static [Self] {
        match role.map(Text::decode).as_deref() {
            Some("user" | "tool_result") => Self::OF_INPUT,
            Some("assistant") => Self::OF_ASSISTANT,
            _ => &[],
        }
    }

    /// The kind with this name.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::format::tinyagent::BlockKind;
    /// let block = ebbline::json::Document::parse(r#"{"type": "tool_call"}"#)?;
    /// assert_eq!(block.root().text_of("type").and_then(BlockKind::named), Some(BlockKind::ToolCall));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn named(name: Text<'_>) -> Option<Self> {
        [Self::Text, Self::Image, Self::Thinking, Self::ToolCall]
            .into_iter()
            .find(|kind| name.is(kind.name()))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Image => "image",
            Self::Thinking => "thinking",
            Self::ToolCall => "tool_call",
        }
    }

    /// The members that must be texts.
    fn text_members(self) -> &'static [&'static str] {
        match self {
            Self::Text => &["text", "text_signature"],
            Self::Image => &["url", "mime_type"],
            Self::Thinking => &["thinking", "thinking_signature"],
            Self::ToolCall => &["id", "name", "partial_json"],
        }
    }

    /// Why `block` is not of this kind.
    fn refusal(self, block: Value<'_>) -> Option<String> {
        let other = block.get("type").filter(|kind| !kind.text().is_some_and(|kind| kind.is(self.name())));
        if other.is_some() {
            return Some(format!("type must be {}", self.name()));
        }
        texts(block, self.text_members()).or_else(|| match self {
            Self::Text | Self::Thinking => {
                let control = block.present("cache_control")?;
                if control.is_object() {
                    texts(control, &["type"]).map(|why| format!("cache_control.{why}"))
                } else {
                    Some("cache_control must be an object".to_owned())
                }
            }
            Self::ToolCall => required(block, "arguments", |value| value.is_object(), "an object"),
            Self::Image => None,
        })
    }

    /// How many of the kind's members `block` has.
    fn members_in(self, block: Value<'_>) -> usize {
        let own = self.text_members().iter().chain(match self {
            Self::Text | Self::Thinking => &["type", "cache_control"][..],
            Self::ToolCall => &["type", "arguments"][..],
            Self::Image => &["type"][..],
        });
        let control = block.get("cache_control").filter(|_| matches!(self, Self::Text | Self::Thinking));
        own.filter(|member| block.get(member).is_some()).count()
            + usize::from(control.is_some_and(|control| control.get("type").is_some()))
    }
}

/// The kind of `block` among the `allowed` kinds; `None` if it is none of them.
///
/// A block may omit its type. Among the kinds that fit, the one with the most members in common wins, and the first
/// of equals (pydantic's smart mode).
///
/// # Example
///
/// ```
/// use ebbline::format::tinyagent::{BlockKind, block_kind};
/// let block = ebbline::json::Document::parse(r#"{"url": "https://example.org/a.png"}"#)?;
/// assert_eq!(block_kind(block.root(), BlockKind::OF_INPUT), Some(BlockKind::Image));
/// # Ok::<(), ebbline::Error>(())
/// ```
#[must_use]
pub fn block_kind(block: Value<'_>, allowed: &[BlockKind]) -> Option<BlockKind> {
    let fitting = allowed.iter().copied().filter(|kind| block.is_object() && kind.refusal(block).is_none());
    fitting.rev().max_by_key(|kind| kind.members_in(block))
}

/// Why `block` is none of the `allowed` kinds, beginning with a dot or a space; `None` if it is one.
pub(super) fn block_refusal(block: Value<'_>, allowed: &[BlockKind]) -> Option<String> {
    if !block.is_object() {
        return Some(" must be an object".to_owned());
    }
    if block_kind(block, allowed).is_some() {
        return None;
    }
    let own = block.text_of("type").and_then(BlockKind::named).filter(|kind| allowed.contains(kind));
    let why = match (own, block.get("type")) {
        (Some(kind), _) => kind.refusal(block).unwrap_or_default(),
        (None, Some(_)) => {
            let names: Vec<_> = allowed.iter().map(|kind| kind.name()).collect();
            format!("type is none of {}", names.join(", "))
        }
        (None, None) => allowed.iter().find_map(|kind| kind.refusal(block)).unwrap_or_default(),
    };
    Some(format!(".{why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    #[test]
    fn a_block_without_a_type_is_what_it_resembles_most() {
        use BlockKind::{Image, Text, Thinking, ToolCall};
        // Compared with the models themselves.
        let input = [
            ("{}", Some(Text)),
            (r#"{"url":"u"}"#, Some(Image)),
            (r#"{"url":"u","text":"x"}"#, Some(Text)),
            (r#"{"mime_type":"a","url":"u","text":"x"}"#, Some(Image)),
            (r#"{"cache_control":{"type":"e"},"url":"u","mime_type":"b"}"#, Some(Text)),
            (r#"{"type":"image","text":"x"}"#, Some(Image)),
            (r#"{"type":null,"text":"x"}"#, None),
            (r#"{"type":"text","text":5}"#, None),
        ];
        let assistant = [
            (r#"{"name":"f"}"#, Some(ToolCall)),
            (r#"{"arguments":{}}"#, Some(ToolCall)),
            (r#"{"id":"1","text":"x"}"#, Some(Text)),
            (r#"{"id":"1","name":"n","text":"x"}"#, Some(ToolCall)),
            (r#"{"text":5,"thinking":"x"}"#, Some(Thinking)),
            (r#"{"type":"image"}"#, None),
        ];
        for (json, kind) in input {
            assert_eq!(
                block_kind(Document::parse(json).unwrap().root(), BlockKind::OF_INPUT),
                kind,
                "{json}"
            );
        }
        for (json, kind) in assistant {
            let document = Document::parse(json).unwrap();
            assert_eq!(block_kind(document.root(), BlockKind::OF_ASSISTANT), kind, "{json}");
        }
    }
}
