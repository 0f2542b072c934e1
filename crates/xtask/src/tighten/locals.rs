//! The numbers of local variables.
//!
//! `wasm-opt` numbers a function's variables by how often they are used, after its parameters. So the pointer to the
//! stack, which is in half of all instructions that touch memory, has another number in functions of one and of two
//! parameters, and code that does the same looks different. Here it always has the same number, and variables of 64 bits
//! have others than those of 32. Numbers in between are given to variables that nothing uses: they cost nothing, since
//! engines take them for constants.

use std::collections::HashSet;

use super::Fault;
use super::body::{Body, GLOBAL_GET, Instruction};
use super::module::Module;

/// The number of the pointer to the stack, where there are fewer parameters than this.
const STACK: u32 = 10;
/// The first number of variables that are not `i32`.
const WIDE: u32 = 20;
/// `i32`.
const I32: u8 = 0x7f;

/// What is in the names of functions that are compiled for speed. They keep their numbers, because wasmtime chooses what
/// stays in a register by them: it reads a text at 570 MB/s, and at 410 with other numbers.
const FAST: &str = "ebbline_json";

/// Gives the variables of functions their new numbers; names, if the module still has them, say which are to be fast.
pub(super) fn renumber(module: &mut Module) -> Result<(), Fault> {
    let names = module.names()?;
    let fast: HashSet<u32> =
        names.into_iter().filter(|(_, name)| name.contains(FAST)).map(|(number, _)| number).collect();
    for place in 0..module.functions.len() {
        if fast.contains(&(module.imported + place as u32)) {
            continue;
        }
        let Some(function) = module.functions.get(place) else { continue };
        let parameters = module.signature(function)?.takes.len() as u32;
        let bytes = function.body.clone();
        let mut body = Body::read(&bytes)?;
        let numbers = numbers(parameters, &body)?;
        body.locals = kinds(parameters, &body.locals, &numbers);
        for instruction in &mut body.instructions {
            if let Instruction::Local(_, number) = instruction
                && let Some(local) = number.checked_sub(parameters)
            {
                *number = *numbers.get(local as usize).ok_or_else(|| format!("no variable {number}"))?;
            }
        }
        if let Some(function) = module.functions.get_mut(place) {
            function.body = body.write();
        }
    }
    Ok(())
}

/// The new number of every variable that is no parameter.
fn numbers(parameters: u32, body: &Body<'_>) -> Result<Vec<u32>, Fault> {
    let stack = stack(parameters, body);
    let mut uses = vec![0_u32; body.locals.len()];
    for instruction in &body.instructions {
        if let Instruction::Local(_, number) = instruction
            && let Some(local) = number.checked_sub(parameters)
        {
            *uses.get_mut(local as usize).ok_or_else(|| format!("no variable {number}"))? += 1;
        }
    }
    let mut order: Vec<usize> = (0..body.locals.len()).collect();
    order.sort_by_key(|local| std::cmp::Reverse(uses.get(*local).copied()));
    let taken = stack.map(|_| STACK.max(parameters));
    let mut numbers = vec![0; body.locals.len()];
    let narrow =
        order.iter().filter(|local| body.locals.get(**local) == Some(&I32) && Some(**local) != stack);
    let mut next = (parameters..).filter(|number| Some(*number) != taken);
    let mut last = taken;
    for local in narrow {
        let number = next.next();
        last = last.max(number);
        set(&mut numbers, *local, number);
    }
    if let Some(stack) = stack {
        set(&mut numbers, stack, taken);
    }
    // One kind after the other, since each change of kinds takes two bytes.
    let mut wide: Vec<usize> =
        order.iter().filter(|local| body.locals.get(**local) != Some(&I32)).copied().collect();
    wide.sort_by_key(|local| std::cmp::Reverse(body.locals.get(*local).copied()));
    let mut next = WIDE.max(parameters).max(last.map_or(0, |last| last + 1))..;
    for local in wide {
        set(&mut numbers, local, next.next());
    }
    Ok(numbers)
}

fn set(numbers: &mut [u32], local: usize, number: Option<u32>) {
    if let (Some(slot), Some(number)) = (numbers.get_mut(local), number) {
        *slot = number;
    }
}

/// The variable that holds the pointer to the stack: the first one set, in a function that begins with it.
fn stack(parameters: u32, body: &Body<'_>) -> Option<usize> {
    let Some(Instruction::Other([GLOBAL_GET, ..])) = body.instructions.first() else { return None };
    let number = body.instructions.iter().find_map(|instruction| match instruction {
        Instruction::Local(_, number) => Some(*number),
        _ => None,
    })?;
    let local = number.checked_sub(parameters)? as usize;
    (body.locals.get(local) == Some(&I32)).then_some(local)
}

/// The types of all variables in their new order; one that nothing uses has the type of its neighbor.
fn kinds(parameters: u32, locals: &[u8], numbers: &[u32]) -> Vec<u8> {
    let count = numbers.iter().max().map_or(0, |last| last + 1 - parameters);
    let mut kinds: Vec<Option<u8>> = vec![None; count as usize];
    for (kind, number) in locals.iter().zip(numbers) {
        if let Some(slot) = kinds.get_mut((number - parameters) as usize) {
            *slot = Some(*kind);
        }
    }
    let mut last = I32;
    kinds
        .into_iter()
        .map(|kind| {
            last = kind.unwrap_or(last);
            last
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::module::tests::module_of;
    use super::*;

    /// `global.get 0`, `local.tee` of a variable.
    const BEGIN: [u8; 2] = [GLOBAL_GET, 0];

    fn renumbered(takes: &[u8], body: &[u8]) -> Vec<u8> {
        let mut module = module_of(takes, body);
        renumber(&mut module).unwrap();
        module.functions.pop().unwrap().body
    }

    #[test]
    fn the_pointer_to_the_stack_has_one_number_whatever_the_parameters() {
        for takes in [&[][..], &[I32], &[I32, I32]] {
            let own = takes.len() as u8;
            let body = [&[1, 2, I32], &BEGIN[..], &[0x22, own, 0x21, own + 1, 0x0b]].concat();
            let count = STACK as u8 + 1 - own;
            let expected = [&[1, count, I32], &BEGIN[..], &[0x22, STACK as u8, 0x21, own, 0x0b]].concat();
            assert_eq!(renumbered(takes, &body), expected);
        }
    }

    #[test]
    fn variables_of_64_bits_are_apart() {
        // An i64 and an i32 behind a parameter; the i32 is used twice.
        let body = [2, 1, 0x7e, 1, I32, 0x20, 1, 0x1a, 0x20, 2, 0x1a, 0x20, 2, 0x1a, 0x20, 0, 0x1a, 0x0b];
        let wide = WIDE as u8;
        let expected =
            [2, wide - 1, I32, 1, 0x7e, 0x20, wide, 0x1a, 0x20, 1, 0x1a, 0x20, 1, 0x1a, 0x20, 0, 0x1a, 0x0b];
        assert_eq!(renumbered(&[I32], &body), expected);
    }

    #[test]
    fn a_function_without_variables_stays_as_it_is() {
        let body = [0, 0x20, 0, 0x1a, 0x0b];
        assert_eq!(renumbered(&[I32], &body), body);
    }

    #[test]
    fn more_variables_than_numbers_before_the_wide_ones_fit() {
        let mut body = vec![2, 30, I32, 1, 0x7e];
        body.extend((0..31).flat_map(|number| [0x20, number, 0x1a]));
        body.push(0x0b);
        assert_eq!(renumbered(&[], &body), body);
    }
}
