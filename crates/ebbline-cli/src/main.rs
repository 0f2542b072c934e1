//! The command line `ebbline` natively: a host of its commands, which says and decides nothing itself.

mod budget;
mod completions;
mod file_name;
mod file_state;
mod files;
mod host;
mod pool;
mod refusal;
mod rows;
mod shell;
mod signals;
mod store;
mod streams;
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;

use ebbline_commands::{Exit, complaint_of_fault};

use crate::file_name::name_of;
use crate::host::Host;

fn main() -> ExitCode {
    // A fault ends with one sentence, as everything else does.
    set_hook(Box::new(|_| {}));
    signals::survive_large_files();
    let args: Vec<_> = std::env::args_os().skip(1).map(|arg| name_of(&arg)).collect();
    let exit = catch_unwind(AssertUnwindSafe(|| Host::default().run(args))).unwrap_or_else(|panic| {
        streams::note(&complaint_of_fault(&words_of(&*panic)));
        Exit::Fault
    });
    ExitCode::from(exit.code())
}

/// What a panic says.
fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default().to_owned()
}
