//! The table that a parse fills: what stands where, in eight bytes for each scalar and key.
//!
//! A text may be nothing but `1,1,1,…`: two bytes a value. What a value takes here bounds what reading takes at all,
//! so a scalar has no room for what it does not need, and the table grows by what the text so far lets expect: one
//! that doubles would hold three times itself while it is moved.

use super::Kind;

/// The greatest length of a string or number, and the greatest index of a node.
const MAX_EXTENT: u32 = (1 << (u32::BITS - KIND_BITS)) - 1;
const KIND_BITS: u32 = 3;

/// Nodes that are made room for at once, however small the text.
const LEAST: usize = 8;

/// One value (or key): where it begins, and how far it goes.
///
/// Of a scalar, how many bytes; of a string, of those between its quotes. Of an array or object, the node that follows
/// all it contains; its last byte stands in a second node of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: u32,
    extent_and_kind: u32,
}

impl Node {
    fn new(start: usize, extent: usize, kind: Kind) -> Self {
        Self { start: start as u32, extent_and_kind: (extent as u32) << KIND_BITS | kind as u32 }
    }

    pub(super) fn extent(self) -> u32 {
        self.extent_and_kind >> KIND_BITS
    }

    pub(super) fn kind(self) -> Kind {
        match self.extent_and_kind & ((1 << KIND_BITS) - 1) {
            1 => Kind::True,
            2 => Kind::False,
            3 => Kind::Number,
            4 => Kind::Plain,
            5 => Kind::Escaped,
            6 => Kind::Array,
            7 => Kind::Object,
            _ => Kind::Null,
        }
    }
}

/// The nodes of one or more values, each container in front of what it contains.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    list: Vec<Node>,
    /// Whether something was longer than a node can say.
    overflowed: bool,
}

/// No container: what is outermost stands in none.
pub(super) const OUTSIDE: u32 = u32::MAX;

impl Nodes {
    pub(super) fn get(&self, index: u32) -> Node {
        let missing = Node::new(0, 0, Kind::Null);
        self.list.get(index as usize).copied().unwrap_or(missing)
    }

    /// Where the container at `index` ends.
    pub(super) fn end_of(&self, index: u32) -> u32 {
        self.get(index + 1).start
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Forgets all nodes from `length` on: those of a value that broke off.
    pub(super) fn truncate(&mut self, length: usize) {
        self.list.truncate(length);
    }

    /// Whether `count` more nodes find room without moving the table.
    pub(super) fn has_room(&self, count: usize) -> bool {
        self.list.len() + count <= self.list.capacity()
    }

    pub(super) fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    /// Makes room when `read` bytes of a text of `total` have been read: for as many nodes as the rest will have if it
    /// is like them, but for no more than there are and for no fewer than a quarter of that.
    #[cold]
    pub(super) fn make_room(&mut self, read: usize, total: usize) {
        let count = self.list.len();
        let expected = if count == 0 {
            total / 64
        } else {
            let rest = count as u128 * total.saturating_sub(read) as u128 / read.max(1) as u128;
            // A little more, so that the last few nodes do not move the table once more.
            usize::try_from(rest + rest / 64).unwrap_or(usize::MAX).clamp(count / 4, count)
        };
        self.list.reserve_exact(expected.max(LEAST));
    }

    pub(super) fn push(&mut self, start: usize, extent: usize, kind: Kind) {
        self.overflowed |= extent > MAX_EXTENT as usize;
        self.list.push(Node::new(start, extent, kind));
    }

    /// Opens a container inside the one at `parent` and returns its index.
    pub(super) fn open(&mut self, start: usize, kind: Kind, parent: u32) -> u32 {
        let index = self.list.len() as u32;
        self.list.push(Node::new(start, 0, kind));
        // Until its end is known, the second node says what to return to.
        self.list.push(Node { start: parent, extent_and_kind: 0 });
        index
    }

    /// Closes the container at `index` in front of the byte `end` and returns the one that it stands in.
    pub(super) fn close(&mut self, index: u32, end: usize) -> u32 {
        let next = self.list.len();
        self.overflowed |= next > MAX_EXTENT as usize;
        if let Some(node) = self.list.get_mut(index as usize) {
            *node = Node::new(node.start as usize, next, node.kind());
        }
        match self.list.get_mut(index as usize + 1) {
            Some(second) => std::mem::replace(&mut second.start, end as u32),
            None => OUTSIDE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_takes_eight_bytes_and_keeps_every_kind() {
        assert_eq!(size_of::<Node>(), 8);
        for kind in [
            Kind::Null,
            Kind::True,
            Kind::False,
            Kind::Number,
            Kind::Plain,
            Kind::Escaped,
            Kind::Array,
            Kind::Object,
        ] {
            let node = Node::new(u32::MAX as usize, MAX_EXTENT as usize, kind);
            assert_eq!((node.start, node.extent(), node.kind()), (u32::MAX, MAX_EXTENT, kind));
        }
    }

    #[test]
    fn the_table_makes_room_for_what_the_text_lets_expect() {
        let mut nodes = Nodes::default();
        let (mut moved, total) = (0, 2_000_000);
        for at in (0..total).step_by(2) {
            if !nodes.has_room(1) {
                nodes.make_room(at, total);
                moved += 1;
            }
            nodes.push(at, 1, Kind::Number);
        }
        assert!(nodes.list.capacity() < nodes.len() * 51 / 50, "{}", nodes.list.capacity());
        assert!(moved < 10, "{moved}");
    }

    #[test]
    fn what_is_longer_than_a_node_can_say_is_noticed() {
        let mut nodes = Nodes::default();
        nodes.push(0, MAX_EXTENT as usize, Kind::Plain);
        assert!(!nodes.has_overflowed());
        nodes.push(0, MAX_EXTENT as usize + 1, Kind::Plain);
        assert!(nodes.has_overflowed());
    }
}
