//! Sums of a list, by place.

impl<T: Default> Default for Sums<T> {
    fn default() -> Self {
        Self(vec![T::default()])
    }
}

/// Prefix sums: entry `n` is the sum of the first `n` items.
#[derive(Clone, Debug)]
pub(super) struct Sums<T>(Vec<T>);

impl<T: Copy + Default + std::ops::Add<Output = T> + std::ops::Sub<Output = T>> Sums<T> {
    /// Removes all items.
    pub(super) fn clear(&mut self) {
        self.0.truncate(1);
    }

    /// Removes all items after the first `count`.
    pub(super) fn truncate(&mut self, count: usize) {
        self.0.truncate(count + 1);
    }

    /// The number of items.
    pub(super) fn len(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub(super) fn push(&mut self, item: T) {
        let sum = self.until(self.len()) + item;
        self.0.push(sum);
    }

    /// The sum of the first `count` items.
    pub(super) fn until(&self, count: usize) -> T {
        self.0.get(count).copied().unwrap_or_default()
    }

    /// The sum of the items from `first` up to, but not including, `end`.
    pub(super) fn of(&self, first: usize, end: usize) -> T {
        if first < end { self.until(end) - self.until(first) } else { T::default() }
    }
}
