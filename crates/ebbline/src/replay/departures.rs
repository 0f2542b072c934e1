//! What left the context in a replay, for the measurement of what was lost.

use super::Replay;
use crate::loss::{Departure, Left, LossInput, LossReport, Meter};

impl Replay<'_> {
    /// The parts that left, oldest departure first. The summary of a departure is that of its compaction, by its number; what it
    /// would have said is not known.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::loss::{self, LossInput};
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@1")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// let mut input = LossInput::default();
    /// input.undo = true;
    /// assert_eq!(loss::measure(&session, &replay.departures(), &input).departed_outputs, 0);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn departures(&self) -> Vec<Departure> {
        let (log, messages) = (self.history().log(), self.history().messages());
        let mut departures = Vec::new();
        for (number, compaction) in self.compactions().iter().enumerate() {
            let request = self.requests().get(compaction.request as usize);
            let at = request.and_then(|request| messages.get(request.at as usize));
            let at = at.map_or(log.messages().len(), |message| *message as usize);
            let left = |part: usize, how: Left| Departure::new(at, part, how);
            departures.extend(compaction.pruned.iter().map(|part| left(*part as usize, Left::Pruned)));
            let replaced = compaction.summarized.iter().flat_map(|message| log.part_range(*message as usize));
            let replaced = replaced.map(|part| left(part, Left::Summarized));
            departures.extend(replaced.map(|departure| Departure { summary: Some(number), ..departure }));
        }
        departures
    }

    /// What the compactions lost of the session that `meter` reads, with at most `findings` findings: summaries carry nothing, and
    /// placeholders name what the policy says.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::loss::Meter;
    /// use ebbline::replay::{Replay, ReplayOptions};
    /// let session = ebbline::SessionText::read(r#"[{"role":"user","content":"hello"}]"#)?;
    /// let policy = ebbline::profiles::get("ebbline@3")?;
    /// let replay = Replay::new(&session, &policy, &ReplayOptions::new());
    /// assert_eq!(replay.loss(&Meter::of(&session), 20).departed_outputs, 0);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn loss(&self, meter: &Meter<'_, '_>, findings: usize) -> LossReport {
        let overhead = self.options().overhead;
        let sizes: Vec<u64> = self.requests().iter().map(|request| request.tokens + overhead).collect();
        let mut input = LossInput { undo: true, sizes: &sizes, findings, ..LossInput::default() };
        (input.window, input.placeholders) = (self.policy().model.context, Some(self.policy()));
        meter.measure(&self.departures(), &input)
    }
}
