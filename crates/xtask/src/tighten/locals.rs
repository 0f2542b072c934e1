//! The numbers of local variables.
//!
//! `wasm-opt` numbers a function's variables by how often they are used, after its parameters. So the pointer to the
//! stack, which is in half of all instructions that touch memory, has another number in functions of one and of two
//! parameters, and code that does the same looks different. Here it always has the same number, and variables of 64 bits
//! have others than those of 32. Numbers in between are given to variables that nothing uses: they cost nothing, since
//! engines take them for constants.

use wasmparser::{Operator, ValType};

/// The number of the pointer to the stack, where there are fewer parameters than this.
const STACK: u32 = 10;
/// The first number of variables that are not `i32`.
const WIDE: u32 = 20;

/// Gives the variables of a function that are no parameters their new numbers, and returns their types in the new order.
pub(super) fn renumber(parameters: u32, kinds: &[ValType], operators: &mut [Operator<'_>]) -> Vec<ValType> {
    let numbers = numbers(parameters, kinds, operators);
    for operator in operators {
        let Some(number) = local(operator) else { continue };
        let place = number.checked_sub(parameters).and_then(|place| numbers.get(place as usize));
        *number = place.copied().unwrap_or(*number);
    }
    in_order(parameters, kinds, &numbers)
}

/// The variable that an operator is about.
fn local<'o>(operator: &'o mut Operator<'_>) -> Option<&'o mut u32> {
    match operator {
        Operator::LocalGet { local_index }
        | Operator::LocalSet { local_index }
        | Operator::LocalTee { local_index } => Some(local_index),
        _ => None,
    }
}

/// The new number of every variable that is no parameter.
fn numbers(parameters: u32, kinds: &[ValType], operators: &mut [Operator<'_>]) -> Vec<u32> {
    let begins = matches!(operators.first(), Some(Operator::GlobalGet { .. }));
    let used: Vec<usize> = operators
        .iter_mut()
        .filter_map(|operator| local(operator).map(|number| number.checked_sub(parameters)))
        .map(|place| place.map_or(usize::MAX, |place| place as usize))
        .collect();
    // The pointer to the stack: the first variable set, in a function that begins with it.
    let stack = used.first().copied().filter(|place| begins && kinds.get(*place) == Some(&ValType::I32));
    let mut counts = vec![0_u32; kinds.len()];
    for place in used {
        if let Some(count) = counts.get_mut(place) {
            *count += 1;
        }
    }
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.sort_by_key(|local| std::cmp::Reverse(counts.get(*local).copied()));
    let taken = stack.map(|_| STACK.max(parameters));
    let mut numbers = vec![0; kinds.len()];
    let narrow =
        order.iter().filter(|local| kinds.get(**local) == Some(&ValType::I32) && Some(**local) != stack);
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
        order.iter().filter(|local| kinds.get(**local) != Some(&ValType::I32)).copied().collect();
    wide.sort_by_key(|local| kinds.get(*local).copied());
    let mut next = WIDE.max(parameters).max(last.map_or(0, |last| last + 1))..;
    for local in wide {
        set(&mut numbers, local, next.next());
    }
    numbers
}

fn set(numbers: &mut [u32], local: usize, number: Option<u32>) {
    if let (Some(slot), Some(number)) = (numbers.get_mut(local), number) {
        *slot = number;
    }
}

/// The types of all variables in their new order; one that nothing uses has the type of its neighbor.
fn in_order(parameters: u32, kinds: &[ValType], numbers: &[u32]) -> Vec<ValType> {
    let count = numbers.iter().max().map_or(0, |last| last + 1 - parameters);
    let mut ordered: Vec<Option<ValType>> = vec![None; count as usize];
    for (kind, number) in kinds.iter().zip(numbers) {
        if let Some(slot) = ordered.get_mut((number - parameters) as usize) {
            *slot = Some(*kind);
        }
    }
    let mut last = ValType::I32;
    ordered
        .into_iter()
        .map(|kind| {
            last = kind.unwrap_or(last);
            last
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that the variables of a function get, which it uses in this order.
    fn renumbered(
        parameters: u32,
        kinds: &[ValType],
        begins: bool,
        used: &[u32],
    ) -> (Vec<ValType>, Vec<u32>) {
        let get = |local_index: &u32| Operator::LocalGet { local_index: *local_index };
        let first = begins.then_some(Operator::GlobalGet { global_index: 0 });
        let mut operators: Vec<Operator<'_>> = first.into_iter().chain(used.iter().map(get)).collect();
        let kinds = renumber(parameters, kinds, &mut operators);
        (kinds, operators.iter_mut().filter_map(|operator| local(operator).copied()).collect())
    }

    #[test]
    fn the_pointer_to_the_stack_has_one_number_whatever_the_parameters() {
        for own in [0, 1, 2] {
            let (kinds, numbers) = renumbered(own, &[ValType::I32; 2], true, &[own, own + 1]);
            assert_eq!((kinds.len() as u32, numbers), (STACK + 1 - own, vec![STACK, own]));
        }
    }

    #[test]
    fn variables_of_64_bits_are_apart_and_the_most_used_come_first() {
        let (kinds, numbers) = renumbered(1, &[ValType::I64, ValType::I32], false, &[1, 2, 2, 0]);
        assert_eq!(numbers, [WIDE, 1, 1, 0]);
        assert_eq!((kinds.len() as u32, kinds.last()), (WIDE, Some(&ValType::I64)));
        let many = [[ValType::I32; 30].as_slice(), &[ValType::I64]].concat();
        let used: Vec<u32> = (0..31).collect();
        assert_eq!(renumbered(0, &many, false, &used), (many, used));
        assert_eq!(renumbered(1, &[], false, &[0]), (vec![], vec![0]));
    }
}
