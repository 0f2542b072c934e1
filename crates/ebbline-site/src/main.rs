//! The static pages of the site: the lesson and the documentation, and the check of links over the whole folder.
//!
//! `cargo xtask site` builds the playground and the references of the interfaces into a folder, and calls this program to
//! write the other pages into it and to check how they hang together.
#![expect(clippy::print_stderr, reason = "a program for people at a terminal: printing is its interface")]

mod address;
mod documentation;
mod figures;
mod learn;
mod links;
mod markdown;
mod page;
mod pictures;
mod search;
#[cfg(test)]
mod sentences;
mod ways_back;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use ebbline_charts::{rules, variables};
use ebbline_web::sample;
use page::File;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let result = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", folder] => write(Path::new(folder)),
        ["finish", folder] => ways_back::add(Path::new(folder)).and_then(|()| check(Path::new(folder))),
        ["pictures"] => pictures::files().and_then(|files| written(&project(), files.into())),
        ["samples", folder] => samples(Path::new(folder)),
        _ => {
            eprintln!("Usage: ebbline-site write|finish|samples FOLDER, or ebbline-site pictures");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

/// The project: the one from which cargo runs this program, or else the one in which it was built.
fn project() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let manifest = PathBuf::from(manifest);
    manifest.ancestors().nth(2).unwrap_or(&manifest).to_path_buf()
}

/// All files that this program writes.
fn files(project: &Path) -> Result<Vec<File>, String> {
    let mut files = documentation::files(project)?;
    files.push(learn::file()?);
    let style = format!("{}{}{}", variables(":root"), rules(), include_str!("site.css"));
    files.push(File { path: page::STYLE.to_owned(), text: style });
    Ok(files)
}

/// Writes the pages into `folder`.
fn write(folder: &Path) -> Result<(), String> {
    let project = project();
    written(folder, files(&project)?)?;
    pictures::copy(&project, folder)
}

/// Writes the sample sessions of the page into `folder`, for programs that compare what becomes of them.
fn samples(folder: &Path) -> Result<(), String> {
    let files =
        sample::ALL.iter().map(|sample| File { path: sample.name.to_owned(), text: sample::text_of(sample) });
    written(folder, files.collect())
}

fn written(folder: &Path, files: Vec<File>) -> Result<(), String> {
    for File { path, text } in files {
        let place = folder.join(&path);
        let written =
            place.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&place, text));
        written.map_err(|error| format!("{} cannot be written: {error}", place.display()))?;
    }
    Ok(())
}

/// Checks the links of all pages in `folder`.
fn check(folder: &Path) -> Result<(), String> {
    let mut files = BTreeMap::new();
    for (address, path) in address::files_below(folder)? {
        // Only pages have links and anchors; of other files it is enough that they are there.
        let text = if address::is_page(&address) { fs::read_to_string(&path) } else { Ok(String::new()) };
        let text = text.map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        files.insert(address, text);
    }
    let dead = links::dead(&files, &[]);
    if dead.is_empty() { Ok(()) } else { Err(dead.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_of_the_pages_is_dead() {
        let files = files(&project()).unwrap();
        let files: BTreeMap<String, String> = files.into_iter().map(|file| (file.path, file.text)).collect();
        // The playground and the references are not built for a test.
        assert_eq!(
            links::dead(&files, &["index.html", links::GENERATED, pictures::FOLDER]),
            Vec::<String>::new()
        );
    }

    #[test]
    fn pages_need_neither_scripts_nor_styles_inside() {
        for File { path, text } in
            files(&project()).unwrap().into_iter().filter(|file| address::is_page(&file.path))
        {
            let tags: Vec<&str> = text.split('<').skip(1).filter_map(|tag| tag.split('>').next()).collect();
            for tag in tags {
                let is_own = path == search::PAGE && tag == "script src=\"search.js\" defer";
                let faulty = tag.starts_with("script") && !is_own
                    || tag.starts_with("style")
                    || tag.contains(" style=");
                assert!(!faulty, "{path}: <{tag}>");
            }
            assert_eq!(text.matches("<h1").count(), 1, "{path}");
        }
    }
}
