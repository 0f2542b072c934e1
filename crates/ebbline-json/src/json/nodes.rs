//! The table of nodes that the parser writes, with eight bytes for each scalar and key.
//!
//! In a text such as `1,1,1,…` every value takes two bytes, so the size of a node limits the memory of the whole
//! parse. A scalar therefore has no unused fields, and the table grows leaf by leaf: while a table that doubles is
//! moved, memory holds three times its size.

use super::Kind;

/// The maximum length of a string or number, and the maximum index of a node.
const MAX_EXTENT: u32 = (1 << (u32::BITS - KIND_BITS)) - 1;
const KIND_BITS: u32 = 3;

/// How many nodes a leaf of the table contains: 64 KiB. A short text has one leaf, which grows as needed.
const LEAF: usize = 1 << LEAF_BITS;
const LEAF_BITS: u32 = 13;

/// One value or key: its start and its extent.
///
/// The extent of a scalar is its number of bytes (for a string, without its quotes). The extent of an array or object
/// is the index of the node after its contents; a second node contains its end. An empty container has no second node
/// and the extent 0.
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
    full: Vec<Vec<Node>>,
    last: Vec<Node>,
    /// Whether something was too long for a node.
    overflowed: bool,
}

/// No container: the parent of an outermost value.
pub(super) const OUTSIDE: u32 = u32::MAX;

impl Nodes {
    pub(super) fn get(&self, index: u32) -> Node {
        let leaf = (index >> LEAF_BITS) as usize;
        let leaf = self.full.get(leaf).unwrap_or(&self.last);
        leaf.get(index as usize % LEAF).copied().unwrap_or(Node { start: 0, extent_and_kind: 0 })
    }

    fn get_mut(&mut self, index: u32) -> Option<&mut Node> {
        let leaf = (index >> LEAF_BITS) as usize;
        self.full.get_mut(leaf).unwrap_or(&mut self.last).get_mut(index as usize % LEAF)
    }

    /// The end of the container at `index`, which is not empty.
    pub(super) fn end_of(&self, index: u32) -> u32 {
        self.get(index + 1).start
    }

    pub(super) fn len(&self) -> usize {
        self.full.len() * LEAF + self.last.len()
    }

    /// Removes all nodes from `length` on, for a value that was incomplete.
    pub(super) fn truncate(&mut self, length: usize) {
        while self.full.len() * LEAF > length {
            self.last = self.full.pop().unwrap_or_default();
        }
        self.last.truncate(length - self.full.len() * LEAF);
    }

    pub(super) fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    pub(super) fn push(&mut self, start: usize, extent: usize, kind: Kind) {
        self.overflowed |= extent > MAX_EXTENT as usize;
        self.add(Node::new(start, extent, kind));
    }

    fn add(&mut self, node: Node) {
        if self.last.len() == LEAF {
            self.full.push(std::mem::replace(&mut self.last, Vec::with_capacity(LEAF)));
        }
        self.last.push(node);
    }

    /// Opens a container inside the one at `parent` and returns its index.
    pub(super) fn open(&mut self, start: usize, kind: Kind, parent: u32) -> u32 {
        let index = self.len() as u32;
        self.add(Node::new(start, 0, kind));
        // Until the end is known, the second node contains the parent.
        self.add(Node { start: parent, extent_and_kind: 0 });
        index
    }

    /// Closes the container at `index` before the byte `end` and returns its parent.
    pub(super) fn close(&mut self, index: u32, end: usize) -> u32 {
        let next = self.len();
        self.overflowed |= next > MAX_EXTENT as usize;
        if let Some(node) = self.get_mut(index) {
            *node = Node::new(node.start as usize, next, node.kind());
        }
        self.get_mut(index + 1).map_or(OUTSIDE, |second| std::mem::replace(&mut second.start, end as u32))
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
    fn nodes_are_found_and_forgotten_across_leaves() {
        let mut nodes = Nodes::default();
        for at in 0..3 * LEAF + 5 {
            nodes.push(at, 1, Kind::Number);
        }
        for length in [3 * LEAF + 5, 3 * LEAF + 1, 3 * LEAF, 2 * LEAF + 7, LEAF, 1, 0] {
            nodes.truncate(length);
            assert_eq!(nodes.len(), length);
            for at in [0, length / 2, length.saturating_sub(1)].into_iter().filter(|at| *at < length) {
                assert_eq!(nodes.get(at as u32).start as usize, at);
            }
            assert_eq!((nodes.get(length as u32).extent(), nodes.get(u32::MAX).extent()), (0, 0));
        }
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
