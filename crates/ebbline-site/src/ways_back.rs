//! A way back from every page of the references, which other programs write: to the documents of this site.

use std::fs;
use std::path::{Path, PathBuf};

use crate::address::{is_page, relative};
use crate::links::GENERATED;

/// What each reference must have, or it lists nothing: a page, and a name on it.
const ENTRIES: [(&str, &str); 3] = [
    ("api/js/modules/ebbline.html", "createCompactor"),
    ("api/python/ebbline.html", "Compactor"),
    ("api/rust/ebbline/index.html", "SessionText"),
];
/// Where the ways lead.
const HOME: &str = "docs/index.html";

/// Adds a way back to each page of the references in the site `folder`.
pub(crate) fn add(folder: &Path) -> Result<(), String> {
    for (page, name) in ENTRIES {
        let text = fs::read_to_string(folder.join(page)).unwrap_or_default();
        if !text.contains(name) {
            return Err(format!("{page} does not name {name}: the reference has no entries"));
        }
    }
    let mut folders = vec![folder.join(GENERATED)];
    while let Some(at) = folders.pop() {
        let entries =
            fs::read_dir(&at).map_err(|error| format!("{} cannot be read: {error}", at.display()))?;
        for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if is_page(&path.to_string_lossy()) {
                add_to(folder, &path)
                    .map_err(|error| format!("{} cannot be changed: {error}", path.display()))?;
            }
        }
    }
    Ok(())
}

fn add_to(folder: &Path, page: &PathBuf) -> std::io::Result<()> {
    let inside: Vec<_> =
        page.strip_prefix(folder).unwrap_or(page).iter().map(|name| name.to_string_lossy()).collect();
    fs::write(page, with_way(&fs::read_to_string(page)?, &relative(&inside.join("/"), HOME)))
}

/// `html` with a link to `home` at the beginning of its body; a page that only leads on has no body.
fn with_way(html: &str, home: &str) -> String {
    let way = format!("<a class=\"ebbline-home\" href=\"{home}\">← ebbline, documentation</a>");
    let body = html.find("<body").and_then(|start| Some(start + html.get(start..)?.find('>')? + 1));
    match body.and_then(|end| html.split_at_checked(end)) {
        Some((before, after)) if !html.contains(&way) => format!("{before}{way}{after}"),
        _ => html.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_gets_one_way_back() {
        let html = with_way("<html><body class=\"a\"><p>x</p></body></html>", "../docs/index.html");
        assert_eq!(
            html.matches("<body class=\"a\"><a class=\"ebbline-home\" href=\"../docs/index.html\">").count(),
            1
        );
        assert_eq!(with_way(&html, "../docs/index.html"), html);
        assert_eq!(with_way("<meta>", "x"), "<meta>");
    }
}
