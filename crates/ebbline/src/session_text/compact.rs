//! A plan applied to the text of its session: ranges replaced, everything else copied.

use super::SessionText;
use crate::blank::is_blank;
use crate::edit::{self, Edit};
use crate::error::{Error, ErrorCode};
use crate::format::{self, Clearing, Reading, Telling};
use crate::passes;
use crate::placeholder::{self, Remains};
use crate::plan::{Fate, Given, PartPlan, Plan};
use crate::preview;
use crate::summary::{Original, with_words};

/// Options for writing a plan into a text.
///
/// # Example
///
/// ```
/// use ebbline::EditOptions;
/// let options = EditOptions::new().summary("The login test is fixed.").free_bytes(true);
/// assert_eq!(options.summary.as_deref(), Some("The login test is fixed."));
/// assert_eq!(options.now, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditOptions {
    /// The summary of the messages before the retention window. Without a summary, these messages stay where they
    /// are.
    pub summary: Option<String>,
    /// The current time in milliseconds since 1970, for formats that record when something was compacted. The
    /// engine reads no clock: when this is `None`, it uses the newest time recorded in the session.
    pub now: Option<u64>,
    /// Whether to also clear content of pruned outputs that the agent does not send anyway: the copies that the
    /// format keeps beside an output, and the output itself where the format only marks it as pruned. By default
    /// this content stays in the file.
    pub free_bytes: bool,
}

impl EditOptions {
    /// Without a summary.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::EditOptions::new().summary, None);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with [`EditOptions::summary`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::EditOptions::new().summary("## Goal").summary.is_some());
    /// ```
    #[must_use]
    pub fn summary(self, summary: impl Into<String>) -> Self {
        Self { summary: Some(summary.into()), ..self }
    }

    /// The same with [`EditOptions::now`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::EditOptions::new().now(1_767_225_600_000).now, Some(1_767_225_600_000));
    /// ```
    #[must_use]
    pub fn now(self, now: u64) -> Self {
        Self { now: Some(now), ..self }
    }

    /// The same with [`EditOptions::free_bytes`] set.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::EditOptions::new().free_bytes(true).free_bytes);
    /// ```
    #[must_use]
    pub fn free_bytes(self, free_bytes: bool) -> Self {
        Self { free_bytes, ..self }
    }
}

impl SessionText<'_> {
    /// The edits that apply `plan`, in source order.
    ///
    /// Old messages are summarized only when `options` hold a summary; otherwise they stay.
    ///
    /// # Errors
    ///
    /// `mismatch` when the plan belongs to another session; `no_place_for_summary` when the format cannot record
    /// a summary.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{EditOptions, SessionText};
    /// let session = SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("opencode@2026-01")?);
    /// assert_eq!(session.edits(&plan, &EditOptions::new())?, []);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn edits(&self, plan: &Plan, options: &EditOptions) -> Result<Vec<Edit>, Error> {
        self.edits_told(plan, options, Telling::default())
    }

    /// The same with what only a summary in a live session has.
    pub(crate) fn edits_told(
        &self,
        plan: &Plan,
        options: &EditOptions,
        telling: Telling<'_>,
    ) -> Result<Vec<Edit>, Error> {
        self.check_belongs(plan)?;
        let summary =
            options.summary.as_deref().filter(|summary| plan.decision.retain.applied && !is_blank(summary));
        // Only OpenCode marks outputs with a time, and its reader notes all of them.
        let newest = || if summary.is_some() { self.newest_moment() } else { self.reading.newest_moment };
        let now = options.now.unwrap_or_else(newest);
        let clearing = Clearing::of(&plan.policy().prune, now);
        let cleared = self.cleared(plan, options, clearing);
        let fate = |message: usize| plan.messages.get(message).map(|message| message.fate);
        let is_sent = |given: &&Given| summary.is_none() || fate(given.message) != Some(Fate::Summarized);
        let given: Vec<&Given> = plan.given().iter().filter(is_sent).collect();
        let mut edits = passes::edits(self.source(), self.transcript(), &given, |message| self.span(message));
        let Some(summary) = summary else {
            edits.extend(cleared.into_iter().map(|(_, edit)| edit));
            return Ok(edit::disjoint(edits));
        };
        let placement = self.reading.placement;
        let changes = cleared.iter().map(|(_, edit)| edit.clone()).chain(edits.iter().cloned());
        let told = placement.summarize(&format::Summary {
            session: &self.reading,
            source: self.source(),
            plan,
            text: &with_words(self.original(), plan, summary),
            changes: &edit::disjoint(changes.collect()),
            now,
            telling,
            is_answered: false,
        })?;
        if placement.rewrites() {
            // What is written again at the end has its changes there.
            return Ok(told);
        }
        let stays = |message: usize| !placement.removes() || fate(message) != Some(Fate::Summarized);
        edits.extend(cleared.into_iter().filter(|(message, _)| stays(*message)).map(|(_, edit)| edit));
        edits.extend(told);
        Ok(edit::disjoint(edits))
    }

    /// The edits that clear or cut outputs, each with its message.
    fn cleared(&self, plan: &Plan, options: &EditOptions, clearing: Clearing<'_>) -> Vec<(usize, Edit)> {
        let planned = self.reading.planned_parts(plan);
        let part_of = |part: usize| planned.get(part).copied().flatten();
        let slots = self.reading.slots.iter().map(|slot| (slot, false));
        // Where a slot only marks an output as pruned, a copy is what is sent of an output that is cut.
        let is_cut = |part: usize| part_of(part).is_some_and(|part| part.preview.is_some());
        let is_marked =
            |part: usize| self.reading.slots.iter().any(|(of, slot)| *of == part && slot.is_mark());
        let copies = self.reading.copies.iter();
        let copies = copies.filter(|(part, _)| options.free_bytes || is_cut(*part) && is_marked(*part));
        let copies = copies.map(|slot| (slot, true));
        let mut shown: Option<(usize, String)> = None;
        let text_of = |part: usize| self.text_of(part);
        let remains = placeholder::differs(&plan.policy().prune).then(|| {
            let is_pruned = |part: &PartPlan| part.is_pruned() && part.preview.is_none();
            let pruned: Vec<usize> =
                (0..planned.len()).filter(|at| part_of(*at).is_some_and(is_pruned)).collect();
            Remains::of(plan.policy(), self.transcript(), &pruned, &text_of, crate::summary::outcome)
        });
        let messages: Vec<usize> = (0..plan.messages.len())
            .flat_map(|message| self.transcript().part_range(message).map(move |_| message))
            .collect();
        let mut edits = Vec::new();
        for ((part, slot), is_copy) in slots.chain(copies) {
            let (at, Some(part)) = (*part, part_of(*part)) else { continue };
            if !(part.is_pruned() || is_copy && part.fate == Fate::AlreadyPruned) {
                continue;
            }
            let message = messages.get(at).copied().unwrap_or(usize::MAX);
            let Some(preview) = &part.preview else {
                let remains = remains.as_ref().and_then(|remains| remains.text(at));
                let placeholder = remains.as_deref().unwrap_or(clearing.placeholder);
                edits.push((message, slot.edit(Clearing { placeholder, ..clearing })));
                continue;
            };
            if shown.as_ref().is_none_or(|(of, _)| *of != at) {
                let text = self.reading.text_of(self.source(), at);
                shown = Some((at, preview::written(&text, preview, &plan.policy().estimator)));
            }
            let edit = shown.as_ref().and_then(|(_, text)| slot.showing(text));
            edits.extend(edit.map(|edit| (message, edit)));
        }
        edits
    }

    /// The text with `plan` applied.
    ///
    /// # Errors
    ///
    /// As [`SessionText::edits`]; also `not_utf8` when the text holds bytes that are not UTF-8: those are written by
    /// [`SessionText::compact_bytes`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{EditOptions, PlanOptions, SessionText};
    /// let text = r#"[{"role": "user", "content": "Fix the login test."},
    ///  {"role": "assistant", "content": "It waits for a mail that never comes, so I mock the mail."},
    ///  {"role": "user", "content": "Go on."}]"#;
    /// let session = SessionText::read(text)?;
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.set("retain.keep", "1")?;
    /// policy.set("retain.summaryAllowance", "0")?;
    /// let plan = session.plan_with(&policy, PlanOptions::new().force(true));
    /// let compacted = session.compact(&plan, &EditOptions::new().summary("Fix the login test: mock mail."))?;
    /// assert!(compacted.ends_with("{\"role\": \"user\", \"content\": \"Go on.\"}]"), "{compacted}");
    /// assert!(compacted.contains("Fix the login test: mock mail."));
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn compact(&self, plan: &Plan, options: &EditOptions) -> Result<String, Error> {
        let edits = self.edits(plan, options)?;
        match self.text.fault() {
            Some(fault) => Err(fault.clone()),
            None => edit::apply(self.source(), &edits),
        }
    }

    /// The bytes of the text with `plan` applied. Bytes that are not UTF-8 stay as they are.
    ///
    /// # Errors
    ///
    /// As [`SessionText::edits`].
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{EditOptions, SessionText, text::Text};
    /// let bytes = b"{\"role\": \"user\", \"content\": \"hello\"}\n{\"role\": \"user\", \"content\": \"caf\xe9\"}\n";
    /// let session = SessionText::read(Text::from_bytes(bytes)?)?;
    /// let plan = session.plan(&ebbline::profiles::get("opencode@2026-01")?);
    /// assert_eq!(session.compact_bytes(&plan, &EditOptions::new())?, bytes);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn compact_bytes(&self, plan: &Plan, options: &EditOptions) -> Result<Vec<u8>, Error> {
        self.text.edited(&self.edits(plan, options)?)
    }

    /// The transcript with the pieces of its texts.
    pub(crate) fn original(&self) -> Original<'_, '_> {
        let Reading { transcript, pieces, .. } = &self.reading;
        Original { transcript, pieces, source: self.source() }
    }

    /// Refuses a plan that is of another session.
    pub(crate) fn check_belongs(&self, plan: &Plan) -> Result<(), Error> {
        let transcript = &self.reading.transcript;
        let is_ours =
            plan.origin().is(transcript.origin()) && plan.messages.len() == transcript.messages().len();
        if is_ours { Ok(()) } else { Err(mismatch()) }
    }
}

fn mismatch() -> Error {
    Error::new(ErrorCode::Mismatch, "plan, session and source do not belong together")
}
