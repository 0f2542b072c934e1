//! `summarize`: asks a command for a summary, and compacts the session with it.

use ebbline::json::quote;
use ebbline::summary::{
    Answer, Finished, Shortcoming, Shortcomings, SummaryTask, again, no_summary, reminder, review,
};

use crate::amount::counted;
use crate::compaction::{self, Original};
use crate::deliver;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::Name;
use crate::printable::printable;
use crate::request::{Said, Wishes, messages, request_json};
use crate::run::Run;
use crate::summary_command::{Purpose, answer_of};

/// How long a command may take for one answer, in seconds.
const PATIENCE: u64 = 600;

/// Summarizes and compacts a session.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    let values = &run.given.values;
    let command = values.text("with").filter(|command| !is_white(command)).map(str::to_owned);
    let command = command.ok_or_else(|| {
        Failure::Usage(
            "summarize needs --with 'COMMAND': it gets the request on standard input and answers on standard output"
                .to_owned(),
        )
    })?;
    deliver::check("summarize", values)?;
    compaction::check_record(name, values)?;
    let timeout = values.seconds()?.unwrap_or(PATIENCE);
    let wishes = Wishes::of(values)?;
    let seen = run.io.state(name).await;
    let bytes = run.io.read(name).await?;
    let original = Original { bytes: &bytes, seen };
    let policy = wishes.options.policy()?;
    let session = wishes.options.read(&bytes, &policy)?;
    let plan = session.plan_with(&policy, wishes.options.plan);
    let Some(task) = wishes.request(&session, &plan)? else {
        tell(name, "nothing is to be summarized, so the command was not run", run);
        return compaction::write(name, &original, &wishes.options, None, run).await;
    };
    if let Some(why) = compaction::no_place(&session, &plan) {
        let sentence =
            format!("{}: {why}, so the command was not run; compact prunes without one", name.said());
        return Err(Failure::File(sentence));
    }
    let call = Call { command: &command, seconds: timeout, budget: wishes.budget(&task, &plan) };
    let finished = accepted(name, &task, &call, run).await?;
    for warning in &finished.warnings {
        tell(name, warning.text(), run);
    }
    compaction::write(name, &original, &wishes.options, Some(finished.summary), run).await
}

fn tell(name: &Name, sentence: &str, run: &mut Run) {
    run.notes.write(&format!("ebbline: {}: {sentence}\n", printable(&name.said())));
}

/// How a command is asked.
struct Call<'c> {
    command: &'c str,
    /// How long it may take for one answer.
    seconds: u64,
    /// The most tokens of a request.
    budget: u64,
}

impl Call<'_> {
    async fn answer(&self, request: String, run: &mut Run) -> Result<String, Failure> {
        let purpose = Purpose { progress: "", wanted: "summary", left: "nothing was written" };
        answer_of(self.command, request, self.seconds, purpose, run).await
    }
}

/// The summary, which is asked for a second time if the first answer must not replace history.
async fn accepted(
    name: &Name,
    task: &SummaryTask,
    call: &Call<'_>,
    run: &mut Run,
) -> Result<Finished, Failure> {
    let first = messages(task);
    let answer = call.answer(request_json(task, &first), run).await?;
    let (failure, reminder) = match reviewed(task, &answer) {
        Err((failure, Some(reminder))) => (failure, reminder),
        Err((failure, None)) => return Err(failure),
        Ok(finished) => return Ok(finished),
    };
    tell(name, &format!("the answer is refused: {}; asked again", failure.message()), run);
    let (shown, reminder) = again(&task.context, &sent(task), &answer, &reminder, call.budget);
    let second = reminded(first, &shown, &reminder);
    let answer = call.answer(request_json(task, &second), run).await?;
    reviewed(task, &answer).map_err(|(failure, _)| {
        Failure::File(format!(
            "{}: {} of the command were refused, and nothing was written: {}",
            name.said(),
            counted(2_u64, "answer"),
            failure.message()
        ))
    })
}

/// What a request says: its system prompt and its messages.
fn sent(task: &SummaryTask) -> String {
    let said = task.request.messages.iter().map(|message| message.text.to_text());
    [task.request.system.clone()].into_iter().chain(said).collect::<Vec<_>>().join("\n")
}

/// The summary of an answer, unless the answer is none; then also what to tell the command so that it answers again.
fn reviewed(task: &SummaryTask, answer: &str) -> Result<Finished, (Failure, Option<String>)> {
    if let Some(shortcoming) = no_summary(answer) {
        let mut lacks = Shortcomings::default();
        lacks.found.push(shortcoming);
        return Err((Failure::File(in_words(shortcoming).to_owned()), lacks.reminder()));
    }
    review(&task.context, Answer::new(answer, false)).map_err(|error| {
        let reminder = reminder(error.kind()).map(str::to_owned);
        (Failure::from(error), reminder)
    })
}

fn in_words(shortcoming: Shortcoming) -> &'static str {
    match shortcoming {
        Shortcoming::Refusal => "the model refused to write it",
        Shortcoming::ErrorText => "it is an error message",
        Shortcoming::ToolCall => "the model called a tool",
        Shortcoming::Nothing => "it says nothing",
        Shortcoming::Unrelated => "it is about something else than the messages",
        Shortcoming::Headings => "it has none of the headings that were asked for",
        Shortcoming::Language => "it is in another language than the words of the user",
        Shortcoming::Facts => "it leaves out facts",
        shortcoming => shortcoming.as_str(),
    }
}

/// The messages of a request with what is wrong about the answer. An answer without words is no message that a provider
/// takes.
fn reminded(mut messages: Vec<Said>, answer: &str, reminder: &str) -> Vec<Said> {
    if !is_white(answer) {
        messages.push(("assistant".to_owned(), quote(answer)));
        messages.push(("user".to_owned(), quote(reminder)));
    } else if let Some((_, content)) = messages.last_mut() {
        let reminder = quote(&format!("\n\n{reminder}"));
        let begun = content.strip_suffix('"').unwrap_or_default();
        *content = format!("{begun}{}", reminder.strip_prefix('"').unwrap_or_default());
    }
    messages
}

/// Whether a text is nothing but white space, by JavaScript's terms.
fn is_white(text: &str) -> bool {
    text.encode_utf16().all(ebbline::notation::javascript::is_white_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reminder_follows_the_answer_or_the_request() {
        let request = vec![("user".to_owned(), "\"Sum \\ud800\"".to_owned())];
        let again = reminded(request.clone(), " \u{feff}\n", "Write \"it\".");
        assert_eq!(again, [("user".to_owned(), "\"Sum \\ud800\\n\\nWrite \\\"it\\\".\"".to_owned())]);
        let again = reminded(request, "No.", "Write it.");
        assert_eq!(again.len(), 3);
        assert_eq!(again[1], ("assistant".to_owned(), "\"No.\"".to_owned()));
    }
}
