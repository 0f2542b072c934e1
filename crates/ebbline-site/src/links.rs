//! The check of links: whether every link of a page leads to a file of the site, and every anchor to an element of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::address::{is_elsewhere, is_page, resolved};

/// The playground's page: what follows `#` in its address is a state, not an anchor.
const STATEFUL: &str = "index.html";
/// The parts of the site that other programs write. Links to them are checked, their own links are theirs.
pub(crate) const GENERATED: &str = "api/";

/// The dead links of `files`, as sentences; empty if there are none. `absent` are beginnings of paths that are not among the
/// files but will be.
pub(crate) fn dead(files: &BTreeMap<String, String>, absent: &[&str]) -> Vec<String> {
    let mut anchors: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut dead = Vec::new();
    for (path, html) in files.iter().filter(|(path, _)| is_page(path) && !path.starts_with(GENERATED)) {
        for link in values(html, &["href", "src"]) {
            if is_elsewhere(&link) {
                continue;
            }
            if link.starts_with('/') {
                dead.push(format!(
                    "{path}: the link {link} works under one address only; write it relative to the page"
                ));
                continue;
            }
            let Some(to) = target(path, &link) else {
                dead.push(format!("{path}: the link {link} leads out of the site"));
                continue;
            };
            if absent.iter().any(|absent| to.starts_with(absent)) {
                continue;
            }
            let Some((to, found)) = files.get_key_value(&to) else {
                dead.push(format!("{path}: the link {link} leads to {to}, which does not exist"));
                continue;
            };
            let fragment = link.split_once('#').map_or("", |(_, fragment)| fragment);
            if fragment.is_empty() || to == STATEFUL && path != STATEFUL {
                continue;
            }
            let there =
                anchors.entry(to).or_insert_with(|| values(found, &["id", "name"]).into_iter().collect());
            if !there.contains(fragment) {
                dead.push(format!("{path}: the link {link} leads to an anchor that {to} does not have"));
            }
        }
    }
    dead
}

/// The file to which a link leads.
fn target(path: &str, link: &str) -> Option<String> {
    let place = link.split(['#', '?']).next().unwrap_or_default();
    if place.is_empty() {
        return Some(path.to_owned());
    }
    let to = resolved(path, place)?;
    let is_folder = place.ends_with('/') || place.ends_with("..") || place == ".";
    Some(match (is_folder, to.is_empty()) {
        (true, true) => "index.html".to_owned(),
        (true, false) => format!("{to}/index.html"),
        (false, _) => to,
    })
}

/// The values of attributes with one of these names, in the order of the page. Scripts, styles and comments are passed over.
fn values(html: &str, names: &[&str]) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = html;
    while let Some((_, from)) = rest.split_once('<') {
        rest = from;
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let end = end_of_tag(rest);
        let (tag, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        rest = after;
        // Trunk leaves what it was told in the playground's page. No browser follows it.
        let found = if tag.contains(" data-trunk") { Vec::new() } else { attributes(tag) };
        for (name, value) in found {
            if names.contains(&name) {
                values.push(
                    value
                        .replace("&quot;", "\"")
                        .replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&amp;", "&"),
                );
            }
        }
        for raw in ["script", "style"] {
            if tag
                .strip_prefix(raw)
                .is_some_and(|more| !more.starts_with(|letter: char| letter.is_alphanumeric()))
            {
                rest = rest.split_once(&format!("</{raw}")).map_or("", |(_, after)| after);
            }
        }
    }
    values
}

/// Where a tag ends: at the first `>` outside of quotes.
fn end_of_tag(text: &str) -> usize {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '>') => return at,
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// The attributes of a tag: name and value, with or without quotes.
fn attributes(tag: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = tag;
    while let Some((before, after)) = rest.split_once('=') {
        let name = before
            .trim_end()
            .rsplit(|letter: char| letter.is_whitespace() || letter == '"' || letter == '\'')
            .next();
        let after = after.trim_start();
        let (value, left) = match after.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                after.get(1..).and_then(|inside| inside.split_once(quote)).unwrap_or((after, ""))
            }
            _ => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        found.push((name.unwrap_or_default(), value));
        rest = left;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        files.iter().map(|(path, html)| ((*path).to_owned(), (*html).to_owned())).collect()
    }

    #[test]
    fn dead_links_are_named_with_their_page() {
        let site = files(&[
            ("index.html", "<a href=docs/>docs</a>"),
            ("docs/index.html", "<h1 id=\"top\">x</h1>"),
            ("docs/a b.html", "<i id=a&amp;b>"),
            ("api/js/index.html", "<a href=\"gone.html\"><script>\"<a href='no.html'>\"</script><b id=x>"),
        ]);
        for (link, fault) in [
            ("index.html#top", None),
            ("./#top", None),
            ("../", None),
            ("../#lesson=4", None),
            ("../index.html", None),
            ("#here", None),
            ("", None),
            ("?x#here", None),
            ("../api/js/index.html#x", None),
            ("../api/rust/ebbline/index.html#x", None),
            ("https://a.example/b#c", None),
            ("index.html#gone", Some("leads to an anchor that docs/index.html does not have")),
            ("gone.html", Some("leads to docs/gone.html, which does not exist")),
            ("../learn/", Some("leads to learn/index.html, which does not exist")),
            ("../../x", Some("leads out of the site")),
            ("/docs/index.html", Some("works under one address only; write it relative to the page")),
        ] {
            let mut site = site.clone();
            let html = format!(
                "<!-- <a href=\"no\"> --><p id='here' title=\"a > b\"><a class=x href=\"{link}\">l</a>"
            );
            site.insert("docs/page.html".to_owned(), html);
            let dead = dead(&site, &["api/rust/"]);
            match fault {
                None => assert!(dead.is_empty(), "{link}: {dead:?}"),
                Some(fault) => {
                    assert_eq!(dead, [format!("docs/page.html: the link {link} {fault}")]);
                }
            }
        }
    }

    #[test]
    fn attributes_are_read_in_any_spelling() {
        let html = "<a href='x y' id=b><p id = \"c\"><style>a[href=\"q\"]{}</style><img src=z><link data-trunk rel=rust href=t>&lt;a href=\"n\"&gt;";
        assert_eq!(values(html, &["href", "src"]), ["x y", "z"]);
        assert_eq!(values(html, &["id"]), ["b", "c"]);
    }
}
