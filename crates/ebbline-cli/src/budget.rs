//! How much memory the files that are worked on together may need.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::failure::Failure;
use crate::progress::megabytes;

/// A file in work needs so many times its size: its bytes, the session, and what is computed of it. `cargo xtask bench`
/// measures it.
pub(crate) const TIMES: u64 = 4;
/// What a file needs however small it is.
const LEAST: u64 = 1 << 20;

/// Memory that files share.
#[derive(Debug)]
pub(crate) struct Budget {
    /// `None` if there is no limit.
    most: Option<u64>,
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
    /// A budget of so many bytes.
    pub(crate) fn of(most: Option<u64>) -> Self {
        Self { most, used: Mutex::new(0), freed: Condvar::new() }
    }

    /// Waits until there is memory for a file of a size. A file for which there is never enough is refused.
    pub(crate) fn take(&self, size: u64) -> Result<Held<'_>, Failure> {
        let Some(most) = self.most else { return Ok(Held { budget: self, bytes: 0 }) };
        let bytes = size.saturating_mul(TIMES).saturating_add(LEAST);
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
        let open = Budget::of(None);
        assert!(open.take(u64::MAX).is_ok());
    }
}
