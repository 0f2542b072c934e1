//! Work that runs side by side: a few lanes, each with its jobs one after the other.
//!
//! Much of the tests waits for a browser or for a linker with a single thread, while other tests could compile. What a job
//! prints is kept apart and comes as a whole when the job ends; until then a line says now and then what is running.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::measure::duration;
use crate::step::{self, say};

/// How often a line says what is running.
const EVERY: Duration = Duration::from_secs(15);

/// What a lane tells of its jobs.
enum News<T> {
    Began(&'static str),
    Ended { name: &'static str, printed: String, result: T },
}

/// Runs the lanes side by side and returns what their jobs came to, in the order in which they ended. A lane is a list of
/// names; `job` runs one, and is called on the lane's own thread.
///
/// With a single lane nothing is kept apart: what a job prints is seen at once.
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
                    let _ = sender.send(News::Began(name));
                    let (result, printed) = step::kept(|| job(&mut lane, name));
                    let _ = sender.send(News::Ended { name, printed, result });
                }
            });
        }
        drop(sender);
        let mut running = BTreeSet::new();
        let mut results = Vec::new();
        loop {
            match receiver.recv_timeout(EVERY) {
                Ok(News::Began(name)) => {
                    running.insert(name);
                }
                Ok(News::Ended { name, printed, result }) => {
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
        // Neither of the first two jobs can end before the other has begun.
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
