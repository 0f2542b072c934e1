//! A cache of the latest pieces and their tokens: most pieces of a session are repeated soon.

use crate::merge::Merger;

/// The longest piece that is remembered.
const LONGEST: usize = 16;
/// The most tokens of a remembered piece: an entry is half a line of a processor's cache.
const MOST: usize = 3;
/// The number of cached pieces. The cache is smaller than the vocabulary, so it stays in the processor's faster caches.
const PIECES: usize = 1 << 15;

/// Makes encoding faster between texts: caches the tokens of the latest pieces, and reuses the buffers for merging.
///
/// The tokens are the same with and without it. It allocates 1 MB when the first piece is stored.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    entries: Vec<Entry>,
    pub(crate) merger: Merger,
}

/// A piece and its tokens.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    low: u64,
    high: u64,
    tokens: [u32; MOST],
    /// The length of the piece; 0 if the entry is empty.
    length: u8,
    /// The number of its tokens.
    count: u8,
}

/// A piece of at most sixteen bytes: the bytes and their number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    low: u64,
    high: u64,
    length: u8,
}

impl Key {
    /// The piece from `start` to `end`; `None` if it is too long or too near the end of the text.
    #[inline]
    pub(crate) fn at(text: &[u8], start: usize, end: usize) -> Option<Self> {
        let length = end - start;
        let (low, rest) = text.get(start..)?.split_first_chunk::<8>()?;
        let (low, high) = (u64::from_le_bytes(*low), u64::from_le_bytes(*rest.first_chunk()?));
        let unwanted = |wanted: usize| (8 - wanted as u32) * 8;
        match length {
            1..=8 => {
                Some(Self { low: low << unwanted(length) >> unwanted(length), high: 0, length: length as u8 })
            }
            9..=LONGEST => {
                let unwanted = unwanted(length - 8);
                Some(Self { low, high: high << unwanted >> unwanted, length: length as u8 })
            }
            _ => None,
        }
    }

    #[inline]
    fn place(self) -> usize {
        let mixed = (self.low ^ self.high.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as usize & (PIECES - 1)
    }
}

impl Memo {
    /// The tokens of a piece, if it is remembered.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<&[u32]> {
        let entry = self.entries.get(key.place())?;
        let is_same = entry.low == key.low && entry.high == key.high && entry.length == key.length;
        if is_same { entry.tokens.get(..usize::from(entry.count)) } else { None }
    }

    /// Remembers that a piece is one token.
    pub(crate) fn put(&mut self, key: Key, token: u32) {
        put(&mut self.entries, key, &[token]);
    }

    /// Remembers the tokens of the latest merged piece.
    pub(crate) fn put_merged(&mut self, key: Key) {
        put(&mut self.entries, key, self.merger.tokens());
    }
}

/// Remembers the tokens of a piece, if they are few.
fn put(entries: &mut Vec<Entry>, key: Key, tokens: &[u32]) {
    if entries.is_empty() {
        entries.resize(PIECES, Entry::default());
    }
    let Some(entry) = entries.get_mut(key.place()) else { return };
    if let Some(room) = entry.tokens.get_mut(..tokens.len()) {
        room.copy_from_slice(tokens);
        (entry.low, entry.high, entry.length) = (key.low, key.high, key.length);
        entry.count = tokens.len() as u8;
    }
}
