//! Runs a command of the user's: text in, text out.

use std::io::{Read, Write as _};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use ebbline_commands::{Reply, Run};

use crate::signals::{Reaction, Watch, watch};

/// How long a command may take to end after it was told to.
const GRACE: Duration = Duration::from_secs(2);
/// How often somebody looks whether the command has ended.
const MOMENT: Duration = Duration::from_millis(20);
/// How often the line is written that says for how long the command has been waited for.
const EVERY: Duration = Duration::from_secs(1);

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
#[derive(Debug)]
pub(crate) struct Asking {
    child: Child,
    /// What it says; `None` once it has said everything.
    chunks: Option<Receiver<Vec<u8>>>,
    bytes: Vec<u8>,
    /// How long its answer may be, and how long it may take for it.
    most: usize,
    timeout: Duration,
    begun: Instant,
    /// When somebody was told last that it runs.
    shown: Instant,
    /// How it ended.
    status: Option<ExitStatus>,
    /// Why it was told to end.
    why: Option<Reply>,
    told_to_end: Option<Instant>,
    is_interrupted: Arc<AtomicBool>,
    _watching: Watch,
}

impl Asking {
    /// Starts a command.
    pub(crate) fn start(Run { command, input, seconds, most }: Run) -> Result<Self, Reply> {
        let is_interrupted = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_interrupted);
        // Before the command starts: a signal right after that would end the program and leave the command running.
        let watching = watch(Reaction::Tell(Box::new(move || told.store(true, Ordering::Relaxed))));
        let child = system::shell(&command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| unstarted(&error))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command need not read its request.
            thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        }
        let (chunks, begun) = (child.stdout.take().map(read_on), Instant::now());
        Ok(Self {
            child,
            chunks,
            bytes: Vec::new(),
            most,
            timeout: Duration::from_secs(seconds),
            begun,
            shown: begun,
            status: None,
            why: None,
            told_to_end: None,
            is_interrupted,
            _watching: watching,
        })
    }

    /// Waits until the command has ended and said everything, or until somebody should be told that it still runs.
    pub(crate) fn wait(&mut self) -> Reply {
        loop {
            self.listen();
            if self.status.is_none() {
                match self.child.try_wait() {
                    Ok(status) => self.status = status,
                    Err(error) => return unstarted(&error),
                }
            }
            if let Some(status) = self.status.filter(|_| self.chunks.is_none()) {
                return self.reply(status);
            }
            if self.bytes.len() > self.most {
                self.stop(Reply::TooLong);
            }
            if self.is_interrupted.load(Ordering::Relaxed) {
                self.stop(Reply::Interrupted);
            }
            if self.begun.elapsed() >= self.timeout {
                self.stop(Reply::TooSlow);
            }
            if self.told_to_end.is_some_and(|told| told.elapsed() > GRACE) {
                system::kill(&mut self.child);
                // What left the group may keep the pipe open.
                self.chunks = None;
            }
            if self.shown.elapsed() >= EVERY {
                self.shown = Instant::now();
                return Reply::Waiting(self.begun.elapsed());
            }
        }
    }

    fn reply(&mut self, status: ExitStatus) -> Reply {
        match self.why.take() {
            Some(why) => why,
            None if status.success() => Reply::Answer(std::mem::take(&mut self.bytes)),
            None => system::failure_of(status),
        }
    }

    /// Takes what the command says, and waits a moment if it says nothing.
    fn listen(&mut self) {
        let Some(chunks) = &self.chunks else {
            thread::sleep(MOMENT);
            return;
        };
        match chunks.recv_timeout(MOMENT) {
            Ok(chunk) if self.bytes.len() <= self.most => self.bytes.extend(chunk),
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.chunks = None,
        }
    }

    /// Tells the command to end, for the first reason that there is.
    fn stop(&mut self, why: Reply) {
        if self.told_to_end.is_none() {
            self.why = Some(why);
            self.told_to_end = Some(Instant::now());
            system::ask_to_end(&mut self.child);
        }
    }
}

fn unstarted(error: &std::io::Error) -> Reply {
    Reply::Unstarted(error.to_string())
}

#[cfg(unix)]
mod system {
    use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
    use std::process::{Child, Command, ExitStatus};

    use rustix::process::{Pid, Signal, kill_process_group};

    use ebbline_commands::Reply;

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

    pub(super) fn failure_of(status: ExitStatus) -> Reply {
        match status.code() {
            Some(code) => Reply::Code(code),
            None => Reply::Signal(signals::name(status.signal().unwrap_or_default())),
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::process::{Child, Command, ExitStatus};

    use ebbline_commands::Reply;

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

    pub(super) fn failure_of(status: ExitStatus) -> Reply {
        Reply::Code(status.code().unwrap_or_default())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn reply(command: &str, input: &str, seconds: u64) -> Reply {
        let run = Run { command: command.to_owned(), input: input.to_owned(), seconds, most: 16 << 20 };
        let mut asking = match Asking::start(run) {
            Ok(asking) => asking,
            Err(reply) => return reply,
        };
        loop {
            match asking.wait() {
                Reply::Waiting(_) => {}
                reply => return reply,
            }
        }
    }

    #[test]
    fn a_command_answers_what_it_is_asked() {
        assert_eq!(reply("cat", "hello", 60), Reply::Answer(b"hello".to_vec()));
        let long = "word ".repeat(200_000);
        assert_eq!(reply("cat", &long, 60), Reply::Answer(long.into_bytes()));
    }

    #[test]
    fn how_a_command_fails_is_known() {
        assert_eq!(reply("exit 3", "", 60), Reply::Code(3));
        assert_eq!(reply("kill -KILL $$", "", 60), Reply::Signal("SIGKILL".to_owned()));
        assert_eq!(reply("sleep 60", "", 1), Reply::TooSlow);
    }
}
