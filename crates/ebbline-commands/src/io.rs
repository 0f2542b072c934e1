//! The way from a command to its host and back: what it asks for is put down, and it goes on when the answer is there.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::ask::{Answer, Ask, Kind, Listing, News, Reply, Rows, RowsAnswer, Run, Write};
use crate::failure::Failure;
use crate::file_state::FileState;
use crate::job::Work;
use crate::name::Name;
use crate::refusal::Refusal;

/// What a command and its host share.
#[derive(Debug, Default)]
struct Shared {
    /// What the host has not been asked yet. Only the last of them is waited for.
    asks: VecDeque<Ask>,
    answer: Option<Answer>,
    /// Whether a line about long work is to be cleared before anything else is written.
    is_line_shown: bool,
}

/// Clears the line and goes to its beginning.
const CLEAR: &str = "\r\u{1b}[K";

/// The host, as a command sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Io(Rc<RefCell<Shared>>);

/// An answer that is waited for.
struct Waiting(Io);

impl Future for Waiting {
    type Output = Answer;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Answer> {
        match self.0.0.borrow_mut().answer.take() {
            Some(answer) => Poll::Ready(answer),
            None => Poll::Pending,
        }
    }
}

impl Io {
    /// The next thing that the host is asked, and whether its answer is waited for.
    pub(crate) fn next(&self) -> Option<(Ask, bool)> {
        let ask = self.0.borrow_mut().asks.pop_front()?;
        let is_waited_for = !matches!(ask, Ask::Note(_) | Ask::Halt);
        Some((ask, is_waited_for))
    }

    /// The answer to what was waited for.
    pub(crate) fn put(&self, answer: Answer) {
        self.0.borrow_mut().answer = Some(answer);
    }

    /// Asks without waiting for an answer.
    pub(crate) fn tell(&self, ask: Ask) {
        self.0.borrow_mut().asks.push_back(ask);
    }

    /// Shows a line about long work, in the place of the line before.
    pub(crate) fn show_line(&self, line: &str) {
        self.tell(Ask::Note(format!("{CLEAR}{line}")));
        self.0.borrow_mut().is_line_shown = true;
    }

    /// Removes the line about long work.
    pub(crate) fn clear_line(&self) {
        let is_shown = std::mem::take(&mut self.0.borrow_mut().is_line_shown);
        if is_shown {
            self.tell(Ask::Note(CLEAR.to_owned()));
        }
    }

    async fn ask(&self, ask: Ask) -> Answer {
        self.tell(ask);
        Waiting(self.clone()).await
    }

    pub(crate) async fn variable(&self, name: &str) -> Option<String> {
        match self.ask(Ask::Variable(name.to_owned())).await {
            Answer::Text(text) => text,
            _ => None,
        }
    }

    pub(crate) async fn home(&self) -> Option<Name> {
        match self.ask(Ask::Home).await {
            Answer::Name(name) => name,
            _ => None,
        }
    }

    pub(crate) async fn clock(&self) -> Duration {
        match self.ask(Ask::Clock).await {
            Answer::Time(time) => time,
            _ => Duration::ZERO,
        }
    }

    pub(crate) async fn kind(&self, name: &Name) -> Kind {
        match self.ask(Ask::Kind(name.clone())).await {
            Answer::Kind(kind) => kind,
            _ => Kind::Other(0),
        }
    }

    /// The size of a file in bytes; 0 if nobody knows. The command that reads it says why it cannot be read.
    pub(crate) async fn size(&self, name: &Name) -> u64 {
        if name.is_stdin() {
            return 0;
        }
        match self.kind(name).await {
            Kind::File(size) | Kind::Other(size) => size,
            Kind::Folder => 0,
        }
    }

    /// A file as it is now; `None` for standard input and what is no file. It must be asked for before the file is read.
    pub(crate) async fn state(&self, name: &Name) -> Option<FileState> {
        if name.is_stdin() {
            return None;
        }
        match self.ask(Ask::State(name.clone())).await {
            Answer::State(state) => state,
            _ => None,
        }
    }

    /// The bytes of a session, wherever it is kept.
    pub(crate) async fn read(&self, name: &Name) -> Result<Vec<u8>, Failure> {
        match self.ask(Ask::Read(name.clone())).await {
            Answer::Bytes(bytes) => bytes.map_err(|refusal| Failure::unread(name, refusal)),
            _ => Err(Failure::unanswered()),
        }
    }

    /// The text of a file, without a byte order mark; bytes that are no text are refused with their place.
    pub(crate) async fn read_text(&self, name: &Name) -> Result<String, Failure> {
        let bytes = self.read(name).await?;
        let text = ebbline::text::utf8(&bytes)
            .map_err(|error| Failure::File(format!("cannot read {}: {error}", name.said())))?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
    }

    pub(crate) async fn list(&self, name: &Name) -> Listing {
        match self.ask(Ask::List(name.clone())).await {
            Answer::Listing(listing) => listing,
            _ => Listing::File(0),
        }
    }

    /// Writes a file as a whole or not at all, unless it is the one that was read and has changed since.
    pub(crate) async fn write(
        &self,
        to: &str,
        bytes: Vec<u8>,
        unchanged: Option<FileState>,
    ) -> Result<(), Failure> {
        self.finished(to, Ask::Write(Write { to: to.into(), bytes, unchanged })).await
    }

    /// Refuses a file that was read and has changed since.
    pub(crate) async fn check(&self, to: &str, unchanged: Option<&FileState>) -> Result<(), Failure> {
        match unchanged.cloned() {
            Some(unchanged) => self.finished(to, Ask::Check { to: to.into(), unchanged }).await,
            None => Ok(()),
        }
    }

    async fn finished(&self, to: &str, ask: Ask) -> Result<(), Failure> {
        match self.ask(ask).await {
            Answer::Finished(finished) => {
                finished.map_err(|refusal| Failure::File(format!("cannot write {to}: {}", refusal.reason())))
            }
            _ => Err(Failure::unanswered()),
        }
    }

    pub(crate) async fn run(&self, run: Run) -> Reply {
        self.reply(Ask::Run(run)).await
    }

    pub(crate) async fn wait(&self) -> Reply {
        self.reply(Ask::Wait).await
    }

    async fn reply(&self, ask: Ask) -> Reply {
        match self.ask(ask).await {
            Answer::Reply(reply) => reply,
            _ => Reply::Unstarted("the host gave no answer".to_owned()),
        }
    }

    /// Writes to standard output; whether it still has a reader.
    pub(crate) async fn out(&self, bytes: Vec<u8>) -> Result<bool, Failure> {
        self.clear_line();
        match self.ask(Ask::Out(bytes)).await {
            Answer::Output(written) => written.map_err(|refusal| {
                Failure::Output(format!("cannot write standard output: {}", refusal.reason()))
            }),
            _ => Err(Failure::unanswered()),
        }
    }

    pub(crate) async fn work(&self, work: Work) -> Result<(), Failure> {
        match self.ask(Ask::Work(work)).await {
            Answer::Finished(begun) => {
                begun.map_err(|refusal| Failure::File(format!("cannot start a thread: {}", refusal.reason())))
            }
            _ => Err(Failure::unanswered()),
        }
    }

    pub(crate) async fn news(&self, within: Duration) -> News {
        match self.ask(Ask::Next(within)).await {
            Answer::News(news) => news,
            _ => News::Interrupted,
        }
    }

    pub(crate) async fn rows(&self, rows: Rows) -> Option<RowsAnswer> {
        match self.ask(Ask::Rows(rows)).await {
            Answer::Rows(answer) => Some(answer),
            _ => None,
        }
    }

    pub(crate) async fn completions(&self, shell: &str) -> Result<Vec<u8>, Refusal> {
        match self.ask(Ask::Completions(shell.to_owned())).await {
            Answer::Bytes(bytes) => bytes,
            _ => Err(Refusal::Reason("the host knows no completions".to_owned())),
        }
    }
}
