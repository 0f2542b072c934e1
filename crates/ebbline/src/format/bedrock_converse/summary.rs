//! A summary among Converse messages.

use crate::format::placement::ListSummary;
use crate::format::summary::Summary;
use crate::json::quote;
use crate::transcript::Role;

/// What the model says to a summary in front of the user's own words.
pub(super) const ACKNOWLEDGED: &str = "Understood.";

/// The user says it. Converse refuses two messages of the user in a row, so that an answer of the model stands between
/// the summary and a message of the user.
pub(super) static LISTED: ListSummary =
    ListSummary { message: in_list, sign: None, is_compacted_by_server: false };

fn in_list(summary: &Summary<'_>) -> String {
    let message =
        |role: &str, text: &str| format!(r#"{{"role":"{role}","content":[{{"text":{}}}]}}"#, quote(text));
    if !matches!(summary.next_role(), Some(Role::User | Role::Tool)) {
        return message("user", &summary.marked());
    }
    let told = format!("{}{}", summary.lead(1, ACKNOWLEDGED), summary.text);
    let (told, answer) = (message("user", &told), message("assistant", ACKNOWLEDGED));
    format!("{told}{}{answer}", summary.separator())
}
