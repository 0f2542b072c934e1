//! The text of `--help`.

/// It is that of the npm command line, word for word.
pub(crate) const HELP: &str = include_str!("help.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_command_lines_have_the_same_help() {
        let script = include_str!("../../ebbline-wasm/js/src/cli/help.js");
        let (_, text) = script.split_once('`').unwrap();
        let (text, _) = text.rsplit_once('`').unwrap();
        assert_eq!(text.replace("\\`", "`").replace("\\\\", "\\"), HELP);
    }
}
