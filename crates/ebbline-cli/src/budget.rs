//! Memory that threads share: a file waits until there is enough for it.

use std::sync::{Condvar, Mutex, PoisonError};

use ebbline_commands::Memory;

/// Memory that files share.
#[derive(Debug)]
pub(crate) struct Budget {
    memory: Memory,
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
    /// A budget of so much memory.
    pub(crate) fn of(memory: Memory) -> Self {
        Self { memory, used: Mutex::new(0), freed: Condvar::new() }
    }

    /// How much memory there is.
    pub(crate) fn memory(&self) -> Memory {
        self.memory
    }

    /// Waits until there is a share of the memory, which must not be more than all of it.
    pub(crate) fn take(&self, bytes: u64) -> Held<'_> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_while(used, |used| !self.memory.fits(*used, bytes));
        *waited.unwrap_or_else(PoisonError::into_inner) += bytes;
        Held { budget: self, bytes }
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
    fn files_wait_for_memory() {
        let budget = Arc::new(Budget::of(Memory::new(Some(30), 0)));
        let held = budget.take(20);
        let (sender, taken) = channel();
        let other = Arc::clone(&budget);
        std::thread::spawn(move || {
            let held = other.take(20);
            sender.send(()).unwrap();
            drop(held);
        });
        assert!(taken.recv_timeout(Duration::from_millis(20)).is_err());
        drop(held);
        taken.recv_timeout(Duration::from_secs(5)).unwrap();
    }
}
