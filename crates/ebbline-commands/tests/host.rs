//! A host in memory: what commands ask for, and in which order they say what came of it.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::time::Duration;

use ebbline_commands::{
    Answer, Ask, Command, Entry, EntryKind, Exit, FileState, Kind, Listing, Name, News, Refusal, Reply,
    Terminal, Work, Write,
};

const SESSION: &[u8] = br#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#;

/// Files by their names; what is written; what news of work is told in which order.
#[derive(Default)]
struct Host {
    files: BTreeMap<Name, Vec<u8>>,
    out: String,
    notes: String,
    /// How many times standard output can be written to; `None` if as often as one likes.
    writes: Option<usize>,
    /// What happened to the file that is to be replaced.
    changed: Option<FileState>,
    replies: Vec<Reply>,
    work: Option<Work>,
    news: Vec<Told>,
}

/// What a host tells of work.
#[derive(Clone, Copy)]
enum Told {
    Finished(usize),
    Nothing,
    Interrupted,
}

impl Host {
    fn of(names: &[&str]) -> Self {
        let files = names.iter().map(|name| (Name::from(*name), SESSION.to_vec())).collect();
        Self { files, ..Self::default() }
    }

    fn run(&mut self, args: &[&str], terminal: Terminal) -> Exit {
        let mut command = Command::new(args.iter().map(|arg| Name::from(*arg)).collect(), terminal);
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
            Ask::Read(name) => Answer::Bytes(self.read(&name)),
            Ask::State(name) => {
                Answer::State(Some(FileState { path: name, size: 3, ..FileState::default() }))
            }
            Ask::Kind(name) => {
                Answer::Kind(Kind::File(self.files.get(&name).map_or(0, |bytes| bytes.len() as u64)))
            }
            Ask::List(name) => Answer::Listing(self.list(&name)),
            Ask::Write(write) => Answer::Finished(self.write(write)),
            Ask::Out(bytes) => Answer::Output(self.print(&bytes)),
            Ask::Note(text) => {
                self.notes.push_str(&text);
                Answer::Nothing
            }
            Ask::Clock => Answer::Time(Duration::from_secs(2)),
            Ask::Work(work) => {
                self.work = Some(work);
                Answer::Finished(Ok(()))
            }
            Ask::Next(_) => Answer::News(self.next_news()),
            Ask::Run(_) | Ask::Wait => Answer::Reply(self.replies.remove(0)),
            Ask::Halt => Answer::Nothing,
            other => panic!("{other:?}"),
        }
    }

    fn read(&self, name: &Name) -> Result<Vec<u8>, Refusal> {
        let none = Refusal::System { code: "ENOENT".to_owned(), words: String::new() };
        self.files.get(name).cloned().ok_or(none)
    }

    /// A folder holds what begins with its name.
    fn list(&self, folder: &Name) -> Listing {
        let start = format!("{}/", folder.text());
        let entries = self.files.iter().filter_map(|(name, bytes)| {
            let kind = EntryKind::File { size: bytes.len() as u64, number: None };
            name.text().strip_prefix(&start).map(|rest| Entry { name: rest.into(), kind })
        });
        match self.files.get(folder) {
            Some(bytes) => Listing::File(bytes.len() as u64),
            None => Listing::Folder(entries.rev().collect()),
        }
    }

    fn write(&mut self, Write { to, bytes, unchanged }: Write) -> Result<(), Refusal> {
        if let Some((before, now)) = unchanged.zip(self.changed.take()) {
            return Err(Refusal::Changed { before: Box::new(before), now: Some(Box::new(now)) });
        }
        self.files.insert(to, bytes);
        Ok(())
    }

    fn print(&mut self, bytes: &[u8]) -> Result<bool, Refusal> {
        match &mut self.writes {
            Some(0) => return Err(Refusal::System { code: "ENOSPC".to_owned(), words: String::new() }),
            Some(left) => *left -= 1,
            None => {}
        }
        self.out.push_str(std::str::from_utf8(bytes).unwrap());
        Ok(self.writes != Some(1))
    }

    fn next_news(&mut self) -> News {
        let work = self.work.as_ref().unwrap();
        match self.news.remove(0) {
            Told::Finished(at) => {
                let file = &work.files[at];
                News::Finished(at, work.task.worker().unwrap().run(file, &self.read(&file.name).unwrap()))
            }
            Told::Nothing => News::Nothing,
            Told::Interrupted => News::Interrupted,
        }
    }
}

#[test]
fn results_are_in_the_order_of_names_whatever_is_finished_first() {
    let mut host = Host::of(&["f/a", "f/b", "f/c"]);
    host.news = [2, 0, 1].map(Told::Finished).to_vec();
    assert_eq!(host.run(&["compare", "--json", "f"], Terminal::default()), Exit::Ok);
    let files: Vec<&str> = host.out.lines().map(|line| &line[..13]).collect();
    assert_eq!(files, [r#"{"file":"f/a""#, r#"{"file":"f/b""#, r#"{"file":"f/c""#]);
}

#[test]
fn what_is_interrupted_shows_what_there_is() {
    let mut host = Host::of(&["f/a", "f/b", "f/c"]);
    host.news = vec![Told::Finished(2), Told::Nothing, Told::Interrupted];
    let terminal = Terminal { notes_are_terminal: true, ..Terminal::default() };
    assert_eq!(host.run(&["audit", "--json", "f"], terminal), Exit::Interrupted);
    assert_eq!(host.out.lines().count(), 1);
    assert!(host.notes.contains("\r\u{1b}[Kebbline: 33 %, 1 of 3 files, "), "{}", host.notes);
    let end = "ebbline: interrupted: 2 of 3 files are missing from these results\n";
    assert!(host.notes.ends_with(end), "{}", host.notes);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error_and_a_full_disk_is_one() {
    let mut host = Host { writes: Some(2), ..Host::of(&["a", "b", "c"]) };
    assert_eq!(host.run(&["detect", "a", "b", "c"], Terminal::default()), Exit::Ok);
    assert_eq!((host.out.lines().count(), host.notes.as_str()), (1, ""));
    let mut host = Host { writes: Some(0), ..Host::of(&["a", "b"]) };
    assert_eq!(host.run(&["detect", "a", "b"], Terminal::default()), Exit::Input);
    assert_eq!(host.notes, "ebbline: cannot write standard output: no space is left\n");
}

#[test]
fn the_line_about_a_long_file_goes_before_results_are_written() {
    let long = [SESSION, &vec![b' '; 9_000_000]].concat();
    let mut host = Host { files: BTreeMap::from([("a".into(), long)]), ..Host::default() };
    let terminal = Terminal { notes_are_terminal: true, ..Terminal::default() };
    let mut command = Command::new(vec!["detect".into(), "a".into()], terminal);
    let (mut answer, mut order) = (Answer::Nothing, String::new());
    loop {
        let ask = command.step(answer);
        match &ask {
            Ask::Note(_) => order.push('n'),
            Ask::Out(_) => order.push('o'),
            Ask::Done(_) => break,
            _ => {}
        }
        answer = host.answer(ask);
    }
    assert_eq!((order.as_str(), host.notes.as_str()), ("nno", "\r\u{1b}[Kebbline: a (9 MB)\r\u{1b}[K"));
}

#[test]
fn a_file_that_changed_since_is_not_replaced() {
    let mut host = Host::of(&["a"]);
    host.changed = Some(FileState { size: 9, ..FileState::default() });
    assert_eq!(host.run(&["repair", "a", "-o", "a"], Terminal::default()), Exit::Input);
    let sentence = "ebbline: cannot write a: it went from 3 to 9 bytes since it was read, ";
    assert!(host.notes.starts_with(sentence), "{}", host.notes);
    assert_eq!(host.run(&["repair", "a", "-o", "b"], Terminal::default()), Exit::Ok);
    assert_eq!(host.files.get(&Name::from("b")).map(Vec::as_slice), Some(SESSION));
}

#[test]
fn a_command_that_takes_long_is_waited_for() {
    let text = br#"[{"role":"user","content":"Fix it."},{"role":"assistant","content":"Done."},{"role":"user","content":"Now."}]"#;
    let mut host = Host { files: BTreeMap::from([("a".into(), text.to_vec())]), ..Host::default() };
    host.replies = vec![Reply::Waiting(Duration::from_secs(3)), Reply::Code(7)];
    let args =
        ["summarize", "a", "--with", "x", "--force", "--profile", "ebbline@1", "--set", "retain.keep=1"];
    let terminal = Terminal { notes_are_terminal: true, ..Terminal::default() };
    assert_eq!(host.run(&args, terminal), Exit::Input);
    assert_eq!(
        host.notes,
        "\r\u{1b}[Kebbline: waiting for the command, 3 s\r\u{1b}[K\
         ebbline: the command ended with exit code 7, and nothing was written\n"
    );
}

/// A session whose last answer uses what only its first output said.
fn forgetful() -> Vec<u8> {
    let mut text = r#"[{"role":"user","content":"Where is the port set?"}"#.to_owned();
    for call in 0..30 {
        let output = format!("config/{call}/listen.toml {}", "x ".repeat(600));
        text.push_str(&format!(
            r#",{{"role":"assistant","content":null,"tool_calls":[{{"id":"c{call}","type":"function","function":{{"name":"list","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"c{call}","content":"{output}"}}"#
        ));
    }
    text.push_str(r#",{"role":"assistant","content":"The port is set in config/0/listen.toml."}]"#);
    text.into_bytes()
}

#[test]
fn a_probe_says_how_far_it_is_and_what_stays_when_it_is_interrupted() {
    let mut host = Host { files: BTreeMap::from([("a".into(), forgetful())]), ..Host::default() };
    let slow = Reply::Waiting(Duration::from_secs(3));
    host.replies = vec![Reply::Answer(b"It is config/0/listen.toml.".to_vec()), slow, Reply::Interrupted];
    let args = ["probe", "a", "--with", "x", "--context", "4000", "--policies", "opencode@2026-01", "--json"];
    let terminal = Terminal { notes_are_terminal: true, ..Terminal::default() };
    assert_eq!(host.run(&args, terminal), Exit::Interrupted);
    assert_eq!(host.out.lines().count(), 1);
    assert!(
        host.out.contains(r#""in_context":false"#) && host.out.contains(r#""correct":true"#),
        "{}",
        host.out
    );
    let progress = "\r\u{1b}[Kebbline: answer 2 of 2, waiting for the command, 3 s\r\u{1b}[K";
    assert!(host.notes.contains(progress), "{}", host.notes);
    assert!(host.notes.ends_with("interrupted; without -o OUT no answer was kept\n"), "{}", host.notes);
}
