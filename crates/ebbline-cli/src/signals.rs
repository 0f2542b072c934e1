//! What is done when somebody ends the program: by Ctrl-C, by `kill`, by closing the terminal.
//!
//! A thread waits for these signals from the first time on that something is to be done about them. Whenever nothing is,
//! it ends the program as the system would.

use std::sync::{Mutex, OnceLock, PoisonError};

/// What is done about a signal.
pub(crate) enum Reaction {
    /// Something is tidied up, and the program ends by the signal.
    TidyUp(Box<dyn Fn() + Send>),
    /// The program is told, and ends by itself.
    Tell(Box<dyn Fn() + Send>),
    /// The program is told of Ctrl-C, and ends by itself; it ends by other signals.
    TellOfInterrupt(Box<dyn Fn() + Send>),
}

static REACTION: Mutex<Option<Reaction>> = Mutex::new(None);
static THREAD: OnceLock<()> = OnceLock::new();

/// While it lives, a reaction holds.
#[derive(Debug)]
#[must_use]
pub(crate) struct Watch(());

impl Drop for Watch {
    fn drop(&mut self) {
        set(None);
    }
}

/// Reacts to signals from now on.
pub(crate) fn watch(reaction: Reaction) -> Watch {
    set(Some(reaction));
    THREAD.get_or_init(system::start);
    Watch(())
}

fn set(reaction: Option<Reaction>) {
    *REACTION.lock().unwrap_or_else(PoisonError::into_inner) = reaction;
}

/// Reacts to Ctrl-C or to another signal; whether the program is to end by it.
#[cfg_attr(not(unix), expect(dead_code, reason = "there are no signals"))]
fn react(is_interrupt: bool) -> bool {
    let reaction = REACTION.lock().unwrap_or_else(PoisonError::into_inner);
    match &*reaction {
        Some(Reaction::Tell(tell)) => {
            tell();
            false
        }
        Some(Reaction::TellOfInterrupt(tell)) => {
            if is_interrupt {
                tell();
            }
            !is_interrupt
        }
        Some(Reaction::TidyUp(tidy)) => {
            tidy();
            true
        }
        None => true,
    }
}

/// Lets a file that may not grow be an error instead of the end of the program.
pub(crate) fn survive_large_files() {
    system::survive_large_files();
}

/// The name of a signal: `SIGKILL`.
#[cfg(unix)]
pub(crate) fn name(signal: i32) -> String {
    signal_hook::low_level::signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_owned)
}

#[cfg(unix)]
mod system {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::react;

    pub(super) fn start() {
        // Where no handler can be set, the system's own ends the program.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        thread::spawn(move || {
            for signal in signals.forever() {
                if react(signal == SIGINT) {
                    let _ = emulate_default_handler(signal);
                }
            }
        });
    }

    pub(super) fn survive_large_files() {
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

#[cfg(not(unix))]
mod system {
    pub(super) fn start() {}

    pub(super) fn survive_large_files() {}
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_reaction_holds_as_long_as_it_is_watched() {
        static TOLD: AtomicUsize = AtomicUsize::new(0);
        let watching = watch(Reaction::Tell(Box::new(|| {
            TOLD.fetch_add(1, Ordering::Relaxed);
        })));
        assert!(!react(true) && !react(false));
        drop(watching);
        assert!(react(true));
        let watching = watch(Reaction::TellOfInterrupt(Box::new(|| {
            TOLD.fetch_add(1, Ordering::Relaxed);
        })));
        assert!(!react(true) && react(false));
        drop(watching);
        assert_eq!(TOLD.load(Ordering::Relaxed), 3);
        assert_eq!(name(9), "SIGKILL");
    }
}
