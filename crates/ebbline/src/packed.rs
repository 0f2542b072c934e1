//! Records: how a session that is already in memory in JavaScript is passed to the engine.
//!
//! For live arrays, JavaScript reads the properties, which is cheap there, and packs what it finds into 32-bit words;
//! one call passes them. No text is passed: when it was measured, passing each message as a JavaScript value, as JSON or
//! as text took 10 to 4,000 times as long.
//!
//! A message is one word, or two if a usage was reported with it, followed by its parts, nine words each:
//!
//! | word | bits | meaning |
//! |---|---|---|
//! | message | 31 | 1: a message begins |
//! | | 0-3 | role: 0 system, 1 user, 2 assistant, 3 tool, 4 other |
//! | | 4-5 | turn: 0 no, 1 person, 2 synthetic |
//! | | 6, 7, 8 | ended, summary, inactive |
//! | | 9 | 1: the next word is the reported usage in tokens |
//! | | 10 | it continues the answer of the message before |
//! | | 11 | it is sent even if a summary replaces the messages around it |
//! | | 12 | a field of its format says which of its outputs are pruned |
//! | | 13-30 | of a summary: 1 + the number of messages after it that existed when it was written; 0 if unknown |
//! | part 0 | 31 | 0 |
//! | | 0-3 | kind: 0 text, 1 thinking, 2 tool call, 3 tool result, 4 image, 5 file, 6 summary, 7 other |
//! | | 4-5 | output: 0 ordinary, 1 error, 2 pruned, 3 sealed |
//! | | 6 | signed |
//! | | 7 | of a call: the session has no id for it |
//! | | 8-23 | pieces |
//! | | 24 | of an ordinary output: it reads as the placeholder does; of an error: it has to stay; with 2: of a tool that failed, and reads as the placeholder does |
//! | part 1-4 | | length in UTF-16 units, code points, bytes, 64ths of a token by classes |
//! | part 5 | | call: index + 1, 0 for none |
//! | part 6 | | tool: index + 1 into the names, 0 for none |
//! | part 7 | | native length + 1, 0 for none |
//! | part 8 | | length in 64ths of a token by classes, of values as JSON |

use std::num::NonZeroU32;

use crate::error::{Error, ErrorCode};
use crate::length::Length;
use crate::transcript::{Message, Output, Part, PartKind, Role, Transcript, Turn};

pub use layout::PART_WORDS;

/// Where the bits of a record are. `cargo xtask gen` writes the same constants for JavaScript.
#[doc(hidden)]
pub mod layout {
    use crate::transcript::Output;

    /// Words of one part.
    pub const PART_WORDS: usize = 9;
    /// The bit that distinguishes a message from a part.
    pub const MESSAGE: u32 = 1 << 31;
    /// The bits of the first field: a message's role, a part's kind.
    pub const FIRST: u32 = 0xF;
    /// The position of the second field: a message's turn, the kind of a part's output.
    pub const SECOND_FIELD: u32 = 4;
    /// Its bits.
    pub const SECOND: u32 = 0x3;

    /// The model ended its answer with the message.
    pub const ENDED: u32 = 6;
    /// The message is a summary.
    pub const SUMMARY: u32 = 7;
    /// The message is not sent now.
    pub const INACTIVE: u32 = 8;
    /// The next word is the reported usage.
    pub const USAGE: u32 = 9;
    /// The message continues the answer of the one before.
    pub const CONTINUES: u32 = 10;
    /// The message is sent even if a summary replaces the messages around it.
    pub const PINNED: u32 = 11;
    /// A field of the message's format says which of its outputs are pruned.
    pub const PRUNE_FIELD: u32 = 12;
    /// The position of the last field: how many messages a summary keeps, plus 1.
    pub const KEPT: u32 = 13;
    /// The bits of that.
    pub const KEPT_BITS: u32 = 0x3_FFFF;
    /// The largest number of messages that a summary's record can store.
    pub const MOST_KEPT: u32 = KEPT_BITS - 1;
    const _: () =
        assert!(MOST_KEPT == crate::transcript::MOST_KEPT, "the bits of a record hold what a message counts");

    /// The part is signed.
    pub const SIGNED: u32 = 6;
    /// The session has no id for the call.
    pub const BY_PLACE: u32 = 7;
    /// The position of the number of texts that the part consists of.
    pub const PIECES: u32 = 8;
    /// The bit that distinguishes two outputs with the same number.
    pub const OTHER_OUTPUT: u32 = 1 << 24;

    /// The flags that JavaScript sets, with their names there.
    pub const FLAGS: [(&str, u32); 6] = [
        ("ENDED", ENDED),
        ("SUMMARY", SUMMARY),
        ("INACTIVE", INACTIVE),
        ("CONTINUES", CONTINUES),
        ("PINNED", PINNED),
        ("PRUNE_FIELD", PRUNE_FIELD),
    ];

    /// The other numbers that JavaScript needs, with their names there.
    pub const NUMBERS: [(&str, u32); 10] = [
        ("MESSAGE", MESSAGE),
        ("HAS_USAGE", 1 << USAGE),
        ("ROLES", FIRST),
        ("KEPT_SHIFT", KEPT),
        ("KEPT", KEPT_BITS << KEPT),
        ("MOST_KEPT", MOST_KEPT),
        ("PART_WORDS", PART_WORDS as u32),
        ("SIGNED", 1 << SIGNED),
        ("BY_PLACE", 1 << BY_PLACE),
        ("MOST_PIECES", u16::MAX as u32),
    ];

    /// The bits that encode an output.
    #[must_use]
    pub const fn output_bits(output: Output) -> u32 {
        match output {
            Output::Ordinary => 0,
            Output::Error => 1 << SECOND_FIELD,
            Output::Pruned => 2 << SECOND_FIELD,
            Output::Sealed => 3 << SECOND_FIELD,
            Output::Placeholder => OTHER_OUTPUT,
            Output::FixedError => 1 << SECOND_FIELD | OTHER_OUTPUT,
            Output::FailedPlaceholder => 2 << SECOND_FIELD | OTHER_OUTPUT,
        }
    }
}

use layout::{
    BY_PLACE, CONTINUES, ENDED, FIRST, INACTIVE, KEPT, KEPT_BITS, MESSAGE, MOST_KEPT, OTHER_OUTPUT, PIECES,
    PINNED, PRUNE_FIELD, SECOND, SECOND_FIELD, SIGNED, SUMMARY, USAGE, output_bits,
};

/// Converts records to a transcript; the records number the tools in `tools`.
///
/// # Errors
///
/// `mismatch` with the first word that is not a valid record.
///
/// # Example
///
/// ```
/// // One message of a user (role 1, turn 1) with a text of 18 characters.
/// let words = [1 << 31 | 1 << 4 | 1, 1 << 8, 18, 18, 18, 300, 0, 0, 0, 300];
/// let transcript = ebbline::binding::records::read(&words, std::iter::empty())?;
/// assert_eq!(transcript.parts_of(0)[0].length.utf16, 18);
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn read<'t>(words: &[u32], tools: impl IntoIterator<Item = &'t str>) -> Result<Transcript, Error> {
    let mut transcript = Transcript::default();
    let tools: Vec<u32> = tools.into_iter().map(|name| transcript.tool(name)).collect();
    append(words, &tools, &mut transcript)?;
    Ok(transcript)
}

/// Appends the messages of records to a transcript; `tools` maps the tools that the records number to the
/// transcript's.
///
/// # Errors
///
/// As [`read`]; the messages before the faulty word have been added.
pub(crate) fn append(words: &[u32], tools: &[u32], transcript: &mut Transcript) -> Result<(), Error> {
    let mut at = 0;
    while let Some(word) = words.get(at).copied() {
        if word & MESSAGE != 0 {
            let (Some(role), Some(turn)) =
                (pick(Role::ALL, word, 0, FIRST), pick(Turn::ALL, word, SECOND_FIELD, SECOND))
            else {
                return Err(malformed(at));
            };
            let bit = |shift: u32| word >> shift & 1 == 1;
            let usage = if bit(USAGE) {
                Some(words.get(at + 1).copied().ok_or_else(|| malformed(at))?)
            } else {
                None
            };
            let (ended, summary, active) = (bit(ENDED), bit(SUMMARY), !bit(INACTIVE));
            let (continues, pinned, has_prune_field) = (bit(CONTINUES), bit(PINNED), bit(PRUNE_FIELD));
            let kept = (word >> KEPT & KEPT_BITS).checked_sub(1);
            transcript.begin(Message {
                role,
                turn,
                ended,
                summary,
                active,
                continues,
                pinned,
                has_prune_field,
                kept,
                usage,
            });
            at += 1 + usize::from(bit(USAGE));
            continue;
        }
        let part = words.get(at..at + PART_WORDS).and_then(|words| read_part(words, tools));
        let Some(part) = part.filter(|_| !transcript.messages().is_empty()) else {
            return Err(malformed(at));
        };
        transcript.push(part);
        if let Some(call) = part.call.filter(|_| word >> BY_PLACE & 1 == 1) {
            transcript.pair_by_place(call);
        }
        at += PART_WORDS;
    }
    Ok(())
}

fn read_part(words: &[u32], tools: &[u32]) -> Option<Part> {
    let &[head, utf16, code_points, bytes, classed, call, tool, native, classed_json] = words else {
        return None;
    };
    let named = tool.checked_sub(1).map(|index| tools.get(index as usize).copied());
    Some(Part {
        kind: pick(PartKind::ALL, head, 0, FIRST)?,
        output: output_of(head)?,
        pieces: (head >> PIECES) as u16,
        length: Length { utf16, code_points, bytes, classed, classed_json },
        native: native.checked_sub(1).and_then(NonZeroU32::new),
        call: call.checked_sub(1),
        tool: match named {
            Some(None) => return None,
            Some(index) => index,
            None => None,
        },
        signed: head >> SIGNED & 1 == 1,
    })
}

/// The output that a part's first word encodes. If no output has this combination with [`layout::OTHER_OUTPUT`], that
/// bit is ignored.
fn output_of(head: u32) -> Option<Output> {
    let (field, other) = (head & SECOND << SECOND_FIELD, head & OTHER_OUTPUT);
    if field | other == output_bits(Output::Ordinary) {
        return Some(Output::Ordinary);
    }
    let with = |bits: u32| Output::ALL.iter().copied().find(|output| output_bits(*output) == bits);
    with(field | other).or_else(|| with(field))
}

fn pick<T: Copy>(table: &[T], word: u32, shift: u32, mask: u32) -> Option<T> {
    table.get((word >> shift & mask) as usize).copied()
}

fn malformed(at: usize) -> Error {
    Error::new(ErrorCode::Mismatch, format!("word {at} of the records is no record"))
}

/// Converts a transcript to records and the names of its tools: the inverse of [`read`], for tests that compare the
/// reader with the JavaScript format.
#[must_use]
pub fn write(transcript: &Transcript) -> (Vec<u32>, Vec<String>) {
    let mut words = Vec::new();
    for (index, message) in transcript.messages().iter().enumerate() {
        let bits = [
            (message.ended, ENDED),
            (message.summary, SUMMARY),
            (!message.active, INACTIVE),
            (message.usage.is_some(), USAGE),
            (message.continues, CONTINUES),
            (message.pinned, PINNED),
            (message.has_prune_field, PRUNE_FIELD),
        ];
        let bits = bits.iter().fold(0, |bits, (bit, shift)| bits | u32::from(*bit) << shift);
        let kept = message.kept.map_or(0, |kept| kept.min(MOST_KEPT) + 1);
        words.push(
            MESSAGE | message.role as u32 | (message.turn as u32) << SECOND_FIELD | bits | kept << KEPT,
        );
        words.extend(message.usage);
        for part in transcript.parts_of(index) {
            let is_call = part.kind == PartKind::ToolCall;
            let by_place = part.call.is_some_and(|call| is_call && transcript.is_paired_by_place(call));
            let flags = u32::from(part.signed) << SIGNED | u32::from(by_place) << BY_PLACE;
            words.extend([
                part.kind as u32 | output_bits(part.output) | flags | u32::from(part.pieces) << PIECES,
                part.length.utf16,
                part.length.code_points,
                part.length.bytes,
                part.length.classed,
                part.call.map_or(0, |call| call + 1),
                part.tool.map_or(0, |tool| tool + 1),
                part.native.map_or(0, |native| native.get().saturating_add(1)),
                part.length.classed_json,
            ]);
        }
    }
    let names = (0..).map_while(|tool| transcript.tool_name(tool).map(str::to_owned)).collect();
    (words, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_survive_the_crossing() {
        let mut transcript = Transcript::default();
        let tool = transcript.tool("bash");
        transcript.begin(Message { active: false, ..Message::new(Role::System) });
        transcript.begin(Message {
            ended: true,
            summary: true,
            usage: Some(u32::MAX),
            turn: Turn::Synthetic,
            continues: true,
            pinned: true,
            has_prune_field: true,
            kept: Some(MOST_KEPT),
            ..Message::new(Role::Assistant)
        });
        transcript.push(Part {
            output: Output::Sealed,
            pieces: 65_535,
            native: NonZeroU32::new(7),
            call: Some(0),
            tool: Some(tool),
            signed: true,
            ..Part::new(PartKind::ToolResult, Length { classed_json: 9, ..Length::of("日本 😀") })
        });
        let (words, names) = write(&transcript);
        let read = read(&words, names.iter().map(String::as_str)).unwrap();
        assert_eq!((read.messages(), read.parts()), (transcript.messages(), transcript.parts()));
        assert_eq!(read.tool_name(0), Some("bash"));
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let part = [0, 1, 1, 1, 1, 0, 0, 0, 1];
        for words in [
            part.to_vec(),
            vec![MESSAGE | 9],
            vec![MESSAGE, 0, 1],
            vec![MESSAGE | 1 << 9],
            vec![MESSAGE, 8, 1, 1, 1, 1, 0, 0, 0, 1],
            vec![MESSAGE, 0, 1, 1, 1, 1, 0, 5, 0, 1],
        ] {
            assert_eq!(read(&words, ["only"]).unwrap_err().code(), "mismatch", "{words:?}");
        }
    }
}
