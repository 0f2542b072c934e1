//! Answers what a command asks for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use ebbline_commands::{Answer, Ask, Command, Exit, Name, News, Reply, Rows, RowsAnswer, Write};

use crate::file_name::{name_of, path_of};
use crate::pool::Pool;
use crate::rows::RowsFile;
use crate::shell::Asking;
use crate::store::Databases;
use crate::{completions, file_state, files, rows, streams, write};

/// What a command works with.
pub(crate) struct Host {
    begun: Instant,
    databases: Arc<Databases>,
    pool: Option<Pool>,
    command: Option<Asking>,
    rows: Option<RowsFile>,
}

impl Default for Host {
    fn default() -> Self {
        let (begun, databases) = (Instant::now(), Arc::default());
        Self { begun, databases, pool: None, command: None, rows: None }
    }
}

impl Host {
    /// Runs the command that the arguments behind the program's name ask for.
    pub(crate) fn run(mut self, args: Vec<Name>) -> Exit {
        let mut command = Command::new(args, streams::terminal());
        let mut answer = Answer::Nothing;
        loop {
            answer = match command.step(answer) {
                Ask::Done(exit) => return exit,
                ask => self.answer(ask),
            };
        }
    }

    fn answer(&mut self, ask: Ask) -> Answer {
        match ask {
            Ask::Variable(name) => Answer::Text(std::env::var(name).ok()),
            Ask::Home => Answer::Name(std::env::home_dir().map(|home| name_of(home.as_os_str()))),
            Ask::Clock => Answer::Time(self.begun.elapsed()),
            Ask::Kind(name) => Answer::Kind(files::kind(&path_of(&name))),
            Ask::State(name) => Answer::State(file_state::state_of(&path_of(&name))),
            Ask::Read(name) => Answer::Bytes(files::read(&name, &self.databases)),
            Ask::List(name) => Answer::Listing(files::list(&path_of(&name), &self.databases)),
            Ask::Write(Write { to, bytes, unchanged }) => {
                Answer::Finished(write::write(&path_of(&to), &bytes, unchanged.as_ref()))
            }
            Ask::Check { to, unchanged } => {
                Answer::Finished(write::check_unchanged(&path_of(&to), &unchanged))
            }
            Ask::Run(run) => match Asking::start(run) {
                Ok(command) => {
                    self.command = Some(command);
                    self.wait()
                }
                Err(reply) => Answer::Reply(reply),
            },
            Ask::Wait => self.wait(),
            Ask::Out(bytes) => Answer::Output(streams::out(&bytes)),
            Ask::Note(text) => {
                streams::note(&text);
                Answer::Nothing
            }
            Ask::Work(work) => match Pool::start(work, Arc::clone(&self.databases)) {
                Ok(pool) => {
                    self.pool = Some(pool);
                    Answer::Finished(Ok(()))
                }
                Err(refusal) => Answer::Finished(Err(refusal)),
            },
            Ask::Next(within) => {
                Answer::News(self.pool.as_ref().map_or(News::Interrupted, |pool| pool.next(within)))
            }
            Ask::Halt => {
                self.pool = None;
                Answer::Nothing
            }
            Ask::Rows(rows) => Answer::Rows(self.answer_of_rows(rows)),
            Ask::Completions(shell) => Answer::Bytes(completions::script(&shell)),
            Ask::Done(_) => Answer::Nothing,
        }
    }

    /// Waits for the command that runs; when it has ended, signals end the program again.
    fn wait(&mut self) -> Answer {
        let reply = match &mut self.command {
            Some(command) => command.wait(),
            None => Reply::Unstarted(String::new()),
        };
        if !matches!(reply, Reply::Waiting(_)) {
            self.command = None;
        }
        Answer::Reply(reply)
    }

    fn answer_of_rows(&mut self, ask: Rows) -> RowsAnswer {
        match (ask, &mut self.rows) {
            (Rows::Same { to, form, files }, _) => RowsAnswer::Same(rows::same(&to, form, &files)),
            (Rows::Open { to, form, resume, columns }, file) => {
                RowsAnswer::Held(RowsFile::open(&to, form, resume, columns).map(|(opened, held)| {
                    *file = Some(opened);
                    held
                }))
            }
            (Rows::Add(rows), Some(file)) => RowsAnswer::Finished(file.add(rows)),
            (Rows::Finish, file) => RowsAnswer::Finished(file.take().map_or(Ok(()), RowsFile::finish)),
            (Rows::Add(_), None) => RowsAnswer::Held(Ok(BTreeSet::new())),
        }
    }
}
