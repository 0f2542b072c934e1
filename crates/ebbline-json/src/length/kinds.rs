//! The kinds of characters, and the machine that says what a character costs after another.

/// Whether blocks of pairs are read: for WebAssembly the tables are too large.
pub(super) const HAS_PAIRS: bool = cfg!(not(target_arch = "wasm32"));

/// The kind of a character. Kinds differ in cost, not in meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Lower,
    Upper,
    Digit,
    Space,
    Break,
    Mark,
    /// Marks that join words: `_`, `-`, `.`, `/`.
    Join,
    /// Additional Latin letters of western European languages.
    Accented,
    /// Additional Latin letters of other languages.
    Extended,
    Vietnamese,
    /// Greek, Armenian, Georgian.
    Greek,
    Cyrillic,
    /// Hebrew and Arabic.
    Semitic,
    /// The scripts of India, Burmese, Khmer.
    Indic,
    /// Thai and Lao.
    Thai,
    Han,
    Kana,
    Hangul,
    /// Typographic marks, arrows, mathematics, boxes.
    Symbol,
    /// Full-width marks and forms.
    Wide,
    /// Surrogates and modifiers of emoji.
    Emoji,
    /// Whatever is left, and what controls a terminal beyond ASCII.
    Other,
    /// In a string of JSON: what is written as a backslash and a letter, `\n`. Elsewhere: what controls a terminal, of which
    /// each is a token, as in the backspaces of a spinner.
    EscapedBreak,
    /// In a string of JSON: what is written after a backslash, `\"`.
    EscapedMark,
    /// In a string of JSON: what is written as `\u001b`.
    Control,
    /// A carriage return: as a line break, but each of a run costs, as in progress bars that write over their line.
    Return,
}

pub(super) const KINDS: usize = Kind::Return as usize + 1;

/// The costs of a kind: after a letter, a digit, a space, a line break, a mark, the same kind, the same character, in
/// a mixed run of letters and digits, after an escaped break, after an escaped mark.
pub(super) type Rates = [u8; 10];

#[rustfmt::skip]
pub(super) const RATES: [Rates; KINDS] = [
    //  letter digit space break mark same repeated mixed \n  \"
    [    1,    53,   49,   80,   27,   5,   5,   50,  72,  55], // Lower
    [   55,    87,   66,   69,   39,   2,   2,   48,  65,  40], // Upper
    [   65,    43,  109,   39,   65,  16,  16,   31,  66,  69], // Digit
    [    1,    26,    5,    1,    1,   5,   5,    0,  33,  17], // Space
    [   77,    76,   71,    1,    1,   1,   1,    0,  77,  77], // Break
    [   60,    56,   67,   61,   28,  13,   1,    0,  62,  46], // Mark
    [   60,    64,   77,   84,   13,  16,   1,    0,  68,  51], // Join
    run(80, 109), // Accented
    run(68, 109), // Extended
    run(8, 8),    // Vietnamese
    run(100, 10), // Greek
    run(74, 6),   // Cyrillic
    run(49, 20),  // Semitic
    run(11, 28),  // Indic
    run(19, 27),  // Thai
    run(54, 51),  // Han
    run(84, 29),  // Kana
    run(67, 34),  // Hangul
    [   87,    87,   87,   87,   87, 109,  10,    0,  87,  87], // Symbol
    run(65, 109), // Wide
    run(91, 60),  // Emoji
    run(109, 109),// Other
    [   57,    57,   57,   57,   55,  57,  57,   57,  57,  80], // EscapedBreak
    [   57,    57,   38,   57,   36,  57,  57,   57,  57,  57], // EscapedMark
    run(192, 192),// Control
    [   77,    76,   71,   15,    1,  32,  32,    0,  77,  77], // Return
];

/// The costs of a kind that costs `first` at the start of a run and `further` inside it.
const fn run(first: u8, further: u8) -> Rates {
    [first, first, first, first, first, further, further, 0, first, first]
}

pub(super) const SAME: usize = 5;
pub(super) const REPEATED: usize = 6;
pub(super) const MIXED: usize = 7;
const AFTER_BREAK: usize = 8;
const AFTER_MARK: usize = 9;

/// The state before a unit: the kind of the previous unit and, for a letter or digit, how often its run has switched
/// between letters and digits (0, 1, 2 or more). A text begins in the state after a line break.
pub(super) const STATES: usize = KINDS + 2 * ALPHANUMERIC;
pub(super) const ALPHANUMERIC: usize = Kind::Digit as usize + 1;
pub(super) const BEGINNING: u8 = state(Kind::Break as usize, 0) as u8;
/// A string of JSON begins after a quote.
pub(super) const QUOTED: u8 = state(Kind::EscapedMark as usize, 0) as u8;

pub(super) const fn state(kind: usize, turns: usize) -> usize {
    if kind < ALPHANUMERIC { kind + turns * ALPHANUMERIC } else { kind + 2 * ALPHANUMERIC }
}

/// The width of the tables' rows: a power of two, so that an index consists of two bit fields.
pub(super) const WIDTH: usize = 32;

/// So many cells that every combination of the two fields is a valid index, so that no index needs a check.
pub(super) const CELLS: usize = WIDTH * WIDTH;

/// Two tables that are indexed by a unit's kind and the state before it, row by row. The state is the lower field of the
/// index, because each state waits for the one before.
pub(super) struct Machine {
    /// The cost of the unit.
    pub(super) costs: [u8; CELLS],
    /// The state after it.
    pub(super) next: [u8; CELLS],
    /// For each kind, how much less a unit costs after the same unit than after another unit of its kind.
    pub(super) discounts: [u8; WIDTH],
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which refuses what is out of range")]
pub(super) static MACHINE: Machine = {
    let mut machine = Machine { costs: [0; CELLS], next: [0; CELLS], discounts: [0; WIDTH] };
    let mut kind = 0;
    while kind < KINDS {
        let rates = RATES[kind];
        machine.discounts[kind] = rates[SAME] - rates[REPEATED];
        let mut before = 0;
        while before < KINDS {
            let mut turns = 0;
            while turns < if before < ALPHANUMERIC { 3 } else { 1 } {
                let is_turn = before < ALPHANUMERIC && (before == DIGIT) != (kind == DIGIT);
                let after = if kind >= ALPHANUMERIC {
                    0
                } else if is_turn && turns < 2 {
                    turns + 1
                } else {
                    turns
                };
                let rate = if after > 1 {
                    MIXED
                } else if before == kind {
                    SAME
                } else {
                    group(before)
                };
                let cell = kind * WIDTH + state(before, turns);
                machine.costs[cell] = rates[rate];
                machine.next[cell] = state(kind, after) as u8;
                turns += 1;
            }
            before += 1;
        }
        kind += 1;
    }
    machine
};

pub(super) const DIGIT: usize = Kind::Digit as usize;

/// Which cost applies after the kind `before`, if the kinds differ.
pub(super) const fn group(before: usize) -> usize {
    const SPACE: usize = Kind::Space as usize;
    const BREAK: usize = Kind::Break as usize;
    const MARK: usize = Kind::Mark as usize;
    const JOIN: usize = Kind::Join as usize;
    const SYMBOL: usize = Kind::Symbol as usize;
    const WIDE: usize = Kind::Wide as usize;
    const EMOJI: usize = Kind::Emoji as usize;
    const ESCAPED_BREAK: usize = Kind::EscapedBreak as usize;
    const ESCAPED_MARK: usize = Kind::EscapedMark as usize;
    const CONTROL: usize = Kind::Control as usize;
    const RETURN: usize = Kind::Return as usize;
    match before {
        DIGIT => 1,
        SPACE => 2,
        BREAK | RETURN => 3,
        ESCAPED_BREAK => AFTER_BREAK,
        ESCAPED_MARK => AFTER_MARK,
        CONTROL | MARK | JOIN | SYMBOL | WIDE | EMOJI => 4,
        _ => 0,
    }
}

pub(super) static ASCII: [Kind; 128] = ascii();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which refuses what is out of range")]
const fn ascii() -> [Kind; 128] {
    let mut kinds = [Kind::Mark; 128];
    let mut unit = 0;
    while unit < 128 {
        kinds[unit] = match unit as u8 {
            b'a'..=b'z' => Kind::Lower,
            b'A'..=b'Z' => Kind::Upper,
            b'0'..=b'9' => Kind::Digit,
            b' ' | b'\t' => Kind::Space,
            b'\n' => Kind::Break,
            b'\r' => Kind::Return,
            b'_' | b'-' | b'.' | b'/' => Kind::Join,
            0..0x20 | 0x7F => Kind::EscapedBreak,
            _ => Kind::Mark,
        };
        unit += 1;
    }
    kinds
}

pub(super) fn kind_beyond_ascii(unit: u16) -> Kind {
    match unit {
        0x200D | 0x2600..=0x27BF | 0xD800..=0xDFFF | 0xFE00..=0xFE0F => Kind::Emoji,
        0x00A0..=0x00BF | 0x2000..=0x2BFF => Kind::Symbol,
        0x00C0..=0x00FF => Kind::Accented,
        0x01A0..=0x01B0 | 0x0300..=0x036F | 0x1E00..=0x1EFF => Kind::Vietnamese,
        0x0100..=0x02FF => Kind::Extended,
        0x0370..=0x03FF | 0x0530..=0x058F | 0x10A0..=0x10FF => Kind::Greek,
        0x0400..=0x052F => Kind::Cyrillic,
        0x0590..=0x08FF => Kind::Semitic,
        0x0900..=0x0DFF | 0x1000..=0x109F | 0x1780..=0x17FF => Kind::Indic,
        0x0E00..=0x0EFF => Kind::Thai,
        0x3400..=0x9FFF => Kind::Han,
        0x3040..=0x30FF => Kind::Kana,
        0x1100..=0x11FF | 0xAC00..=0xD7AF => Kind::Hangul,
        0x3000..=0x303F | 0xFF00..=0xFFEF => Kind::Wide,
        _ => Kind::Other,
    }
}

/// The same for a string of JSON, where some are escaped.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which refuses what is out of range")]
pub(super) static ASCII_IN_JSON: [Kind; 128] = {
    let mut kinds = ASCII;
    let mut unit = 0;
    while unit < 128 {
        match unit as u8 {
            0x08..=0x0A | 0x0C | 0x0D => kinds[unit] = Kind::EscapedBreak,
            0x22 | 0x5C => kinds[unit] = Kind::EscapedMark,
            0..0x20 => kinds[unit] = Kind::Control,
            _ => {}
        }
        unit += 1;
    }
    kinds
};

pub(super) fn kind_of(unit: u16) -> Kind {
    ASCII.get(usize::from(unit)).copied().unwrap_or_else(|| kind_beyond_ascii(unit))
}
