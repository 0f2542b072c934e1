//! Runs a command of the user's: text in, text out.

use std::io::{Read, Write as _};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::output::Notes;
use crate::progress;
use crate::signals::{Reaction, watch};

/// A longer answer is no summary of anything.
const LARGEST: usize = 16 << 20;
/// How long a command may take to end after it was told to.
const GRACE: Duration = Duration::from_secs(2);
/// How often somebody looks whether the command has ended.
const MOMENT: Duration = Duration::from_millis(20);
/// How often the line is written that says for how long the command has been waited for.
const EVERY: Duration = Duration::from_secs(1);
/// What a shell answers if it finds no such command.
const NO_COMMAND: i32 = 127;

/// What a command answers within so many seconds.
pub(crate) fn answered(
    command: &str,
    input: String,
    timeout: u64,
    notes: &mut Notes,
) -> Result<String, Failure> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&is_interrupted);
    // Before the command starts: a signal right after that would end the program and leave the command running.
    let watching = watch(Reaction::Tell(Box::new(move || told.store(true, Ordering::Relaxed))));
    let mut child = system::shell(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| Failure::File(format!("the command cannot be run: {error}")))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A command need not read its request.
        thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    }
    let chunks = child.stdout.take().map(read_on);
    let mut asking = Asking { child, chunks, bytes: Vec::new(), why: None, told_to_end: None };
    let status = asking.end(&is_interrupted, Duration::from_secs(timeout), notes);
    notes.clear();
    drop(watching);
    let (status, Asking { bytes, why, .. }) = (status?, asking);
    if let Some(why) = why {
        return Err(why);
    }
    if !status.success() {
        let failure = system::failure_of(status);
        return Err(Failure::File(format!("the command {failure}, and nothing was written")));
    }
    let text = ebbline::text::utf8(&bytes)
        .map_err(|error| Failure::File(format!("the answer of the command cannot be read: {error}")))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}

/// What a stream gives, piece by piece, until it ends.
fn read_on(mut stream: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut room = vec![0; 1 << 16];
        while let Ok(length) = stream.read(&mut room) {
            let chunk = room.get(..length).unwrap_or_default().to_vec();
            if chunk.is_empty() || sender.send(chunk).is_err() {
                break;
            }
        }
    });
    receiver
}

/// A command that runs.
struct Asking {
    child: Child,
    /// What it says; `None` once it has said everything.
    chunks: Option<Receiver<Vec<u8>>>,
    bytes: Vec<u8>,
    /// Why it was told to end.
    why: Option<Failure>,
    told_to_end: Option<Instant>,
}

impl Asking {
    /// Waits until the command has ended and said everything.
    fn end(
        &mut self,
        is_interrupted: &AtomicBool,
        timeout: Duration,
        notes: &mut Notes,
    ) -> Result<ExitStatus, Failure> {
        let begun = Instant::now();
        let mut shown = begun;
        let mut status = None;
        loop {
            self.listen();
            if status.is_none() {
                status = self
                    .child
                    .try_wait()
                    .map_err(|error| Failure::File(format!("the command cannot be run: {error}")))?;
            }
            if let Some(status) = status.filter(|_| self.chunks.is_none()) {
                return Ok(status);
            }
            if self.bytes.len() > LARGEST {
                let most = LARGEST >> 20;
                self.stop(|| {
                    Failure::File(format!("the command answered more than {most} MiB, which is no summary"))
                });
            }
            if is_interrupted.load(Ordering::Relaxed) {
                self.stop(|| Failure::Interrupted("interrupted; nothing was written".to_owned()));
            }
            if begun.elapsed() >= timeout {
                let seconds = timeout.as_secs();
                self.stop(|| {
                    Failure::File(format!(
                        "the command gave no answer within {seconds} s, and nothing was written"
                    ))
                });
            }
            if self.told_to_end.is_some_and(|told| told.elapsed() > GRACE) {
                system::kill(&mut self.child);
                // What left the group may keep the pipe open.
                self.chunks = None;
            }
            if shown.elapsed() >= EVERY {
                shown = Instant::now();
                let waited = progress::said(begun.elapsed());
                notes.show(&format!("ebbline: waiting for the command, {waited}"));
            }
        }
    }

    /// Takes what the command says, and waits a moment if it says nothing.
    fn listen(&mut self) {
        let Some(chunks) = &self.chunks else {
            thread::sleep(MOMENT);
            return;
        };
        match chunks.recv_timeout(MOMENT) {
            Ok(chunk) if self.bytes.len() <= LARGEST => self.bytes.extend(chunk),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.chunks = None,
        }
    }

    /// Tells the command to end, for the first reason that there is.
    fn stop(&mut self, why: impl FnOnce() -> Failure) {
        if self.told_to_end.is_none() {
            self.why = Some(why());
            self.told_to_end = Some(Instant::now());
            system::ask_to_end(&mut self.child);
        }
    }
}

#[cfg(unix)]
mod system {
    use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
    use std::process::{Child, Command, ExitStatus};

    use rustix::process::{Pid, Signal, kill_process_group};

    use super::NO_COMMAND;
    use crate::signals;

    /// A group of its own, so that whatever the shell starts ends with it.
    pub(super) fn shell(command: &str) -> Command {
        let mut shell = Command::new("/bin/sh");
        shell.arg("-c").arg(command).process_group(0);
        shell
    }

    pub(super) fn ask_to_end(child: &mut Child) {
        send(child, Signal::TERM);
    }

    pub(super) fn kill(child: &mut Child) {
        send(child, Signal::KILL);
    }

    fn send(child: &Child, signal: Signal) {
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            // It may have ended.
            let _ = kill_process_group(group, signal);
        }
    }

    pub(super) fn failure_of(status: ExitStatus) -> String {
        match (status.code(), status.signal()) {
            (Some(NO_COMMAND), _) => {
                format!("ended with exit code {NO_COMMAND}: the shell found no such command")
            }
            (Some(code), _) => format!("ended with exit code {code}"),
            (None, signal) => format!("was ended by {}", signals::name(signal.unwrap_or_default())),
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::process::{Child, Command, ExitStatus};

    pub(super) fn shell(command: &str) -> Command {
        let mut shell = Command::new("cmd.exe");
        shell.args(["/d", "/s", "/c", command]);
        shell
    }

    pub(super) fn ask_to_end(child: &mut Child) {
        kill(child);
    }

    pub(super) fn kill(child: &mut Child) {
        // It may have ended.
        let _ = child.kill();
    }

    pub(super) fn failure_of(status: ExitStatus) -> String {
        format!("ended with exit code {}", status.code().unwrap_or_default())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::output::tests::Kept;

    fn ask(command: &str, input: &str, timeout: u64) -> Result<String, String> {
        let mut notes = Kept::default().notes(false);
        answered(command, input.to_owned(), timeout, &mut notes).map_err(|failure| failure.message())
    }

    #[test]
    fn a_command_answers_what_it_is_asked() {
        assert_eq!(ask("cat", "hello", 60).unwrap(), "hello");
        let long = "word ".repeat(200_000);
        assert_eq!(ask("cat", &long, 60).unwrap(), long);
        assert_eq!(ask("printf '\\357\\273\\277So.'", "", 60).unwrap(), "So.");
    }

    #[test]
    fn a_command_that_fails_is_said_in_a_sentence() {
        for (command, sentence) in [
            ("exit 3", "the command ended with exit code 3, and nothing was written"),
            ("kill -KILL $$", "the command was ended by SIGKILL, and nothing was written"),
            ("sleep 60", "the command gave no answer within 1 s, and nothing was written"),
        ] {
            assert_eq!(ask(command, "", 1).unwrap_err(), sentence);
        }
    }
}
