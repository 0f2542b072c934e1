//! Thousands of damaged sessions: no text may make the engine panic, hang, lose bytes or use unlimited memory.
//!
//! `cargo xtask fuzz` runs it (see `--help`), and `cargo xtask test` runs a hundred thousand cases; it needs no
//! nightly toolchain. A case is a seed with a few mutations ([`text`], [`values`]), which is checked for what must be true of
//! every text ([`oracle`]). It only depends on the run's seed, the target and its number, so that a failure can be
//! reproduced anywhere: the duration of a run decides how many cases there are, not which. A failing text is
//! shortened ([`shrink`]) and written to a file.
//!
//! Cases run on one thread with a stack as large as that of WebAssembly, and all their allocations are counted; the
//! program must use [`peak_alloc::PeakAlloc`] as its allocator.

pub mod oracle;
pub mod random;
pub mod seeds;
pub mod shrink;
pub mod text;
pub mod values;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use oracle::Target;
use random::Random;
use seeds::Seed;

/// The stack of a WebAssembly module, as set by the Rust linker.
const STACK: usize = 1 << 20;

/// After this many failures a target is abandoned.
const ENOUGH: usize = 3;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The targets to check.
    pub targets: Vec<Target>,
    /// The number of cases over all targets; `None` for no limit.
    pub cases: Option<u64>,
    /// The duration over all targets; `None` for no limit.
    pub time: Option<Duration>,
    /// The seed of all randomness.
    pub seed: u64,
    /// The number of the first case, to reproduce a single one.
    pub first: u64,
    /// A folder with more seeds.
    pub seeds: Option<PathBuf>,
    /// Where failing texts are written.
    pub failures: PathBuf,
}

/// The result of one target.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How many cases there were.
    pub cases: u64,
    /// How many of them were sessions.
    pub sessions: u64,
    /// How many texts they were made from.
    pub seeds: usize,
    /// The longest time of a case, in milliseconds.
    pub slowest: u64,
    /// The highest peak memory of reading, relative to the text's length.
    pub memory: f64,
    /// The failures: the reason, and the file with the text.
    pub failures: Vec<String>,
}

impl Run {
    /// Runs all targets, and calls `report` with each result.
    ///
    /// # Panics
    ///
    /// If no thread can be started.
    #[expect(clippy::expect_used, reason = "without threads nothing can be tested")]
    pub fn run(self, mut report: impl FnMut(Target, Outcome)) {
        let seeds = Arc::new(seeds::all(self.seeds.as_deref()));
        let began = Instant::now();
        for (index, target) in self.targets.iter().copied().enumerate() {
            let left = (self.targets.len() - index) as u32;
            // The time that one target does not use is available to the others.
            let until = self.time.map(|time| Instant::now() + time.saturating_sub(began.elapsed()) / left);
            let cases = self.cases.map(|cases| cases.div_ceil(self.targets.len() as u64));
            let (run, seeds) = (self.clone(), Arc::clone(&seeds));
            let worker = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn(move || run.target(target, &seeds, cases, until))
                .expect("a thread");
            report(target, worker.join().expect("failures are caught"));
        }
    }

    fn target(&self, target: Target, seeds: &[Seed], cases: Option<u64>, until: Option<Instant>) -> Outcome {
        let own = seeds::of(seeds, target);
        let mut outcome = Outcome { seeds: own.len(), ..Outcome::default() };
        if own.is_empty() {
            outcome.failures.push("there is no seed: a fixture is missing".to_owned());
            return outcome;
        }
        let watch = Watch::begin(&self.failures, target);
        for case in self.first.. {
            let done = cases.is_some_and(|cases| outcome.cases >= cases)
                || until.is_some_and(|until| Instant::now() >= until);
            if done || outcome.failures.len() >= ENOUGH {
                break;
            }
            let text = make(self.seed, target, case, &own, seeds);
            let limit = watch.case(&text);
            let started = Instant::now();
            match attempt(target, &text) {
                Ok(seen) => {
                    outcome.memory = outcome.memory.max(seen.memory);
                    outcome.sessions += u64::from(seen.is_session);
                }
                Err(why) => {
                    watch.pause();
                    outcome.failures.push(self.keep(target, case, &text, &why));
                }
            }
            outcome.slowest = outcome.slowest.max(started.elapsed().as_millis() as u64);
            if started.elapsed() > limit {
                let why = format!("slow: {} ms for {} bytes", started.elapsed().as_millis(), text.len());
                outcome.failures.push(self.write(target, case, &text, &why));
            }
            outcome.cases += 1;
        }
        outcome
    }

    /// Shortens a failing text and writes it to a file.
    fn keep(&self, target: Target, case: u64, text: &str, why: &str) -> String {
        let kind = kind_of(why);
        let short =
            shrink::shrink(text, |text| attempt(target, text).is_err_and(|other| kind_of(&other) == kind));
        let why = attempt(target, &short).err().unwrap_or_else(|| why.to_owned());
        self.write(target, case, &short, &why)
    }

    fn write(&self, target: Target, case: u64, text: &str, why: &str) -> String {
        let path = self.failures.join(format!("{}-{}-{case}.txt", target.name(), self.seed));
        let kept = std::fs::create_dir_all(&self.failures).and_then(|()| std::fs::write(&path, text));
        let place = kept.map_or_else(|error| error.to_string(), |()| path.display().to_string());
        format!("case {case} of seed {}: {why}; {} bytes in {place}", self.seed, text.len())
    }
}

/// The text of a case: a seed, damaged.
fn make(seed: u64, target: Target, case: u64, own: &[&Seed], all: &[Seed]) -> String {
    let mut random = Random::of_case(seed, target.name(), case);
    let mut text = random.pick(own).map(|seed| seed.text.clone()).unwrap_or_default();
    loop {
        // Mostly of the same format, because parts of other formats are soon unreadable.
        let other = if random.one_in(4) { random.pick(all) } else { random.pick(own).copied() };
        let other = other.map(|seed| seed.text.as_str()).unwrap_or_default();
        if random.one_in(3) || !values::damage(&mut text, other, &mut random) {
            text::damage(&mut text, other, &mut random);
        }
        if random.one_in(3) {
            return text;
        }
    }
}

/// Checks a text; a panic is a failure like any other.
fn attempt(target: Target, text: &str) -> Result<oracle::Seen, String> {
    catch_unwind(AssertUnwindSafe(|| target.check(text))).unwrap_or_else(|_| {
        let said = PANIC.lock().map(|mut said| std::mem::take(&mut *said)).unwrap_or_default();
        Err(format!("panic at {said}"))
    })
}

/// The place and message of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// Keeps panic messages for the report instead of printing them.
pub fn silence_panics() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut said) = PANIC.lock() {
            *said = info.to_string().replace('\n', " ").replacen("panicked at ", "", 1);
        }
    }));
}

/// What two failures of the same kind have in common.
fn kind_of(why: &str) -> &str {
    let end =
        why.match_indices(": ").nth(usize::from(why.contains("panic at"))).map_or(why.len(), |(at, _)| at);
    why.get(..end).unwrap_or(why)
}

/// Ends the program if a case takes far too long, because a hang cannot be caught.
struct Watch {
    shared: Arc<Shared>,
}

struct Shared {
    /// The time in milliseconds after the start at which the current case counts as hung; 0 for none.
    deadline: AtomicU64,
    began: Instant,
    text: Mutex<String>,
}

impl Watch {
    fn begin(folder: &Path, target: Target) -> Self {
        let shared = Arc::new(Shared {
            deadline: AtomicU64::new(0),
            began: Instant::now(),
            text: Mutex::new(String::new()),
        });
        let (watched, path) = (Arc::downgrade(&shared), folder.join(format!("{}-hung.txt", target.name())));
        std::thread::spawn(move || {
            while let Some(shared) = watched.upgrade() {
                let deadline = shared.deadline.load(Ordering::Relaxed);
                if deadline > 0 && shared.began.elapsed().as_millis() as u64 > deadline {
                    hang(&shared, &path);
                }
                drop(shared);
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        Self { shared }
    }

    /// Begins a case; returns how long it may take: five seconds, and one more per 20 kB. That is a thousand times
    /// the usual time, because the machine may be busy.
    fn case(&self, text: &str) -> Duration {
        let limit = Duration::from_secs(5) + Duration::from_micros(50 * text.len() as u64);
        let deadline = self.shared.began.elapsed() + 10 * limit;
        if let Ok(mut kept) = self.shared.text.lock() {
            text.clone_into(&mut kept);
        }
        self.shared.deadline.store(deadline.as_millis() as u64, Ordering::Relaxed);
        limit
    }

    fn pause(&self) {
        self.shared.deadline.store(0, Ordering::Relaxed);
    }
}

#[expect(clippy::print_stderr, reason = "the last words of the program")]
fn hang(shared: &Shared, path: &Path) -> ! {
    if let (Ok(text), Some(folder)) = (shared.text.lock(), path.parent()) {
        let _ = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, &*text));
    }
    eprintln!("a case does not come to an end; its text is in {}", path.display());
    std::process::exit(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_of_one_kind_whatever_their_details() {
        assert_eq!(kind_of("an error's place: 3 or 4"), "an error's place");
        assert_eq!(kind_of("pi: panic at src/a.rs:3:4: index 7"), "pi: panic at src/a.rs:3:4");
    }

    #[test]
    fn a_case_can_be_made_again() {
        let seeds = seeds::all(None);
        let own = seeds::of(&seeds, Target::All);
        for case in 0..50 {
            assert_eq!(make(9, Target::All, case, &own, &seeds), make(9, Target::All, case, &own, &seeds));
        }
    }
}
