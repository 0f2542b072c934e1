//! Whether every public function of the libraries has an example in its documentation. The tests run the examples.
//!
//! The list of what is public would come from rustdoc's JSON, which only a nightly compiler writes. This reads the text
//! as rustfmt leaves it: `pub fn` behind its comment.

use crate::failure::Outcome;
use crate::layers::{self, source};
use crate::project::Project;

/// The libraries whose functions have to have examples.
const FOLDERS: [&str; 2] = ["crates/ebbline/src", "crates/ebbline-json/src"];

/// Files of which nothing is offered to programs: what they hold is hidden, or is what a macro is made of.
const HIDDEN: [&str; 6] = [
    "crates/ebbline/src/binding.rs",
    "crates/ebbline/src/numbers.rs",
    "crates/ebbline/src/plan/form.rs",
    "crates/ebbline/src/packed.rs",
    "crates/ebbline-json/src/length/classes.rs",
    "crates/ebbline-json/src/words.rs",
];

/// The public functions without an example, as `path:line name`.
///
/// # Errors
///
/// When a source cannot be read.
pub(crate) fn faults(project: &Project) -> Outcome<Vec<String>> {
    let mut faults = Vec::new();
    for folder in FOLDERS {
        for (path, text) in layers::texts(project, folder)? {
            if !HIDDEN.contains(&path.as_str()) {
                let missing = without_example(&text).into_iter();
                faults.extend(missing.map(|(line, name)| format!("{path}:{line} {name} has no example")));
            }
        }
    }
    Ok(faults)
}

/// The public functions of a file that have no example and are not hidden, with their lines.
fn without_example(text: &str) -> Vec<(usize, String)> {
    let code = source::without_tests(text);
    let (mut found, mut is_excused) = (Vec::new(), false);
    for (line, (whole, code)) in text.lines().zip(code.lines()).enumerate() {
        let item = whole.trim();
        if item.starts_with("///") || item.starts_with("#[") {
            is_excused |= item == "/// ```" || item == "#[doc(hidden)]";
            continue;
        }
        let item = code.trim();
        let function = item.strip_prefix("pub const fn ").or_else(|| item.strip_prefix("pub fn "));
        if let Some(function) = function.filter(|_| !is_excused) {
            let end = function.find(['(', '<']).unwrap_or(function.len());
            found.push((line + 1, function.get(..end).unwrap_or_default().to_owned()));
        }
        is_excused = false;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_without_an_example_is_named() {
        let text = "/// Says.\n///\n/// ```\n/// said();\n/// ```\n#[must_use]\npub fn said() {}\n\n\
                    impl A {\n    /// Is.\n    pub const fn is<T>(self) {}\n\n    #[doc(hidden)]\n    pub fn raw() {}\n\n\
                    \x20   pub(crate) fn own() {}\n}\n\n#[cfg(test)]\nmod tests {\n    pub fn of_test() {}\n}\n";
        assert_eq!(without_example(text), [(11, "is".to_owned())]);
    }

    #[test]
    fn every_public_function_has_an_example() {
        let found = match faults(&Project::find()) {
            Ok(faults) => faults,
            Err(failure) => vec![failure.to_string()],
        };
        assert_eq!(found, Vec::<String>::new());
    }
}
