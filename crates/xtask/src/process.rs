//! Child processes: their output is read line by line, shown as progress, and kept for the report.

use std::io::{BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome};
use crate::step::{Progress, Step};

/// How many lines of a failing command are printed.
const TAIL: usize = 40;
/// How long to wait for more output after the child has ended. A grandchild, such as a browser, may keep the pipe
/// open and must not block us.
const LINGER: Duration = Duration::from_secs(2);

/// A child process that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// Its standard output and standard error, in the order in which lines arrived.
    pub(crate) lines: Vec<String>,
}

impl Finished {
    /// Whether the exit code was 0.
    pub(crate) fn success(&self) -> bool {
        self.status.success()
    }
}

impl Step {
    /// Runs `command` and waits for it.
    pub(crate) fn run(&self, command: &mut Command) -> Outcome<Finished> {
        let finished = self.attempt(command)?;
        if finished.success() {
            return Ok(finished);
        }
        Err(Failure::new(format!("{}: {}", self.name(), ended(finished.status)))
            .command(line_of(command))
            .tail(&finished.lines, TAIL))
    }

    /// Runs `command` and waits for it, whatever its exit code.
    pub(crate) fn attempt(&self, command: &mut Command) -> Outcome<Finished> {
        // No step may wait for input, because the same steps run without a keyboard.
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| cannot_start(self.name(), command, &error))?;

        let (sender, receiver) = mpsc::channel();
        if let Some(out) = child.stdout.take() {
            read_lines(out, sender.clone());
        }
        if let Some(err) = child.stderr.take() {
            read_lines(err, sender.clone());
        }
        drop(sender);

        let mut progress = Progress::of(self);
        let mut lines: Vec<String> = Vec::new();
        let mut ended_at: Option<Instant> = None;
        loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    if ended_at.is_none() && matches!(child.try_wait(), Ok(Some(_))) {
                        ended_at = Some(Instant::now());
                    }
                    if ended_at.is_some_and(|at| at.elapsed() > LINGER) {
                        break;
                    }
                }
            }
            progress.tick(lines.last().map_or("", String::as_str));
        }
        drop(progress);

        let status = child.wait().map_err(|error| cannot_start(self.name(), command, &error))?;
        Ok(Finished { status, lines })
    }
}

/// The standard output of a short command such as `node --version`, without the final line break. `None` if it does
/// not exist or fails.
pub(crate) fn answer_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command line as a user could type it, without the environment.
pub(crate) fn line_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted: Vec<String> = words
        .map(|word| {
            let word = word.to_string_lossy();
            if word.contains([' ', '*', '"']) { format!("'{word}'") } else { word.into_owned() }
        })
        .collect();
    quoted.join(" ")
}

fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => "was ended by a signal".to_owned(),
    }
}

fn cannot_start(step: &str, command: &Command, error: &std::io::Error) -> Failure {
    let program = command.get_program().to_string_lossy();
    Failure::new(format!("{step}: cannot run `{program}`: {error}"))
        .command(line_of(command))
        .advise(format!("Install `{program}` or put it on the PATH, then run the same command again."))
}

/// Sends each line. Progress bars separate their states with carriage returns, so these end lines too.
fn read_lines(source: impl Read + Send + 'static, sender: Sender<String>) {
    thread::spawn(move || {
        let mut line = Vec::new();
        for byte in BufReader::new(source).bytes() {
            match byte {
                Ok(b'\n' | b'\r') => {
                    if !line.is_empty() && sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                        return;
                    }
                    line.clear();
                }
                Ok(byte) => line.push(byte),
                Err(_) => break,
            }
        }
        if !line.is_empty() {
            // If the receiver has stopped listening, nobody needs the line.
            let _ = sender.send(String::from_utf8_lossy(&line).into_owned());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_streams_are_kept_and_carriage_returns_separate_lines() {
        let step = Step::begin("test", "running a shell");
        let mut command = Command::new("sh");
        command.args(["-c", "printf 'a\\rb\\n'; printf 'c' >&2; exit 3"]);
        let finished = step.attempt(&mut command).unwrap();
        let mut lines = finished.lines.clone();
        lines.sort();
        assert_eq!((lines, finished.status.code()), (vec!["a".into(), "b".into(), "c".into()], Some(3)));
    }

    #[test]
    fn a_failing_command_is_shown_with_its_output() {
        let step = Step::begin("test", "running a shell");
        let failure = step.run(Command::new("sh").args(["-c", "echo no space left; exit 7"])).unwrap_err();
        assert!(failure.mentions("no space left"));
        assert!(failure.to_string().contains("exit code 7"));
    }

    #[test]
    fn a_background_grandchild_does_not_hold_the_step_up() {
        let step = Step::begin("test", "running a shell");
        let started = Instant::now();
        step.run(Command::new("sh").args(["-c", "sleep 20 & echo done"])).unwrap();
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}
