//! What a source file uses, read from its text as formatted by rustfmt.

use super::File;

/// The code of a file with the same number of lines: comments and test-only items are blank.
pub(crate) fn without_tests(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    // The indentation of the test item that is being skipped.
    let mut inside: Option<usize> = None;
    let mut is_test = false;
    for line in text.lines() {
        let item = line.trim();
        let indentation = line.len() - line.trim_start().len();
        if let Some(begun) = inside {
            if indentation == begun && item.starts_with('}') {
                inside = None;
            }
        } else if item == "#[cfg(test)]" {
            is_test = true;
        } else if is_test && !item.starts_with("#[") {
            is_test = false;
            if !item.ends_with(';') && !item.ends_with('}') {
                inside = Some(indentation);
            }
        } else if !is_test && !item.starts_with("//") {
            code.push_str(line);
        }
        code.push('\n');
    }
    code
}

/// The modules that `file` declares only for tests.
pub(super) fn modules_of_tests(file: &File) -> Vec<Vec<String>> {
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    let declared = lines.windows(2).filter_map(|pair| match pair {
        ["#[cfg(test)]", item] => {
            let module = item.strip_prefix("pub(crate) ").unwrap_or(item);
            module.strip_prefix("mod ")?.strip_suffix(';')
        }
        _ => None,
    });
    declared.map(|module| [file.modules.as_slice(), &[module.to_owned()]].concat()).collect()
}

/// The first names of paths from the crate's root, with their lines. A file in a module of depth `depth` also reaches
/// the root with that many `super`.
pub(super) fn paths_from_root(code: &str, depth: usize) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    for root in ["crate::".to_owned(), "super::".repeat(depth)] {
        for at in places_of(code, &root) {
            let line = line_of(code, at);
            let rest = code.get(at + root.len()..).unwrap_or_default();
            paths.extend(first_names(rest).into_iter().map(|name| (line, name)));
        }
    }
    // One `super` too many would be a compile error.
    paths.retain(|(_, name)| name != "super");
    paths
}

/// Where `path` begins in the code, but no longer path.
fn places_of<'c>(code: &'c str, path: &'c str) -> impl Iterator<Item = usize> + 'c {
    code.match_indices(path).map(|(at, _)| at).filter(|at| {
        let before = code.get(..*at).unwrap_or_default().chars().next_back();
        !before.is_some_and(|before| before.is_alphanumeric() || matches!(before, '_' | ':' | '$'))
    })
}

/// The crates of this project that are used, with the lines.
pub(super) fn crates_used(code: &str) -> Vec<(usize, String)> {
    let mut used = Vec::new();
    for at in places_of(code, "ebbline") {
        let rest = code.get(at..).unwrap_or_default();
        let name = identifier(rest);
        if rest.get(name.len()..).is_some_and(|behind| behind.starts_with("::")) {
            used.push((line_of(code, at), name.to_owned()));
        }
    }
    used
}

/// The names that `use` imports at the root of a crate, with the first name of their path.
pub(super) fn uses(code: &str) -> Vec<(String, String)> {
    let mut uses = Vec::new();
    for item in code.split(';') {
        let Some((_, path)) = item.rsplit_once("use ") else { continue };
        let from = identifier(path.trim()).to_owned();
        let Some((_, rest)) = path.split_once("::") else { continue };
        let names = rest.split(|sign: char| matches!(sign, '{' | '}' | ',') || sign.is_whitespace());
        for name in names.filter(|name| !name.is_empty()) {
            let name = name.rsplit("::").next().unwrap_or(name);
            uses.push((from.clone(), name.to_owned()));
        }
    }
    uses
}

/// The first name of a path, or of each path of a group in braces.
fn first_names(rest: &str) -> Vec<String> {
    let Some(group) = rest.strip_prefix('{') else { return vec![identifier(rest).to_owned()] };
    let (mut names, mut depth, mut begins) = (Vec::new(), 0_usize, true);
    for (at, sign) in group.char_indices() {
        match sign {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && !sign.is_whitespace() => {
                names.push(identifier(group.get(at..).unwrap_or_default()).to_owned());
                begins = false;
            }
            _ => {}
        }
    }
    names
}

fn identifier(text: &str) -> &str {
    let end = text.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

fn line_of(code: &str, at: usize) -> usize {
    code.get(..at).unwrap_or_default().matches('\n').count() + 1
}
