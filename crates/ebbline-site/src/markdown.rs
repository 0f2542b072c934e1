//! Markdown to HTML: headings get the anchors that GitHub gives them, links to files become links to pages, tables and code
//! can be scrolled by themselves, and nothing needs a style or a script inside the page.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use ebbline_charts::escaped;

/// The HTML that a document may have: a picture for light and dark pages, a tag a line.
const PICTURE: [&str; 4] = ["<picture>", "<source ", "<img ", "</picture>"];
/// Code as long as this is an example, not a name.
const LONGEST_WORD: usize = 60;

/// What a link of a document leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// An address to write.
    Address(String),
    /// Something that is not on the site: only the words of the link stay.
    Nothing,
}

/// A document as HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    /// The text of its first heading.
    pub(crate) title: String,
    /// The text of its first paragraph.
    pub(crate) lead: String,
    /// Its headings of the second level: anchor and text.
    pub(crate) sections: Vec<(String, String)>,
    /// Every heading with the words of code below it.
    pub(crate) entries: Vec<Entry>,
    /// The HTML.
    pub(crate) body: String,
}

/// A heading, and what a search finds it by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its anchor.
    pub(crate) anchor: String,
    /// Its text.
    pub(crate) heading: String,
    /// What stands in the font of code below it, each once.
    pub(crate) words: Vec<String>,
}

/// Reads `text`. `target` says what a link leads to.
pub(crate) fn document(
    text: &str,
    target: impl Fn(&str) -> Result<Target, String>,
) -> Result<Document, String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut document = Document::default();
    let mut slugs = BTreeMap::new();
    let mut level = 0;
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut read = Parser::new_ext(text, options).collect::<Vec<_>>().into_iter().peekable();
    // Whether each link that is open is written.
    let mut links = Vec::new();
    while let Some(event) = read.next() {
        match event {
            Event::Start(Tag::Heading { level: found, .. }) => {
                let mut inside = Vec::new();
                while let Some(next) = read.next_if(|next| !matches!(next, Event::End(TagEnd::Heading(_)))) {
                    inside.push(next);
                }
                let words = words_of(&inside);
                let number = found as usize;
                if number > level + 1 || (number == 1) != (level == 0) {
                    return Err(format!(
                        "the heading `{words}` is of level {number} after one of level {level}"
                    ));
                }
                level = number;
                let anchor = anchor(&words, &mut slugs);
                let (anchor_of, heading) = (anchor.clone(), words.clone());
                document.entries.push(Entry { anchor: anchor_of, heading, words: Vec::new() });
                match found {
                    HeadingLevel::H1 => document.title.clone_from(&words),
                    HeadingLevel::H2 => document.sections.push((anchor.clone(), words)),
                    _ => {}
                }
                let id = Some(CowStr::from(anchor));
                events.push(Event::Start(Tag::Heading { level: found, id, classes: vec![], attrs: vec![] }));
                events.extend(inside.into_iter().filter(|event| {
                    !matches!(event, Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link))
                }));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => match target(&dest_url)? {
                Target::Address(address) => {
                    links.push(true);
                    events.push(Event::Start(Tag::Link { link_type, dest_url: address.into(), title, id }));
                }
                Target::Nothing => links.push(false),
            },
            Event::End(TagEnd::Link) => {
                if links.pop() == Some(true) {
                    events.push(event);
                }
            }
            Event::Start(Tag::Table(_)) => {
                events.push(Event::Html("<div class=\"wide\" tabindex=\"0\">".into()));
                events.push(event);
            }
            Event::End(TagEnd::Table) => {
                events.push(event);
                events.push(Event::Html("</div>\n".into()));
            }
            Event::Html(raw) if PICTURE.iter().any(|tag| raw.trim_start().starts_with(tag)) => {
                events.push(Event::Html(linked(&raw, &target)?.into()));
            }
            Event::Code(code) => {
                if let Some(entry) = document.entries.last_mut()
                    && code.len() < LONGEST_WORD
                    && !entry.words.iter().any(|word| word == code.as_ref())
                {
                    entry.words.push(code.to_string());
                }
                events.push(Event::Code(code));
            }
            Event::Html(raw) | Event::InlineHtml(raw) => {
                // Comments mark what is generated. Anything else is shown as it is written.
                if !raw.trim_start().starts_with("<!--") {
                    events.push(Event::Text(raw));
                }
            }
            Event::Start(Tag::Paragraph) => {
                if document.lead.is_empty() {
                    let rest: Vec<Event<'_>> = read
                        .clone()
                        .take_while(|next| !matches!(next, Event::End(TagEnd::Paragraph)))
                        .collect();
                    document.lead = words_of(&rest);
                }
                events.push(event);
            }
            other => events.push(other),
        }
    }
    if document.title.is_empty() {
        return Err("there is no heading of the first level".to_owned());
    }
    html::push_html(&mut document.body, events.into_iter());
    document.body = without_styles(&document.body);
    Ok(document)
}

/// A line of a picture with its links as `target` says them.
fn linked(tag: &str, target: impl Fn(&str) -> Result<Target, String>) -> Result<String, String> {
    for name in ["srcset=\"", "src=\""] {
        let Some((before, rest)) = tag.split_once(name) else { continue };
        let Some((picture, after)) = rest.split_once('"') else { continue };
        if let Target::Address(address) = target(picture)? {
            return Ok(format!("{before}{name}{}\"{after}", escaped(&address)));
        }
    }
    Ok(tag.to_owned())
}

/// Columns are aligned by classes, because a strict policy forbids styles in a page; code can be scrolled by keys.
fn without_styles(html: &str) -> String {
    let mut html = html.replace("<pre><code", "<pre tabindex=\"0\"><code");
    for cell in ["th", "td"] {
        for side in ["left", "center", "right"] {
            html = html.replace(
                &format!("<{cell} style=\"text-align: {side}\">"),
                &format!("<{cell} class=\"{side}\">"),
            );
        }
    }
    // A cell that names nothing is no heading of anything.
    for class in ["", " class=\"left\"", " class=\"center\"", " class=\"right\""] {
        html = html.replace(&format!("<th{class}></th>"), "<td></td>");
    }
    html
}

/// The text of some events, without marks.
fn words_of(events: &[Event<'_>]) -> String {
    let words = events.iter().map(|event| match event {
        Event::Text(text) | Event::Code(text) => text.as_ref(),
        Event::SoftBreak | Event::HardBreak => " ",
        _ => "",
    });
    words.collect()
}

/// The anchor that GitHub gives a heading: lower case, hyphens for spaces, letters, digits, `-` and `_` only; a number where
/// an earlier heading has the same.
fn anchor(words: &str, given: &mut BTreeMap<String, usize>) -> String {
    let plain: String = words
        .trim()
        .to_lowercase()
        .chars()
        .filter_map(|letter| match letter {
            ' ' => Some('-'),
            letter if letter.is_alphanumeric() || matches!(letter, '-' | '_') => Some(letter),
            _ => None,
        })
        .collect();
    let count = given.entry(plain.clone()).and_modify(|count| *count += 1).or_insert(0);
    if *count == 0 { plain } else { format!("{plain}-{count}") }
}

/// The list of a document's sections, for the beginning of a long page; empty for a short one.
pub(crate) fn contents(document: &Document) -> String {
    if document.sections.len() < 4 {
        return String::new();
    }
    let items = document
        .sections
        .iter()
        .map(|(anchor, words)| format!("<li><a href=\"#{}\">{}</a></li>\n", escaped(anchor), escaped(words)));
    format!(
        "<details class=\"contents\"><summary>On this page</summary>\n<ul>\n{}</ul>\n</details>\n",
        items.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(link: &str) -> Result<Target, String> {
        match link {
            "a.md" => Ok(Target::Address("a.html".to_owned())),
            "src.rs" => Ok(Target::Nothing),
            other => Err(format!("{other} leads nowhere")),
        }
    }

    #[test]
    fn links_tables_and_code_are_written_for_a_strict_policy() {
        let text = "# A `b` & c\n\nFirst *words*\nhere.\n\n<!-- x: begin -->\n\n| n | m | |\n|--:|---|---|\n| 1 | [a](a.md) | x |\n\n```js\nlet a = \"<b>\";\n```\n\n## Same\n\n[code](src.rs) <b>raw</b>\n\n## Same\n\n### Deeper, and `x_y`\n\n<picture>\n  <img src=\"a.md\" alt=\"b\">\n</picture>\n";
        let document = document(text, target).unwrap();
        assert_eq!((document.title.as_str(), document.lead.as_str()), ("A b & c", "First words here."));
        assert_eq!(document.sections, [("same".into(), "Same".into()), ("same-1".into(), "Same".into())]);
        for part in [
            "<h1 id=\"a-b--c\">A <code>b</code> &amp; c</h1>",
            "<div class=\"wide\" tabindex=\"0\"><table>",
            "<th class=\"right\">n</th><th>m</th><td></td>",
            "<a href=\"a.html\">a</a>",
            "<pre tabindex=\"0\"><code class=\"language-js\">let a = \"&lt;b&gt;\";",
            "<p>code &lt;b&gt;raw&lt;/b&gt;</p>",
            "<h3 id=\"deeper-and-x_y\">",
            "<picture>\n  <img src=\"a.html\" alt=\"b\">\n</picture>",
        ] {
            assert!(document.body.contains(part), "{part} in {}", document.body);
        }
        assert!(!document.body.contains("style=") && !document.body.contains("<!--"));
    }

    #[test]
    fn faults_are_sentences() {
        for (text, fault) in [
            ("# A\n\n[b](c.md)\n", "c.md leads nowhere"),
            ("# A\n\n### B\n", "the heading `B` is of level 3 after one of level 1"),
            ("# A\n\n# B\n", "the heading `B` is of level 1 after one of level 1"),
            ("words\n", "there is no heading of the first level"),
        ] {
            assert_eq!(document(text, target).unwrap_err(), fault);
        }
    }
}
