//! One message in detail: its text before and after, and why it has its fate.

use ebbline::length::Length;
use ebbline::plan::{MessagePlan, PartPlan};
use ebbline::transcript::PartKind;
use ebbline::{Fate, Policy};

use crate::content::Content;
use crate::explain::{ReasonContext, why};
use crate::figures::Figures;
use crate::inspected::Inspected;
use crate::kind::Shown;
use crate::open_session::OpenSession;
use crate::readable::{self, Block};
use crate::view::{At, View};
use ebbline::numbers::counted;

/// How many characters of a message are shown unless the user asks for all of them.
const SHOWN: usize = 64 * 1024;
/// Whether a placeholder stands for a part, or did before.
fn is_cleared(planned: &PartPlan) -> bool {
    planned.kind == PartKind::ToolResult
        && planned.preview.is_none()
        && (planned.is_pruned() || planned.fate == Fate::AlreadyPruned)
}

/// How many parts of a message are shown at once: a browser cannot lay out a message with a million parts.
pub const PARTS: usize = 200;

impl<C: Content> OpenSession<C> {
    /// Describes a message of the session as its file holds it: [`Self::inspect_at`].
    pub fn inspect(
        &self,
        message: u32,
        policy: &Policy,
        force: bool,
        (whole, from): (bool, usize),
    ) -> Inspected {
        self.inspect_at(message, policy, force, (whole, from), None)
    }

    /// Describes a message in detail: its whole text or the first `SHOWN` characters, starting at part `from`.
    pub fn inspect_at(
        &self,
        message: u32,
        policy: &Policy,
        force: bool,
        (whole, from): (bool, usize),
        at: Option<&At>,
    ) -> Inspected {
        let index = message as usize;
        let raw = self.text_of(message);
        let span = self.content().span(index);
        let room = || if whole { usize::MAX } else { SHOWN };
        let parts = self.content().transcript().parts_of(index).len();
        let from = from.min(parts.saturating_sub(1)) / PARTS * PARTS;
        let shown = from..from + PARTS;
        let mut blocks = readable::blocks(self.content(), index, shown.clone());
        let left_out = cut_blocks(&mut blocks, room());
        let (why, mut blocks_after) = self.with_view(at, policy, |view| {
            let place = view.place_of(message);
            let (mut own, mut pruned) = (None, Vec::new());
            let figures = self
                .laid_out(view, policy, force, |index, planned| {
                    if place == Some(index) {
                        own = Some(planned.clone());
                    }
                    let parts = view.transcript().part_range(index).zip(&planned.parts);
                    pruned.extend(parts.filter(|(_, part)| is_cleared(part)).map(|(at, _)| at));
                })
                .figures;
            let planned = place.zip(own.as_ref());
            let why = match planned {
                Some((place, planned)) => self.why(view, place, planned, (&figures, policy)),
                None => outside(view, message),
            };
            let after = match planned {
                Some((place, planned)) if !matches!(planned.fate, Fate::Summarized | Fate::Inactive) => {
                    let parts = self.parts_of(view, index, place, planned);
                    let remains = self.remains_of(view, index, place, planned, (&mut pruned, policy));
                    readable::blocks_after(self.content(), index, shown, &parts, &remains, policy)
                }
                _ => Vec::new(),
            };
            (why, after)
        });
        cut_blocks(&mut blocks_after, room());
        let mut shown = raw.to_owned();
        let left_out = (left_out, cut(&mut shown, &mut room()));
        Inspected {
            message,
            why,
            blocks,
            blocks_after,
            raw: shown,
            left_out,
            parts: (from as u64, parts as u64),
            partners: self
                .content()
                .transcript()
                .partners(index)
                .into_iter()
                .map(|partner| partner as u32)
                .collect(),
            span: (span.start as u64, span.end as u64),
        }
    }

    /// What is planned for each part of message `index`, which is at `place` of the view. A part that an earlier
    /// compaction took out has no plan.
    fn parts_of(
        &self,
        view: &View<'_>,
        index: usize,
        place: usize,
        planned: &MessagePlan,
    ) -> Vec<Option<PartPlan>> {
        let range = self.content().transcript().part_range(index);
        let mut parts = vec![None; range.len()];
        for (at, planned) in view.transcript().part_range(place).zip(&planned.parts) {
            if let Some(part) = view.part(at).checked_sub(range.start).and_then(|at| parts.get_mut(at)) {
                *part = Some(*planned);
            }
        }
        parts
    }

    /// What remains of each part of message `index`, which is at `place` of the view, where a placeholder describes it.
    fn remains_of(
        &self,
        view: &View<'_>,
        index: usize,
        place: usize,
        planned: &MessagePlan,
        (pruned, policy): (&mut Vec<usize>, &Policy),
    ) -> Vec<Option<String>> {
        let range = self.content().transcript().part_range(index);
        let mut remains = vec![None; range.len()];
        pruned.sort_unstable();
        let text_of = |at: usize| self.content().text_of(view.part(at));
        for (at, planned) in view.transcript().part_range(place).zip(&planned.parts) {
            let slot = view.part(at).checked_sub(range.start).and_then(|at| remains.get_mut(at));
            if let Some(slot) = slot.filter(|_| is_cleared(planned)) {
                *slot = ebbline::binding::remains_of((policy, view.transcript()), pruned, &text_of, at);
            }
        }
        remains
    }

    fn why(
        &self,
        view: &View<'_>,
        index: usize,
        message: &MessagePlan,
        (figures, policy): (&Figures, &Policy),
    ) -> String {
        let transcript = view.transcript();
        let parts = transcript.parts_of(index);
        // The output whose reason is the message's own, or else the first output.
        let decisive = message
            .parts
            .iter()
            .position(|part| part.reason == message.reason && part.kind == PartKind::ToolResult)
            .or_else(|| message.parts.iter().position(|part| part.kind == PartKind::ToolResult));
        let whole = transcript.messages().get(index);
        let cleared = whole.map(|whole| policy.prune.cleared(whole, None)).unwrap_or_default();
        let cleared = policy.estimator.tokens_of_text(Length::of(&cleared));
        let pruned = decisive.and_then(|at| message.parts.get(at)).filter(|part| part.is_pruned());
        let placeholder = pruned.map_or(cleared, |part| part.tokens_after);
        let tool = decisive.and_then(|at| parts.get(at)).and_then(|part| part.tool);
        let mut sentence = why(&ReasonContext {
            reason: message.reason,
            pruned_first: message.pruned_first,
            tokens: decisive.and_then(|at| message.parts.get(at)).map_or(0, |part| part.tokens_before),
            newer: decisive.and_then(|at| message.parts.get(at)).and_then(|part| part.newer_outputs),
            placeholder,
            tool: tool.and_then(|tool| self.content().transcript().tool_name(tool)),
            figures,
            policy,
        });
        let outputs: Vec<_> = message.parts.iter().filter(|part| part.kind == PartKind::ToolResult).collect();
        let pruned = outputs.iter().filter(|part| part.fate == Fate::Pruned).count();
        if pruned > 0 && outputs.len() > 1 {
            sentence += &format!(" {pruned} of its {} outputs are cleared.", outputs.len());
        }
        let own = self.content().transcript().messages().get(view.message(index) as usize);
        if let Some(usage) = own.and_then(|message| message.usage) {
            let usage = counted(u64::from(usage), "token");
            sentence += &format!(" The provider counted {usage} up to and including this answer.");
        }
        sentence
    }
}

/// Why a message is not in the context.
fn outside(view: &View<'_>, message: u32) -> String {
    let shown = view.others().get(message as usize).copied().map(Shown::from_code);
    match shown {
        Some(Shown::Later) => "It comes later: this request is sent before it.",
        Some(Shown::Gone) => "A summary that was made before this request stands for it.",
        _ => "It is not sent.",
    }
    .to_owned()
}

/// Cuts `blocks` to `room` bytes together, and returns how many characters it removed.
fn cut_blocks(blocks: &mut [Block], mut room: usize) -> u64 {
    blocks.iter_mut().map(|block| cut(&mut block.text, &mut room)).sum()
}

/// Cuts `text` to the `room` that is left, in bytes, and returns how many characters it removed.
fn cut(text: &mut String, room: &mut usize) -> u64 {
    let mut end = (*room).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let gone = text.get(end..).map_or(0, |rest| rest.chars().count());
    text.truncate(end);
    *room -= end;
    gone as u64
}

#[cfg(test)]
mod tests {
    use ebbline::ReadOptions;

    use super::*;

    #[test]
    fn the_inspector_shows_what_the_model_would_see() {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::get("ebbline@3").unwrap();
        let planned = session.plan(&policy, false);
        let pruned = planned.fates.fate.iter().position(|fate| *fate == Fate::Pruned as u8).unwrap() as u32;
        let inspected = session.inspect(pruned, &policy, false, (false, 0));
        let after = &inspected.blocks_after[0].text;
        assert!(after.starts_with("[Old tool result content cleared: ") && !after.contains('{'), "{after}");
        assert!(inspected.why.contains("the placeholder takes its place ("), "{}", inspected.why);
        assert_eq!(inspected.partners.len(), 1);
    }

    #[test]
    fn the_parts_of_a_message_come_in_pages() {
        let count = 100_000;
        let parts: Vec<_> = (0..count).map(|at| format!(r#"{{"type":"text","text":"part {at}"}}"#)).collect();
        let text = format!(r#"[{{"role":"user","content":[{}]}}]"#, parts.join(","));
        let (session, _) =
            OpenSession::open(text.into_bytes(), "parts.json", &ReadOptions::default()).unwrap();
        let policy = ebbline::profiles::ALL[0].policy();
        for (asked, first) in
            [(0, 0), (PARTS + 1, PARTS), (count - 1, count - PARTS), (usize::MAX, count - PARTS)]
        {
            let inspected = session.inspect(0, &policy, false, (true, asked));
            assert_eq!(inspected.parts, (first as u64, count as u64));
            assert_eq!((inspected.blocks.len(), inspected.blocks_after.len()), (PARTS, PARTS));
            assert_eq!(inspected.blocks[0].text, format!("part {first}"));
        }
        assert_eq!(session.find("part 99999"), [0]);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let (mut text, mut room) = ("aé日b".to_owned(), 4);
        assert_eq!(cut(&mut text, &mut room), 2);
        assert_eq!((text.as_str(), room), ("aé", 1));
    }
    #[test]
    fn a_reused_id_leads_to_exactly_one_call() {
        let turn = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}"#;
        let text = format!("[{}]", [turn; 40].join(","));
        let (session, _) =
            OpenSession::open(text.into_bytes(), "again.json", &ReadOptions::default()).unwrap();
        let policy = ebbline::profiles::ALL[0].policy();
        assert_eq!(session.inspect(79, &policy, false, (false, 0)).partners, [78]);
        assert_eq!(session.inspect(40, &policy, false, (false, 0)).partners, [41]);
    }
}
