//! What a command asks its host for, and what a host answers. All of it is plain data.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::exit::Exit;
use crate::file_state::FileState;
use crate::job::{FileResult, Work};
use crate::name::Name;
use crate::refusal::Refusal;
use crate::rows::cell::{Cell, Column};
use crate::rows::options::Form;

/// What a command asks for. Behind each is the answer that it waits for.
#[derive(Clone, Debug, Serialize)]
pub enum Ask {
    /// The value of a variable of the environment: [`Answer::Text`].
    Variable(String),
    /// The home folder of the person: [`Answer::Name`].
    Home,
    /// How long the program has run: [`Answer::Time`].
    Clock,
    /// What a name refers to, behind all links: [`Answer::Kind`].
    Kind(Name),
    /// A file as it is before it is read: [`Answer::State`].
    State(Name),
    /// The bytes of the session with a name, wherever it is kept: [`Answer::Bytes`].
    Read(Name),
    /// What a folder holds, or how a file is kept: [`Answer::Listing`].
    List(Name),
    /// To write a file as a whole or not at all: [`Answer::Finished`].
    Write(Write),
    /// Whether a file could be written, as far as its state says: [`Answer::Finished`].
    Check {
        /// The file.
        to: Name,
        /// A file as it was read, which must not have changed if it is the one to be written.
        unchanged: FileState,
    },
    /// To run a command of the person's: [`Answer::Reply`].
    Run(Run),
    /// To go on waiting for it: [`Answer::Reply`].
    Wait,
    /// Bytes for standard output: [`Answer::Output`].
    Out(Vec<u8>),
    /// A text for standard error, which may be lost: [`Answer::Nothing`].
    Note(String),
    /// Work on files in any order, in any thread: [`Answer::Finished`].
    Work(Work),
    /// The next news of that work, within so much time: [`Answer::News`].
    Next(Duration),
    /// That no more of that work is wanted: [`Answer::Nothing`].
    Halt,
    /// A file of rows: [`Answer::Rows`].
    Rows(Rows),
    /// The script that completes command lines in a shell: [`Answer::Bytes`].
    Completions(String),
    /// Nothing more: the command has ended.
    Done(Exit),
}

/// A file to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Write {
    /// The file.
    pub to: Name,
    /// Its new content.
    pub bytes: Vec<u8>,
    /// A file as it was read, which must not have changed if it is the one to be written.
    pub unchanged: Option<FileState>,
}

/// A command of the person's, for the shell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The command.
    pub command: String,
    /// Its standard input.
    pub input: String,
    /// How many seconds it may take.
    pub seconds: u64,
    /// How many bytes its answer may have.
    pub most: usize,
}

/// What is done with the file of rows.
#[derive(Clone, Debug, Serialize)]
pub enum Rows {
    /// Which of some files are the file itself: [`RowsAnswer::Same`].
    Same {
        /// Its name.
        to: String,
        /// Its form.
        form: Form,
        /// The files.
        files: Vec<Name>,
    },
    /// To open it: [`RowsAnswer::Held`].
    Open {
        /// Its name.
        to: String,
        /// Its form.
        form: Form,
        /// Whether it is continued.
        resume: bool,
        /// Its columns.
        columns: Vec<Column>,
    },
    /// To add rows: [`RowsAnswer::Finished`].
    Add(Vec<Vec<Cell>>),
    /// To complete it: [`RowsAnswer::Finished`].
    Finish,
}

/// What a host answers of rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum RowsAnswer {
    /// For each of the files whether it is the file of rows.
    Same(Vec<bool>),
    /// The names of the files whose rows it holds already.
    Held(Result<BTreeSet<String>, Refusal>),
    /// Whether it could be done.
    Finished(Result<(), Refusal>),
}

/// What a host answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// Nothing is to be said.
    Nothing,
    /// A text, if there is one.
    Text(Option<String>),
    /// A name, if there is one.
    Name(Option<Name>),
    /// How long the program has run.
    Time(Duration),
    /// What a name refers to.
    Kind(Kind),
    /// A file as it is; `None` for what is no file.
    State(Option<FileState>),
    /// Bytes.
    Bytes(Result<Vec<u8>, Refusal>),
    /// What a folder holds, or how a file is kept.
    Listing(Listing),
    /// Whether it could be done.
    Finished(Result<(), Refusal>),
    /// What came of a command of the person's.
    Reply(Reply),
    /// Whether standard output still has a reader.
    Output(Result<bool, Refusal>),
    /// What became of work on files.
    News(News),
    /// What became of a file of rows.
    Rows(RowsAnswer),
}

/// What a name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A folder.
    Folder,
    /// A file of so many bytes.
    File(u64),
    /// Something else of so many bytes, or nothing.
    Other(u64),
}

/// What a folder holds, or how a file is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Listing {
    /// A folder of other things.
    Folder(Vec<Entry>),
    /// A folder that cannot be read.
    Unread(Refusal),
    /// A file like any other, of so many bytes.
    File(u64),
    /// It is, or it holds, sessions that are kept in a way of their own.
    Sessions(Vec<Stored>),
    /// It should hold sessions, and they cannot be read.
    Refused(Refusal),
}

/// Something in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name in the folder.
    pub name: Name,
    /// What it is: a folder is listed by itself.
    pub kind: EntryKind,
}

/// What something in a folder is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryKind {
    /// A folder.
    Folder,
    /// A file, also behind a link.
    File {
        /// Its size in bytes.
        size: u64,
        /// What is the same for all names of it, if the system says so.
        number: Option<String>,
    },
    /// A file that is, or holds, sessions that are kept in a way of their own.
    Sessions(Vec<Stored>),
    /// A file that should hold sessions, and they cannot be read.
    Refused(Refusal),
}

/// A session that is kept in a way of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// Its name within what holds it; `None` if it is that itself.
    pub within: Option<Name>,
    /// Its size in bytes.
    pub size: u64,
    /// How it is kept.
    pub store: Store,
}

/// How a session is kept that is no plain file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Store {
    /// In a database, under an id.
    Database(String),
    /// In a folder with a file for each event.
    Events,
    /// In a file for each message and part.
    Tree,
}

/// What came of a command of the person's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// It still runs, and has for so long.
    Waiting(Duration),
    /// It ended well, and said this.
    Answer(Vec<u8>),
    /// It ended with this code.
    Code(i32),
    /// A signal ended it.
    Signal(String),
    /// It cannot be run, in the words of the system.
    Unstarted(String),
    /// It said more than it may.
    TooLong,
    /// It took longer than it may.
    TooSlow,
    /// Somebody ended the program while it waited.
    Interrupted,
}

/// What became of work on files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum News {
    /// A file is finished: its number, and what became of it.
    Finished(usize, FileResult),
    /// The time is over.
    Nothing,
    /// Somebody wants the work to end.
    Interrupted,
}
