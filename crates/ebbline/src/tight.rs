//! Lists that grow by an eighth: reading a session must not hold three times what it makes.

/// The room that a list begins with.
const LEAST: usize = 16;

/// Adds `item`. A list that doubles has twice its size before and half of it after it was moved; one that grows by an
/// eighth is moved six times as often, which costs reading nothing that can be measured.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 8).max(LEAST));
    }
    list.push(item);
}
