//! Commands as JavaScript hosts them. What is asked and answered crosses as JSON, and bytes beside it in a buffer.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "JavaScript alone calls it, which reads no Rust documentation"
)]

mod bytes;

use ebbline_commands::{Dialogue, TaskDialogue};
use wasm_bindgen::prelude::*;

pub use bytes::Bytes;

/// A command that runs.
#[wasm_bindgen]
#[derive(Debug)]
pub struct CommandRun(Dialogue);

#[wasm_bindgen]
impl CommandRun {
    /// A command of the arguments behind the program's name, and of its terminal, both as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(args: &str, terminal: &str) -> CommandRun {
        Self(Dialogue::new(args, terminal))
    }

    /// Goes on with an answer, and says what is asked next. Bytes that belong to the answer are in a buffer.
    pub fn step(&mut self, answer: &str, bytes: Option<Bytes>) -> String {
        self.0.step(answer, bytes.map(Vec::from))
    }

    /// The bytes of what was asked last; they can be taken once.
    pub fn bytes(&mut self) -> Bytes {
        self.0.take_bytes().into()
    }

    /// The exit code, once the command is done.
    pub fn code(&self) -> u8 {
        self.0.code()
    }
}

/// Does one task on any number of files.
#[wasm_bindgen]
#[derive(Debug)]
pub struct TaskRun(TaskDialogue);

#[wasm_bindgen]
impl TaskRun {
    /// A task, as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(task: &str) -> TaskRun {
        Self(TaskDialogue::new(task))
    }

    /// What becomes of a file with these bytes, as JSON.
    pub fn run(&self, file: &str, bytes: Bytes) -> String {
        self.0.run(file, &Vec::from(bytes))
    }
}

/// What becomes of a file that cannot be read, as JSON; `refusal` says why.
#[wasm_bindgen(js_name = unreadFile)]
pub fn unread_file(file: &str, refusal: &str) -> String {
    ebbline_commands::unread_file(file, refusal)
}

/// What becomes of a file on which the module failed, as JSON.
#[wasm_bindgen(js_name = brokenFile)]
pub fn broken_file(file: &str, error: &str) -> String {
    ebbline_commands::broken_file(file, error)
}
