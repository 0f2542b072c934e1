//! Facts that a message list shows and a transcript does not hold, but for which a provider may refuse the list.

use super::Checks;
use crate::format::{Called, Layout};
use crate::json::{Document, Text, Value};
use crate::rules::Rule;
use crate::session_text::SessionText;

/// How many blocks of a request may ask for caching (Anthropic; Bedrock, for each of its models that caches).
const MOST_CACHE_MARKS: usize = 4;

/// Facts about a list that its transcript does not hold. Empty when nobody has examined the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// The messages that have an empty list of calls: `"tool_calls": []`.
    pub empty_calls: Vec<usize>,
    /// For each block that asks for caching, its message, in order.
    pub cache_marks: Vec<usize>,
    /// For each text of white space alone, and each empty text in a result, its message.
    pub blank_texts: Vec<usize>,
    /// For each call whose id, name or input providers refuse, its message and the rule.
    pub calls: Vec<(usize, Rule)>,
    /// The number of tools that ask for caching. Tools are sent beside the messages and count as standing before
    /// them.
    pub tool_cache_marks: usize,
}

impl Facts {
    /// Examines the messages of a session.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::validate::Facts;
    /// let session = ebbline::SessionText::read(r#"[{"role": "assistant", "content": "Done.", "tool_calls": []}]"#)?;
    /// assert_eq!(Facts::of(&session).empty_calls, [0]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(session: &SessionText<'_>) -> Self {
        let source = session.source();
        let mut facts = Self::default();
        let rules = session.format().rules();
        let (lists_calls, marks_caches) = (rules.checks(Rule::EmptyCalls), rules.checks(Rule::CacheMarks));
        let (checks_texts, checks_calls) = (rules.checks(Rule::EmptyText), rules.checks(Rule::CallInput));
        let layout = session.format().layout().copied().unwrap_or(Layout::of(&[]));
        if !lists_calls && !marks_caches && !checks_texts {
            return facts;
        }
        for (index, message) in session.transcript().messages().iter().enumerate() {
            let span = session.span(index);
            let Some(document) =
                Some(span).filter(|_| message.active).map(|span| Document::parse_range(source, span))
            else {
                continue;
            };
            let Ok(document) = document else { continue };
            if lists_calls {
                let calls = document.root().get("tool_calls").filter(|calls| calls.is_array());
                facts
                    .empty_calls
                    .extend(calls.filter(|calls| calls.elements().next().is_none()).map(|_| index));
            }
            if checks_texts {
                let blank = blank_texts(document.root(), layout.answered);
                facts.blank_texts.extend(std::iter::repeat_n(index, blank));
            }
            if checks_calls {
                let blocks = document.root().elements_of("content");
                let calls = blocks.filter_map(layout.called).flat_map(refused);
                facts.calls.extend(calls.map(|rule| (index, rule)));
            }
            if marks_caches {
                let marks = cache_marks(document.root(), rules.cache_mark);
                facts.cache_marks.extend(std::iter::repeat_n(index, marks));
            }
        }
        if marks_caches && let Ok(document) = Document::parse(source) {
            // Bedrock's tools are in a member of their own.
            let root = document.root();
            let tools = root.get("toolConfig").unwrap_or(root).elements_of("tools");
            facts.tool_cache_marks = tools.filter(|tool| is_marked(*tool, rules.cache_mark)).count();
        }
        facts
    }
}

/// The number of blocks that ask for caching by the member `mark` in a message, or in the system prompt beside the list.
fn cache_marks(message: Value<'_>, mark: &str) -> usize {
    let blocks = message.elements().chain(message.elements_of("content"));
    blocks
        .map(|block| {
            usize::from(is_marked(block, mark))
                + block.elements_of("content").filter(|inner| is_marked(*inner, mark)).count()
        })
        .sum()
}

/// How many texts of a message are of white space alone, and how many in its results are also empty.
fn blank_texts(message: Value<'_>, answered: fn(Value<'_>) -> Option<Value<'_>>) -> usize {
    let is_blank = |text: Text<'_>| !text.is_empty() && text.is_blank();
    let inner = |block: Value<'_>| {
        let texts = answered(block).into_iter().flat_map(|result| result.elements_of("content"));
        texts.filter_map(|text| text.text_of("text")).filter(|text| text.is_blank()).count()
    };
    let is_text = |block: Value<'_>| {
        block.get("type").is_none() || block.text_of("type").is_some_and(|kind| kind.is("text"))
    };
    let of_block = |block: Value<'_>| {
        let own = block.text_of("text").is_some_and(|text| is_text(block) && is_blank(text));
        usize::from(own) + inner(block)
    };
    usize::from(message.text_of("content").is_some_and(is_blank))
        + message.elements_of("content").map(of_block).sum::<usize>()
}

/// The rules that a call breaks.
fn refused(Called { id, name, input }: Called<'_>) -> impl Iterator<Item = Rule> {
    let is_word = |text: Text<'_>| {
        let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        text.decode().chars().all(is_allowed)
    };
    let broken = [
        (id.is_some_and(|id| !is_word(id)), Rule::CallId),
        (name.is_some_and(|name| !is_word(name)), Rule::CallName),
        (!input.is_some_and(Value::is_object), Rule::CallInput),
    ];
    broken.into_iter().filter(|(is_broken, _)| *is_broken).map(|(_, rule)| rule)
}

fn is_marked(block: Value<'_>, mark: &str) -> bool {
    block.present(mark).is_some()
}

pub(super) fn check(checks: &mut Checks<'_>, facts: &Facts) {
    for message in &facts.empty_calls {
        checks.report(
            Rule::EmptyCalls,
            *message,
            None,
            "the list of calls is empty: it has to hold a call or be left out",
        );
    }
    for message in &facts.blank_texts {
        checks.report(
            Rule::EmptyText,
            *message,
            None,
            "a text says nothing: it is empty, or only white space",
        );
    }
    for (message, rule) in &facts.calls {
        let text = match rule {
            Rule::CallId => "the id of a call may only have letters, digits, _ and -",
            Rule::CallName => "the name of a called tool may only have letters, digits, _ and -",
            _ => "what a tool is called with has to be an object",
        };
        checks.report(*rule, *message, None, text);
    }
    let (beside, mark) = (facts.tool_cache_marks, checks.rules.cache_mark);
    let count = facts.cache_marks.len() + beside;
    if count > MOST_CACHE_MARKS {
        let first =
            facts.cache_marks.get(MOST_CACHE_MARKS.saturating_sub(beside)).or(facts.cache_marks.last());
        let text = format!("{count} blocks ask for caching ({mark}), and at most {MOST_CACHE_MARKS} may");
        checks.report(Rule::CacheMarks, first.copied().unwrap_or(0), None, text);
    }
}
