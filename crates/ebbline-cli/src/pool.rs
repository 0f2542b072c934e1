//! Files in several threads at once, in the order of their names, until they are done or somebody presses Ctrl-C.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use ebbline::format::detect_text;
use ebbline::text::Text;

use crate::budget::Budget;
use crate::exit::Exit;
use crate::failure::{Failure, fault, why};
use crate::folders::Listed;
use crate::progress::Progress;
use crate::run::Run;
use crate::signals::{Reaction, watch};
use crate::weight::Weight;

/// The stack of a thread: as much as the main thread has.
const STACK: usize = 8 << 20;

/// What is done with the bytes of a file.
pub(crate) type Work<T> = Arc<dyn Fn(&[u8]) -> Result<T, Failure> + Send + Sync>;

/// What became of a file.
#[derive(Debug)]
pub(crate) enum Done<T> {
    /// The work has a result.
    Value(T),
    /// The file was found in a folder, and no format recognises it.
    Skipped,
    /// Something is wrong.
    Failed {
        /// How the run ends.
        exit: Exit,
        /// The code of the error.
        code: &'static str,
        /// A sentence.
        message: String,
        /// Whether the sentence names the file, or is about the command line.
        is_complete: bool,
    },
}

/// Takes what became of a file.
pub(crate) type Take<'t, T> = dyn FnMut(&mut Run, &Listed, Done<T>) -> Result<(), Failure> + 't;

/// Does the work on every file and hands out the results in the order of the files. A single file needs no thread. Says how
/// many files are missing because somebody pressed Ctrl-C.
pub(crate) fn each_of<T: Send + 'static>(
    files: Vec<Listed>,
    work: &Work<T>,
    run: &mut Run,
    take: &mut Take<'_, T>,
) -> Result<usize, Failure> {
    let budget = Arc::new(Budget::asked(run.given.command, &run.given.values)?);
    if let [only] = files.as_slice() {
        let result = done(work, &budget, only);
        take(run, only, result)?;
        return Ok(0);
    }
    let jobs = match run.given.values.jobs()? {
        Some(jobs) => usize::try_from(jobs).unwrap_or(usize::MAX),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let files = Arc::new(files);
    let (sender, results) = channel();
    let told = sender.clone();
    let watching = watch(Reaction::TellOfInterrupt(Box::new(move || drop(told.send(Told::Stop)))));
    let pool = Pool {
        files: Arc::clone(&files),
        work: Arc::clone(work),
        budget,
        sender,
        next: Arc::default(),
        is_over: Arc::default(),
    };
    pool.hire(jobs.min(files.len()))?;
    let taken = taken(&files, &results, run, take);
    pool.is_over.store(true, Ordering::Relaxed);
    drop(watching);
    run.notes.clear();
    let (early, finished) = taken?;
    for (at, result) in early {
        if let Some(file) = files.get(at) {
            take(run, file, result)?;
        }
    }
    Ok(files.len() - finished)
}

/// What a thread says.
enum Told<T> {
    /// A file is finished.
    Finished(usize, Done<T>),
    /// Somebody pressed Ctrl-C.
    Stop,
}

/// Threads that share files. They are never waited for: whoever presses Ctrl-C wants no file to be finished.
struct Pool<T> {
    files: Arc<Vec<Listed>>,
    work: Work<T>,
    budget: Arc<Budget>,
    sender: Sender<Told<T>>,
    /// The next file to be begun.
    next: Arc<AtomicUsize>,
    is_over: Arc<AtomicBool>,
}

impl<T: Send + 'static> Pool<T> {
    /// So many threads, or as many as the system allows, and one for standard input, which may come slowly.
    fn hire(&self, jobs: usize) -> Result<(), Failure> {
        for job in 0..jobs {
            let worker = self.clone();
            let next = move || worker.next.fetch_add(1, Ordering::Relaxed);
            let worker = self.clone();
            let started = start(move || worker.work_on(next, |file| !file.name.is_stdin()));
            if job == 0 {
                started?;
            }
        }
        if self.files.iter().any(|file| file.name.is_stdin()) {
            let worker = self.clone();
            let mut places = 0..;
            let next = move || places.next().unwrap_or(usize::MAX);
            start(move || worker.work_on(next, |file| file.name.is_stdin()))?;
        }
        Ok(())
    }

    /// Works on the files that are its own until none is left.
    fn work_on(&self, mut next: impl FnMut() -> usize, is_own: impl Fn(&Listed) -> bool) {
        while !self.is_over.load(Ordering::Relaxed) {
            let at = next();
            let Some(file) = self.files.get(at) else { break };
            if is_own(file) {
                let result = done(&self.work, &self.budget, file);
                if self.sender.send(Told::Finished(at, result)).is_err() {
                    break;
                }
            }
        }
    }
}

impl<T> Clone for Pool<T> {
    fn clone(&self) -> Self {
        Self {
            files: Arc::clone(&self.files),
            work: Arc::clone(&self.work),
            budget: Arc::clone(&self.budget),
            sender: self.sender.clone(),
            next: Arc::clone(&self.next),
            is_over: Arc::clone(&self.is_over),
        }
    }
}

fn start(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let started = thread::Builder::new().stack_size(STACK).spawn(work);
    started.map(drop).map_err(|error| Failure::File(format!("cannot start a thread: {}", why(&error))))
}

/// Results that are finished before those that precede them.
type Early<T> = BTreeMap<usize, Done<T>>;

/// Takes results until all files are finished or somebody presses Ctrl-C: what could not be handed out yet, and how many files
/// are finished.
fn taken<T>(
    files: &[Listed],
    results: &Receiver<Told<T>>,
    run: &mut Run,
    take: &mut Take<'_, T>,
) -> Result<(Early<T>, usize), Failure> {
    let mut progress = Progress::of(files.iter().map(|file| file.size));
    let mut early = Early::new();
    let (mut first, mut finished) = (0, 0);
    while finished < files.len() && !run.out.is_closed {
        let (at, result) = match results.recv_timeout(progress.pause()) {
            Ok(Told::Finished(at, result)) => (at, result),
            Ok(Told::Stop) => break,
            Err(_) => {
                progress.show(&mut run.notes);
                continue;
            }
        };
        early.insert(at, result);
        finished += 1;
        progress.finish(at);
        run.notes.clear();
        while let Some((file, result)) = files.get(first).and_then(|file| Some((file, early.remove(&first)?)))
        {
            first += 1;
            take(run, file, result)?;
        }
    }
    Ok((early, finished))
}

/// Does the work on a file.
fn done<T>(work: &Work<T>, budget: &Budget, file: &Listed) -> Done<T> {
    let weight = if budget.is_bounded() { file.weight() } else { Ok(Weight::default()) };
    let _held = match weight.and_then(|weight| budget.take(file.size, weight)) {
        Ok(held) => held,
        Err(failure) => return failed(&failure),
    };
    let bytes = match file.bytes() {
        Ok(bytes) => bytes,
        Err(failure) => return failed(&failure),
    };
    let failed = match catch_unwind(AssertUnwindSafe(|| work(&bytes))) {
        Ok(Ok(result)) => return Done::Value(result),
        Ok(Err(failure)) => failed(&file.blamed().unwrap_or(failure)),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            Done::Failed { exit: Exit::Fault, code: "fault", message: fault(text), is_complete: false }
        }
    };
    if file.is_found && file.store.is_none() && is_no_session(&bytes) { Done::Skipped } else { failed }
}

fn failed<T>(failure: &Failure) -> Done<T> {
    let (exit, code) = (failure.exit(), failure.code());
    Done::Failed { exit, code, message: failure.message(), is_complete: failure.is_complete() }
}

/// Whether no format recognises a file.
fn is_no_session(bytes: &[u8]) -> bool {
    Text::from_bytes(bytes).and_then(|text| detect_text(&text)).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Name;

    fn listed(name: &str, is_found: bool) -> Listed {
        Listed { name: Name::from(name), is_found, size: 0, store: None }
    }

    #[test]
    fn what_is_no_session_in_a_folder_is_skipped_and_a_fault_is_said() {
        let path = std::env::temp_dir().join(format!("ebbline-pool-{}.json", std::process::id()));
        let work: Work<usize> = Arc::new(|bytes| match bytes {
            b"fault" => panic!("it broke"),
            _ => Ok(ebbline::Session::read(std::str::from_utf8(bytes).unwrap())?.counts().messages),
        });
        let name = path.to_string_lossy();
        let of = |content: &str, is_found: bool| {
            std::fs::write(&path, content).unwrap();
            done(&work, &Budget::of(None), &listed(&name, is_found))
        };
        assert!(matches!(of(r#"[{"role":"user","content":"a"}]"#, true), Done::Value(1)));
        assert!(matches!(of("# Notes", true), Done::Skipped));
        assert!(matches!(of("# Notes", false), Done::Failed { exit: Exit::Input, is_complete: false, .. }));
        assert!(matches!(of("fault", false), Done::Failed { exit: Exit::Fault, .. }));
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(
            done(&work, &Budget::of(None), &listed(&name, true)),
            Done::Failed { is_complete: true, .. }
        ));
    }
}
