//! Maps bytes to tokens. Encoding a session makes tens of millions of these look-ups, so they must be fast.

use crate::encoding::Encoding;
use crate::ranks::{BadRanks, unpack};

/// The longest token whose bytes are in the hash table itself.
const SHORT: usize = 8;
/// The id that means: not a token.
const NONE: u32 = u32::MAX;

/// Tokens by their bytes and bytes by token.
///
/// Four tokens in five have at most eight bytes: the table contains these bytes as a number, so one comparison is enough.
/// For longer tokens the table contains a part of the hash, and the bytes are compared only if that part is equal.
#[derive(Clone)]
pub(crate) struct Vocabulary {
    bytes: Vec<u8>,
    /// Where each token ends in `bytes`.
    ends: Vec<u32>,
    short: Vec<Short>,
    long: Vec<Long>,
    longest: usize,
    /// The token of each pair of bytes.
    pairs: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Short {
    key: u64,
    token: u32,
    length: u32,
}

#[derive(Clone, Copy)]
struct Long {
    hash: u32,
    token: u32,
}

impl Vocabulary {
    /// Unpacks the ranks of `encoding`.
    ///
    /// # Errors
    ///
    /// [`BadRanks`] when they are not packed ranks, or not those of this encoding.
    pub(crate) fn new(encoding: Encoding, packed: &[u8]) -> Result<Self, BadRanks> {
        let (lengths, bytes) = unpack(packed)?;
        if lengths.len() != encoding.ordinary_tokens() {
            return Err(BadRanks::new(format!(
                "{} has {} tokens, but these are {}",
                encoding.name(),
                encoding.ordinary_tokens(),
                lengths.len()
            )));
        }
        let mut end = 0;
        let ends = lengths.iter().map(|length| {
            end += u32::from(*length);
            end
        });
        let shorts = lengths.iter().filter(|length| usize::from(**length) <= SHORT).count();
        let mut vocabulary = Self {
            bytes: bytes.to_vec(),
            ends: ends.collect(),
            short: vec![Short { key: 0, token: NONE, length: 0 }; (shorts + shorts / 4).next_power_of_two()],
            long: vec![Long { hash: 0, token: NONE }; ((lengths.len() - shorts) * 2 + 2).next_power_of_two()],
            longest: usize::from(lengths.iter().copied().max().unwrap_or(0)),
            pairs: vec![NONE; 1 << 16],
        };
        let mut start = 0;
        for (token, length) in lengths.iter().enumerate() {
            let end = start + usize::from(*length);
            vocabulary.add(token as u32, bytes, start, end);
            start = end;
        }
        let singles = (0..=u8::MAX).filter(|byte| vocabulary.token(&[*byte]).is_some()).count();
        if singles == 256 { Ok(vocabulary) } else { Err(BadRanks::new("some bytes are no tokens")) }
    }

    /// Adds the token whose bytes are `start` to `end` of all bytes.
    fn add(&mut self, token: u32, all: &[u8], start: usize, end: usize) {
        let bytes = all.get(start..end).unwrap_or_default();
        if let [first, second] = bytes {
            let at = usize::from(*first) << 8 | usize::from(*second);
            if let Some(place) = self.pairs.get_mut(at) {
                *place = token;
            }
        }
        if let Some(key) = key_at(all, start, bytes.len()).or_else(|| key_of(bytes)) {
            let entry = Short { key, token, length: bytes.len() as u32 };
            let mask = self.short.len() - 1;
            let mut at = spread(key, bytes.len()) as usize & mask;
            while self.short.get(at).is_some_and(|entry| entry.token != NONE) {
                at = (at + 1) & mask;
            }
            if let Some(place) = self.short.get_mut(at) {
                *place = entry;
            }
        } else {
            let hash = hash(bytes);
            let mask = self.long.len() - 1;
            let mut at = hash as usize & mask;
            while self.long.get(at).is_some_and(|entry| entry.token != NONE) {
                at = (at + 1) & mask;
            }
            if let Some(place) = self.long.get_mut(at) {
                *place = Long { hash: (hash >> 32) as u32, token };
            }
        }
    }

    /// The bytes of a token.
    pub(crate) fn bytes_of(&self, token: u32) -> Option<&[u8]> {
        let token = token as usize;
        let end = *self.ends.get(token)? as usize;
        let start =
            token.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize);
        self.bytes.get(start..end)
    }

    /// The token with these bytes, if there is one.
    pub(crate) fn token(&self, bytes: &[u8]) -> Option<u32> {
        match key_of(bytes) {
            Some(key) => self.short_token(key, bytes.len()),
            None => self.long_token(bytes),
        }
    }

    /// The token with the bytes from `start` to `end` of `text`; reading the bytes after them too is faster.
    pub(crate) fn token_at(&self, text: &[u8], start: usize, end: usize) -> Option<u32> {
        let length = end.wrapping_sub(start);
        if length > SHORT {
            return self.long_token(text.get(start..end)?);
        }
        match key_at(text, start, length) {
            Some(key) => self.short_token(key, length),
            None => self.token(text.get(start..end)?),
        }
    }

    /// The token of two bytes.
    pub(crate) fn pair(&self, first: u8, second: u8) -> Option<u32> {
        self.pairs.get(usize::from(first) << 8 | usize::from(second)).copied().filter(|token| *token != NONE)
    }

    fn short_token(&self, key: u64, length: usize) -> Option<u32> {
        let mask = self.short.len() - 1;
        let mut at = spread(key, length) as usize & mask;
        loop {
            let entry = self.short.get(at)?;
            if entry.key == key && entry.length == length as u32 {
                return Some(entry.token);
            }
            if entry.token == NONE {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    fn long_token(&self, bytes: &[u8]) -> Option<u32> {
        if bytes.len() > self.longest {
            return None;
        }
        let hash = hash(bytes);
        let mask = self.long.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let entry = self.long.get(at)?;
            if entry.token == NONE {
                return None;
            }
            if entry.hash == (hash >> 32) as u32 && self.bytes_of(entry.token) == Some(bytes) {
                return Some(entry.token);
            }
            at = (at + 1) & mask;
        }
    }
}

impl std::fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vocabulary").field("tokens", &self.ends.len()).finish_non_exhaustive()
    }
}

/// At most eight bytes of a text as a number, like [`key_of`], if the text has eight bytes from there: reading all eight
/// is faster.
fn key_at(text: &[u8], start: usize, length: usize) -> Option<u64> {
    let unwanted = SHORT.checked_sub(length)? as u32 * 8;
    let eight = text.get(start..)?.first_chunk::<SHORT>()?;
    // No caller looks up an empty slice.
    Some(u64::from_le_bytes(*eight).checked_shl(unwanted)? >> unwanted)
}

/// At most eight bytes as a number, the first byte lowest; `None` for more.
fn key_of(bytes: &[u8]) -> Option<u64> {
    (bytes.len() <= SHORT).then(|| bytes.iter().rev().fold(0, |key, byte| key << 8 | u64::from(*byte)))
}

/// Hashes a key by multiplication with the golden ratio (Fibonacci hashing): the high bits depend on the whole key.
fn spread(key: u64, length: usize) -> u64 {
    let mixed = (key ^ (length as u64) << 59).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}

/// A hash of more than eight bytes, eight at a time.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        hash = mix(hash ^ u64::from_le_bytes(*chunk));
    }
    let rest = rest.iter().rev().fold(0, |key, byte| key << 8 | u64::from(*byte));
    mix(hash ^ rest)
}

fn mix(value: u64) -> u64 {
    let mixed = value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(31)
}
