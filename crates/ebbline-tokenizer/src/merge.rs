//! Merges the bytes of a piece that is not a token: the pair of neighbors with the lowest rank first, and the leftmost
//! of equal ranks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::vocabulary::Vocabulary;

/// Up to this length each merge scans all pairs of the piece. Longer pieces use a heap, which costs more to set up but
/// takes only `n log n`.
const FEW: usize = 48;
/// The rank of a pair that is not a token.
const NONE: u32 = u32::MAX;

/// An element of a piece between merges: a byte or a token.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// Where it begins in the piece.
    start: u32,
    /// The rank of the pair of this element and the next.
    rank: u32,
}

/// Buffers for merging, reused between pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Merger {
    tokens: Vec<u32>,
    links: Vec<Link>,
    chain: Vec<Joint>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
}

/// An element of the linked list that the heap works on, indexed by its start.
#[derive(Clone, Copy, Debug)]
struct Joint {
    before: u32,
    after: u32,
    /// The rank of the pair of this element and the next, as the heap has it; `NONE` once the element is merged into the
    /// one before it.
    rank: u32,
}

impl Merger {
    /// Merges `piece` and returns its tokens.
    pub(crate) fn merge(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> &[u32] {
        self.tokens.clear();
        if piece.len() <= FEW {
            self.merge_few(vocabulary, piece);
        } else {
            self.merge_many(vocabulary, piece);
        }
        &self.tokens
    }

    /// The tokens of the latest merged piece.
    pub(crate) fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    fn merge_few(&mut self, vocabulary: &Vocabulary, piece: &[u8]) {
        let links = &mut self.links;
        links.clear();
        let mut least = (NONE, 0);
        for (at, pair) in piece.windows(2).enumerate() {
            let rank = match pair {
                [first, second] => vocabulary.pair(*first, *second).unwrap_or(NONE),
                _ => NONE,
            };
            if rank < least.0 {
                least = (rank, at);
            }
            links.push(Link { start: at as u32, rank });
        }
        links.push(Link { start: piece.len().saturating_sub(1) as u32, rank: NONE });
        links.push(Link { start: piece.len() as u32, rank: NONE });
        while least.0 != NONE {
            let at = least.1;
            links.remove(at + 1);
            let start_of =
                |links: &[Link], at: usize| links.get(at).map_or(piece.len(), |link| link.start as usize);
            // The pair of this element and the next: up to the start of the element after them.
            for changed in [at, at.wrapping_sub(1)] {
                let (start, end) = (start_of(links, changed), start_of(links, changed.wrapping_add(2)));
                let is_pair = changed.wrapping_add(2) < links.len();
                let rank =
                    if is_pair { vocabulary.token_at(piece, start, end).unwrap_or(NONE) } else { NONE };
                if let Some(link) = links.get_mut(changed) {
                    link.rank = rank;
                }
            }
            least = (NONE, 0);
            for (at, link) in links.iter().enumerate() {
                if link.rank < least.0 {
                    least = (link.rank, at);
                }
            }
        }
        for pair in links.windows(2) {
            if let [link, next] = pair {
                let token = vocabulary.token_at(piece, link.start as usize, next.start as usize);
                // Every byte is a token, and only pairs that are tokens are merged.
                self.tokens.push(token.unwrap_or_default());
            }
        }
    }

    fn merge_many(&mut self, vocabulary: &Vocabulary, piece: &[u8]) {
        let length = piece.len();
        self.chain.clear();
        self.heap.clear();
        for (at, byte) in piece.iter().enumerate() {
            let rank = piece.get(at + 1).and_then(|next| vocabulary.pair(*byte, *next)).unwrap_or(NONE);
            if rank != NONE {
                self.heap.push(Reverse((rank, at as u32)));
            }
            self.chain.push(Joint { before: (at as u32).wrapping_sub(1), after: at as u32 + 1, rank });
        }
        while let Some(Reverse((rank, start))) = self.heap.pop() {
            let Some(joint) = self.chain.get(start as usize).copied() else { continue };
            // The heap also contains outdated pairs.
            if joint.rank != rank {
                continue;
            }
            let Some(gone) = self.chain.get(joint.after as usize).copied() else { continue };
            if let Some(merged) = self.chain.get_mut(joint.after as usize) {
                merged.rank = NONE;
            }
            if let Some(next) = self.chain.get_mut(gone.after as usize) {
                next.before = start;
            }
            if let Some(joint) = self.chain.get_mut(start as usize) {
                joint.after = gone.after;
            }
            self.rank_again(vocabulary, piece, start);
            if (joint.before as usize) < length {
                self.rank_again(vocabulary, piece, joint.before);
            }
        }
        let mut at = 0;
        while let Some(joint) = self.chain.get(at) {
            let end = joint.after as usize;
            self.tokens.push(vocabulary.token_at(piece, at, end).unwrap_or_default());
            at = end;
        }
    }

    /// Finds the rank of the pair of the element at `start` and the next.
    fn rank_again(&mut self, vocabulary: &Vocabulary, piece: &[u8], start: u32) {
        let neighbor = self.chain.get(start as usize).map(|joint| joint.after as usize);
        let end = neighbor.and_then(|neighbor| self.chain.get(neighbor)).map(|joint| joint.after as usize);
        let rank = end.and_then(|end| vocabulary.token_at(piece, start as usize, end)).unwrap_or(NONE);
        if let Some(joint) = self.chain.get_mut(start as usize) {
            joint.rank = rank;
        }
        if rank != NONE {
            self.heap.push(Reverse((rank, start)));
        }
    }
}
