//! The request for a summary of what a plan of a session summarises.

use super::Session;
use crate::error::Error;
use crate::plan::Plan;
use crate::summary::{SummaryOptions, SummaryTask, request};

impl Session<'_> {
    /// The request for a summary of what `plan` summarises; `None` if it summarises nothing, or only an earlier
    /// summary.
    ///
    /// The request is one user message: the previous summary, if the summarised messages contain one, the transcript,
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
    /// use ebbline::{EditOptions, PlanOptions, Session};
    /// let text = format!(
    ///     r#"[{{"role":"user","content":"Fix the login test. {}"}},
    ///         {{"role":"assistant","content":"It waits for a mail that never comes."}},
    ///         {{"role":"user","content":"Then mock the mail."}}]"#,
    ///     "It fails since Monday, and nobody knows why. ".repeat(20),
    /// );
    /// let session = Session::read(&text)?;
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.set("retain.keep", "1")?;
    /// let plan = session.plan_with(&policy, PlanOptions::new().force(true));
    ///
    /// let task = session.summary_request(&plan, &SummaryOptions::new())?.unwrap();
    /// assert!(task.request.messages[0].text.to_text().contains("[User]: Fix the login test."));
    ///
    /// let answer = Answer { text: "## Goal\nFix the login test: mock the mail.", truncated: false };
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
}
