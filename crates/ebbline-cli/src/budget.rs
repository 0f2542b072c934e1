//! How much memory the files that are worked on together may need.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::failure::Failure;
use crate::progress::megabytes;
use crate::values::Values;
use crate::weight::{OF_REQUESTS, OF_SWEEP, Weight};

/// What a file needs however small it is.
const LEAST: u64 = 1 << 20;

/// Memory that files share.
#[derive(Debug)]
pub(crate) struct Budget {
    /// `None` if there is no limit.
    most: Option<u64>,
    /// How much more is kept of each string.
    of_string: u64,
    used: Mutex<u64>,
    freed: Condvar,
}

/// Memory of a file; it is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Held<'b> {
    budget: &'b Budget,
    bytes: u64,
}

impl Budget {
    /// The budget that options ask for.
    pub(crate) fn asked(command: Option<&str>, values: &Values) -> Result<Self, Failure> {
        let policies = match values.text("policies") {
            Some(names) => names.split(',').count(),
            None => ebbline::profiles::ALL.len(),
        };
        let of_requests = values.text("rows-of") == Some("requests");
        // `scan` adds the policy that removes nothing.
        let policies = policies + usize::from(command == Some("scan"));
        let of_string = match command {
            _ if of_requests => OF_REQUESTS.saturating_mul(policies as u64),
            Some("sweep") => OF_SWEEP,
            _ => 0,
        };
        Ok(Self { of_string, ..Self::of(values.memory()?) })
    }

    /// A budget of so many bytes.
    pub(crate) fn of(most: Option<u64>) -> Self {
        Self { most, of_string: 0, used: Mutex::new(0), freed: Condvar::new() }
    }

    /// Whether there is a limit.
    pub(crate) fn is_bounded(&self) -> bool {
        self.most.is_some()
    }

    /// Waits until there is memory for a file of a size and weight. A file for which there is never enough is refused.
    pub(crate) fn take(&self, size: u64, weight: Weight) -> Result<Held<'_>, Failure> {
        let Some(most) = self.most else { return Ok(Held { budget: self, bytes: 0 }) };
        let bytes = weight.memory(self.of_string).saturating_add(LEAST);
        if bytes > most {
            let (needs, allows) = (megabytes(bytes), megabytes(most));
            return Err(Failure::TooLarge(format!(
                "it has {}, and to work on it takes up to {needs}: more than --max-memory allows, {allows}",
                megabytes(size)
            )));
        }
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_while(used, |used| *used + bytes > most);
        *waited.unwrap_or_else(PoisonError::into_inner) += bytes;
        Ok(Held { budget: self, bytes })
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut used = self.budget.used.lock().unwrap_or_else(PoisonError::into_inner);
        *used = used.saturating_sub(self.bytes);
        drop(used);
        self.budget.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    #[test]
    fn files_wait_for_memory_and_large_ones_are_refused() {
        let budget = Arc::new(Budget::of(Some(3 * LEAST)));
        let weight = |bytes| Weight::default().beside(bytes);
        let held = budget.take(LEAST, weight(LEAST)).unwrap();
        let refused = budget.take(2 * LEAST, weight(2 * LEAST)).unwrap_err();
        assert_eq!(
            refused.message(),
            "it has 2 MB, and to work on it takes up to 3 MB: more than --max-memory allows, 3 MB"
        );
        let (sender, taken) = channel();
        let other = Arc::clone(&budget);
        std::thread::spawn(move || {
            let held = other.take(LEAST, weight(LEAST)).unwrap();
            sender.send(()).unwrap();
            drop(held);
        });
        assert!(taken.recv_timeout(Duration::from_millis(20)).is_err());
        drop(held);
        taken.recv_timeout(Duration::from_secs(5)).unwrap();
        let given = |name: &'static str, value: &str| (name, Some(value.to_owned()));
        let values =
            vec![given("max-memory", "9MB"), given("rows-of", "requests"), given("policies", "a,b,c")];
        let requests = Budget::asked(Some("scan"), &Values::new(values)).unwrap();
        assert_eq!((requests.most, requests.of_string), (Some(9_000_000), 4 * OF_REQUESTS));
        let sweep = Budget::asked(Some("sweep"), &Values::default()).unwrap();
        assert_eq!((sweep.most, sweep.of_string), (None, OF_SWEEP));
        assert!(sweep.take(u64::MAX, weight(1)).is_ok());
    }
}
