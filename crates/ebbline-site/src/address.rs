//! Addresses inside the site, which are relative everywhere, so that it works under any path.

use std::fs;
use std::path::{Path, PathBuf};

/// The address of `to` as a page at `from` writes it: `agents.html` and `hosts/pi.html` give `hosts/pi.html`.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let (path, fragment) = to.split_once('#').map_or((to, None), |(path, fragment)| (path, Some(fragment)));
    let fragment = fragment.map_or_else(String::new, |fragment| format!("#{fragment}"));
    if path == from && !fragment.is_empty() {
        return fragment;
    }
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    let mut left: Vec<&str> = path.split('/').collect();
    let shared =
        folders.iter().zip(&left).take_while(|(one, other)| one == other).count().min(left.len() - 1);
    left.drain(..shared);
    let ups = folders.len() - shared;
    format!("{}{}{fragment}", "../".repeat(ups), left.join("/"))
}

/// The path of `link` as seen from the file `from`, without its fragment; `None` if it leads out of the folder.
pub(crate) fn resolved(from: &str, link: &str) -> Option<String> {
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    for segment in link.split(['#', '?']).next().unwrap_or_default().split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                folders.pop()?;
            }
            name => folders.push(name),
        }
    }
    Some(folders.join("/"))
}

/// The files below a folder, with the address that each has in it.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        let entries =
            fs::read_dir(&at).map_err(|error| format!("{} cannot be read: {error}", at.display()))?;
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside: Vec<_> = path
                .strip_prefix(folder)
                .unwrap_or(&path)
                .iter()
                .map(|name| name.to_string_lossy())
                .collect();
            files.push((inside.join("/"), path));
        }
    }
    Ok(files)
}

/// Whether the file with this path is a page.
pub(crate) fn is_page(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending == "html")
}

/// Whether a link leads to another site, or contains what it leads to.
pub(crate) fn is_elsewhere(link: &str) -> bool {
    ["https://", "http://", "mailto:", "data:"].iter().any(|scheme| link.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_relative_to_the_page() {
        for (from, to, expected) in [
            ("docs/agents.html", "docs/hosts/pi.html", "hosts/pi.html"),
            ("docs/hosts/pi.html", "docs/agents.html#hooks", "../agents.html#hooks"),
            ("docs/agents.html", "learn/index.html", "../learn/index.html"),
            ("index.html", "docs/index.html", "docs/index.html"),
            ("docs/a.html", "docs/a.html#b", "#b"),
            ("docs/a.html", "docs/a.html", "a.html"),
            ("docs/hosts/pi.html", "", "../../"),
        ] {
            assert_eq!(relative(from, to), expected, "{from} to {to}");
        }
    }

    #[test]
    fn links_are_resolved_from_their_file() {
        for (from, link, expected) in [
            ("docs/agents.md", "hosts/pi.md#x", Some("docs/hosts/pi.md")),
            ("docs/hosts/pi.md", "../../README.md", Some("README.md")),
            ("README.md", "./docs//limits.md?x", Some("docs/limits.md")),
            ("README.md", "#here", Some("")),
            ("README.md", "../out.md", None),
        ] {
            assert_eq!(resolved(from, link).as_deref(), expected, "{from}: {link}");
        }
    }
}
