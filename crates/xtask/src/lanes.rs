//! Runs jobs in parallel: several lanes, each with consecutive jobs.
//!
//! Many tests wait for a browser or a single-threaded linker while others could compile. The output of a job is
//! collected and printed when the job ends; until then, a line regularly says what is running.

use std::collections::BTreeSet;
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

/// Runs the lanes in parallel and returns the results of their jobs in the order in which they ended. A lane is a
/// list of names; `job` runs one of them on the lane's own thread.
///
/// With a single lane, output is printed immediately.
pub(crate) fn run<L: Send, T: Send>(
    lanes: Vec<(L, Vec<&'static str>)>,
    job: impl Fn(&mut L, &'static str) -> T + Sync,
) -> Vec<(&'static str, T)> {
    let is_alone = lanes.len() < 2;
    let (job, began) = (&job, Instant::now());
    if is_alone {
        let jobs = lanes.into_iter().flat_map(|(mut lane, names)| {
            names.into_iter().map(move |name| (name, job(&mut lane, name))).collect::<Vec<_>>()
        });
        return jobs.collect();
    }
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for (mut lane, names) in lanes {
            let sender = sender.clone();
            scope.spawn(move || {
                for name in names {
                    // The receiver waits until all lanes have ended.
                    let _ = sender.send(Event::Began(name));
                    let (result, printed) = step::kept(|| job(&mut lane, name));
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
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn lanes_run_side_by_side_and_each_keeps_its_order() {
        // Neither of the first two jobs can end before the other has started.
        let both = Barrier::new(2);
        let lanes = vec![(0, vec!["a", "b"]), (10, vec!["x", "y"])];
        let results = run(lanes, |done, name| {
            if matches!(name, "a" | "x") {
                both.wait();
            }
            *done += 1;
            *done
        });
        let of = |names: [&str; 2]| -> Vec<i32> {
            results.iter().filter(|(name, _)| names.contains(name)).map(|(_, result)| *result).collect()
        };
        assert_eq!((of(["a", "b"]), of(["x", "y"])), (vec![1, 2], vec![11, 12]));
    }

    #[test]
    fn what_is_printed_meanwhile_is_kept() {
        let ((), printed) = step::kept(|| say!("in {}", "here"));
        assert_eq!(printed, "in here\n");
        let ((), printed) = step::kept(|| ());
        assert_eq!(printed, "");
    }
}
