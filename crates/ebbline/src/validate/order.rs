//! Checks the order of roles: the first message, the last, neighboring messages, and system messages.

use super::Checks;
use crate::rules::{Opening, Rule, Rules};
use crate::run::is_result;
use crate::transcript::{Message, Part, PartKind, Role};

pub(super) fn check(checks: &mut Checks<'_>) {
    first(checks);
    last(checks);
    let messages: Vec<_> = checks.active.iter().collect();
    let mut before: Option<Role> = None;
    let mut someone_spoke = false;
    for (index, message, parts) in messages {
        if message.role == Role::System {
            if someone_spoke {
                checks.report(Rule::SystemNotFirst, index, None, "a system message stands behind the front");
            }
            continue;
        }
        if message.role == Role::Other {
            checks.report(Rule::UnknownRole, index, None, "the message has no known role");
        }
        someone_spoke = true;
        let speaker = speaker(checks.rules, message, parts);
        if before == Some(speaker) && speaker != Role::Tool && !message.continues {
            let who = if speaker == Role::Assistant { "the model" } else { "the user" };
            let text = format!("a second message of {who} in a row");
            checks.report(Rule::Alternation, index, None, text);
        }
        before = Some(speaker);
    }
}

/// Who speaks in a message. A message that answers calls counts as the tool's, whatever role the format gives it, unless
/// the provider sees only the role.
fn speaker(rules: &Rules, message: &Message, parts: &[Part]) -> Role {
    match message.role {
        Role::Tool if rules.user_answers_calls => Role::User,
        Role::User if !rules.user_answers_calls && parts.iter().any(is_result) => Role::Tool,
        role => role,
    }
}

fn first(checks: &mut Checks<'_>) {
    let skips_system = checks.rules.opening == Opening::AfterSystem;
    let first = checks.active.iter().find(|(_, message, _)| !(skips_system && message.role == Role::System));
    // If the provider compacts by itself, the list begins with the provider's own summary.
    if let Some((index, message, parts)) = first
        && message.role == Role::Assistant
        && !parts.iter().any(|part| part.kind == PartKind::Summary)
    {
        checks.report(
            Rule::FirstRole,
            index,
            None,
            "the first message is the model's: it has to be the user's",
        );
    }
}

fn last(checks: &mut Checks<'_>) {
    let last = checks.active.iter().next_back();
    if let Some((index, message, _)) = last
        && message.role == Role::Assistant
    {
        let text = "the last message is the model's: there is nothing to answer";
        checks.report(Rule::LastRole, index, None, text);
    }
}
