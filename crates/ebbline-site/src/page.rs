//! What every page has: its policy, title and description, a skip link, the way to the other parts of the site.

use ebbline_charts::escaped;

use crate::address::relative;

/// What a page may load: nothing but the style sheet and pictures of its own site, and its script if it has one.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
const SCRIPTS: &str = "; script-src 'self'";
/// The style sheet of all pages.
pub(crate) const STYLE: &str = "site.css";
/// The playground's page. Its address is that of the folder, as a person would write it.
pub(crate) const PLAYGROUND: &str = "";
/// The parts of the site: address and name.
const PARTS: [(&str, &str); 7] = [
    (PLAYGROUND, "Playground"),
    ("learn/index.html", "Lesson"),
    ("docs/index.html", "Documentation"),
    ("api/js/index.html", "JavaScript"),
    ("api/python/ebbline.html", "Python"),
    ("api/rust/ebbline/index.html", "Rust"),
    (SEARCH, "Search"),
];
/// The page of the search, which is a part by itself.
const SEARCH: &str = "docs/search.html";
/// The most letters of a description: search engines show no more.
const DESCRIPTION: usize = 160;
/// The mark in front of the name: the water, and the line that it leaves.
const MARK: &str = "<svg class=\"mark\" viewBox=\"0 0 24 24\" width=\"22\" height=\"22\" aria-hidden=\"true\">\
<path class=\"sea\" d=\"M2 15.500c3.400 0 3.400-2.600 6.700-2.600s3.300 2.600 6.600 2.600 3.300-2.600 6.700-2.600V22H2z\"/>\
<path class=\"ebb\" d=\"M2 8.600C5.400 8.600 5.400 6 8.700 6s3.300 2.600 6.600 2.600S18.600 6 22 6\"/></svg>";

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// Its path from the root of the site.
    pub(crate) path: String,
    /// Its content.
    pub(crate) text: String,
}

/// A page, before what all pages have is put around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    /// Where it is, from the root of the site.
    pub(crate) path: String,
    /// Its title, without the site's name.
    pub(crate) title: String,
    /// What it is about; shortened to what search engines show.
    pub(crate) description: String,
    /// The part of the site to which it belongs: the beginning of an address.
    pub(crate) part: &'static str,
    /// The HTML of its main part.
    pub(crate) main: String,
    /// The HTML of the navigation beside it; may be empty.
    pub(crate) beside: String,
    /// A script of its own, from the root of the site. Only a page that is useful without it has one.
    pub(crate) script: Option<&'static str>,
}

impl Page {
    /// The whole page.
    pub(crate) fn html(&self) -> String {
        let Self { path, title, description, part, main, beside, script } = self;
        let link = |to: &str| relative(path, to);
        let parts = PARTS.iter().map(|(to, name)| {
            let current = !part.is_empty() && to.starts_with(part) && (*to != SEARCH || *part == SEARCH);
            let current = if current { " aria-current=\"true\"" } else { "" };
            format!("<li><a href=\"{}\"{current}>{name}</a></li>\n", link(to))
        });
        let parts: String = parts.collect();
        let (title, description) = (escaped(title), escaped(&shortened(description)));
        let (style, home) = (link(STYLE), link(PLAYGROUND));
        let scripts = if script.is_some() { SCRIPTS } else { "" };
        let script = script
            .map_or_else(String::new, |script| format!("<script src=\"{}\" defer></script>\n", link(script)));
        let (class, beside) = if beside.is_empty() {
            ("single", String::new())
        } else {
            ("beside", format!("<nav class=\"pages\" id=\"pages\" aria-label=\"Pages\">\n{beside}</nav>\n"))
        };
        let more =
            if beside.is_empty() { "" } else { "<a class=\"to-pages\" href=\"#pages\">All pages</a>\n" };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}{scripts}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"description\" content=\"{description}\">\n<title>{title} · ebbline</title>\n\
             <link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"{style}\">\n{script}</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">Skip to the text</a>\n\
             <header class=\"bar\">\n<a class=\"wordmark\" href=\"{home}\">{MARK}ebbline</a>\n\
             <nav aria-label=\"Site\">\n<ul>\n{parts}</ul>\n</nav>\n</header>\n\
             <div class=\"{class}\">\n<main id=\"main\" tabindex=\"-1\">\n{more}{main}</main>\n{beside}</div>\n</body>\n</html>\n"
        )
    }
}

/// `text` up to the last word that fits into a description.
fn shortened(text: &str) -> String {
    if text.chars().count() <= DESCRIPTION {
        return text.to_owned();
    }
    let mut short = String::new();
    for word in text.split_whitespace() {
        if short.chars().count() + word.chars().count() + 2 > DESCRIPTION {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    short.trim_end_matches([',', ':', ';', '.']).to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_what_all_pages_have() {
        let page = Page {
            path: "docs/hosts/a.html".to_owned(),
            title: "A & B".to_owned(),
            description: "words, ".repeat(40),
            part: "docs/",
            main: "<h1>A</h1>\n".to_owned(),
            beside: String::new(),
            script: None,
        };
        let html = page.html();
        for part in [
            "<html lang=\"en\">",
            "default-src 'none'",
            "<title>A &amp; B · ebbline</title>",
            "href=\"../../site.css\"",
            "<a class=\"skip\" href=\"#main\">",
            "<a href=\"../../\">Playground</a>",
            "<a href=\"../index.html\" aria-current=\"true\">Documentation</a>",
            "words…\">",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
        for forbidden in ["<script", "style=\"", "onclick", "http://", "https://"] {
            assert!(!html.contains(forbidden), "{forbidden} in {html}");
        }
        assert!(shortened(&page.description).chars().count() <= DESCRIPTION);
    }
}
