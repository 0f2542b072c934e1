//! Makes a module smaller to download, without a change to what it computes.
//!
//! Compilers count instructions; brotli counts surprises. What is done here before and after `wasm-opt` makes the code
//! of different functions alike, or takes out what nobody can ever see:
//!
//! - [`silence`]: a function that only reports a panic becomes the trap that it ends with, where nothing could be reported;
//! - [`finish`]: short copies of memory become calls of one function for each length ([`copies`], not in the component),
//!   and local variables of the same purpose get the same number in every function ([`locals`]).
//!
//! A module that has something this does not know is refused, never guessed at.

mod body;
mod copies;
mod locals;
mod module;
mod panics;
mod reader;

use std::fs;
use std::path::Path;

use crate::failure::{Context, Failure, Outcome};
use module::Module;

/// What does not let a module be rewritten, as a sentence's end: `an instruction 0xfd`.
type Fault = String;

/// Replaces the functions that report panics by traps. The module must still have its names.
pub(crate) fn silence(from: &Path, to: &Path) -> Outcome<()> {
    rewrite(from, to, panics::silence)
}

/// Rewrites copies and local variables, as the last step before a module is shipped to JavaScript.
pub(crate) fn finish(file: &Path) -> Outcome<()> {
    rewrite(file, file, |module| {
        copies::call(module)?;
        locals::renumber(module)?;
        module.forget_names();
        Ok(())
    })
}

/// Rewrites local variables only: wasmtime, for which the component is, copies memory of a known length without a call,
/// and reads texts at half the speed where copies are calls.
pub(crate) fn finish_core(file: &Path) -> Outcome<()> {
    rewrite(file, file, |module| {
        locals::renumber(module)?;
        module.forget_names();
        Ok(())
    })
}

/// Takes names out of a finished component: of what it imports, exports and defines for itself, which no host reads.
pub(crate) fn strip_component(file: &Path) -> Outcome<()> {
    let bytes = fs::read(file).context(|| format!("cannot read {}", file.display()))?;
    let stripped = module::without_names(&bytes).map_err(|fault| {
        Failure::new(format!("{} is no component that can be read: it has {fault}", file.display()))
    })?;
    fs::write(file, stripped).context(|| format!("cannot write {}", file.display()))
}

fn rewrite(from: &Path, to: &Path, change: impl FnOnce(&mut Module) -> Result<(), Fault>) -> Outcome<()> {
    let bytes = fs::read(from).context(|| format!("cannot read {}", from.display()))?;
    let refused = |fault: Fault| {
        Failure::new(format!("{} cannot be made smaller: it has {fault}", from.display()))
            .advise("crates/xtask/src/tighten says what it can read; a newer compiler may write more.")
    };
    let mut module = Module::read(&bytes).map_err(refused)?;
    change(&mut module).map_err(refused)?;
    fs::write(to, module.write()).context(|| format!("cannot write {}", to.display()))
}
