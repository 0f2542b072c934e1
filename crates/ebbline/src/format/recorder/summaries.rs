//! Which messages are summaries, and what was kept behind each.

use crate::format::marker::{Marker, MarkerKind};
use crate::format::source::Source;
use crate::growth;
use crate::json::{Text, Value};
use crate::marks::{self, Claim};
use crate::transcript::Role;

use super::{NOTHING, Recorder};

impl Recorder {
    /// Checks whether the newest message, whose text is `text`, begins like a summary of ebbline. It is one if it is
    /// in a place where ebbline writes summaries, and if the messages behind it are those that followed it then. Its own
    /// words do only for a message of the user: what the application says must not be summarized because of them.
    pub(crate) fn check_summary(&mut self, text: Option<Text<'_>>) {
        let claim =
            text.filter(|text| text.starts_with(marks::BEGINS)).and_then(|text| Claim::of(&text.decode()));
        let Some((message, claim)) = self.spans.len().checked_sub(1).zip(claim) else { return };
        if !self.is_first(message) {
            return;
        }
        let is_users =
            self.transcript.messages().get(message).is_some_and(|message| message.role == Role::User);
        if claim.fits_itself() && !is_users {
            return;
        }
        if claim.fits_itself() {
            self.summarizes(message, claim.kept);
        } else {
            self.claim = Some((message, claim));
        }
    }

    /// Whether the newest message claims to be a summary, and a message behind it with the text `answer` proves that.
    pub(crate) fn is_proved_by(&self, answer: &str) -> bool {
        self.claim
            .as_ref()
            .is_some_and(|(message, claim)| *message + 1 == self.spans.len() && claim.fits(answer))
    }

    /// Whether message `message` is where a summary goes: no message precedes it, or a summary that the format
    /// records replaced all of them.
    fn is_first(&self, message: usize) -> bool {
        let before = self.transcript.messages().iter().take(message).rev();
        let mut said = before.take_while(|before| !before.summary);
        self.summaries.is_empty() && said.all(|before| before.role == Role::System || !before.active)
    }

    /// Handles the first anchor behind a message that claims to be a summary.
    fn resolve_claim(&mut self, what: impl FnOnce() -> String) {
        let is_behind = |(message, _): &mut (usize, Claim)| *message + 1 < self.spans.len();
        if let Some((message, claim)) = self.claim.take_if(is_behind)
            && claim.fits(&what())
        {
            self.summarizes(message, claim.kept);
        }
    }

    /// For the newest message, a summary by a field of its format: records how many messages behind it existed when
    /// it was written.
    pub(crate) fn set_kept(&mut self, kept: Option<Value<'_>>) {
        let kept = kept.and_then(Value::number).filter(|kept| (1.0..1e15).contains(kept));
        if let Some((message, kept)) = self.spans.len().checked_sub(1).zip(kept) {
            self.summaries.push((message, kept as usize));
            self.transcript.set_kept(message, kept as usize);
        }
    }

    fn summarizes(&mut self, message: usize, kept: usize) {
        self.summaries.push((message, kept));
        let is_known = self.transcript.messages().get(message).is_some_and(|message| message.summary);
        if !is_known {
            self.transcript.set_summary(message);
        }
        self.transcript.set_kept(message, kept);
        if is_known {
            return;
        }
        let span = self.spans.get(message).cloned().unwrap_or_default();
        let place = self.markers.partition_point(|marker| marker.bytes.start <= span.start);
        self.markers.insert(place, Marker::new(MarkerKind::Summary, marks::RECORDED, span));
    }

    /// For files that only grow: finds what was kept behind each summary, which is what precedes it in the file or is
    /// on its line.
    pub(super) fn find_kept(&mut self, source: &Source<'_>) {
        let messages = self.transcript.messages();
        let unknown = |index: &usize| {
            messages
                .get(*index)
                .is_some_and(|message| message.summary && message.active && message.kept.is_none())
        };
        let summaries: Vec<usize> = (0..messages.len()).filter(unknown).collect();
        for summary in summaries {
            let Some(told) = self.spans.get(summary).cloned() else { continue };
            let line_end = source.text.get(told.end..).and_then(|rest| rest.find('\n'));
            let end = told.end + line_end.unwrap_or(source.text.len() - told.end.min(source.text.len()));
            let is_old = |index: &usize| {
                self.spans.get(*index).is_some_and(|span| {
                    span.start < told.start || source.is_lines && span.start < end && span != &told
                })
            };
            let kept = (summary + 1..self.spans.len()).rev().find(is_old).map(|last| last - summary);
            if let Some(kept) = kept {
                self.transcript.set_kept(summary, kept);
            }
        }
    }

    /// Removes usage that was reported before a compaction, because it describes another context.
    pub(super) fn forget_old_usage(&mut self) {
        for (message, kept) in std::mem::take(&mut self.summaries) {
            for index in message + 1..=message.saturating_add(kept).min(self.spans.len()) {
                self.transcript.forget_usage(index);
            }
        }
    }

    /// Makes the next part the anchor of its message, unless the message has one.
    pub(super) fn anchor(&mut self, what: impl FnOnce() -> String) {
        if self.anchors.len() == self.spans.len() {
            return;
        }
        self.anchors.resize(self.spans.len().saturating_sub(1), NOTHING);
        growth::push(&mut self.anchors, self.transcript.parts().len() as u32);
        self.resolve_claim(what);
    }

    /// The same for a call or result, with its id.
    pub(super) fn anchor_id(&mut self, id: Option<&str>) {
        if let Some(id) = id.filter(|id| marks::is_own(id)) {
            self.anchor(|| id.to_owned());
        }
    }
}
