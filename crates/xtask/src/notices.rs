//! The notices that third-party licences require: their texts, with the package that contains their code.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure, Outcome};
use crate::linked::Linked;

/// The beginnings of the names of files with a licence or notice.
const LICENCES: [&str; 6] = ["license", "licence", "copying", "notice", "unlicense", "copyright"];

const OPENING: &str = "The WebAssembly modules of the package hold code of the crates below and of the Rust standard library. In the npm\n\
    package, wasm-bindgen also wrote the JavaScript that loads them, and the tokenizers come with vocabularies of OpenAI.\n\
    ebbline's own licences are LICENSE-MIT and LICENSE-APACHE.\n";
const LINE: &str = "\n\n--------------------------------------------------------------------------------\n\n";

/// The notices of `package` for `crates`, and for third-party work without a crate: the files of the folders `others`.
pub(crate) fn write(package: &str, crates: &[Linked], others: &[PathBuf]) -> Outcome<String> {
    let mut list = String::new();
    // Most crates have the same text of the Apache licence, so it is included once.
    let mut texts: BTreeMap<String, (Vec<String>, String)> = BTreeMap::new();
    for linked in crates {
        let Linked { name, version, licence, repository, folder, .. } = linked;
        list.push_str(format!("{name} {version}: {licence} {repository}").trim_end());
        list.push('\n');
        let files = licences_in(folder)?;
        if files.is_empty() {
            return Err(Failure::new(format!(
                "the crate {name} {version} comes without the text of its licence"
            ))
            .advise("Find the text and put it into crates/ebbline-wasm/notices, or do without the crate."));
        }
        for file in files {
            let text = read(&file)?;
            let same: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (names, _) = texts.entry(same).or_insert_with(|| (Vec::new(), text));
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let mut parts: Vec<String> = Vec::new();
    for folder in others {
        for file in files_in(folder)? {
            parts.push(read(&file)?);
        }
    }
    let mut of_crates: Vec<(Vec<String>, String)> = texts.into_values().collect();
    of_crates.sort();
    parts.extend(of_crates.into_iter().map(|(names, text)| format!("{}\n\n{text}", names.join(", "))));
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_matches('\n')).collect();
    Ok(format!(
        "Third-party notices of the {package} ebbline\n\n{OPENING}\n{}{LINE}{}\n",
        list.trim_end(),
        parts.join(LINE)
    ))
}

fn read(file: &Path) -> Outcome<String> {
    let text = fs::read_to_string(file).context(|| format!("cannot read {}", file.display()))?;
    Ok(text.replace("\r\n", "\n"))
}

fn licences_in(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = files_in(folder)?;
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        LICENCES.iter().any(|start| name.starts_with(start))
    });
    Ok(files)
}

fn files_in(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(name: &str, folder: &Path) -> Linked {
        Linked {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: "MIT".to_owned(),
            repository: String::new(),
            checksum: String::new(),
            folder: folder.join(name),
        }
    }

    #[test]
    fn each_text_is_there_once_and_a_crate_without_one_is_refused() {
        let folder = std::env::temp_dir().join(format!("xtask-notices-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for (file, text) in [
            ("a/LICENSE-MIT", "MIT of a"),
            ("a/LICENSE-APACHE", "Apache\nof all"),
            ("b/LICENSE", "Apache\r\n  of all\r\n"),
            ("b/README.md", "no licence"),
            ("c/src.rs", ""),
            ("others/font.txt", "A font"),
        ] {
            fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
            fs::write(folder.join(file), text).unwrap();
        }
        let [a, b, c] = ["a", "b", "c"].map(|name| linked(name, &folder));
        let notices = write("npm package", &[a, b], &[folder.join("others")]).unwrap();
        let (_, after) = notices.split_once("LICENSE-APACHE.\n\n").unwrap();
        assert_eq!(
            after,
            format!(
                "a 1.0.0: MIT\nb 1.0.0: MIT{LINE}A font{LINE}a\n\nMIT of a{LINE}a, b\n\nApache\nof all\n"
            )
        );
        let refused = write("npm package", &[c], &[folder.join("others")]).unwrap_err();
        assert!(refused.to_string().contains("the crate c 1.0.0 comes without the text of its licence"));
        fs::remove_dir_all(folder).unwrap();
    }
}
