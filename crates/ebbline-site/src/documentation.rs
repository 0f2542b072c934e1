//! The documentation: the project's Markdown files as pages, with the list of all pages beside each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ebbline_charts::escaped;

use crate::address::{is_elsewhere, relative, resolved};
use crate::markdown::{self, Document, Target};
use crate::page::{File, Page};
use crate::search;

/// Documents beside those in `docs`, with the names of their pages.
const ROOT: [(&str, &str); 7] = [
    ("README.md", "docs/index.html"),
    ("ARCHITECTURE.md", "docs/architecture.html"),
    ("CHANGELOG.md", "docs/changelog.html"),
    ("CONTRIBUTING.md", "docs/contributing.html"),
    ("SECURITY.md", "docs/security.html"),
    ("STYLE.md", "docs/style.html"),
    ("examples/README.md", "docs/examples.html"),
];

/// The order of the pages: groups, each with its documents or a folder of them. What no group names stands under
/// [`OTHERS`]. The same order as in docs/README.md.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Begin",
        &[
            "README.md", "docs/start.md", "docs/README.md", "docs/concepts.md", "docs/playground.md",
            "examples/README.md",
        ],
    ),
    ("In your agent", &["docs/agents.md", "docs/convert.md", "docs/providers.md", "docs/hosts/"]),
    (
        "By language",
        &[
            "docs/javascript.md", "docs/runtimes.md", "docs/python.md", "docs/rust.md", "docs/component.md",
            "docs/command-line.md",
        ],
    ),
    (
        "Look it up",
        &[
            "docs/policy.md", "docs/reference.md", "docs/formats.md", "docs/tokenizers.md",
            "docs/guarantees.md", "docs/limits.md", "docs/systems.md", "docs/compatibility.md",
        ],
    ),
    (
        "Evidence",
        &[
            "docs/proof.md", "docs/peers.md", "docs/performance.md", "docs/defaults.md", "docs/metrics.md",
            "docs/estimator.md", "docs/probe.md",
        ],
    ),
    (
        "The project",
        &["CHANGELOG.md", "ARCHITECTURE.md", "docs/internals/", "STYLE.md", "CONTRIBUTING.md", "SECURITY.md"],
    ),
];
const OTHERS: &str = "More";

/// The documents of a project: the path of each, and of its page.
type Documents = BTreeMap<String, String>;

/// The pages of all documents, and the schemas that they link to.
pub(crate) fn files(project: &Path) -> Result<Vec<File>, String> {
    let (documents, data) = found(project)?;
    let repository = repository(project)?;
    let mut read = Vec::new();
    for (path, page) in &documents {
        let text = text_of(project, path)?;
        let target = |link: &str| target(project, &documents, repository.as_deref(), path, link);
        let document = markdown::document(&text, target).map_err(|fault| format!("{path}: {fault}"))?;
        read.push((path.as_str(), page.as_str(), document));
    }
    let mut files: Vec<File> = read
        .iter()
        .map(|(_, page, document)| {
            let contents = markdown::contents(document);
            let (heading, rest) = document.body.split_once("</h1>\n").unwrap_or(("", &document.body));
            let page_of = Page {
                path: (*page).to_owned(),
                title: document.title.clone(),
                description: document.lead.clone(),
                part: "docs/",
                main: format!("{heading}</h1>\n{contents}{rest}"),
                beside: pages(&read, page),
                script: None,
            };
            File { path: (*page).to_owned(), text: page_of.html() }
        })
        .collect();
    let documents: Vec<_> = read.iter().map(|(_, page, document)| (*page, document)).collect();
    files.extend(search::files(&documents, pages(&read, search::PAGE)));
    for path in data {
        files.push(File { text: text_of(project, &path)?, path });
    }
    Ok(files)
}

fn text_of(project: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(project.join(path)).map_err(|error| format!("{path} cannot be read: {error}"))
}

/// The documents of a project, and the other files in `docs`.
fn found(project: &Path) -> Result<(Documents, Vec<String>), String> {
    let mut documents: Documents = ROOT.map(|(path, page)| (path.to_owned(), page.to_owned())).into();
    let mut data = Vec::new();
    for folder in ["docs", "docs/hosts", "docs/internals"] {
        let entries = fs::read_dir(project.join(folder))
            .map_err(|error| format!("{folder} cannot be read: {error}"))?;
        for entry in entries.filter_map(Result::ok).filter(|entry| entry.path().is_file()) {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if let Some(name) = path.strip_suffix(".md") {
                let page = format!("{name}.html");
                documents.insert(path, page);
            } else {
                data.push(path);
            }
        }
    }
    data.sort();
    Ok((documents, data))
}

/// The address of the repository, if Cargo.toml names one.
fn repository(project: &Path) -> Result<Option<String>, String> {
    let manifest = text_of(project, "Cargo.toml")?;
    let value = manifest.lines().find_map(|line| line.strip_prefix("repository = \"")?.strip_suffix('"'));
    Ok(value.map(|address| address.trim_end_matches('/').to_owned()))
}

/// What a link in the document `path` leads to: a page, a file of the site, or a file of the repository.
fn target(
    project: &Path,
    documents: &Documents,
    repository: Option<&str>,
    path: &str,
    link: &str,
) -> Result<Target, String> {
    if is_elsewhere(link) || link.starts_with('#') {
        return Ok(Target::Address(link.to_owned()));
    }
    let fragment = link.split_once('#').map_or_else(String::new, |(_, fragment)| format!("#{fragment}"));
    let to = resolved(path, link).ok_or_else(|| format!("the link {link} leads out of the project"))?;
    let from = documents.get(path).map_or("", String::as_str);
    let page = documents.get(&to).or_else(|| documents.get(&format!("{to}/README.md")));
    if let Some(page) = page {
        return Ok(Target::Address(relative(from, &format!("{page}{fragment}"))));
    }
    let file = project.join(&to);
    if !file.exists() {
        return Err(format!("the link {link} leads to {to}, which does not exist"));
    }
    if to.starts_with("docs/") && file.is_file() {
        return Ok(Target::Address(relative(from, &to)));
    }
    Ok(repository
        .map_or(Target::Nothing, |address| Target::Address(format!("{address}/blob/HEAD/{to}{fragment}"))))
}

/// The list of all pages, as `page` shows it.
fn pages(read: &[(&str, &str, Document)], page: &str) -> String {
    let is_in = |path: &str, places: &[&str]| {
        places.iter().any(|place| path == *place || place.ends_with('/') && path.starts_with(place))
    };
    let place = |path: &str, places: &[&str]| places.iter().position(|place| path == *place);
    let mut html = String::new();
    for (name, places) in GROUPS.into_iter().chain([(OTHERS, &[] as &[&str])]) {
        let belongs = |path: &str| {
            if name == OTHERS {
                !GROUPS.iter().any(|(_, places)| is_in(path, places))
            } else {
                is_in(path, places)
            }
        };
        let mut group: Vec<_> = read.iter().filter(|(path, ..)| belongs(path)).collect();
        group.sort_by_key(|(path, ..)| place(path, places).unwrap_or(usize::MAX));
        if group.is_empty() {
            continue;
        }
        html.push_str(&format!("<p class=\"group\">{name}</p>\n<ul>\n"));
        for (path, to, document) in group {
            let current = if *to == page { " aria-current=\"page\"" } else { "" };
            let title = if *path == "README.md" { "What it is" } else { &document.title };
            html.push_str(&format!(
                "<li><a href=\"{}\"{current}>{}</a></li>\n",
                relative(page, to),
                escaped(title)
            ));
        }
        html.push_str("</ul>\n");
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::is_page;

    fn project() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    #[test]
    fn every_document_is_a_page_and_is_listed_once() {
        let files = files(project()).unwrap();
        let index = files.iter().find(|file| file.path == "docs/index.html").unwrap();
        let (_, list) = index.text.split_once("<nav class=\"pages\"").unwrap();
        for file in files.iter().filter(|file| is_page(&file.path) && file.path != search::PAGE) {
            let link = format!("<a href=\"{}\"", relative("docs/index.html", &file.path));
            assert_eq!(list.matches(&link).count(), 1, "{}", file.path);
        }
        assert!(files.iter().any(|file| file.path == "docs/plan.schema.json"));
    }

    #[test]
    fn groups_name_documents_that_exist() {
        for place in GROUPS.iter().flat_map(|(_, places)| *places) {
            assert!(project().join(place).exists(), "{place}");
        }
    }

    #[test]
    fn links_lead_to_pages_files_or_the_repository() {
        let (documents, _) = found(project()).unwrap();
        let to = |path: &str, link: &str, repository| target(project(), &documents, repository, path, link);
        let address = |address: &str| Ok(Target::Address(address.to_owned()));
        for (path, link, expected) in [
            ("README.md", "docs/agents.md#x", address("agents.html#x")),
            ("docs/hosts/pi.md", "../../README.md", address("../index.html")),
            ("README.md", "examples/", address("examples.html")),
            ("docs/reference.md", "plan.schema.json", address("plan.schema.json")),
            ("README.md", "https://a.example/b", address("https://a.example/b")),
            ("README.md", "crates/xtask/src/main.rs", Ok(Target::Nothing)),
            (
                "README.md",
                "docs/no.md",
                Err("the link docs/no.md leads to docs/no.md, which does not exist".to_owned()),
            ),
            ("README.md", "../x", Err("the link ../x leads out of the project".to_owned())),
        ] {
            assert_eq!(to(path, link, None), expected, "{path}: {link}");
        }
        assert_eq!(
            to("docs/proof.md", "../Cargo.toml", Some("https://a.example/b")),
            address("https://a.example/b/blob/HEAD/Cargo.toml")
        );
    }
}
