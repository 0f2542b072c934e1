//! A function's body as its local variables and instructions.

use super::Fault;
use super::reader::{Reader, write_number};

/// `local.get`, `local.set` and `local.tee`.
const LOCAL_GET: u8 = 0x20;
const LOCAL_TEE: u8 = 0x22;
/// `global.get`.
pub(super) const GLOBAL_GET: u8 = 0x23;
/// `i32.const`.
const I32_CONST: u8 = 0x41;
/// `call`.
const CALL: u8 = 0x10;

/// An instruction, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction<'a> {
    /// One of the three about local variables: its code, and the variable's number.
    Local(u8, u32),
    /// A constant of 32 bits, and its bytes.
    Constant(i64, &'a [u8]),
    /// `memory.copy` within the first memory.
    Copy,
    /// A call of the function with this number, made here.
    Call(u32),
    /// Any other, as it is written.
    Other(&'a [u8]),
}

/// The body of a function.
#[derive(Debug)]
pub(super) struct Body<'a> {
    /// The type of each variable that is no parameter.
    pub(super) locals: Vec<u8>,
    pub(super) instructions: Vec<Instruction<'a>>,
}

impl<'a> Body<'a> {
    /// Reads a body.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let mut locals = Vec::new();
        for _ in 0..reader.number()? {
            let count = reader.number()?;
            let kind = reader.byte()?;
            // Numbers, and references to JavaScript's objects.
            if !matches!(kind, 0x7c..=0x7f | 0x6f) {
                return Err(format!("a variable of the type {kind:#x}"));
            }
            if count > 50_000 {
                return Err(format!("a function with {count} variables"));
            }
            locals.extend((0..count).map(|_| kind));
        }
        let mut instructions = Vec::new();
        while !reader.is_at_end() {
            instructions.push(instruction(&mut reader)?);
        }
        Ok(Self { locals, instructions })
    }

    /// The body as bytes.
    pub(super) fn write(&self) -> Vec<u8> {
        let runs: Vec<&[u8]> = self.locals.chunk_by(|one, other| one == other).collect();
        let mut bytes = Vec::new();
        write_number(&mut bytes, runs.len() as u32);
        for run in runs {
            write_number(&mut bytes, run.len() as u32);
            bytes.extend(run.first());
        }
        for instruction in &self.instructions {
            match instruction {
                Instruction::Local(code, number) => {
                    bytes.push(*code);
                    write_number(&mut bytes, *number);
                }
                Instruction::Constant(_, written) | Instruction::Other(written) => {
                    bytes.extend_from_slice(written);
                }
                Instruction::Copy => bytes.extend_from_slice(&[0xfc, 10, 0, 0]),
                Instruction::Call(number) => {
                    bytes.push(CALL);
                    write_number(&mut bytes, *number);
                }
            }
        }
        bytes
    }
}

fn instruction<'a>(reader: &mut Reader<'a>) -> Result<Instruction<'a>, Fault> {
    let from = reader.clone();
    let code = reader.byte()?;
    match code {
        LOCAL_GET..=LOCAL_TEE => return Ok(Instruction::Local(code, reader.number()?)),
        I32_CONST => {
            let value = reader.signed()?;
            return Ok(Instruction::Constant(value, written(from, reader)?));
        }
        0xfc => {
            if is_copy(reader)? {
                return Ok(Instruction::Copy);
            }
        }
        _ => skip_operands(code, reader)?,
    }
    Ok(Instruction::Other(written(from, reader)?))
}

/// The bytes from one place to another.
fn written<'a>(mut from: Reader<'a>, to: &Reader<'a>) -> Result<&'a [u8], Fault> {
    from.take(from.left() - to.left())
}

/// Skips what follows the code of an instruction.
fn skip_operands(code: u8, reader: &mut Reader<'_>) -> Result<(), Fault> {
    match code {
        // Without operands: control, `drop`, `select`, comparisons, arithmetic, conversions, `ref.is_null`.
        0x00 | 0x01 | 0x05 | 0x0b | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => (),
        // The type of a block, which may be a number.
        0x02..=0x04 | 0x42 => _ = reader.signed()?,
        // A branch, a call, a global variable, a table's element, `ref.func`.
        0x0c | 0x0d | CALL | GLOBAL_GET | 0x24..=0x26 | 0xd2 => _ = reader.number()?,
        // `select` with a type.
        0x1c => _ = reader.sized()?,
        0x0e => {
            for _ in 0..=reader.number()? {
                reader.number()?;
            }
        }
        0x11 => {
            reader.number()?;
            reader.number()?;
        }
        // Loads and stores: alignment and offset. A bit of the alignment would announce a memory's number.
        0x28..=0x3e => {
            if reader.number()? >= 0x40 {
                return Err("several memories".to_owned());
            }
            reader.number()?;
        }
        // The size of memory, its growth, `ref.null`.
        0x3f | 0x40 | 0xd0 => _ = reader.byte()?,
        0x43 => _ = reader.take(4)?,
        0x44 => _ = reader.take(8)?,
        other => return Err(format!("an instruction {other:#x}")),
    }
    Ok(())
}

/// Reads the second half of an instruction of two bytes; whether it is `memory.copy`.
fn is_copy(reader: &mut Reader<'_>) -> Result<bool, Fault> {
    match reader.number()? {
        // Conversions that saturate.
        0..=7 => (),
        10 => return if reader.take(2)? == [0, 0] { Ok(true) } else { Err("several memories".to_owned()) },
        // `memory.fill`.
        11 => _ = reader.byte()?,
        // The size of a table, its growth, its filling.
        15..=17 => _ = reader.number()?,
        other => return Err(format!("an instruction 0xfc {other}")),
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_written_as_it_was_read() {
        // Variables i32, i32, i64; block, loads, a table of branches, a float, memory.fill.
        let bytes = [
            2, 2, 0x7f, 1, 0x7e, 0x02, 0x40, 0x20, 0, 0x28, 2, 0x80, 1, 0x22, 1, 0x0e, 1, 0, 0, 0x0b, 0x44,
            0, 0, 0, 0, 0, 0, 0, 0, 0x1a, 0x42, 0x7f, 0x21, 2, 0xfc, 11, 0, 0x11, 0, 0, 0x0b,
        ];
        let body = Body::read(&bytes).unwrap();
        assert_eq!(body.write(), bytes);
        assert_eq!(body.locals, [0x7f, 0x7f, 0x7e]);
        assert!(body.instructions.contains(&Instruction::Local(0x22, 1)));
    }

    #[test]
    fn an_unknown_instruction_is_refused_by_its_code() {
        assert_eq!(Body::read(&[0, 0xfd, 0]).unwrap_err(), "an instruction 0xfd");
        assert_eq!(Body::read(&[0, 0xfc, 8, 0, 0]).unwrap_err(), "an instruction 0xfc 8");
        assert_eq!(Body::read(&[1, 1, 0x70, 0x0b]).unwrap_err(), "a variable of the type 0x70");
        assert_eq!(Body::read(&[0, 0x28, 0x42, 0, 0]).unwrap_err(), "several memories");
    }
}
