//! Identifiers: what a text contains that nobody guesses. Paths, names in code, hashes, numbers, error codes,
//! error messages, quotations and commands, found by rule in one pass.

use crate::json::Document;
use crate::words;

words! {
    /// The class of an identifier.
    pub enum Class [non_exhaustive] {
        /// A path, a file name with a known ending, or an address.
        File "file",
        /// The first line of a command that the agent ran.
        Command "command",
        /// An error code, or the beginning of an error message.
        Error "error",
        /// A number of four digits or more.
        Number "number",
        /// A name in code, a hash or a UUID.
        Name "name",
        /// Words between quotation marks.
        Quote "quote",
    }
}

/// A longer run of characters is data, such as base64.
const LONGEST: usize = 200;
/// A quotation has so many bytes at least and at most.
const QUOTED: std::ops::RangeInclusive<usize> = 12..=80;
/// So many bytes behind an error's name are looked at.
const ERROR_BYTES: usize = 100;
/// So many words of an error message identify it: what follows often names the particular case.
const ERROR_WORDS: usize = 5;
/// The arguments that contain a command.
const COMMAND_KEYS: &[&str] = &["command", "cmd", "script", "commands"];

/// The endings of file names that are recognized without a folder.
const ENDINGS: &[&str] = &[
    "rs", "ts", "tsx", "js", "jsx", "mjs", "cjs", "py", "go", "java", "kt", "c", "h", "cc", "cpp", "hpp",
    "cs", "rb", "php", "swift", "json", "jsonl", "yaml", "yml", "toml", "md", "mdx", "txt", "lock", "sh",
    "html", "css", "scss", "sql", "xml", "ini", "cfg", "conf", "csv", "log", "vue", "svelte", "proto",
    "graphql", "ipynb", "png", "svg", "gz", "zip", "pdf", "snap", "traj", "wasm",
];
/// Codes that look like error codes and are names of standards.
const STANDARDS: &[&str] = &["SHA", "ES", "RFC", "UTF", "ISO", "AES", "RSA", "TLS", "HTTP", "CP", "X"];
/// Errors of languages themselves, which every program may name.
const BUILT_IN: &[&str] = &[
    "TypeError", "SyntaxError", "ReferenceError", "RangeError", "ValueError", "KeyError", "IndexError",
    "ImportError", "AttributeError", "NameError", "RuntimeError", "AssertionError", "ModuleNotFoundError",
    "FileNotFoundError",
];
/// System errors without digits.
const ERRNO: &[&str] = &[
    "ENOENT", "EACCES", "EPERM", "EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY", "EADDRINUSE", "ECONNREFUSED",
    "ECONNRESET", "ETIMEDOUT", "EPIPE", "EMFILE", "ENOSPC", "EINVAL", "SIGSEGV", "SIGKILL", "SIGTERM",
    "SIGABRT",
];

/// An identifier in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identifier<'t> {
    pub(crate) class: Class,
    pub(crate) text: &'t str,
    /// Two identifiers with the same key are the same.
    pub(crate) key: u64,
    /// Whether it alone shows where it is from. A name in code or a short number may be found twice by chance.
    pub(crate) is_strong: bool,
}

/// Calls `take` with each identifier of a text.
pub(crate) fn each<'t>(text: &'t str, take: &mut dyn FnMut(Identifier<'t>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        if is_inside(byte) {
            let length = bytes.iter().skip(at).take_while(|byte| is_inside(**byte)).count();
            let run = text.get(at..at + length).unwrap_or_default();
            let closes_tag = at > 0 && bytes.get(at - 1) == Some(&b'<') && byte == b'/';
            if length <= LONGEST && !closes_tag {
                run_of(run, take);
                error_message(run, text.get(at..).unwrap_or_default(), take);
            }
            at += length;
            continue;
        }
        match byte {
            // The escape of JSON inside a text: its letter belongs to no word.
            b'\\' if bytes.get(at + 1).is_some_and(|next| matches!(next, b'n' | b'r' | b't' | b'"')) => {
                at += 1;
            }
            b'"' | b'`' | b'\'' => quotation(text, at, byte, take),
            _ => {}
        }
        at += 1;
    }
}

/// Calls `take` with each identifier of a call's arguments: of the texts in them, not of their keys.
pub(crate) fn each_of_arguments(arguments: &str, take: &mut dyn FnMut(Identifier<'_>)) {
    let document = if arguments.starts_with(['{', '[']) { Document::parse(arguments).ok() } else { None };
    let Some(document) = document else { return each(arguments, take) };
    let mut open = vec![(document.root(), false)];
    while let Some((value, is_command)) = open.pop() {
        if let Some(text) = value.text() {
            let text = text.decode();
            if let Some(command) = command_in(&text).filter(|_| is_command) {
                take(Identifier {
                    class: Class::Command,
                    text: command,
                    key: quote_key(command),
                    is_strong: true,
                });
            }
            each(&text, take);
        } else if value.number().is_some() {
            each(value.source(), take);
        }
        open.extend(value.elements().map(|element| (element, is_command)));
        open.extend(
            value.members().map(|(key, value)| (value, COMMAND_KEYS.iter().any(|known| key.is(known)))),
        );
    }
}

/// The command in a shell's line: without the change of folder in front of it.
fn command_in(text: &str) -> Option<&str> {
    let line = text.lines().next()?.trim();
    let line = match line.split_once("&& ") {
        Some((folder, rest)) if folder.starts_with("cd ") => rest.trim(),
        _ => line,
    };
    (line.len() >= 3 && line.len() <= LONGEST).then_some(line)
}

fn is_inside(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'_' | b'.' | b'/' | b'@' | b'~' | b'+' | b':' | b'#' | b'$' | b'-')
}

/// The identifiers in a run of characters: `src/main.rs:12:5` contains one path.
fn run_of<'t>(run: &'t str, take: &mut dyn FnMut(Identifier<'t>)) {
    if run.contains("://") {
        let address = run.trim_end_matches(['.', ':', '-', '/', '#']);
        return take(Identifier { class: Class::File, text: address, key: key(1, address), is_strong: true });
    }
    for piece in run.split(':') {
        let piece = piece.trim_end_matches(['.', '-', '+', '/', '@', '#', '$', '~']);
        let piece = piece.trim_start_matches(['-', '+', '#', '$']);
        // A relative path is known by what it leads to.
        let piece = piece.trim_start_matches("../").trim_start_matches("./");
        let piece = piece.strip_prefix("//").unwrap_or(piece);
        if piece.len() >= 4 {
            piece_of(piece, take);
        }
    }
}

fn piece_of<'t>(piece: &'t str, take: &mut dyn FnMut(Identifier<'t>)) {
    let mut found = |class, text: &'t str, key, is_strong| take(Identifier { class, text, key, is_strong });
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
    if letters == 0 {
        if digits >= 4 && !piece.contains('/') {
            let plain: String = piece.chars().filter(char::is_ascii_digit).collect();
            let shown = plain.trim_start_matches('0');
            let is_round = shown.len() <= 1 || shown.trim_end_matches('0').len() <= 1;
            let is_year = plain.len() == 4 && (plain.starts_with("19") || plain.starts_with("20"));
            let is_date = piece.contains('-') || piece.matches('.').count() > 1;
            // Years and round numbers are everywhere.
            if !is_round && !is_year {
                found(Class::Number, piece, key(2, &plain), shown.len() >= 6 && !is_date);
            }
        }
        return;
    }
    if piece.contains('/') {
        if is_path(piece) {
            let (short, name) = ends_of_path(piece);
            // A folder is known from every path below it.
            found(Class::File, piece, key(3, short), has_ending(name));
            if has_ending(name) {
                found(Class::File, name, key(3, name), false);
            }
        } else {
            for word in piece.split('/').filter(|word| word.len() >= 4) {
                word_of(word, take);
            }
        }
        return;
    }
    word_of(piece, take);
}

/// The identifiers in a piece without slashes that has letters.
fn word_of<'t>(piece: &'t str, take: &mut dyn FnMut(Identifier<'t>)) {
    let mut found = |class, text: &'t str, key, is_strong| take(Identifier { class, text, key, is_strong });
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
    if is_hash(piece, digits, letters) {
        return found(Class::Name, piece, key(4, &piece.to_ascii_lowercase()), true);
    }
    if ERRNO.contains(&piece) {
        return found(Class::Error, piece, key(5, piece), false);
    }
    if is_code(piece, digits) {
        return found(Class::Error, piece, key(5, piece), true);
    }
    if has_ending(piece) {
        return found(Class::File, piece, key(3, piece), false);
    }
    let is_part = |part: &&str| is_hash_of(part);
    for part in piece.split(['-', '_']).filter(|part| part.len() < piece.len()).filter(is_part) {
        found(Class::Name, part, key(4, &part.to_ascii_lowercase()), true);
    }
    for name in piece.split('.').filter(|name| is_name(name) && !BUILT_IN.contains(name)) {
        found(Class::Name, name, key(6, name), false);
    }
}

/// Whether a text with a slash is a path and not two words, as in `and/or`.
fn is_path(piece: &str) -> bool {
    let segments = piece.split('/').filter(|segment| !segment.is_empty());
    let is_deep = segments.clone().count() >= 3;
    let has_name = segments.clone().next_back().is_some_and(has_ending);
    let is_marked = piece.starts_with("~/") || piece.starts_with('@');
    let is_plain = |segment: &str| segment.bytes().all(|byte| byte.is_ascii_alphabetic());
    let all_upper = piece.bytes().all(|byte| !byte.is_ascii_lowercase());
    !all_upper
        && (has_name || is_marked || is_deep && (piece.starts_with('/') || !segments.clone().all(is_plain)))
}

/// A path's last two segments, by which it is the same whether it is absolute or relative; and its last.
fn ends_of_path(path: &str) -> (&str, &str) {
    let mut slashes = path.char_indices().rev().filter(|(_, c)| *c == '/').map(|(at, _)| at + 1);
    let (last, before) = (slashes.next().unwrap_or(0), slashes.next().unwrap_or(0));
    (path.get(before..).unwrap_or(path), path.get(last..).unwrap_or(path))
}

fn has_ending(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending))
}

fn is_hash_of(piece: &str) -> bool {
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    let letters = piece.bytes().filter(u8::is_ascii_alphabetic).count();
    is_hash(piece, digits, letters)
}

fn is_hash(piece: &str, digits: usize, letters: usize) -> bool {
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte.to_ascii_lowercase());
    let is_uuid = piece.len() == 36 && piece.matches('-').count() == 4;
    let hex = piece.bytes().filter(|byte| is_hex(*byte)).count();
    if is_uuid {
        return hex == 32;
    }
    let is_one_case =
        !(piece.bytes().any(|b| b.is_ascii_uppercase()) && piece.bytes().any(|b| b.is_ascii_lowercase()));
    hex == piece.len() && (7..=128).contains(&piece.len()) && digits >= 2 && letters >= 2 && is_one_case
}

/// `E0308`, `TS2345`, `CVE-2024-1234`, `ORD-4821`.
fn is_code(piece: &str, digits: usize) -> bool {
    let letters = piece.bytes().take_while(u8::is_ascii_uppercase).count();
    let rest = piece.get(letters..).unwrap_or_default();
    (1..=5).contains(&letters)
        && (3..=8).contains(&digits)
        && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        && !STANDARDS.contains(&piece.get(..letters).unwrap_or_default())
}

/// Whether a text is a name in code: words joined by underscores or by capitals, or with digits behind a hyphen.
fn is_name(name: &str) -> bool {
    let bytes = name.as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let pairs = || bytes.iter().zip(bytes.iter().skip(1));
    let has_hump = || pairs().any(|(one, next)| one.is_ascii_lowercase() && next.is_ascii_uppercase());
    let inner = name.trim_matches('_');
    name.len() >= 6 && bytes.iter().all(is_plain) && (inner.contains('_') || has_hump())
}

/// Words in quotation marks or backticks, on one line.
fn quotation<'t>(text: &'t str, at: usize, mark: u8, take: &mut dyn FnMut(Identifier<'t>)) {
    let bytes = text.as_bytes();
    let begins =
        at.checked_sub(1).and_then(|before| bytes.get(before)).is_none_or(|b| !b.is_ascii_alphanumeric());
    let most = if mark == b'`' { LONGEST } else { *QUOTED.end() };
    let inside =
        bytes.iter().skip(at + 1).take(most + 1).take_while(|byte| **byte != mark && **byte != b'\n').count();
    let closed = bytes.get(at + 1 + inside) == Some(&mark);
    let Some(quoted) = text.get(at + 1..at + 1 + inside).filter(|_| begins && closed) else { return };
    let is_said =
        quoted.contains(' ') && quoted.bytes().filter(u8::is_ascii_alphabetic).count() * 2 > quoted.len();
    let is_whole = !quoted.starts_with(' ') && !quoted.ends_with(' ');
    if is_whole && (mark == b'`' && quoted.contains(' ') || QUOTED.contains(&inside) && is_said) {
        // Two words are quoted twice by chance.
        let is_strong = QUOTED.contains(&inside) && is_said && quoted.split(' ').count() > 2;
        take(Identifier { class: Class::Quote, text: quoted, key: quote_key(quoted), is_strong });
    }
}

/// The beginning of an error message: what follows `TypeError:`, `error:` and the like.
fn error_message<'t>(run: &str, from: &'t str, take: &mut dyn FnMut(Identifier<'t>)) {
    let Some(name) = run.strip_suffix(':') else { return };
    let is_error =
        name.ends_with("Error") || name.ends_with("Exception") || ["error", "ERROR", "fatal"].contains(&name);
    if !is_error {
        return;
    }
    let is_near = |at: &usize| *at <= run.len() + ERROR_BYTES;
    let ends = from.char_indices().map(|(at, character)| at + character.len_utf8());
    let most = ends.take_while(is_near).last().unwrap_or(0);
    let line = from.get(..most).unwrap_or_default().lines().next().unwrap_or_default();
    let behind = line.get(run.len()..).unwrap_or_default();
    let message = behind.split(['`', '"', '\\']).next().unwrap_or_default();
    let words: Vec<&str> = message.split_whitespace().take(ERROR_WORDS).collect();
    if words.len() >= 3 {
        let key = key(7, &words.join(" ").to_ascii_lowercase());
        take(Identifier { class: Class::Error, text: line.trim_end(), key, is_strong: true });
    }
}

fn quote_key(text: &str) -> u64 {
    key(8, text.trim())
}

/// The key of a text: FNV-1a over its bytes, with a seed for each kind of text.
pub(crate) fn key(seed: u8, text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(step(0xcbf2_9ce4_8422_2325, seed), step);
    // FNV leaves the high bits of short texts alike, and a table of keys uses them.
    (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        each(text, &mut |identifier| found.push((identifier.class.as_str(), identifier.text.to_owned())));
        found
    }

    #[test]
    fn identifiers_are_found_by_rule() {
        for (text, expected) in [
            ("see src/cart.ts:12:5.", &[("file", "src/cart.ts"), ("file", "cart.ts")][..]),
            ("open Cargo.toml", &[("file", "Cargo.toml")]),
            ("https://a.example/x?y", &[("file", "https://a.example/x")]),
            ("call getUserName()", &[("name", "getUserName")]),
            ("this.settingsManager.getTheme", &[("name", "settingsManager"), ("name", "getTheme")]),
            ("MAX_RETRIES = 12", &[("name", "MAX_RETRIES")]),
            ("commit 9f86d08a1", &[("name", "9f86d08a1")]),
            ("port 48213, 300, 10,000 in 2024", &[("number", "48213")]),
            ("from ../shop/cart", &[]),
            ("error E0308 in TS2345", &[("error", "E0308"), ("error", "TS2345")]),
            ("TypeError: x is not a function", &[("error", "TypeError: x is not a function")]),
            ("say \"the cart is empty now\"", &[("quote", "the cart is empty now")]),
            ("run `cargo test`", &[("quote", "cargo test")]),
            (r"a\nsrc/new.rs", &[("file", "src/new.rs"), ("file", "new.rs")]),
        ] {
            let expected: Vec<_> =
                expected.iter().map(|(class, text)| (*class, (*text).to_owned())).collect();
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn words_of_prose_are_no_identifiers() {
        for text in [
            "and/or", "true/false", "well-known", "don't, can't", "UTF-8", "SHA256", "TCP/IP", "</div>",
            "2 of 3", "", "…😀é",
        ] {
            assert_eq!(of(text), [], "{text}");
        }
        assert_eq!(of(&"A".repeat(10_000)), [], "base64 is data");
    }

    #[test]
    fn a_path_is_the_same_absolute_and_relative_and_a_command_as_it_is_quoted() {
        let keys = |text: &str| {
            let mut keys = Vec::new();
            each(text, &mut |identifier| keys.push(identifier.key));
            keys
        };
        assert_eq!(keys("/home/a/shop/src/cart.ts"), keys("src/cart.ts"));
        let mut commands = Vec::new();
        each_of_arguments(r#"{"command":"cd /a/b/c && cargo test -p shop\nls"}"#, &mut |identifier| {
            if identifier.class == Class::Command {
                commands.push((identifier.text.to_owned(), identifier.key));
            }
        });
        assert_eq!(commands, [("cargo test -p shop".to_owned(), keys("`cargo test -p shop`")[0])]);
    }
}
