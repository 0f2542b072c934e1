//! How much memory the files that are worked on together may need.

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::job::FileResult;
use crate::progress::megabytes;
use crate::values::Values;
use crate::weight::{OF_REQUESTS, OF_SWEEP, Weight};

/// What a file needs however small it is.
const LEAST: u64 = 1 << 20;

/// Memory that files share.
///
/// # Example
///
/// ```
/// assert!(!ebbline_commands::Memory::default().is_bounded());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// How many bytes there are; `None` if there is no limit.
    most: Option<u64>,
    /// How much more is kept of each string.
    of_string: u64,
}

impl Memory {
    /// The memory that options allow.
    pub(crate) fn of(command: Option<&str>, values: &Values) -> Result<Self, Failure> {
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
        Ok(Self { of_string, most: values.memory()? })
    }

    /// So many bytes, and so many more for each string.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline_commands::Memory::new(Some(1 << 30), 0).is_bounded());
    /// ```
    #[must_use]
    pub fn new(most: Option<u64>, of_string: u64) -> Self {
        Self { most, of_string }
    }

    /// Whether there is a limit.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(!ebbline_commands::Memory::new(None, 0).is_bounded());
    /// ```
    #[must_use]
    pub fn is_bounded(self) -> bool {
        self.most.is_some()
    }

    /// How much a file of a weight takes of it; nothing if there is no limit.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_commands::{Memory, Weight};
    /// assert_eq!(Memory::new(Some(1 << 30), 0).share(Weight::default()), 1 << 20);
    /// ```
    #[must_use]
    pub fn share(self, weight: Weight) -> u64 {
        match self.most {
            Some(_) => weight.memory(self.of_string).saturating_add(LEAST),
            None => 0,
        }
    }

    /// Whether a share fits beside what is used.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(!ebbline_commands::Memory::new(Some(9), 0).fits(5, 5));
    /// ```
    #[must_use]
    pub fn fits(self, used: u64, share: u64) -> bool {
        self.most.is_none_or(|most| used.saturating_add(share) <= most)
    }

    /// What becomes of a file of a size for which there is never enough; `None` if there is.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline_commands::Memory::new(Some(9), 0).refusal(1, 10).is_some());
    /// ```
    #[must_use]
    pub fn refusal(self, size: u64, share: u64) -> Option<FileResult> {
        let most = self.most.filter(|most| share > *most)?;
        let (needs, allows) = (megabytes(share), megabytes(most));
        Some(FileResult::failed(&Failure::TooLarge(format!(
            "it has {}, and to work on it takes up to {needs}: more than --max-memory allows, {allows}",
            megabytes(size)
        ))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_are_refused() {
        let memory = Memory::new(Some(3 * LEAST), 0);
        let share = memory.share(Weight::default().beside(2 * LEAST));
        let Some(FileResult::Failed { message, .. }) = memory.refusal(2 * LEAST, share) else {
            panic!("{share}")
        };
        assert_eq!(
            message,
            "it has 2 MB, and to work on it takes up to 3 MB: more than --max-memory allows, 3 MB"
        );
        assert!(memory.refusal(LEAST, memory.share(Weight::default())).is_none());
        assert!(Memory::default().refusal(u64::MAX, u64::MAX).is_none());
    }

    #[test]
    fn options_say_how_much_there_is() {
        let given = |name: &'static str, value: &str| (name, Some(value.to_owned()));
        let values =
            vec![given("max-memory", "9MB"), given("rows-of", "requests"), given("policies", "a,b,c")];
        let requests = Memory::of(Some("scan"), &Values::new(values)).unwrap();
        assert_eq!(requests, Memory::new(Some(9_000_000), 4 * OF_REQUESTS));
        assert_eq!(Memory::of(Some("sweep"), &Values::default()).unwrap(), Memory::new(None, OF_SWEEP));
    }
}
