//! How much memory the files that are worked on together may need.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::failure::Failure;
use crate::progress::megabytes;
use crate::values::Values;

/// A file in work needs so many times its size: its bytes, the session, and what is computed of it. With long outputs it is
/// less than twice, with messages of less than a hundred bytes up to thirteen times.
const TIMES: u64 = 4;
/// Its rows of requests need so many times its size for each policy.
const TIMES_OF_REQUESTS: u64 = 1;
/// What a file needs however small it is.
const LEAST: u64 = 1 << 20;

/// Memory that files share.
#[derive(Debug)]
pub(crate) struct Budget {
    /// `None` if there is no limit.
    most: Option<u64>,
    times: u64,
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
    pub(crate) fn asked(values: &Values) -> Result<Self, Failure> {
        let policies = match values.text("policies") {
            Some(names) => names.split(',').count(),
            None => ebbline::profiles::ALL.len(),
        };
        let of_requests = values.text("rows-of") == Some("requests");
        let times = if of_requests { TIMES + TIMES_OF_REQUESTS * policies as u64 } else { TIMES };
        Ok(Self { times, ..Self::of(values.memory()?) })
    }

    /// A budget of so many bytes.
    pub(crate) fn of(most: Option<u64>) -> Self {
        Self { most, times: TIMES, used: Mutex::new(0), freed: Condvar::new() }
    }

    /// Whether there is a limit.
    pub(crate) fn is_bounded(&self) -> bool {
        self.most.is_some()
    }

    /// Waits until there is memory for a file of a size. A file for which there is never enough is refused.
    pub(crate) fn take(&self, size: u64) -> Result<Held<'_>, Failure> {
        let Some(most) = self.most else { return Ok(Held { budget: self, bytes: 0 }) };
        let bytes = size.saturating_mul(self.times).saturating_add(LEAST);
        if bytes > most {
            let (needs, allows) = (megabytes(bytes), megabytes(most));
            return Err(Failure::TooLarge(format!(
                "it has {}, and to work on it takes about {needs}: more than --max-memory allows, {allows}",
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
        let held = budget.take(LEAST / TIMES).unwrap();
        let refused = budget.take(LEAST).unwrap_err();
        assert_eq!(
            refused.message(),
            "it has 1 MB, and to work on it takes about 5 MB: more than --max-memory allows, 3 MB"
        );
        let (sender, taken) = channel();
        let other = Arc::clone(&budget);
        std::thread::spawn(move || {
            let held = other.take(LEAST / TIMES).unwrap();
            sender.send(()).unwrap();
            drop(held);
        });
        assert!(taken.recv_timeout(Duration::from_millis(20)).is_err());
        drop(held);
        taken.recv_timeout(Duration::from_secs(5)).unwrap();
        let given = |name: &'static str, value: &str| (name, Some(value.to_owned()));
        let values =
            vec![given("max-memory", "9MB"), given("rows-of", "requests"), given("policies", "a,b,c")];
        let requests = Budget::asked(&Values::new(values)).unwrap();
        assert_eq!((requests.most, requests.times), (Some(9_000_000), TIMES + 3 * TIMES_OF_REQUESTS));
        let open = Budget::of(None);
        assert!(open.take(u64::MAX).is_ok());
    }
}
