//! The unfinished run: the tool calls at the end of a session before the model answers with text.
//!
//! Anthropic requires that such a run begins with its original signed thinking for as long as it continues. Once the
//! user speaks again, older thinking is no longer needed.

use crate::transcript::{Output, Part, PartKind, Role, Transcript};

/// The unfinished run among the messages `active`: the position of its first message by the model. `None` if the last
/// message is neither a call nor a result.
pub(crate) fn unfinished_run(transcript: &Transcript, active: &[usize]) -> Option<usize> {
    let role = |message: usize| transcript.messages().get(message).map(|message| message.role);
    let answers = |message: usize| transcript.parts_of(message).iter().any(is_result);
    let calls =
        |message: usize| transcript.parts_of(message).iter().any(|part| part.kind == PartKind::ToolCall);
    active.last().filter(|last| answers(**last) || role(**last) == Some(Role::Assistant) && calls(**last))?;
    // OpenCode's summaries are messages of the model, but a run kept behind one does not begin with it.
    let is_summary =
        |message: usize| transcript.messages().get(message).is_some_and(|message| message.summary);
    let belongs = |message: usize| match role(message) {
        Some(Role::Assistant) => !is_summary(message),
        Some(Role::Tool) => answers(message),
        _ => false,
    };
    let run = active.iter().enumerate().rev().take_while(|(_, message)| belongs(**message));
    run.filter(|(_, message)| role(**message) == Some(Role::Assistant)).last().map(|(position, _)| position)
}

/// Whether a message begins with thinking that its provider signed.
pub(crate) fn begins_with_signed_thinking(parts: &[Part]) -> bool {
    parts.first().is_some_and(|part| part.kind == PartKind::Thinking && part.signed)
}

/// Whether a part is the result of a call that the application, not the provider, carried out.
pub(crate) fn is_result(part: &Part) -> bool {
    part.kind == PartKind::ToolResult && part.output != Output::Sealed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::length::Length;
    use crate::transcript::Message;

    #[test]
    fn a_run_goes_back_to_the_users_last_words() {
        for (shape, start) in [
            ("", None),
            ("u", None),
            ("ua", None),
            ("uc", Some(1)),
            ("ucr", Some(1)),
            ("ucrcr", Some(1)),
            ("ucracr", Some(1)),
            ("ucrucr", Some(4)),
            ("ucra", None),
            ("r", None),
        ] {
            let mut transcript = Transcript::default();
            for letter in shape.chars() {
                let (role, kind) = match letter {
                    'u' => (Role::User, PartKind::Text),
                    'a' => (Role::Assistant, PartKind::Text),
                    'c' => (Role::Assistant, PartKind::ToolCall),
                    _ => (Role::Tool, PartKind::ToolResult),
                };
                transcript.begin(Message::new(role));
                transcript.push(Part::new(kind, Length::ascii(4)));
            }
            let active: Vec<usize> = (0..shape.len()).collect();
            assert_eq!(unfinished_run(&transcript, &active), start, "{shape}");
        }
    }
}
