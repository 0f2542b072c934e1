//! Files in several threads at once, until they are done or somebody presses Ctrl-C.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use ebbline_commands::{Exit, FileResult, News, Refusal, SessionFile, Work, Worker};

use crate::budget::Budget;
use crate::file_name::path_of;
use crate::files;
use crate::refusal::of_system;
use crate::signals::{Reaction, Watch, watch};
use crate::store::Databases;
use crate::words_of;

/// The stack of a thread: as much as the main thread has.
const STACK: usize = 8 << 20;

/// Files that are worked on.
#[derive(Debug)]
pub(crate) enum Pool {
    /// A single file needs no thread: it is worked on when news is asked for.
    One(Box<Shared>),
    /// Several.
    Threads {
        shared: Arc<Shared>,
        news: Receiver<News>,
        /// Tells of Ctrl-C while it lives.
        _watching: Watch,
    },
}

/// What threads share.
#[derive(Debug)]
pub(crate) struct Shared {
    files: Vec<SessionFile>,
    /// The work, or what becomes of every file if it cannot be done.
    worker: Result<Worker, FileResult>,
    budget: Budget,
    databases: Arc<Databases>,
    /// The next file to be begun.
    next: AtomicUsize,
    is_over: AtomicBool,
}

impl Pool {
    /// Begins to work on files.
    pub(crate) fn start(work: Work, databases: Arc<Databases>) -> Result<Self, Refusal> {
        let Work { task, files, threads, memory } = work;
        let threads = match threads {
            Some(threads) => usize::try_from(threads).unwrap_or(usize::MAX),
            None => thread::available_parallelism().map_or(1, usize::from),
        };
        let shared = Shared {
            files,
            worker: task.worker(),
            budget: Budget::of(memory),
            databases,
            next: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        };
        if shared.files.len() == 1 {
            return Ok(Self::One(Box::new(shared)));
        }
        let (sender, news) = channel();
        let told = sender.clone();
        let watching = watch(Reaction::TellOfInterrupt(Box::new(move || drop(told.send(News::Interrupted)))));
        let shared = Arc::new(shared);
        hire(&shared, threads.min(shared.files.len()), &sender)?;
        Ok(Self::Threads { shared, news, _watching: watching })
    }

    /// What became of the next file, within so much time.
    pub(crate) fn next(&self, within: Duration) -> News {
        match self {
            Self::One(shared) => match shared.files.first() {
                Some(file) => News::Finished(0, shared.done(file)),
                None => News::Nothing,
            },
            Self::Threads { news, .. } => news.recv_timeout(within).unwrap_or(News::Nothing),
        }
    }
}

impl Drop for Pool {
    /// Threads are never waited for: whoever presses Ctrl-C wants no file to be finished.
    fn drop(&mut self) {
        if let Self::Threads { shared, .. } = self {
            shared.is_over.store(true, Ordering::Relaxed);
        }
    }
}

/// So many threads, or as many as the system allows, and one for standard input, which may come slowly.
fn hire(shared: &Arc<Shared>, threads: usize, sender: &Sender<News>) -> Result<(), Refusal> {
    for thread in 0..threads {
        let (shared, sender) = (Arc::clone(shared), sender.clone());
        let started = start(move || {
            let next = || shared.next.fetch_add(1, Ordering::Relaxed);
            shared.work_on(next, |file| !file.name.is_stdin(), &sender);
        });
        if thread == 0 {
            started?;
        }
    }
    if shared.files.iter().any(|file| file.name.is_stdin()) {
        let (shared, sender) = (Arc::clone(shared), sender.clone());
        let mut places = 0..;
        start(move || {
            let next = || places.next().unwrap_or(usize::MAX);
            shared.work_on(next, |file| file.name.is_stdin(), &sender);
        })?;
    }
    Ok(())
}

fn start(work: impl FnOnce() + Send + 'static) -> Result<(), Refusal> {
    let started = thread::Builder::new().stack_size(STACK).spawn(work);
    started.map(drop).map_err(|error| of_system(&error))
}

impl Shared {
    /// Works on the files that are its own until none is left.
    fn work_on(
        &self,
        mut next: impl FnMut() -> usize,
        is_own: impl Fn(&SessionFile) -> bool,
        sender: &Sender<News>,
    ) {
        while !self.is_over.load(Ordering::Relaxed) {
            let at = next();
            let Some(file) = self.files.get(at) else { break };
            if is_own(file) && sender.send(News::Finished(at, self.done(file))).is_err() {
                break;
            }
        }
    }

    /// Does the work on a file.
    fn done(&self, file: &SessionFile) -> FileResult {
        let worker = match &self.worker {
            Ok(worker) => worker,
            Err(done) => return done.clone(),
        };
        self.done_by(worker, file).unwrap_or_else(|refusal| FileResult::unread(file, refusal))
    }

    fn done_by(&self, worker: &Worker, file: &SessionFile) -> Result<FileResult, Refusal> {
        let memory = self.budget.memory();
        let mut share = 0;
        if memory.is_bounded() {
            share = memory.share(files::weight(file, &self.databases)?);
            if let Some(refused) = memory.refusal(file.size, share) {
                return Ok(refused);
            }
        }
        let _held = self.budget.take(share);
        let bytes = files::read(&file.name, &self.databases)?;
        let done = catch_unwind(AssertUnwindSafe(|| worker.run(file, &bytes)))
            .unwrap_or_else(|panic| FileResult::broken(file, &bytes, &words_of(&*panic)));
        match (&done, &file.store) {
            (FileResult::Failed { exit, .. }, Some(store)) if *exit != Exit::Fault => {
                self.databases.blamed(&path_of(&file.name), store).map_or(Ok(done), Err)
            }
            _ => Ok(done),
        }
    }
}

#[cfg(test)]
mod tests {
    use ebbline_commands::{Memory, Task};

    use super::*;

    fn files(count: usize) -> Vec<SessionFile> {
        (0..count).map(|_| SessionFile { name: "/no/such".into(), ..SessionFile::default() }).collect()
    }

    #[test]
    fn every_file_is_finished_once() {
        for count in [1, 5] {
            let memory = Memory::default();
            let work = Work { task: Task::default(), files: files(count), threads: Some(3), memory };
            let pool = Pool::start(work, Arc::default()).unwrap();
            let mut numbers: Vec<usize> = (0..count)
                .map(|_| match pool.next(Duration::from_secs(5)) {
                    News::Finished(at, FileResult::Failed { .. }) => at,
                    news => panic!("{news:?}"),
                })
                .collect();
            numbers.sort_unstable();
            assert_eq!(numbers, (0..count).collect::<Vec<_>>());
        }
    }
}
