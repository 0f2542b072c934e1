//! The command line `ebbline` as a library without I/O.
//!
//! A [`Command`] says what it needs ([`Ask`]), and a host answers ([`Answer`]): it reads and writes files, runs programs
//! and threads, and owns the streams. Everything that decides or words something is here, so that every host says the
//! same.

mod amount;
mod args;
mod ask;
mod charts;
mod columns;
mod command;
mod commands;
mod compaction;
mod complaints;
mod corpus;
mod csv;
mod decimal;
mod deliver;
mod description;
mod dialogue;
mod dispatch;
mod engine_options;
mod exit;
mod failure;
mod file_state;
mod folders;
mod grid;
mod help;
mod inspection;
mod io;
mod job;
mod json;
mod life;
mod loss_totals;
mod memory;
mod moment;
mod name;
mod options;
mod output;
mod parse;
mod places;
mod points;
mod policy_options;
mod policy_totals;
mod printable;
mod probe;
mod progress;
mod record;
mod refusal;
mod request;
mod rows;
mod rules;
mod run;
mod style;
mod summary_command;
mod table;
mod terminal;
mod undo;
mod utf16;
mod values;
mod violations;
mod weight;
mod window_note;
mod words;
mod worker;

pub use ask::{
    Answer, Ask, Entry, EntryKind, Kind, Listing, News, Reply, Rows, RowsAnswer, Run, Store, Stored, Write,
};
pub use command::Command;
pub use description::{CommandDescription, OptionDescription, Words, about, commands, common};
pub use dialogue::{Dialogue, TaskDialogue, broken_file, unread_file};
pub use exit::Exit;
pub use failure::complaint_of_fault;
pub use file_state::FileState;
pub use folders::SessionFile;
pub use job::{FileResult, Row, Task, Work};
pub use memory::Memory;
pub use name::Name;
pub use refusal::Refusal;
pub use rows::cell::{Cell, Column, Kind as ColumnKind};
pub use rows::options::Form;
pub use style::Environment;
pub use terminal::Terminal;
pub use weight::Weight;
pub use worker::Worker;
