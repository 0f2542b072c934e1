//! A step of work as the user sees it: a line at its start, a line at its end, and progress between.
//!
//! On a terminal the progress line is rewritten in place; elsewhere (a log, a CI run) a line is printed every fifteen
//! seconds, so that a silent compiler does not look like a hung one.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::counts::Counts;
use crate::measure::duration;

/// Prints a line like `println!`, but ignores errors: if the reader is gone, the work continues.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::step::write(format_args!("{}\n", format_args!($($text)*)))
    };
}
pub(crate) use say;

thread_local! {
    /// The captured output of this thread.
    static KEPT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Prints without a line break, for questions and progress.
pub(crate) fn write(text: fmt::Arguments<'_>) {
    let is_kept = KEPT.with_borrow_mut(|kept| {
        kept.as_mut().map(|kept| {
            // Writing to a string does not fail.
            let _ = fmt::Write::write_fmt(kept, text);
        })
    });
    if is_kept.is_none() {
        let mut out = io::stdout().lock();
        let _ = out.write_fmt(text).and_then(|()| out.flush());
    }
}

/// Calls `work`, and returns its result and what it printed on this thread instead of showing it.
pub(crate) fn kept<T>(work: impl FnOnce() -> T) -> (T, String) {
    KEPT.set(Some(String::new()));
    let result = work();
    (result, KEPT.take().unwrap_or_default())
}

fn is_kept() -> bool {
    KEPT.with_borrow(Option::is_some)
}

/// How often a log gets a line of progress.
const LOG_EVERY: Duration = Duration::from_secs(15);
/// How often the line on a terminal is rewritten.
const SCREEN_EVERY: Duration = Duration::from_millis(250);
/// Shorter steps show no progress, because a line that flashes by is useless.
const PATIENCE: Duration = Duration::from_millis(700);

/// A step that has been announced and is still running.
#[derive(Debug)]
pub(crate) struct Step {
    name: String,
    started: Instant,
}

impl Step {
    /// Announces the step.
    pub(crate) fn begin(name: impl Into<String>, doing: impl fmt::Display) -> Self {
        let name = name.into();
        say!("{} {}: {doing}", quiet("▸"), strong(&name));
        Self { name, started: Instant::now() }
    }

    /// Ends the step and says what it produced.
    pub(crate) fn done(self, left: impl fmt::Display) -> Duration {
        let took = self.started.elapsed();
        say!("{} {}: {left} {}", good("✔"), strong(&self.name), quiet(format!("({})", duration(took))));
        took
    }

    /// Ends a step that found a fault, for example a failing test, but worked itself.
    pub(crate) fn done_badly(self, left: impl fmt::Display) -> Duration {
        let took = self.started.elapsed();
        say!("{} {}: {left} {}", bad("✘"), strong(&self.name), quiet(format!("({})", duration(took))));
        took
    }

    /// Ends a step that ran tests.
    pub(crate) fn done_with(self, counts: Counts) -> Duration {
        if counts.failed == 0 { self.done(counts) } else { self.done_badly(counts) }
    }

    /// Ends a step that could not run on this machine.
    pub(crate) fn left_out(self, why: impl fmt::Display) -> Duration {
        let took = self.started.elapsed();
        say!(
            "{} {}: not run, for {why} {}",
            odd("–"),
            strong(&self.name),
            quiet(format!("({})", duration(took)))
        );
        took
    }

    /// The step's name, for messages about it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The time since the step was announced.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Shows the newest line of a child's output while it runs.
#[derive(Debug)]
pub(crate) struct Progress<'step> {
    step: &'step Step,
    on_screen: bool,
    shown: Instant,
    drawn: bool,
}

impl<'step> Progress<'step> {
    /// Progress of `step`, beginning now.
    pub(crate) fn of(step: &'step Step) -> Self {
        Self { step, on_screen: io::stdout().is_terminal(), shown: Instant::now(), drawn: false }
    }

    /// Shows `newest` if enough time has passed since the last time.
    pub(crate) fn tick(&mut self, newest: &str) {
        let every = if self.on_screen { SCREEN_EVERY } else { LOG_EVERY };
        if is_kept() || self.step.elapsed() < PATIENCE || self.shown.elapsed() < every {
            return;
        }
        self.shown = Instant::now();
        let line = format!("  {}  {}", duration(self.step.elapsed()), newest.trim());
        if self.on_screen {
            let width = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(80_usize);
            let short: String = line.chars().take(width.saturating_sub(1)).collect();
            write(format_args!("\r\x1b[2K{}", quiet(short)));
            self.drawn = true;
        } else {
            say!("{line}");
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if self.drawn {
            write(format_args!("\r\x1b[2K"));
        }
    }
}

/// Prints a remark during a step.
pub(crate) fn note(text: impl fmt::Display) {
    say!("  {text}");
}

/// Green, for success.
pub(crate) fn good(text: impl fmt::Display) -> String {
    paint(32, text)
}

/// Red, for what failed.
pub(crate) fn bad(text: impl fmt::Display) -> String {
    paint(31, text)
}

/// Yellow, for what was not run.
pub(crate) fn odd(text: impl fmt::Display) -> String {
    paint(33, text)
}

/// Bold, for names.
pub(crate) fn strong(text: impl fmt::Display) -> String {
    paint(1, text)
}

/// Dim, for details.
pub(crate) fn quiet(text: impl fmt::Display) -> String {
    paint(2, text)
}

/// Colors are only used on a terminal that does not ask for plain text.
fn paint(code: u8, text: impl fmt::Display) -> String {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain || !io::stdout().is_terminal() { text.to_string() } else { format!("\x1b[{code}m{text}\x1b[0m") }
}
