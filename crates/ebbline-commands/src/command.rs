//! A command as a host runs it: what it asks for comes out, and answers go in.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use crate::ask::{Answer, Ask};
use crate::dispatch;
use crate::exit::Exit;
use crate::io::Io;
use crate::name::Name;
use crate::terminal::Terminal;

/// A command that runs.
///
/// # Example
///
/// ```
/// use ebbline_commands::{Answer, Ask, Command, Exit, Name, Terminal};
///
/// let mut command = Command::new(vec![Name::from("detect"), Name::from("a.json")], Terminal::default());
/// let mut answer = Answer::Nothing;
/// let (mut out, exit) = (Vec::new(), loop {
///     answer = match command.step(answer) {
///         Ask::Read(_) => Answer::Bytes(Ok(br#"[{"role":"user","content":"hello"}]"#.to_vec())),
///         Ask::Done(exit) => break exit,
///         _ => Answer::Output(Ok(true)),
///     };
/// });
/// # out.clear();
/// assert_eq!((exit, out), (Exit::Ok, Vec::<u8>::new()));
/// ```
pub struct Command {
    io: Io,
    /// The command; `None` once it has ended.
    work: Option<Pin<Box<dyn Future<Output = Exit>>>>,
    exit: Exit,
    /// Whether an answer is waited for.
    is_waiting: bool,
}

impl fmt::Debug for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Command").field("exit", &self.exit).finish_non_exhaustive()
    }
}

impl Command {
    /// A command of the arguments behind the program's name.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_commands::{Answer, Ask, Command, Name, Terminal};
    /// let mut command = Command::new(vec![Name::from("--version")], Terminal::default());
    /// assert!(matches!(command.step(Answer::Nothing), Ask::Out(_)));
    /// ```
    #[must_use]
    pub fn new(args: Vec<Name>, terminal: Terminal) -> Self {
        let io = Io::default();
        let work = dispatch::main(args, terminal, io.clone());
        Self { io, work: Some(Box::pin(work)), exit: Exit::Ok, is_waiting: false }
    }

    /// Goes on with the answer to what was asked last, which is [`Answer::Nothing`] at the beginning. After
    /// [`Ask::Done`] there is nothing more.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_commands::{Answer, Ask, Command, Exit, Terminal};
    /// let mut command = Command::new(Vec::new(), Terminal::default());
    /// assert!(matches!(command.step(Answer::Nothing), Ask::Note(_)));
    /// assert!(matches!(command.step(Answer::Nothing), Ask::Note(_)));
    /// assert!(matches!(command.step(Answer::Nothing), Ask::Done(Exit::Usage)));
    /// ```
    pub fn step(&mut self, answer: Answer) -> Ask {
        if std::mem::take(&mut self.is_waiting) {
            self.io.put(answer);
        }
        if let Some(ask) = self.next() {
            return ask;
        }
        if let Some(work) = &mut self.work {
            match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Pending => {}
                Poll::Ready(exit) => (self.exit, self.work) = (exit, None),
            }
        }
        // A command that waits has asked for something.
        self.next().unwrap_or(Ask::Done(self.exit))
    }

    fn next(&mut self) -> Option<Ask> {
        let (ask, is_waited_for) = self.io.next()?;
        self.is_waiting = is_waited_for;
        Some(ask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Refusal;

    /// What a command writes to both streams, and how it ends; every file has the same bytes.
    fn ended(args: &[&str], read: &Result<Vec<u8>, Refusal>) -> (String, String, Exit) {
        let args = args.iter().map(|arg| Name::from(*arg)).collect();
        let mut command = Command::new(args, Terminal::default());
        let (mut out, mut notes) = (String::new(), String::new());
        let mut answer = Answer::Nothing;
        loop {
            answer = match command.step(answer) {
                Ask::Read(_) => Answer::Bytes(read.clone()),
                Ask::Out(bytes) => {
                    out.push_str(&String::from_utf8(bytes).unwrap());
                    Answer::Output(Ok(true))
                }
                Ask::Note(text) => {
                    notes.push_str(&text);
                    Answer::Nothing
                }
                Ask::Done(exit) => return (out, notes, exit),
                other => panic!("{other:?}"),
            };
        }
    }

    #[test]
    fn a_command_asks_for_what_it_needs() {
        let session = br#"[{"role":"user","content":"hello"}]"#.to_vec();
        let (out, notes, exit) = ended(&["detect", "a", "b"], &Ok(session));
        assert_eq!((out.lines().count(), notes.as_str(), exit), (2, "", Exit::Ok));
        let gone = Refusal::System { code: "ENOENT".to_owned(), words: String::new() };
        let (_, notes, exit) = ended(&["plan", "a"], &Err(gone));
        assert_eq!(notes, "ebbline: cannot read a: there is no such file or folder\n");
        assert_eq!(exit, Exit::Input);
        assert_eq!(ended(&["plan"], &Ok(Vec::new())).2, Exit::Usage);
    }

    #[test]
    fn an_answer_to_another_question_is_a_fault() {
        let mut command = Command::new(vec!["detect".into(), "a".into()], Terminal::default());
        assert!(matches!(command.step(Answer::Nothing), Ask::Read(_)));
        assert!(matches!(command.step(Answer::Nothing), Ask::Note(_)));
        assert!(matches!(command.step(Answer::Nothing), Ask::Done(Exit::Fault)));
        assert!(matches!(command.step(Answer::Nothing), Ask::Done(Exit::Fault)));
    }
}
