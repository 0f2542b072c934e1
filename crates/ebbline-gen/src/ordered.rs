//! JSON whose members stay in the order in which they were put there: a schema is read by people, too.

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// `null`
    Null,
    /// `true` or `false`
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// An object.
    Object(Vec<(String, Node)>),
}

impl From<bool> for Node {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<i64> for Node {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// An object of these members.
pub(crate) fn object<const N: usize>(members: [(&str, Node); N]) -> Node {
    Node::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A list of these values.
pub(crate) fn list<T: Into<Node>>(values: impl IntoIterator<Item = T>) -> Node {
    Node::List(values.into_iter().map(Into::into).collect())
}

impl Node {
    /// The value as text, two spaces a level.
    pub(crate) fn written(&self, indent: &str) -> String {
        let inner = format!("{indent}  ");
        let block = |open: char, lines: Vec<String>, close: char| {
            if lines.is_empty() {
                return format!("{open}{close}");
            }
            let lines = lines.iter().map(|line| format!("{inner}{line}")).collect::<Vec<_>>();
            format!("{open}\n{}\n{indent}{close}", lines.join(",\n"))
        };
        match self {
            Self::Null => "null".to_owned(),
            Self::Flag(flag) => flag.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => quoted(text),
            Self::List(values) => block('[', values.iter().map(|value| value.written(&inner)).collect(), ']'),
            Self::Object(members) => {
                let member =
                    |(name, value): &(String, Self)| format!("{}: {}", quoted(name), value.written(&inner));
                block('{', members.iter().map(member).collect(), '}')
            }
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stay_in_their_order() {
        let node = object([("b", list(["x"])), ("a", object([])), ("c", Node::Null)]);
        assert_eq!(node.written(""), "{\n  \"b\": [\n    \"x\"\n  ],\n  \"a\": {},\n  \"c\": null\n}");
    }
}
