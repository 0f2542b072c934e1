//! A summary among LangChain's messages, in the form of the first of them.

use crate::format::placement::ListSummary;
use crate::format::summary::Summary;
use crate::json::quote;

/// `dumpd` of Python, where the classes of messages have another path than in JavaScript, which loads only its own.
pub(super) static PYTHON_DUMP: ListSummary =
    listed(|summary| dump(summary, r#""langchain","schema""#, r#","type":"human""#));

/// `dumpd` of the core packages.
pub(super) static CORE_DUMP: ListSummary = listed(|summary| dump(summary, r#""langchain_core""#, ""));

/// `messages_to_dict`.
pub(super) static DICT: ListSummary = listed(|summary| {
    format!(r#"{{"type":"human","data":{{"content":{},"type":"human"}}}}"#, quote(&summary.marked()))
});

/// `model_dump`.
pub(super) static FLAT: ListSummary =
    listed(|summary| format!(r#"{{"content":{},"type":"human"}}"#, quote(&summary.marked())));

const fn listed(message: fn(&Summary<'_>) -> String) -> ListSummary {
    ListSummary::of(message)
}

fn dump(summary: &Summary<'_>, package: &str, kind: &str) -> String {
    format!(
        r#"{{"lc":1,"type":"constructor","id":[{package},"messages","HumanMessage"],"kwargs":{{"content":{}{kind}}}}}"#,
        quote(&summary.marked())
    )
}
