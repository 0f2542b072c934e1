//! `summary-request`: what to ask a model for, or the summary made of its answer.

use ebbline::summary::{Answer, review};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::name::Name;
use crate::printable::{printable, printable_lines};
use crate::request::{Wishes, line};
use crate::run::Run;

/// Prints the request for a summary, or the summary made of its answer.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    let answer = run.given.values.text("answer").map(Name::from);
    if name.is_stdin() && answer.as_ref().is_some_and(Name::is_stdin) {
        let sentence = "the session and the answer cannot both come from standard input";
        return Err(Failure::Usage(sentence.to_owned()));
    }
    let wishes = Wishes::of(&run.given.values)?;
    let bytes = run.io.read(name).await?;
    let policy = wishes.options.policy()?;
    let session = wishes.options.read(&bytes, &policy)?;
    let plan = session.plan_with(&policy, wishes.options.plan);
    let Some(task) = wishes.request(&session, &plan)? else {
        run.notes.write(&format!("ebbline: {}: nothing is to be summarized\n", printable(&name.said())));
        return Ok(Exit::Ok);
    };
    if let Some(answer) = answer {
        let text = run.io.read_text(&answer).await?;
        let finished = review(&task.context, Answer::new(&text, false))?;
        for warning in finished.warnings {
            run.notes.write(&format!("ebbline: {}: {}\n", printable(&name.said()), warning.text()));
        }
        run.out.write(finished.summary + "\n").await?;
    } else if run.is_json() {
        run.out.write(line(name, &task, &plan)?).await?;
    } else {
        let style = run.style();
        let messages = task.request.messages.iter().map(|message| (message.role, message.text.to_text()));
        let said = std::iter::once(("system", task.request.system.clone())).chain(messages);
        // To a file or a pipe, texts are written unchanged.
        let shown = |text: String| if run.out.is_terminal { printable_lines(&text) } else { text };
        let blocks =
            said.map(|(role, text)| format!("{}\n\n{}\n", style.strong(&format!("# {role}")), shown(text)));
        let page = blocks.collect::<Vec<_>>().join("\n");
        run.out.write(page).await?;
    }
    Ok(Exit::Ok)
}
