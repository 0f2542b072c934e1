//! The README of each registry: the project's own, with the language of the registry first and every link absolute.

/// Where files are shown, and where pictures are served.
const SHOWN: &str = "https://github.com/ebbline/ebbline/blob/main/";
const SERVED: &str = "https://raw.githubusercontent.com/ebbline/ebbline/main/";

/// A registry: its mark in the README, the heading under which its language stands there, and the file that it shows.
pub(crate) const REGISTRIES: [(&str, &str, &str); 3] = [
    ("npm", "", "npm/README.md"),
    ("crates.io", "## Rust\n", "crates/ebbline/README.md"),
    ("PyPI", "## Python\n", "python/README.md"),
];

/// The README `text` for a registry.
pub(crate) fn of(text: &str, (mark, heading, _): (&str, &str, &str)) -> Result<String, String> {
    let first = block(text, "npm")?;
    let own = block(text, mark)?;
    let swapped = text.replacen(own, "\u{0}", 1).replacen(first, own, 1).replacen('\u{0}', first, 1);
    let swapped = if heading.is_empty() { swapped } else { swapped.replacen(heading, "## JavaScript\n", 1) };
    let lines = swapped.lines().filter(|line| !line.starts_with("<!-- "));
    Ok(absolute(&lines.flat_map(|line| [line, "\n"]).collect::<String>()))
}

/// What stands between the marks of a registry.
fn block<'t>(text: &'t str, mark: &str) -> Result<&'t str, String> {
    let missing = || format!("nothing stands between <!-- {mark} --> and <!-- /{mark} -->");
    let (_, rest) = text.split_once(&format!("<!-- {mark} -->\n")).ok_or_else(missing)?;
    let (block, _) = rest.split_once(&format!("<!-- /{mark} -->")).ok_or_else(missing)?;
    if block.is_empty() { Err(missing()) } else { Ok(block) }
}

/// The text with absolute links: a registry has none of the files.
fn absolute(text: &str) -> String {
    let mut whole = String::new();
    for (begin, place) in [("](", SHOWN), ("srcset=\"", SERVED), ("src=\"", SERVED)] {
        let mut parts = if whole.is_empty() { text.to_owned() } else { std::mem::take(&mut whole) };
        let rest = parts.split_off(parts.find(begin).unwrap_or(parts.len()));
        whole = parts;
        for part in rest.split(begin).skip(1) {
            let is_relative = !part.starts_with("https:") && !part.starts_with('#');
            whole.push_str(&format!("{begin}{}{part}", if is_relative { place } else { "" }));
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# a\n\n<img src=\"b.png\">\n\n<!-- npm -->\nnpm\n<!-- /npm -->\n\n[c](d.md) [e](https://f)\n\n## Rust\n\n<!-- crates.io -->\n\
        cargo\n<!-- /crates.io -->\n";

    #[test]
    fn the_registry_s_language_comes_first_and_links_are_absolute() {
        for (registry, first, second) in
            [(REGISTRIES[0], "npm", "## Rust\n\ncargo"), (REGISTRIES[1], "cargo", "## JavaScript\n\nnpm")]
        {
            let expected = format!(
                "# a\n\n<img src=\"{SERVED}b.png\">\n\n{first}\n\n[c]({SHOWN}d.md) [e](https://f)\n\n{second}\n"
            );
            assert_eq!(of(TEXT, registry), Ok(expected));
        }
        assert!(of(TEXT, REGISTRIES[2]).is_err());
    }
}
