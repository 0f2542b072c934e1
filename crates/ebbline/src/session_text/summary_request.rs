//! The request for a summary of what a plan of a session summarizes.

use super::SessionText;
use crate::error::Error;
use crate::plan::{Fate, Plan};
use crate::summary::{
    Acceptance, Carried, Shortcomings, SummaryOptions, SummaryTask, by_rule, carried, request, shortcomings,
};

impl SessionText<'_> {
    /// The request for a summary of what `plan` summarizes; `None` if it summarizes nothing, or only an earlier
    /// summary.
    ///
    /// The request is one user message: the previous summary, if the summarized messages contain one, the transcript,
    /// the request of a turn that the boundary divides, and the instructions. It contains nothing of the kept
    /// messages. To make it fit, tool output, arguments, reasoning and answers are cut in the middle, oldest first;
    /// what the user said is cut last.
    ///
    /// # Errors
    ///
    /// `mismatch` if the plan belongs to another session; `budget_too_small` if the request does not fit even after all
    /// cuts.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::summary::{Answer, SummaryOptions, finish};
    /// use ebbline::{EditOptions, PlanOptions, SessionText};
    /// let text = format!(
    ///     r#"[{{"role":"user","content":"Fix the login test. {}"}},
    ///         {{"role":"assistant","content":"It waits for a mail that never comes."}},
    ///         {{"role":"user","content":"Then mock the mail."}}]"#,
    ///     "It fails since Monday, and nobody knows why. ".repeat(20),
    /// );
    /// let session = SessionText::read(&text)?;
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.set("retain.keep", "1")?;
    /// let plan = session.plan_with(&policy, PlanOptions::new().force(true));
    ///
    /// let task = session.summary_request(&plan, &SummaryOptions::new())?.unwrap();
    /// assert!(task.request.messages[0].text.to_text().contains("[User]: Fix the login test."));
    ///
    /// let answer = Answer::new("## Goal\nFix the login test: mock the mail.", false);
    /// let options = EditOptions::new().summary(finish(&task.context, answer)?);
    /// assert!(session.compact(&plan, &options)?.len() < text.len());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn summary_request(
        &self,
        plan: &Plan,
        options: &SummaryOptions,
    ) -> Result<Option<SummaryTask>, Error> {
        self.check_belongs(plan)?;
        request(self.original(), plan, options)
    }

    /// The summary that can be written without a model, with the files and the standing orders behind it; `None` if the plan
    /// summarizes nothing but an earlier summary.
    ///
    /// # Errors
    ///
    /// `mismatch` if the plan belongs to another session; `larger_summary` if it would not be smaller than the messages.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::{PlanOptions, SessionText};
    /// let text = format!(
    ///     r#"[{{"role":"user","content":"Mend the login test. Never push to main."}},
    ///         {{"role":"assistant","content":"{}"}}, {{"role":"user","content":"Go on."}}]"#,
    ///     "It waits for a mail. ".repeat(900),
    /// );
    /// let session = SessionText::read(&text)?;
    /// let plan = session.plan_with(&ebbline::profiles::get("ebbline@2")?, PlanOptions::new().force(true));
    /// let summary = session.deterministic_summary(&plan)?.unwrap_or_default();
    /// assert!(summary.contains("- Never push to main.\n"), "{summary}");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn deterministic_summary(&self, plan: &Plan) -> Result<Option<String>, Error> {
        let Some(summary) = self.summary_by_rule(plan)? else { return Ok(None) };
        Ok(Some(self.carried(plan, &[])?.behind(&summary)))
    }

    /// The same without what it carries.
    pub(crate) fn summary_by_rule(&self, plan: &Plan) -> Result<Option<String>, Error> {
        self.check_belongs(plan)?;
        by_rule(self.original(), plan)
    }

    /// What a summary of `plan` has to carry whoever writes it: standing orders in force, and the parts of the transcript
    /// with the indices `pinned` ([`carried_of_texts`](crate::summary::carried_of_texts)).
    ///
    /// # Errors
    ///
    /// `mismatch` if the plan belongs to another session.
    ///
    /// # Example
    ///
    /// ```
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("ebbline@2")?);
    /// assert!(session.carried(&plan, &[])?.is_empty());
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn carried(&self, plan: &Plan, pinned: &[usize]) -> Result<Carried, Error> {
        self.check_belongs(plan)?;
        let is_gone: Vec<bool> =
            plan.messages.iter().map(|message| message.fate == Fate::Summarized).collect();
        Ok(carried(self.original(), &is_gone, pinned))
    }

    /// What `summary` lacks of what `plan` summarizes ([`shortcomings_of_texts`](crate::summary::shortcomings_of_texts)).
    ///
    /// # Errors
    ///
    /// `mismatch` if the plan belongs to another session.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::summary::{Acceptance, Shortcoming};
    /// let session = ebbline::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#)?;
    /// let plan = session.plan(&ebbline::profiles::get("ebbline@2")?);
    /// let lacks = session.shortcomings(&plan, "I'm sorry, I can't help with that.", Acceptance::default())?;
    /// assert_eq!(lacks.found, [Shortcoming::Refusal]);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn shortcomings(
        &self,
        plan: &Plan,
        summary: &str,
        wanted: Acceptance,
    ) -> Result<Shortcomings, Error> {
        self.check_belongs(plan)?;
        Ok(shortcomings(self.original(), plan, summary, wanted))
    }
}
