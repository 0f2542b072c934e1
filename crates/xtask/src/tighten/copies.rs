//! Short copies of memory.
//!
//! With `-max-store-memcpy=1` (`.cargo/config.toml`) the compiler writes `memory.copy` for everything longer than eight
//! bytes, which is a third of the instructions that loads and stores take. But engines carry out `memory.copy` with a
//! call out of the module, a hundred times as long as the copy. So each short length gets a function of its own, which
//! loads all of it and then stores it: overlapping places are allowed, as in `memory.copy`.

use std::collections::BTreeMap;

use super::Fault;
use super::body::{Body, Instruction};
use super::module::{Module, Signature};
use super::reader::write_number;

/// Longer ones stay as they are: the call out of the module then costs less than the copy.
const LONGEST: i64 = 64;

/// `i32`.
const I32: u8 = 0x7f;

/// Makes short copies calls.
pub(super) fn call(module: &mut Module) -> Result<(), Fault> {
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    for place in 0..module.functions.len() {
        let Some(bytes) = module.functions.get(place).map(|function| function.body.clone()) else { continue };
        let mut body = Body::read(&bytes)?;
        let mut changed = Vec::with_capacity(body.instructions.len());
        let count = body.instructions.len();
        for instruction in body.instructions.drain(..) {
            match (changed.last(), instruction) {
                (Some(Instruction::Constant(length @ 1..=LONGEST, _)), Instruction::Copy) => {
                    let length = *length as u32;
                    let number = *numbers.entry(length).or_insert_with(|| {
                        module.add(Signature { takes: vec![I32, I32], returns: Vec::new() }, copy_of(length))
                    });
                    changed.pop();
                    changed.push(Instruction::Call(number));
                }
                (_, instruction) => changed.push(instruction),
            }
        }
        if changed.len() != count
            && let Some(function) = module.functions.get_mut(place)
        {
            body.instructions = changed;
            function.body = body.write();
        }
    }
    Ok(())
}

/// The body of a function that copies so many bytes from its second parameter to its first.
fn copy_of(length: u32) -> Vec<u8> {
    let mut pieces = Vec::new();
    let mut from = 0;
    // The codes of load and store, and the binary logarithm of the size.
    for (load, store, log) in [(0x29, 0x37, 3), (0x28, 0x36, 2), (0x2f, 0x3b, 1), (0x2d, 0x3a, 0)] {
        while length - from >= 1 << log {
            pieces.push((load, store, from));
            from += 1 << log;
        }
    }
    let mut body = vec![0];
    for (load, _, offset) in &pieces {
        body.extend_from_slice(&[0x20, 0, 0x20, 1, *load, 0]);
        write_number(&mut body, *offset);
    }
    for (_, store, offset) in pieces.iter().rev() {
        body.extend_from_slice(&[*store, 0]);
        write_number(&mut body, *offset);
    }
    body.push(0x0b);
    body
}

#[cfg(test)]
mod tests {
    use super::super::module::tests::module_of;
    use super::*;

    const COPY: [u8; 4] = [0xfc, 10, 0, 0];

    fn changed(constant: &[u8]) -> Module {
        let body = [&[0, 0x20, 0, 0x20, 1], constant, &COPY, &[0x0b]].concat();
        let mut module = module_of(&[I32, I32], &body);
        call(&mut module).unwrap();
        module
    }

    #[test]
    fn a_short_copy_becomes_a_call() {
        let module = changed(&[0x41, 24]);
        let bodies: Vec<_> = module.functions.iter().map(|function| function.body.clone()).collect();
        assert_eq!(bodies, [vec![0, 0x20, 0, 0x20, 1, 0x10, 1, 0x0b], copy_of(24)]);
    }

    #[test]
    fn a_long_copy_and_one_whose_length_is_computed_stay() {
        for constant in [&[0x41, 0xc1, 0][..], &[0x41, 0], &[0x20, 0]] {
            assert_eq!(changed(constant).functions.len(), 1, "{constant:x?}");
        }
    }

    #[test]
    fn all_bytes_are_loaded_before_the_first_is_stored() {
        for length in 1..=LONGEST as u32 {
            let body = copy_of(length);
            let body = Body::read(&body).unwrap();
            let is_store =
                |instruction: &Instruction<'_>| matches!(instruction, Instruction::Other([0x36..=0x3b, ..]));
            let first = body.instructions.iter().position(is_store).unwrap();
            let (loads, stores) = body.instructions.split_at(first);
            assert_eq!(loads.len(), 3 * (stores.len() - 1), "{length}");
            let size = |instruction: &Instruction<'_>| match instruction {
                Instruction::Other([0x37, ..]) => 8,
                Instruction::Other([0x36, ..]) => 4,
                Instruction::Other([0x3b, ..]) => 2,
                Instruction::Other([0x3a, ..]) => 1,
                _ => 0,
            };
            assert_eq!(stores.iter().map(size).sum::<u32>(), length);
        }
    }
}
