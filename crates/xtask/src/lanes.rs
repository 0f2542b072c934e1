//! Runs jobs in parallel: several lanes, each of which takes the next job when it has ended one.
//!
//! Many tests wait for a browser or a single-threaded linker while others could compile. The output of a job is
//! collected and printed when the job ends; until then, a line regularly says what is running.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::measure::duration;
use crate::step::{self, say};

/// How often a line says what is running.
const EVERY: Duration = Duration::from_secs(15);

/// What a lane reports about its jobs.
enum Event<T> {
    Began(&'static str),
    Ended { name: &'static str, printed: String, result: T },
}

/// Runs the named jobs in this many lanes and returns their results in the order in which they ended. They begin in
/// the given order; `job` runs one of them on a lane's thread.
///
/// With a single lane, output is printed immediately.
pub(crate) fn run<T: Send>(
    lanes: usize,
    names: &[&'static str],
    job: impl Fn(&'static str) -> T + Sync,
) -> Vec<(&'static str, T)> {
    let (job, began) = (&job, Instant::now());
    if lanes < 2 {
        return names.iter().map(|name| (*name, job(name))).collect();
    }
    let waiting = Mutex::new(names.iter().copied());
    let next = || waiting.lock().ok().and_then(|mut waiting| waiting.next());
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..lanes {
            let sender = sender.clone();
            scope.spawn(move || {
                while let Some(name) = next() {
                    // The receiver waits until all lanes have ended.
                    let _ = sender.send(Event::Began(name));
                    let (result, printed) = step::kept(|| job(name));
                    let _ = sender.send(Event::Ended { name, printed, result });
                }
            });
        }
        drop(sender);
        let mut running = BTreeSet::new();
        let mut results = Vec::new();
        loop {
            match receiver.recv_timeout(EVERY) {
                Ok(Event::Began(name)) => {
                    running.insert(name);
                }
                Ok(Event::Ended { name, printed, result }) => {
                    running.remove(name);
                    step::write(format_args!("{printed}"));
                    results.push((name, result));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let names: Vec<&str> = running.iter().copied().collect();
                    say!("  {}  running: {}", duration(began.elapsed()), names.join(", "));
                }
                Err(RecvTimeoutError::Disconnected) => return results,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Barrier, mpsc};

    use super::*;

    #[test]
    fn lanes_run_side_by_side_and_a_free_one_takes_what_is_next() {
        // Neither of the first two jobs can end before the other has started, nor the first before the last has ended.
        let both = Barrier::new(2);
        let (sender, receiver) = mpsc::channel();
        let (sender, receiver) = (Mutex::new(sender), Mutex::new(receiver));
        let results = run(2, &["long", "a", "b", "c"], |name| {
            if matches!(name, "long" | "a") {
                both.wait();
            }
            match name {
                "long" => receiver.lock().unwrap().recv().unwrap(),
                "c" => sender.lock().unwrap().send(()).unwrap(),
                _ => {}
            }
            name.len()
        });
        let ended: Vec<_> = results.iter().map(|(name, _)| *name).collect();
        assert_eq!(ended.get(..2), Some(["a", "b"].as_slice()));
        assert_eq!(results.iter().map(|(_, result)| result).sum::<usize>(), 7);
    }

    #[test]
    fn one_lane_keeps_the_order() {
        assert_eq!(run(1, &["a", "bb"], str::len), [("a", 1), ("bb", 2)]);
        assert!(run(2, &[], str::len).is_empty());
    }

    #[test]
    fn what_is_printed_meanwhile_is_kept() {
        let ((), printed) = step::kept(|| say!("in {}", "here"));
        assert_eq!(printed, "in here\n");
        let ((), printed) = step::kept(|| ());
        assert_eq!(printed, "");
    }
}
