//! Lists that grow by an eighth: while a session is read, memory must not hold three times the result.

/// The initial capacity of a list.
const LEAST: usize = 16;

/// Adds `item`. While a list that doubles is moved, memory holds the old and the doubled list. A list that grows by
/// an eighth is moved six times as often, which has no measurable cost.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 8).max(LEAST));
    }
    list.push(item);
}
