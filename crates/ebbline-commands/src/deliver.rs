//! Where a session goes that a command has written: to a file, or to standard output.

use std::path::Path;

use crate::failure::Failure;
use crate::file_state::FileState;
use crate::output::is_standard_output;
use crate::run::Run;
use crate::values::Values;

/// Endings of files that are read and not written, what to take instead, and why.
const NOT_WRITTEN: [(&str, &str, &str); 2] = [
    ("zst", "", "a session is written without compression"),
    ("eval", "json", "a log of Inspect AI is written as JSON"),
];

/// Refuses options that leave no place for the session or the report.
pub(crate) fn check(command: &str, values: &Values) -> Result<(), Failure> {
    let out = values.text("out");
    if out == Some("") {
        return Err(Failure::Usage("-o needs the name of a file, or - for standard output".to_owned()));
    }
    for (ending, instead, why) in NOT_WRITTEN {
        let is_so =
            |name: &&str| Path::new(name).extension().is_some_and(|its| its.eq_ignore_ascii_case(ending));
        if let Some(name) = out.filter(is_so) {
            let other = Path::new(name).with_extension(instead);
            return Err(Failure::Usage(format!("{why}: name it {}, not {name}", other.display())));
        }
    }
    if values.has("json") && out.is_none_or(is_standard_output) {
        return Err(Failure::Usage(format!(
            "{command} --json needs -o OUT: standard output is either the session or the report"
        )));
    }
    Ok(())
}

/// Writes a session: the file is replaced as a whole or not at all. `seen` is the file that was read.
pub(crate) async fn deliver(bytes: Vec<u8>, seen: Option<FileState>, run: &mut Run) -> Result<(), Failure> {
    match run.given.values.text("out").filter(|name| !is_standard_output(name)) {
        Some(name) => run.io.write(name, bytes, seen).await,
        None => run.out.write(bytes).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_output_is_either_the_session_or_the_report() {
        let values = |given: &[(&'static str, Option<&str>)]| {
            Values::new(given.iter().map(|(name, value)| (*name, value.map(str::to_owned))).collect())
        };
        assert!(check("compact", &values(&[])).is_ok());
        assert!(check("compact", &values(&[("json", None), ("out", Some("a"))])).is_ok());
        for out in [None, Some("-"), Some("/dev/stdout")] {
            let given = out.map_or_else(Vec::new, |out| vec![("out", Some(out))]);
            let given = [vec![("json", None)], given].concat();
            let message = check("repair", &values(&given)).unwrap_err().message();
            assert!(message.starts_with("repair --json needs -o OUT"), "{message}");
        }
        assert!(check("undo", &values(&[("out", Some(""))])).is_err());
        let compressed = check("compact", &values(&[("out", Some("a.jsonl.zst"))])).unwrap_err();
        assert!(compressed.message().ends_with("name it a.jsonl, not a.jsonl.zst"));
        let archive = check("compact", &values(&[("out", Some("a.EVAL"))])).unwrap_err();
        assert!(archive.message().ends_with("name it a.json, not a.EVAL"));
    }
}
