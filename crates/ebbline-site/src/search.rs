//! The search over the documents: a page that lists every heading with the words of code below it, and a script of a few
//! lines that shows those with all words that somebody types. Without scripts, the browser's own search finds them.

use ebbline_charts::escaped;

use crate::address::relative;
use crate::markdown::Document;
use crate::page::{File, Page};

/// The page.
pub(crate) const PAGE: &str = "docs/search.html";
/// Its script.
pub(crate) const SCRIPT: &str = "docs/search.js";

/// Page and script for the documents: the address of each, and what it holds.
pub(crate) fn files(documents: &[(&str, &Document)], beside: String) -> [File; 2] {
    let entries = documents.iter().flat_map(|(page, document)| {
        document.entries.iter().map(move |entry| {
            let to = relative(PAGE, &format!("{page}#{}", entry.anchor));
            let place = if entry.heading == document.title { "" } else { &document.title };
            format!(
                "<li><a href=\"{}\">{}</a> <span>{}</span> <small>{}</small></li>\n",
                escaped(&to),
                escaped(&entry.heading),
                escaped(place),
                escaped(&entry.words.join(" "))
            )
        })
    });
    let main = format!(
        "<h1>Search</h1>\n<p><label for=\"search\">Words of a heading, an option, a command or a name in code</label>\n\
         <input id=\"search\" type=\"search\" autocomplete=\"off\"></p>\n<p id=\"found\" role=\"status\"></p>\n\
         <ul class=\"entries\" id=\"entries\">\n{}</ul>\n",
        entries.collect::<String>()
    );
    let page = Page {
        path: PAGE.to_owned(),
        title: "Search".to_owned(),
        description: "Every heading of ebbline's documents, with the names in code below it.".to_owned(),
        part: PAGE,
        main,
        beside,
        script: Some(SCRIPT),
    };
    [
        File { path: PAGE.to_owned(), text: page.html() },
        File { path: SCRIPT.to_owned(), text: include_str!("search.js").to_owned() },
    ]
}
