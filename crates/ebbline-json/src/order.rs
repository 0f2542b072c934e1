//! Sorting with one copy of the sorting code: the standard library's is compiled anew, some kilobytes each time, for every
//! type and every comparison.

use std::cmp::Ordering;
use std::mem::take;

/// Sorts indices; those that compare as equal end up in any order.
pub fn sort_indices(indices: &mut [u32], compare: &dyn Fn(u32, u32) -> Ordering) {
    indices.sort_unstable_by(|one, other| compare(*one, *other));
}

/// Sorts items; those that compare as equal stay in their order.
///
/// # Example
///
/// ```
/// let mut words = vec!["two", "three", "one"];
/// ebbline_json::order::sort_by(&mut words, &|one, other| one.len().cmp(&other.len()));
/// assert_eq!(words, ["two", "one", "three"]);
/// ```
pub fn sort_by<T>(items: &mut Vec<T>, compare: &dyn Fn(&T, &T) -> Ordering) {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    let at = |index: u32| items.get(index as usize);
    sort_indices(&mut order, &|one, other| match (at(one), at(other)) {
        (Some(first), Some(second)) => compare(first, second).then(one.cmp(&other)),
        _ => one.cmp(&other),
    });
    let mut slots: Vec<Option<T>> = take(items).into_iter().map(Some).collect();
    items.extend(order.iter().filter_map(|index| slots.get_mut(*index as usize)?.take()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_stay_in_their_order() {
        let mut items: Vec<(u32, usize)> =
            (0..1_000).map(|index| ((index * 7919) as u32 % 13, index)).collect();
        let mut expected = items.clone();
        expected.sort_by_key(|item| item.0);
        sort_by(&mut items, &|one, other| one.0.cmp(&other.0));
        assert_eq!(items, expected);
        sort_by(&mut Vec::<String>::new(), &|one, other| one.cmp(other));
    }
}
