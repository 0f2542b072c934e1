//! What kind of character a code point is, as the encodings tell them apart (Unicode 16).

mod table;

use self::table::RANGES;

/// What a character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// An upper-case or title-case letter.
    Upper,
    /// A lower-case letter.
    Lower,
    /// A letter without case.
    Letter,
    /// A mark, which goes with the letter before it.
    Mark,
    /// A digit or another number.
    Number,
    /// White space other than `\r` and `\n`.
    Space,
    /// `\r` or `\n`.
    Newline,
    /// Anything else.
    Other,
}

impl Kind {
    /// Any letter.
    pub(crate) fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::Lower | Self::Letter)
    }

    /// White space, newlines included.
    pub(crate) fn is_space(self) -> bool {
        matches!(self, Self::Space | Self::Newline)
    }

    /// Neither letter nor number nor white space.
    pub(crate) fn is_other(self) -> bool {
        matches!(self, Self::Other | Self::Mark)
    }

    /// What a letter or number may have in front of it and still be in one piece with it.
    pub(crate) fn may_lead(self) -> bool {
        matches!(self, Self::Space | Self::Other | Self::Mark)
    }

    /// The kind that three bits stand for: the place in the list above.
    const fn from_code(code: u32) -> Self {
        match code & 7 {
            0 => Self::Upper,
            1 => Self::Lower,
            2 => Self::Letter,
            3 => Self::Mark,
            4 => Self::Number,
            5 => Self::Space,
            6 => Self::Newline,
            _ => Self::Other,
        }
    }
}

/// The kinds of the ASCII characters.
#[expect(clippy::indexing_slicing, reason = "worked out when the crate is compiled")]
const ASCII: [Kind; 128] = {
    let mut kinds = [Kind::Other; 128];
    let mut at = 0;
    while at < 128 {
        kinds[at] = match at as u8 {
            b'A'..=b'Z' => Kind::Upper,
            b'a'..=b'z' => Kind::Lower,
            b'0'..=b'9' => Kind::Number,
            b'\r' | b'\n' => Kind::Newline,
            b' ' | b'\t' | 0x0b | 0x0c => Kind::Space,
            _ => Kind::Other,
        };
        at += 1;
    }
    kinds
};

/// How many code points share an entry of [`FIRST`].
const BLOCK: usize = 256;
const BLOCKS: usize = 0x11_0000 / BLOCK;

/// For each block of code points, the range in which it begins.
#[expect(clippy::indexing_slicing, reason = "worked out when the crate is compiled")]
const FIRST: [u16; BLOCKS + 1] = {
    let mut first = [0; BLOCKS + 1];
    let (mut block, mut range) = (0, 0);
    while block <= BLOCKS {
        while range + 1 < RANGES.len() && (RANGES[range + 1] >> 3) as usize <= block * BLOCK {
            range += 1;
        }
        first[block] = range as u16;
        block += 1;
    }
    first
};

/// The kind of the character that begins at `at` of UTF-8 text, and where the next one begins; nothing behind the end.
#[inline]
pub(crate) fn kind_at(text: &[u8], at: usize) -> Option<(Kind, usize)> {
    let first = *text.get(at)?;
    match ASCII.get(usize::from(first)) {
        Some(kind) => Some((*kind, at + 1)),
        None => Some(wide_kind_at(text, at, first)),
    }
}

fn wide_kind_at(text: &[u8], at: usize, first: u8) -> (Kind, usize) {
    let tail = |offset: usize| u32::from(text.get(at + offset).copied().unwrap_or(0) & 0x3f);
    let lead = u32::from(first);
    let (code, length) = match first {
        0..0xe0 => ((lead & 0x1f) << 6 | tail(1), 2),
        0xe0..0xf0 => ((lead & 0x0f) << 12 | tail(1) << 6 | tail(2), 3),
        0xf0.. => ((lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4),
    };
    (kind_of(code), at + length)
}

/// The kind of a code point.
fn kind_of(code: u32) -> Kind {
    let block = code as usize / BLOCK;
    let (first, last) = (FIRST.get(block), FIRST.get(block + 1));
    let first = first.map_or(0, |first| usize::from(*first));
    let last = last.map_or(first, |last| usize::from(*last));
    let ranges = RANGES.get(first..=last).unwrap_or_default();
    let behind = ranges.partition_point(|range| range >> 3 <= code);
    let range = behind.checked_sub(1).and_then(|at| ranges.get(at));
    range.map_or(Kind::Other, |range| Kind::from_code(*range))
}

#[cfg(test)]
mod tests {
    use regex_syntax::hir::{Class, HirKind};

    use super::*;

    /// The code points of a class, by the tables of the regular expressions that `tiktoken` uses.
    fn members(class: &str) -> Vec<(u32, u32)> {
        let hir = regex_syntax::parse(class).unwrap();
        match hir.kind() {
            HirKind::Class(Class::Unicode(class)) => {
                class.ranges().iter().map(|range| (range.start() as u32, range.end() as u32)).collect()
            }
            other => panic!("{class} is no class: {other:?}"),
        }
    }

    /// The kinds of all code points as ranges: where each begins, and in the lowest three bits its kind.
    fn ranges() -> Vec<u32> {
        let mut kinds = vec![Kind::Other; 0x11_0000];
        for (class, kind) in [
            (r"[\p{Lu}\p{Lt}]", Kind::Upper),
            (r"\p{Ll}", Kind::Lower),
            (r"[\p{Lm}\p{Lo}]", Kind::Letter),
            (r"\p{M}", Kind::Mark),
            (r"\p{N}", Kind::Number),
            (r"\s", Kind::Space),
            (r"[\r\n]", Kind::Newline),
        ] {
            for (start, end) in members(class) {
                kinds[start as usize..=end as usize].fill(kind);
            }
        }
        let mut ranges: Vec<u32> = Vec::new();
        for (code, kind) in kinds.into_iter().enumerate() {
            if ranges.last().is_none_or(|range| Kind::from_code(*range) != kind) {
                ranges.push((code as u32) << 3 | kind as u32);
            }
        }
        ranges
    }

    #[test]
    fn the_table_is_that_of_unicode() {
        let ranges = ranges();
        if std::env::var_os("UPDATE_TABLE").is_some() {
            let mut text = String::from(
                "//! Made by `UPDATE_TABLE=1 cargo test -p ebbline-tokenizer unicode`: where each range of code points of one kind\n//! begins, shifted by three bits, and its kind.\n#![expect(clippy::unreadable_literal, reason = \"a table that is made\")]\n\n/// The ranges, in order.\n#[rustfmt::skip]\npub(super) const RANGES: &[u32] = &[\n",
            );
            for line in ranges.chunks(14) {
                let numbers: Vec<_> = line.iter().map(ToString::to_string).collect();
                text += &format!("    {},\n", numbers.join(", "));
            }
            text += "];\n";
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/unicode/table.rs"), text).unwrap();
            return;
        }
        assert_eq!(RANGES, ranges);
    }

    #[test]
    fn every_character_has_its_kind() {
        for (class, test) in [
            (r"\p{L}", Kind::is_letter as fn(Kind) -> bool),
            (r"\s", Kind::is_space),
            (r"[^\s\p{L}\p{N}]", Kind::is_other),
            (r"[^\r\n\p{L}\p{N}]", Kind::may_lead),
        ] {
            let members = members(class);
            for character in '\0'..=char::MAX {
                let (kind, next) = kind_at(character.to_string().as_bytes(), 0).unwrap();
                let code = character as u32;
                let after = members.partition_point(|(start, _)| *start <= code);
                let is_member = after > 0 && code <= members[after - 1].1;
                assert_eq!((test(kind), next), (is_member, character.len_utf8()), "{class} {character:?}");
            }
        }
    }
}
