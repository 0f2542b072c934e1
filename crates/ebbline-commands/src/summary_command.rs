//! What a command of the person's answers, or a sentence that says why it does not.

use crate::ask::{Reply, Run as Ask};
use crate::failure::Failure;
use crate::progress;
use crate::run::Run;

/// A longer answer answers nothing.
const LARGEST: usize = 16 << 20;
/// What a shell answers if it finds no such command.
const NO_COMMAND: i32 = 127;

/// What a command is run for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Purpose<'p> {
    /// How far the work is, in front of the line that says for how long the command has been waited for.
    pub(crate) progress: &'p str,
    /// What the answer is to be: `summary`.
    pub(crate) wanted: &'p str,
    /// What stays of the work if the command fails.
    pub(crate) left: &'p str,
}

/// What a command answers within so many seconds.
pub(crate) async fn answer_of(
    command: &str,
    input: String,
    seconds: u64,
    purpose: Purpose<'_>,
    run: &mut Run,
) -> Result<String, Failure> {
    if !purpose.progress.is_empty() {
        run.notes.show(&format!("ebbline: {}", purpose.progress));
    }
    let ask = Ask { command: command.to_owned(), input, seconds, most: LARGEST };
    let mut reply = run.io.run(ask).await;
    while let Reply::Waiting(taken) = reply {
        let waited = progress::said(taken);
        let separator = if purpose.progress.is_empty() { "" } else { ", " };
        let progress = purpose.progress;
        run.notes.show(&format!("ebbline: {progress}{separator}waiting for the command, {waited}"));
        reply = run.io.wait().await;
    }
    run.notes.clear();
    let bytes = match reply {
        Reply::Answer(bytes) => bytes,
        other => return Err(failure_of(other, seconds, purpose)),
    };
    let text = ebbline::text::utf8(&bytes)
        .map_err(|error| Failure::File(format!("the answer of the command cannot be read: {error}")))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}

fn failure_of(reply: Reply, seconds: u64, purpose: Purpose<'_>) -> Failure {
    let Purpose { wanted, left, .. } = purpose;
    let nothing = |what: String| Failure::File(format!("the command {what}, and {left}"));
    match reply {
        Reply::Code(NO_COMMAND) => {
            nothing(format!("ended with exit code {NO_COMMAND}: the shell found no such command"))
        }
        Reply::Code(code) => nothing(format!("ended with exit code {code}")),
        Reply::Signal(name) => nothing(format!("was ended by {name}")),
        Reply::TooSlow => nothing(format!("gave no answer within {seconds} s")),
        Reply::TooLong => {
            let most = LARGEST >> 20;
            Failure::File(format!("the command answered more than {most} MiB, which is no {wanted}"))
        }
        Reply::Interrupted => Failure::Interrupted(format!("interrupted; {left}")),
        Reply::Unstarted(why) => Failure::File(format!("the command cannot be run: {why}")),
        Reply::Waiting(_) | Reply::Answer(_) => Failure::unanswered(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_fails_is_said_in_a_sentence() {
        for (reply, sentence) in [
            (Reply::Code(3), "the command ended with exit code 3, and nothing was written"),
            (
                Reply::Signal("SIGKILL".to_owned()),
                "the command was ended by SIGKILL, and nothing was written",
            ),
            (Reply::TooSlow, "the command gave no answer within 1 s, and nothing was written"),
            (Reply::TooLong, "the command answered more than 16 MiB, which is no summary"),
        ] {
            assert_eq!(
                failure_of(
                    reply,
                    1,
                    Purpose { wanted: "summary", left: "nothing was written", ..Purpose::default() }
                )
                .message(),
                sentence
            );
        }
    }
}
