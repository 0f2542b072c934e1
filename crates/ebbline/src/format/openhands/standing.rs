//! Whether an event is sent.

use crate::json::{Text, Value};

/// Actions that are part of the history but never sent.
const SILENT_ACTIONS: &[&str] =
    &["recall", "pause", "resume", "stop", "reject", "loop_recovery", "condensation_request"];

pub(super) fn of_v0(event: Value<'_>) -> Standing {
    let action = event.text_of("action").map(Text::decode);
    let observation = event.text_of("observation").map(Text::decode);
    // Commands that the agent's own machinery ran.
    let is_hidden =
        |key: &str| event.get(key).and_then(|holder| holder.get("hidden")).is_some_and(Value::is_truthy);
    if is_hidden("args") || is_hidden("extras") {
        return Standing::Noise;
    }
    match (action.as_deref(), observation.as_deref()) {
        (Some("condensation"), _) => Standing::Condensation,
        (Some("null" | "change_agent_state"), _) | (None, None | Some("null" | "agent_state_changed")) => {
            Standing::Noise
        }
        (Some(action), _) if SILENT_ACTIONS.contains(&action) => Standing::Silent,
        (None, Some("loop_detection")) => Standing::Silent,
        _ => Standing::Sent,
    }
}

pub(super) fn of_sdk(event: Value<'_>) -> Standing {
    match event.text_of("kind").map(Text::decode).as_deref() {
        Some("Condensation") => Standing::Condensation,
        Some(
            "SystemPromptEvent"
            | "MessageEvent"
            | "ActionEvent"
            | "ObservationEvent"
            | "UserRejectObservation"
            | "AgentErrorEvent"
            | "CondensationSummaryEvent",
        ) => Standing::Sent,
        _ => Standing::Noise,
    }
}

/// Whether an event is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// As a message, or as part of one.
    Sent,
    /// Not sent, but part of the history: positions in the history count it (version 0).
    Silent,
    /// Neither.
    Noise,
    /// It removes other events from the history.
    Condensation,
}
