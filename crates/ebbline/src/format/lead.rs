//! What agents say in front of a summary that they record.

use super::openai_responses::speech::BRIDGE;
use super::{claude_code, tunacode};

/// A recorded summary without what its agent says in front of it.
pub(crate) fn without_lead(text: &str) -> &str {
    let leads = [tunacode::LEAD, claude_code::CONTINUED, BRIDGE];
    leads.iter().find_map(|lead| text.strip_prefix(lead.trim_end())).unwrap_or(text)
}
