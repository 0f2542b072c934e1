//! Strings as a source writes them: runs of characters, and escapes.

/// A piece of a string with escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'d> {
    Run(&'d str),
    Character(char),
    /// One half of a surrogate pair without the other: valid in JSON, but not Unicode text.
    LoneSurrogate(u16),
}

/// The pieces of a string with escapes.
pub(crate) struct Pieces<'d> {
    pub(crate) rest: &'d str,
}

impl<'d> Iterator for Pieces<'d> {
    type Item = Piece<'d>;

    fn next(&mut self) -> Option<Piece<'d>> {
        if self.rest.is_empty() {
            return None;
        }
        if !self.rest.starts_with('\\') {
            let end = self.rest.find('\\').unwrap_or(self.rest.len());
            let (run, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Some(Piece::Run(run));
        }
        Some(match self.escape() {
            Ok(character) => Piece::Character(character),
            Err(unit) => Piece::LoneSurrogate(unit),
        })
    }
}

impl Pieces<'_> {
    /// The character that the escape at the start stands for, or the half of a surrogate pair.
    pub(crate) fn escape(&mut self) -> Result<char, u16> {
        let name = self.rest.as_bytes().get(1).copied();
        self.rest = self.rest.get(2..).unwrap_or_default();
        // The parser lets nothing else through.
        name.and_then(short_escape).map_or_else(|| self.code_unit(), |character| Ok(char::from(character)))
    }

    fn code_unit(&mut self) -> Result<char, u16> {
        let (unit, rest) = hexadecimal(self.rest);
        self.rest = rest;
        if let Some(character) = char::from_u32(unit) {
            return Ok(character);
        }
        if (0xD800..0xDC00).contains(&unit)
            && let Some(after) = rest.strip_prefix("\\u")
        {
            let (low, rest) = hexadecimal(after);
            if (0xDC00..0xE000).contains(&low) {
                self.rest = rest;
                let point = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                return char::from_u32(point).ok_or(unit as u16);
            }
        }
        Err(unit as u16)
    }
}

/// What a backslash and `name` stand for, unless digits follow.
pub(crate) fn short_escape(name: u8) -> Option<u8> {
    Some(match name {
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'"' | b'\\' | b'/' => name,
        _ => return None,
    })
}

/// The value of the four hexadecimal digits at the start, and the text after them. The parser has checked them.
fn hexadecimal(text: &str) -> (u32, &str) {
    let (digits, rest) = text.split_at_checked(4).unwrap_or((text, ""));
    (u32::from_str_radix(digits, 16).unwrap_or(0xD800), rest)
}
