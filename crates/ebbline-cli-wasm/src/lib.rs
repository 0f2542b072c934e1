//! Commands as JavaScript hosts them. What is asked and answered crosses as JSON, and bytes beside it in a buffer.

mod bytes;

use ebbline_commands::{
    Answer, Ask, Command, Environment, FileResult, Name, Refusal, Reply, SessionFile, Task, Terminal, Worker,
};
use ebbline_wasm_shared::to_json;
use wasm_bindgen::prelude::*;

pub use bytes::Bytes;

/// A command that runs.
#[wasm_bindgen]
#[derive(Debug)]
pub struct CommandRun {
    command: Command,
    /// The bytes of what was asked last.
    bytes: Vec<u8>,
    code: u8,
}

#[wasm_bindgen]
impl CommandRun {
    /// A command of the arguments behind the program's name. The width of the terminal is 0 if it is not known; of the
    /// environment, the values of `NO_COLOR`, `TERM` and `COLUMNS` cross.
    #[wasm_bindgen(constructor)]
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "arrays of strings cross by value only")]
    pub fn new(
        args: Vec<String>,
        out_is_terminal: bool,
        columns: usize,
        notes_are_terminal: bool,
        environment: Vec<String>,
    ) -> CommandRun {
        let variable = |at: usize| environment.get(at).cloned().unwrap_or_default();
        let terminal = Terminal {
            is_native: false,
            out_is_terminal,
            columns: Some(columns).filter(|columns| *columns > 0),
            notes_are_terminal,
            environment: Environment { no_color: variable(0), term: variable(1), columns: variable(2) },
        };
        let args = args.iter().map(|arg| Name::from(&**arg)).collect();
        Self { command: Command::new(args, terminal), bytes: Vec::new(), code: 0 }
    }

    /// Goes on with an answer, and says what is asked next. Bytes that belong to the answer are in a buffer.
    pub fn step(&mut self, answer: &str, bytes: Option<Bytes>) -> String {
        let mut answer = serde_json::from_str(answer).unwrap_or(Answer::Nothing);
        if let Some(bytes) = bytes {
            match &mut answer {
                Answer::Bytes(Ok(empty)) | Answer::Reply(Reply::Answer(empty)) => *empty = bytes.into(),
                _ => {}
            }
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
    #[must_use]
    pub fn bytes(&mut self) -> Bytes {
        std::mem::take(&mut self.bytes).into()
    }

    /// The exit code, once the command is done.
    #[must_use]
    pub fn code(&self) -> u8 {
        self.code
    }
}

/// Does one task on any number of files.
#[wasm_bindgen]
#[derive(Debug)]
pub struct TaskRun(Result<Worker, FileResult>);

#[wasm_bindgen]
impl TaskRun {
    /// A task, as JSON.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(task: &str) -> TaskRun {
        let task: Task = serde_json::from_str(task).unwrap_or_default();
        Self(task.worker())
    }

    /// What becomes of a file with these bytes, as JSON.
    #[must_use]
    pub fn run(&self, file: &str, bytes: Bytes) -> String {
        let bytes: Vec<u8> = bytes.into();
        to_json(&match &self.0 {
            Ok(worker) => worker.run(&file_of(file), &bytes),
            Err(result) => result.clone(),
        })
    }
}

/// What becomes of a file that cannot be read, as JSON; `refusal` says why.
#[wasm_bindgen(js_name = unreadFile)]
#[must_use]
pub fn unread_file(file: &str, refusal: &str) -> String {
    let refusal = serde_json::from_str(refusal).unwrap_or(Refusal::Reason(String::new()));
    to_json(&FileResult::unread(&file_of(file), refusal))
}

/// What becomes of a file on which the module failed, as JSON.
#[wasm_bindgen(js_name = brokenFile)]
#[must_use]
pub fn broken_file(file: &str, error: &str) -> String {
    to_json(&FileResult::broken(&file_of(file), &[], error))
}

fn file_of(json: &str) -> SessionFile {
    serde_json::from_str(json).unwrap_or_default()
}
