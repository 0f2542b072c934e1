//! The order in which messages are sent, if it differs from the order of the file.

use std::collections::{HashMap, HashSet};

/// A permutation of `count` messages that puts those in `sent` into that order: a message that is sent earlier than
/// its place in the file moves in front of the message that follows it; all others keep their place.
pub(super) fn as_sent(sent: impl DoubleEndedIterator<Item = usize>, count: usize) -> Vec<usize> {
    let mut waiting: Vec<usize> = Vec::new();
    let mut in_front: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut moved: HashSet<usize> = HashSet::new();
    // From the end, because a message moves in front of one that comes later.
    let mut next = usize::MAX;
    for index in sent.rev() {
        if index > next {
            waiting.push(index);
            moved.insert(index);
        } else {
            in_front.entry(next).or_default().append(&mut waiting);
            next = index;
        }
    }
    in_front.entry(next).or_default().append(&mut waiting);
    let mut order = Vec::with_capacity(count);
    for index in (0..count).filter(|index| !moved.contains(index)) {
        order.extend(in_front.get(&index).into_iter().flatten().rev());
        order.push(index);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_out_of_order_goes_in_front_of_what_follows_it() {
        for (sent, expected) in [
            (vec![], vec![0, 1, 2, 3, 4]),
            (vec![0, 1, 2, 3, 4], vec![0, 1, 2, 3, 4]),
            (vec![0, 4, 2, 3], vec![0, 1, 4, 2, 3]),
            (vec![3, 0, 4, 1], vec![3, 0, 4, 1, 2]),
            (vec![3, 4, 1], vec![0, 3, 4, 1, 2]),
        ] {
            assert_eq!(as_sent(sent.iter().copied(), 5), expected, "{sent:?}");
        }
    }
}
