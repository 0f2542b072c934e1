//! Every row of the table of formats has its fixtures, its generator, its documentation and its types.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ebbline::{Format, SessionText};
use ebbline_tests::conversation::{format_of, spellings};
use ebbline_tests::enlarged::fixtures;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn names() -> BTreeSet<String> {
    Format::ALL.iter().map(|format| format.name().to_owned()).collect()
}

/// The folders below `path`.
fn folders(path: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(project(path)).unwrap().map(Result::unwrap);
    entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect()
}

#[test]
fn every_format_has_a_folder_in_the_engine_and_in_the_tests() {
    let engine = folders("crates/ebbline/src/format");
    let missing: Vec<_> = names().difference(&engine).cloned().collect();
    assert!(missing.is_empty(), "no folder in the engine: {missing:?}");
    assert_eq!(folders("tests/formats"), names());
}

#[test]
fn every_format_has_a_fixture_that_is_recognized_and_a_generator() {
    let generated: BTreeSet<_> = spellings().map(|spelling| format_of(spelling).to_owned()).collect();
    assert_eq!(generated, names());
    let mut seen = BTreeSet::new();
    for (path, text) in fixtures() {
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        let session = SessionText::read(&text).unwrap();
        assert_eq!(session.format().name(), folder, "{}", path.display());
        seen.insert(folder);
    }
    assert_eq!(seen, names());
}

#[test]
fn every_format_has_its_row_in_the_documentation() {
    let documentation = fs::read_to_string(project("docs/formats.md")).unwrap();
    for format in Format::ALL {
        let row = format!("(`{}`) |", format.name());
        let rows = documentation.lines().filter(|line| line.starts_with("| ") && line.contains(&row)).count();
        assert_eq!(rows, 1, "{format}");
    }
}

#[test]
fn the_types_name_every_format() {
    let types = fs::read_to_string(project("npm/src/generated/words.ts")).unwrap();
    let union = types.split("export type FormatName =").nth(1).unwrap().split(';').next().unwrap();
    for format in Format::ALL {
        assert!(union.contains(&format!("\"{}\"", format.name())), "{format}");
    }
}

#[test]
fn random_live_messages_are_made_of_the_formats_that_are_live() {
    for format in Format::ALL {
        let folder = project("tests/formats").join(format.name());
        let files =
            fs::read_dir(&folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
        let has_list = files.into_iter().any(|text| text.starts_with('['));
        // Without functions of its own, its random messages are made of the list.
        assert!(has_list || !format.is_live(), "{format}");
        assert!(!folder.join("random.mjs").is_file() || format.is_live(), "{format}");
    }
}
