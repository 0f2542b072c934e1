//! The command line: commands and tasks, and the bytes that cross beside their JSON.

use std::cell::RefCell;

use ebbline_commands::{Dialogue, TaskDialogue};

use crate::Component;
use crate::bindings::commands::{Content, Guest, GuestCommand, GuestTask};

/// A command that runs.
#[derive(Debug)]
pub(crate) struct CommandRun(RefCell<Dialogue>);

/// One task on any number of files.
#[derive(Debug)]
pub(crate) struct TaskRun(TaskDialogue);

impl Guest for Component {
    type Command = CommandRun;
    type Task = TaskRun;

    fn unread_file(file: String, refusal: String) -> String {
        ebbline_commands::unread_file(&file, &refusal)
    }

    fn broken_file(file: String, error: String) -> String {
        ebbline_commands::broken_file(&file, &error)
    }
}

impl GuestCommand for CommandRun {
    fn new(args: String, terminal: String) -> Self {
        Self(RefCell::new(Dialogue::new(&args, &terminal)))
    }

    fn step(&self, answer: String, content: Option<Content>) -> String {
        self.0.borrow_mut().step(&answer, content.map(Vec::from))
    }

    fn content(&self) -> Content {
        self.0.borrow_mut().take_bytes().into()
    }

    fn code(&self) -> u8 {
        self.0.borrow().code()
    }
}

impl GuestTask for TaskRun {
    fn new(task: String) -> Self {
        Self(TaskDialogue::new(&task))
    }

    fn run(&self, file: String, content: Content) -> String {
        self.0.run(&file, &Vec::from(content))
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(characters) => Self { characters, are_bytes: false },
            Err(error) => {
                let characters = error.as_bytes().iter().copied().map(char::from).collect();
                Self { characters, are_bytes: true }
            }
        }
    }
}

impl From<Content> for Vec<u8> {
    fn from(content: Content) -> Self {
        if content.are_bytes {
            // What is no byte cannot be in it.
            content.characters.chars().filter_map(|character| u8::try_from(character).ok()).collect()
        } else {
            content.characters.into_bytes()
        }
    }
}
