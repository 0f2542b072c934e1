//! Facts that a message list shows and a transcript does not hold, but for which a provider may refuse the list.

use super::Checks;
use crate::json::{Document, Value};
use crate::rules::Rule;
use crate::session::Session;

/// How many blocks of a request may ask for caching (Anthropic; Bedrock, for each of its models that caches).
const MOST_CACHE_MARKS: usize = 4;

/// Facts about a list that its transcript does not hold. Empty when nobody has examined the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The messages that have an empty list of calls: `"tool_calls": []`.
    pub empty_calls: Vec<usize>,
    /// For each block that asks for caching, its message, in order.
    pub cache_marks: Vec<usize>,
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
    /// let session = ebbline::Session::read(r#"[{"role": "assistant", "content": "Done.", "tool_calls": []}]"#)?;
    /// assert_eq!(Facts::of(&session).empty_calls, [0]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn of(session: &Session<'_>) -> Self {
        let source = session.source();
        let mut facts = Self::default();
        let rules = session.format().rules();
        let (lists_calls, marks_caches) = (rules.checks(Rule::EmptyCalls), rules.checks(Rule::CacheMarks));
        if !lists_calls && !marks_caches {
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
    let (beside, mark) = (facts.tool_cache_marks, checks.rules.cache_mark);
    let count = facts.cache_marks.len() + beside;
    if count > MOST_CACHE_MARKS {
        let first =
            facts.cache_marks.get(MOST_CACHE_MARKS.saturating_sub(beside)).or(facts.cache_marks.last());
        let text = format!("{count} blocks ask for caching ({mark}), and at most {MOST_CACHE_MARKS} may");
        checks.report(Rule::CacheMarks, first.copied().unwrap_or(0), None, text);
    }
}
