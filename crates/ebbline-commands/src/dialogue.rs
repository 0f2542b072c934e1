//! Commands and tasks for hosts in other languages: what is asked and answered crosses as JSON, and bytes beside it.

use serde::Serialize;

use crate::ask::{Answer, Ask, Reply};
use crate::command::Command;
use crate::folders::SessionFile;
use crate::job::{FileResult, Task};
use crate::refusal::Refusal;
use crate::worker::Worker;

/// A command that runs.
///
/// # Example
///
/// ```
/// use ebbline_commands::Dialogue;
///
/// // The arguments are lists of bytes, because a name need not be text.
/// let mut dialogue = Dialogue::new("[[45,45,118,101,114,115,105,111,110]]", "{}");
/// assert_eq!(dialogue.step("\"Nothing\"", None), r#"{"Out":[]}"#);
/// assert!(dialogue.take_bytes().ends_with(b"\n"));
/// assert_eq!(dialogue.step(r#"{"Output":{"Ok":true}}"#, None), r#"{"Done":"Ok"}"#);
/// assert_eq!(dialogue.code(), 0);
/// ```
#[derive(Debug)]
pub struct Dialogue {
    command: Command,
    /// The bytes of what was asked last.
    bytes: Vec<u8>,
    code: u8,
}

impl Dialogue {
    /// A command of the arguments behind the program's name, and of a [`Terminal`](crate::Terminal), both as JSON.
    #[must_use]
    pub fn new(args: &str, terminal: &str) -> Self {
        let args = serde_json::from_str(args).unwrap_or_default();
        let terminal = serde_json::from_str(terminal).unwrap_or_default();
        Self { command: Command::new(args, terminal), bytes: Vec::new(), code: 0 }
    }

    /// Goes on with an answer, whose bytes stand beside it, and says what is asked next.
    pub fn step(&mut self, answer: &str, bytes: Option<Vec<u8>>) -> String {
        let mut answer = serde_json::from_str(answer).unwrap_or(Answer::Nothing);
        if let (Some(bytes), Answer::Bytes(Ok(empty)) | Answer::Reply(Reply::Answer(empty))) =
            (bytes, &mut answer)
        {
            *empty = bytes;
        }
        let mut ask = self.command.step(answer);
        match &mut ask {
            Ask::Out(bytes) => self.bytes = std::mem::take(bytes),
            Ask::Write(write) => self.bytes = std::mem::take(&mut write.bytes),
            Ask::Done(exit) => self.code = exit.code(),
            _ => {}
        }
        to_json(&ask)
    }

    /// The bytes of what was asked last; they can be taken once.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// The exit code, once the command is done.
    #[must_use]
    pub fn code(&self) -> u8 {
        self.code
    }
}

/// Does one task on any number of files.
#[derive(Debug)]
pub struct TaskDialogue(Result<Worker, FileResult>);

impl TaskDialogue {
    /// A task, as JSON.
    #[must_use]
    pub fn new(task: &str) -> Self {
        let task: Task = serde_json::from_str(task).unwrap_or_default();
        Self(task.worker())
    }

    /// What becomes of a file with these bytes, as JSON.
    #[must_use]
    pub fn run(&self, file: &str, bytes: &[u8]) -> String {
        to_json(&match &self.0 {
            Ok(worker) => worker.run(&file_of(file), bytes),
            Err(result) => result.clone(),
        })
    }
}

/// What becomes of a file that cannot be read, as JSON; `refusal` says why.
#[must_use]
pub fn unread_file(file: &str, refusal: &str) -> String {
    let refusal = serde_json::from_str(refusal).unwrap_or(Refusal::Reason(String::new()));
    to_json(&FileResult::unread(&file_of(file), refusal))
}

/// What becomes of a file on which the engine failed, as JSON.
#[must_use]
pub fn broken_file(file: &str, error: &str) -> String {
    to_json(&FileResult::broken(&file_of(file), &[], error))
}

fn file_of(json: &str) -> SessionFile {
    serde_json::from_str(json).unwrap_or_default()
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
