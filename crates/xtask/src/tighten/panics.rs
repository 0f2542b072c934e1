//! The report of a panic. On `wasm32-unknown-unknown` the standard library has nowhere to write one, so it puts a message
//! together that nobody reads, and traps. The trap is what remains.

use super::Fault;
use super::module::Module;

/// Parts of the names of functions that report a panic and never return: of both ways in which Rust writes names.
const REPORTS: [&str; 14] = [
    "4core9panicking",
    "4core5slice5index16slice_index_fail",
    "5slice20copy_from_slice_impl17len_mismatch_fail",
    "4core6option13unwrap_failed",
    "4core6option13expect_failed",
    "4core6result13unwrap_failed",
    "4core3str16slice_error_fail",
    "4core4cell22panic_already_borrowed",
    "4core4cell30panic_already_mutably_borrowed",
    "9smallsort22panic_on_ord_violation",
    "5alloc7raw_vec12handle_error",
    "5alloc7raw_vec17capacity_overflow",
    "5alloc5alloc18handle_alloc_error",
    "17rust_begin_unwind",
];

/// A body without variables that traps.
const TRAP: [u8; 3] = [0, 0x00, 0x0b];

/// Replaces every function that reports a panic by a trap.
pub(super) fn silence(module: &mut Module) -> Result<(), Fault> {
    let names = module.names()?;
    if names.is_empty() {
        return Err("no names".to_owned());
    }
    let reports: Vec<u32> = names
        .into_iter()
        .filter(|(_, name)| REPORTS.iter().any(|part| name.contains(part)))
        .map(|(number, _)| number)
        .collect();
    for number in reports {
        let Some(place) = number.checked_sub(module.imported) else { continue };
        let Some(function) = module.functions.get(place as usize) else { continue };
        // One that returns something is about panics, but may end otherwise.
        if module.signature(function)?.returns.is_empty()
            && let Some(function) = module.functions.get_mut(place as usize)
        {
            function.body = TRAP.to_vec();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::module::tests::module_of;
    use super::super::reader::write_sized;
    use super::*;

    /// A module whose one function has a name.
    fn named(name: &str) -> Module {
        let mut bytes = module_of(&[0x7f], &[0, 0x01, 0x0b]).write();
        let mut names = vec![1, 0];
        write_sized(&mut names, name.as_bytes());
        let mut section = vec![4];
        section.extend_from_slice(b"name\x01");
        write_sized(&mut section, &names);
        bytes.push(0);
        write_sized(&mut bytes, &section);
        Module::read(&bytes).unwrap()
    }

    #[test]
    fn only_functions_that_report_a_panic_become_traps() {
        let cases = [
            ("_RNvNtCsgXGp5Oqx2Ny_4core9panicking18panic_bounds_check", true),
            ("_ZN4core6option13unwrap_failed17h0123456789abcdefE", true),
            ("_RNvCsfLfy6EI15iL_7___rustc17rust_begin_unwind", true),
            ("_ZN7ebbline6format4read17h0123456789abcdefE", false),
        ];
        for (name, is_report) in cases {
            let mut module = named(name);
            silence(&mut module).unwrap();
            let is_trap = module.functions.first().is_some_and(|function| function.body == TRAP);
            assert_eq!(is_trap, is_report, "{name}");
        }
    }

    #[test]
    fn a_module_without_names_is_refused() {
        assert_eq!(silence(&mut module_of(&[], &[0, 0x0b])).unwrap_err(), "no names");
    }
}
