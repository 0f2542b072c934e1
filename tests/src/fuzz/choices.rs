//! The choices of a mutation.

/// Numbers that proptest has drawn, one for each choice. Where smaller ones or fewer fail as well, it shows those.
#[derive(Clone, Debug)]
pub struct Choices<'n>(std::slice::Iter<'n, u32>);

impl<'n> Choices<'n> {
    /// Choices by these numbers; once they are used up, the first of everything is chosen.
    pub fn new(numbers: &'n [u32]) -> Self {
        Self(numbers.iter())
    }

    /// A number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.next().and_then(|number| (*number as usize).checked_rem(limit)).unwrap_or(0)
    }

    /// True in one of `times` cases.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// One of the texts.
    pub fn choose(&mut self, texts: &[&'static str]) -> &'static str {
        self.pick(texts).copied().unwrap_or_default()
    }

    /// A position in `text` on a character boundary, including both ends.
    pub fn place(&mut self, text: &str) -> usize {
        text.floor_char_boundary(self.below(text.len() + 1))
    }
}
