//! Which identifiers the context contains at a moment, and which left it last with an output.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Takes a key as its own hash: keys are hashes already.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| hash.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

pub(super) type Keys<V> = HashMap<u64, V, BuildHasherDefault<Plain>>;
pub(super) type KeySet = HashSet<u64, BuildHasherDefault<Plain>>;

/// What is known of an identifier.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// How many holders in the context contain it.
    live: u32,
    /// The holder that was counted last when it entered, and when it left; 0 for none.
    entered: u32,
    left: u32,
    /// The output that took it out of the context, by its number from 1; 0 if it is there or came back.
    owner: u32,
    /// The compaction at which it was counted last.
    counted: u32,
    /// When it was last seen, in entered holders.
    seen: u32,
}

/// What became of an identifier when a holder with it entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The context contained it, or nobody ever had it.
    Ordinary,
    /// Only an output that left had contained it: the part with this index.
    Returned(usize),
}

/// The identifiers of the context. A holder is a part or a summary; it has a number that no other holder has.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    known: Keys<Known>,
    entered: u32,
}

impl Context {
    /// Begins a new holder.
    pub(super) fn begin(&mut self) {
        self.entered = self.entered.saturating_add(1);
    }

    /// How many holders have entered.
    pub(super) fn now(&self) -> u32 {
        self.entered
    }

    /// `holder` contains `key`.
    pub(super) fn enter(&mut self, key: u64, holder: u32) -> Entry {
        let known = self.known.entry(key).or_default();
        known.seen = self.entered;
        if known.entered == holder {
            return Entry::Ordinary;
        }
        known.entered = holder;
        known.live = known.live.saturating_add(1);
        let owner = std::mem::take(&mut known.owner);
        if owner == 0 { Entry::Ordinary } else { Entry::Returned(owner as usize - 1) }
    }

    /// `holder`, which contains `key`, leaves. Whether it is the first time that this holder says so.
    pub(super) fn leave(&mut self, key: u64, holder: u32) -> bool {
        let Some(known) = self.known.get_mut(&key).filter(|known| known.left != holder) else { return false };
        known.left = holder;
        known.live = known.live.saturating_sub(1);
        true
    }

    pub(super) fn is_live(&self, key: u64) -> bool {
        self.known.get(&key).is_some_and(|known| known.live > 0)
    }

    /// Whether a holder that entered after `moment` contains it, or the context does now.
    pub(super) fn appears_after(&self, key: u64, moment: u32) -> bool {
        self.known.get(&key).is_some_and(|known| known.live > 0 || known.seen > moment)
    }

    /// The output `part` was the last to contain `key`.
    pub(super) fn own(&mut self, key: u64, part: usize) {
        if let Some(known) = self.known.get_mut(&key) {
            known.owner = u32::try_from(part + 1).unwrap_or(u32::MAX);
        }
    }

    /// Whether `key` is counted for the first time at this compaction, and whether the context contains it.
    pub(super) fn count(&mut self, key: u64, compaction: u32) -> Option<bool> {
        let known = self.known.get_mut(&key).filter(|known| known.counted != compaction)?;
        known.counted = compaction;
        Some(known.live > 0)
    }
}
