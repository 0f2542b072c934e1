//! A way back from every page of the references, which other programs write: to the documents of this site.

use std::fs;
use std::path::Path;

use crate::address::{files_below, is_page, relative};
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
    for (inside, path) in files_below(&folder.join(GENERATED))? {
        let address = format!("{GENERATED}{inside}");
        if is_page(&address) {
            fs::read_to_string(&path)
                .and_then(|html| fs::write(&path, with_way(&html, &relative(&address, HOME))))
                .map_err(|error| format!("{} cannot be changed: {error}", path.display()))?;
        }
    }
    Ok(())
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
