//! Reasoning that a model writes into its answer, in front of the summary.

/// The tags that models put around their reasoning.
const TAGS: &[&str] = &["think", "thinking", "thought", "reasoning"];

/// What remains of an answer without its reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reasoning<'a> {
    /// The whole answer, because there is no reasoning in front.
    None(&'a str),
    /// The text behind the reasoning.
    Before(&'a str),
    /// Nothing: the answer ends inside the reasoning.
    Torn,
}

/// Removes blocks of reasoning from the beginning of an answer.
pub(crate) fn without_reasoning(answer: &str) -> Reasoning<'_> {
    let mut rest = answer;
    while let Some((tag, inside)) = opened(rest) {
        let Some(behind) = closed(inside, tag) else { return Reasoning::Torn };
        rest = behind.trim_start();
    }
    if rest.len() == answer.len() { Reasoning::None(answer) } else { Reasoning::Before(rest) }
}

/// The tag at the beginning of a text, and the text behind it.
fn opened(text: &str) -> Option<(&'static str, &str)> {
    let inside = text.strip_prefix('<')?;
    TAGS.iter().find_map(|tag| {
        let name = inside.get(..tag.len())?;
        let rest = inside.get(tag.len()..)?.strip_prefix('>')?;
        name.eq_ignore_ascii_case(tag).then_some((*tag, rest))
    })
}

/// The text behind the closing tag `tag`.
fn closed<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    text.match_indices("</").find_map(|(at, _)| {
        let name = text.get(at + 2..at + 2 + tag.len())?;
        let rest = text.get(at + 2 + tag.len()..)?.strip_prefix('>')?;
        name.eq_ignore_ascii_case(tag).then_some(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_begins_an_answer_is_its_reasoning() {
        for (answer, left) in [
            ("plain", Reasoning::None("plain")),
            ("<think>a</think> b", Reasoning::Before("b")),
            ("<THINK>a</think><reasoning>\nb</reasoning>\n\nc", Reasoning::Before("c")),
            ("<think>a <thinking> b</think>c", Reasoning::Before("c")),
            ("<think>a", Reasoning::Torn),
            ("<think>日本</thin", Reasoning::Torn),
            ("<thinker>a</thinker>", Reasoning::None("<thinker>a</thinker>")),
            ("a <think>b</think>", Reasoning::None("a <think>b</think>")),
            ("<", Reasoning::None("<")),
        ] {
            assert_eq!(without_reasoning(answer), left, "{answer}");
        }
    }
}
