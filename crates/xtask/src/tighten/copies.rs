//! Short copies of memory.
//!
//! With `-max-store-memcpy=1` (`.cargo/config.toml`) the compiler writes `memory.copy` for everything longer than eight
//! bytes, which is a third of the instructions that loads and stores take. But engines carry out `memory.copy` with a
//! call out of the module, a hundred times as long as the copy. So each short length gets a function of its own, which
//! loads all of it and then stores it: overlapping places are allowed, as in `memory.copy`.

use wasm_encoder::{Function, MemArg, ValType};
use wasmparser::Operator;

/// Longer ones stay as they are: the call out of the module then costs less than the copy.
const LONGEST: i32 = 64;

/// What a function that copies takes: where to, and where from.
pub(super) const TAKES: [ValType; 2] = [ValType::I32; 2];

/// How many bytes the two operators copy, if they are a short copy.
pub(super) fn length(one: &Operator<'_>, next: &Operator<'_>) -> Option<u32> {
    match (one, next) {
        (
            Operator::I32Const { value: value @ 1..=LONGEST },
            Operator::MemoryCopy { dst_mem: 0, src_mem: 0 },
        ) => Some(*value as u32),
        _ => None,
    }
}

/// A function that copies so many bytes.
pub(super) fn copy_of(length: u32) -> Function {
    let mut pieces = Vec::new();
    let mut from = 0;
    for log in [3, 2, 1, 0] {
        while length - from >= 1 << log {
            pieces.push((log, MemArg { offset: u64::from(from), align: 0, memory_index: 0 }));
            from += 1 << log;
        }
    }
    let mut function = Function::new([]);
    let mut code = function.instructions();
    for (log, place) in &pieces {
        code.local_get(0).local_get(1);
        match log {
            3 => code.i64_load(*place),
            2 => code.i32_load(*place),
            1 => code.i32_load16_u(*place),
            _ => code.i32_load8_u(*place),
        };
    }
    for (log, place) in pieces.iter().rev() {
        match log {
            3 => code.i64_store(*place),
            2 => code.i32_store(*place),
            1 => code.i32_store16(*place),
            _ => code.i32_store8(*place),
        };
    }
    code.end();
    function
}

#[cfg(test)]
mod tests {
    use wasm_encoder::Encode;
    use wasmparser::{BinaryReader, FunctionBody};

    use super::*;

    #[test]
    fn all_bytes_are_loaded_before_the_first_is_stored() {
        for length in 1..=LONGEST as u32 {
            let mut bytes = Vec::new();
            copy_of(length).encode(&mut bytes);
            let body = FunctionBody::new(BinaryReader::new(bytes.get(1..).unwrap(), 0));
            let operators = body.get_operators_reader().unwrap().into_iter().map(Result::unwrap);
            let mut stored = 0;
            for operator in operators {
                match operator {
                    Operator::I64Store { .. } => stored += 8,
                    Operator::I32Store { .. } => stored += 4,
                    Operator::I32Store16 { .. } => stored += 2,
                    Operator::I32Store8 { .. } => stored += 1,
                    Operator::End => assert_eq!(stored, length),
                    _ => assert_eq!(stored, 0, "{operator:?}"),
                }
            }
        }
    }
}
