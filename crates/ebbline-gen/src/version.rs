//! The version of the workspace in the files that repeat it.

/// The files, and what stands around the version in each.
pub(crate) const PLACES: [(&str, &str, &str); 3] = [
    ("python/pyproject.toml", "\nversion = \"", "\""),
    ("python/src/ebbline/__init__.py", "\n__version__ = \"", "\""),
    ("CITATION.cff", "\nversion: ", "\n"),
];

/// The text of such a file with the version as it is now.
pub(crate) fn in_text(text: &str, begin: &str, end: &str) -> Result<String, String> {
    let parts = text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) = parts.ok_or("there is no version")?;
    Ok(format!("{before}{begin}{}{end}{after}", env!("CARGO_PKG_VERSION")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_version_is_replaced() {
        let now = env!("CARGO_PKG_VERSION");
        assert_eq!(
            in_text("a\nversion: 9\nversion: 8\n", "\nversion: ", "\n"),
            Ok(format!("a\nversion: {now}\nversion: 8\n"))
        );
        assert!(in_text("a", "\nversion: ", "\n").is_err());
    }
}
