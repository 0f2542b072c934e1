//! Sorting with one copy of the code: the standard library's sort is compiled again for every type and every
//! comparison, some kilobytes each time.

use std::cmp::Ordering;
use std::mem::take;

/// Sorts indices; equal ones keep their order.
///
/// A bottom-up merge sort; the standard library's sort, compiled for speed, is ten times as large.
///
/// # Example
///
/// ```
/// let lengths = [3, 1, 2];
/// let mut indices = [0, 1, 2];
/// ebbline_json::order::sort_indices(&mut indices, &|one, other| lengths[one as usize].cmp(&lengths[other as usize]));
/// assert_eq!(indices, [1, 2, 0]);
/// ```
pub fn sort_indices(indices: &mut [u32], compare: &dyn Fn(u32, u32) -> Ordering) {
    let is_after = |one: u32, other: u32| compare(one, other) == Ordering::Greater;
    if !indices.windows(2).any(|pair| matches!(pair, [one, other] if is_after(*one, *other))) {
        return;
    }
    let mut merged: Vec<u32> = Vec::with_capacity(indices.len());
    let mut width = 1;
    while width < indices.len() {
        merged.clear();
        for run in indices.chunks(2 * width) {
            let (mut left, mut right) = run.split_at(width.min(run.len()));
            while let Some((next, rest)) = left.split_first() {
                match right.split_first() {
                    Some((other, others)) if is_after(*next, *other) => {
                        merged.push(*other);
                        right = others;
                    }
                    _ => {
                        merged.push(*next);
                        left = rest;
                    }
                }
            }
            merged.extend_from_slice(right);
        }
        indices.copy_from_slice(&merged);
        width *= 2;
    }
}

/// Sorts items; equal ones keep their order.
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
        for count in (0..70).chain([1_000]) {
            let mut items: Vec<(u32, usize)> =
                (0..count).map(|index| ((index * 7919) as u32 % 13, index)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by(&mut items, &|one, other| one.0.cmp(&other.0));
            assert_eq!(items, expected);
        }
        sort_by(&mut Vec::<String>::new(), &|one, other| one.cmp(other));
    }
}
