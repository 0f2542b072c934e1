//! Where calls, results and texts are in the JSON of a message: what a repair has to know to remove, move or add one.

use crate::json::{Text, Value};

/// What an element of a message is, as far as a repair treats it differently from the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Call,
    Result,
    Text,
    Thinking,
    /// An image or file that belongs to the result before it.
    Enclosure,
}

/// An element by a type that no other format has. Whoever looks for calls and their ids in any format's messages knows it
/// by this.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnElement {
    pub(crate) kind: &'static str,
    pub(crate) element: Element,
    /// The members that lead from a call to the object with its arguments.
    pub(crate) inside: &'static [&'static str],
}

/// A list of a message that contains elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed {
    /// The members that lead from the message to the list.
    pub(crate) path: &'static [&'static str],
    pub(crate) element: fn(Value<'_>) -> Option<Element>,
    /// Whether an empty list is invalid, so that its member goes with the last element.
    pub(crate) goes_when_empty: bool,
}

/// How a format writes results.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answers {
    /// Each result is a message.
    Messages,
    /// A result is an element of a message that contains only results; the function makes such a message of it.
    Wrapped(fn(&str) -> String),
    /// A result is an element at the front of the message that follows the calls, whatever else that contains. The
    /// function makes a message of it, for calls that no such message follows.
    Front(fn(&str) -> String),
}

/// A call that needs a result because it cannot be removed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Missing<'a> {
    /// The whole message of the call.
    pub(crate) entry: Value<'a>,
    /// The id of the call, quoted.
    pub(crate) id: &'a str,
    /// The name of the tool, quoted.
    pub(crate) tool: &'a str,
    /// What the result says, quoted.
    pub(crate) text: &'a str,
}

/// What a provider restricts of a call: its id, its name, and what the tool is called with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Called<'d> {
    pub(crate) id: Option<Text<'d>>,
    pub(crate) name: Option<Text<'d>>,
    pub(crate) input: Option<Value<'d>>,
}

/// The layout of a format's messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// The members that an entry of the file may have its message in; otherwise the entry is the message.
    pub(crate) inside: &'static [&'static str],
    /// The elements that only this format has.
    pub(crate) own: &'static [OwnElement],
    /// What a message as a whole is, if it is one call or one result.
    pub(crate) whole: fn(Value<'_>) -> Option<Element>,
    /// The lists of elements; new elements are added to the first.
    pub(crate) lists: &'static [Listed],
    /// A member that is a call by itself.
    pub(crate) sole_call: Option<&'static str>,
    /// The members with an entry's id and its predecessor's, if the file is a tree.
    pub(crate) chain: Option<(&'static str, &'static str)>,
    /// Where results are; `None` if a repair neither moves nor adds any.
    pub(crate) answers: Option<Answers>,
    /// A result that says that the outcome is unknown.
    pub(crate) unknown: Option<fn(Missing<'_>) -> Option<String>>,
    /// A quoted text as an element of the first list, if texts are elements.
    pub(crate) text: Option<fn(&str) -> String>,
    /// The call that a block is, if the provider restricts how calls are written.
    pub(crate) called: fn(Value<'_>) -> Option<Called<'_>>,
    /// The result that a block is, whose content has texts.
    pub(crate) answered: fn(Value<'_>) -> Option<Value<'_>>,
}

impl Layout {
    /// Lists of elements and nothing else.
    pub(crate) const fn of(lists: &'static [Listed]) -> Self {
        Self {
            inside: &[],
            own: &[],
            whole: |_| None,
            lists,
            sole_call: None,
            chain: None,
            answers: None,
            unknown: None,
            text: None,
            called: |_| None,
            answered: |_| None,
        }
    }
}

impl Listed {
    pub(super) const fn at(path: &'static [&'static str], element: fn(Value<'_>) -> Option<Element>) -> Self {
        Self { path, element, goes_when_empty: false }
    }
}

/// An element with this `type`, among those given with what they are.
pub(super) fn by_type(element: Value<'_>, kinds: &[(&str, Element)]) -> Option<Element> {
    by_member(element, "type", kinds)
}

/// The same for another member.
pub(super) fn by_member(element: Value<'_>, member: &str, kinds: &[(&str, Element)]) -> Option<Element> {
    let name = element.text_of(member)?;
    kinds.iter().find(|(kind, _)| name.is(kind)).map(|(_, kind)| *kind)
}

/// The blocks that Anthropic, and agents that store its messages, have in a content.
pub(super) fn anthropic_block(block: Value<'_>) -> Option<Element> {
    let kinds = [
        ("text", Element::Text),
        ("thinking", Element::Thinking),
        ("redacted_thinking", Element::Thinking),
        ("tool_use", Element::Call),
        ("server_tool_use", Element::Call),
        ("mcp_tool_use", Element::Call),
        ("tool_result", Element::Result),
    ];
    let served = || block.text_of("type").filter(|name| name.decode().ends_with("_tool_result"));
    by_type(block, &kinds).or_else(|| served().map(|_| Element::Result))
}

/// The blocks of a content of which only texts matter: calls are in a list of their own.
pub(super) fn text_block(block: Value<'_>) -> Option<Element> {
    by_type(block, &[("text", Element::Text)])
}

/// Every element of a list of calls.
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every list")]
pub(super) fn call(_: Value<'_>) -> Option<Element> {
    Some(Element::Call)
}

/// A message that is a result, by its role.
pub(super) fn result_by_role(message: Value<'_>, roles: &[&str]) -> Option<Element> {
    let role = message.text_of("role")?;
    roles.iter().any(|name| role.is(name)).then_some(Element::Result)
}

/// A block of text.
pub(super) fn typed_text(text: &str) -> String {
    format!(r#"{{"type":"text","text":{text}}}"#)
}
