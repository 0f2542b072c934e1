//! The command line `ebbline`: the engine natively, with the commands and the answers of the npm command line.

mod amount;
mod args;
mod asked;
mod budget;
mod chart;
mod columns;
mod command;
mod compaction;
mod complaints;
mod corpus;
mod csv;
mod decimal;
mod deliver;
mod described;
mod exit;
mod failure;
mod file_state;
mod files;
mod folders;
mod grid;
mod help;
mod inspection;
mod json;
mod life;
mod moment;
mod options;
mod output;
mod parse;
mod places;
mod points;
mod policy_options;
mod policy_totals;
mod pool;
mod printable;
mod progress;
mod record;
mod request;
mod rows;
mod rules;
mod run;
mod scale;
mod scatter;
mod shell;
mod signals;
mod store;
mod style;
mod svg;
mod table;
mod undoing;
mod utf16;
mod values;
mod violations;
mod weight;
mod window_note;
mod words;
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;

fn main() -> ExitCode {
    // A fault ends with one sentence, as everything else does.
    set_hook(Box::new(|_| {}));
    signals::survive_large_files();
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    let exit = catch_unwind(AssertUnwindSafe(|| run::main(&args))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        run::complain_of_fault(text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default())
    });
    exit.into()
}
