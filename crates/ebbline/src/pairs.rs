//! Which results answer which calls if ids are reused.

use std::collections::HashMap;

use crate::order::sort_by;
use crate::transcript::{PartKind, Transcript};

impl Transcript {
    /// The messages that make the calls answered by message `message`, and the messages that answer its own calls, in
    /// order.
    ///
    /// A plan keeps calls and results together by the same rule: a result answers the newest earlier call with its id;
    /// without an id, the newest unanswered call without one. Calls of messages that are not sent can only be answered by
    /// results that are not sent.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::length::Length;
    /// use ebbline::transcript::{Message, Part, PartKind, Role};
    /// use ebbline::Transcript;
    /// let mut transcript = Transcript::default();
    /// for _ in 0..2 {
    ///     for (role, kind) in [(Role::Assistant, PartKind::ToolCall), (Role::Tool, PartKind::ToolResult)] {
    ///         transcript.begin(Message::new(role));
    ///         let mut part = Part::new(kind, Length::ascii(4));
    ///         part.call = Some(7);
    ///         transcript.push(part);
    ///     }
    /// }
    /// assert_eq!((transcript.partners(3), transcript.partners(0)), (vec![2], vec![1]));
    /// ```
    #[must_use]
    pub fn partners(&self, message: usize) -> Vec<usize> {
        let mut partners = Vec::new();
        let mut calls = Calls::default();
        for (index, of) in self.messages().iter().enumerate() {
            for part in self.parts_of(index) {
                match part.kind {
                    PartKind::ToolCall => calls.make(part.call, index, of.active),
                    PartKind::ToolResult => {
                        let made = calls.answer(part.call, of.active).filter(|made| *made < index);
                        if made == Some(message) {
                            partners.push(index);
                        } else if let Some(made) = made.filter(|_| index == message) {
                            partners.push(made);
                        }
                    }
                    _ => {}
                }
            }
        }
        sort_by(&mut partners, &|one, other| one.cmp(other));
        partners.dedup();
        partners
    }
}

/// Where a call was last made, as the message's index plus one: among the messages that are sent, and among all; 0
/// if there is none.
type Made = (usize, usize);

#[derive(Default)]
struct Calls {
    by_id: HashMap<u32, Made>,
    without: Made,
}

impl Calls {
    fn place(&mut self, call: Option<u32>) -> &mut Made {
        match call {
            Some(call) => self.by_id.entry(call).or_default(),
            None => &mut self.without,
        }
    }

    fn make(&mut self, call: Option<u32>, message: usize, is_sent: bool) {
        let place = self.place(call);
        place.1 = message + 1;
        if is_sent {
            place.0 = message + 1;
        }
    }

    fn answer(&mut self, call: Option<u32>, is_sent: bool) -> Option<usize> {
        let place = self.place(call);
        let made = if is_sent { place.0 } else { place.1 };
        if call.is_none() {
            *place = Made::default();
        }
        made.checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::plan;
    use crate::length::Length;
    use crate::plan::PlanOptions;
    use crate::transcript::{Message, Part, Role};

    fn add(transcript: &mut Transcript, kind: PartKind, call: Option<u32>) {
        let role = if kind == PartKind::ToolResult { Role::Tool } else { Role::Assistant };
        transcript.begin(Message::new(role));
        transcript.push(Part { call, ..Part::new(kind, Length::ascii(400)) });
    }

    #[test]
    fn a_reused_id_names_exactly_one_call() {
        let mut transcript = Transcript::default();
        for _ in 0..50 {
            add(&mut transcript, PartKind::ToolCall, Some(3));
            add(&mut transcript, PartKind::ToolResult, Some(3));
        }
        for call in (0..100).step_by(2) {
            assert_eq!(transcript.partners(call), [call + 1]);
            assert_eq!(transcript.partners(call + 1), [call]);
        }
    }

    #[test]
    fn a_call_may_have_several_answers_and_one_without_an_id_has_one() {
        let mut transcript = Transcript::default();
        add(&mut transcript, PartKind::ToolCall, Some(1));
        add(&mut transcript, PartKind::ToolResult, Some(1));
        add(&mut transcript, PartKind::ToolResult, Some(1));
        assert_eq!(transcript.partners(0), [1, 2]);
        for kind in [PartKind::ToolCall, PartKind::ToolResult, PartKind::ToolResult] {
            add(&mut transcript, kind, None);
        }
        assert_eq!((transcript.partners(3), transcript.partners(5)), (vec![4], vec![]));
    }

    #[test]
    fn what_is_not_sent_makes_no_calls_for_what_is() {
        let mut transcript = Transcript::default();
        add(&mut transcript, PartKind::ToolCall, Some(1));
        add(&mut transcript, PartKind::ToolCall, Some(1));
        add(&mut transcript, PartKind::ToolResult, Some(1));
        transcript.set_active(1, false);
        assert_eq!(transcript.partners(2), [0]);
        transcript.set_active(2, false);
        assert_eq!(transcript.partners(2), [1]);
    }

    #[test]
    fn no_plan_parts_what_is_paired() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut policy = crate::profiles::get("ebbline@1").unwrap();
        for _ in 0..300 {
            let mut transcript = Transcript::default();
            for _ in 0..random(24) {
                let call = Some(random(3) as u32).filter(|_| random(5) > 0);
                match random(3) {
                    0 => add(&mut transcript, PartKind::ToolCall, call),
                    1 => add(&mut transcript, PartKind::ToolResult, call),
                    _ => {
                        transcript.begin(Message::person());
                        transcript.push(Part::new(PartKind::Text, Length::ascii(400)));
                    }
                }
            }
            policy.retain.keep = random(2_000);
            policy.shares.remove("retain.keep");
            let plan = plan(&transcript, &policy, PlanOptions::new().force(true));
            let Some(boundary) = plan.decision.retain.boundary else { continue };
            for message in 0..transcript.messages().len() {
                for partner in transcript.partners(message) {
                    assert_eq!(
                        message < boundary,
                        partner < boundary,
                        "{message} and {partner} at {boundary}"
                    );
                }
            }
        }
    }
}
