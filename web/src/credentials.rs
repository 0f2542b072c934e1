//! Finds text that looks like a key or a password, to warn before a session is given away. It goes by how keys look, so it
//! misses some and takes some texts for keys that are none.

use ebbline::{ReadOptions, SessionText};

use ebbline::numbers::{counted, grouped};

/// What a text looks like: its noun.
type Look = &'static str;

const PRIVATE_KEY: Look = "private key";
const API: Look = "API key (sk-…)";
const GITHUB: Look = "GitHub token";
const GITLAB: Look = "GitLab token";
const NPM: Look = "npm token";
const HUGGING_FACE: Look = "Hugging Face token";
const AWS: Look = "AWS access key";
const SLACK: Look = "Slack token";
const GOOGLE: Look = "Google API key";
const JWT: Look = "JSON Web Token";
const OTHER: Look = "other key or password";

/// All of them, in the order in which they are told.
const ALL: [Look; 11] = [API, GITHUB, GITLAB, NPM, HUGGING_FACE, AWS, SLACK, GOOGLE, JWT, PRIVATE_KEY, OTHER];

fn counted_looks(look: Look, count: u64) -> String {
    match (look, count) {
        (API, 2..) => format!("{} API keys (sk-…)", grouped(count)),
        (OTHER, 2..) => format!("{} other keys or passwords", grouped(count)),
        _ => counted(count, look),
    }
}

/// Something that looks like a key, and the byte at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    look: Look,
    at: usize,
}

/// The beginnings of keys, the least length of what follows, and the most; what follows consists of letters, digits, `_`
/// and `-`.
const BEGINNINGS: [(&str, Look, usize, usize); 18] = [
    ("sk-", API, 20, 250),
    ("github_pat_", GITHUB, 40, 120),
    ("ghp_", GITHUB, 36, 40),
    ("gho_", GITHUB, 36, 40),
    ("ghu_", GITHUB, 36, 40),
    ("ghs_", GITHUB, 36, 40),
    ("ghr_", GITHUB, 36, 80),
    ("glpat-", GITLAB, 20, 60),
    ("npm_", NPM, 36, 36),
    ("hf_", HUGGING_FACE, 34, 37),
    ("AKIA", AWS, 16, 16),
    ("ASIA", AWS, 16, 16),
    ("xoxb-", SLACK, 20, 250),
    ("xoxp-", SLACK, 20, 250),
    ("xoxa-", SLACK, 20, 250),
    ("xoxs-", SLACK, 20, 250),
    ("AIza", GOOGLE, 35, 35),
    ("eyJ", JWT, 10, 10_000),
];

/// The ends of names whose value is a secret, in lower case and without `_` and `-`.
const NAMES: [&str; 9] = [
    "apikey", "secret", "secretkey", "accesskey", "accesstoken", "authtoken", "privatekey", "password",
    "passwd",
];
/// How long a value has to be that only its name tells.
const VALUE: usize = 16;
/// Words of which a value is no secret.
const PLACEHOLDERS: [&str; 8] =
    ["example", "your", "placeholder", "changeme", "redacted", "xxxx", "dummy", "sample"];
/// How many messages are named.
const NAMED: usize = 10;

/// What there is to say about an exported session; empty if nothing in it looks like a key.
pub(crate) fn warning(exported: &[u8]) -> String {
    let found = find(exported);
    if found.is_empty() {
        return String::new();
    }
    let counts: Vec<String> = ALL
        .into_iter()
        .map(|look| (look, found.iter().filter(|one| one.look == look).count() as u64))
        .filter(|(_, count)| *count > 0)
        .map(|(look, count)| counted_looks(look, count))
        .collect();
    let stands = if found.len() == 1 { "stands" } else { "stand" };
    format!(
        "{} {stands} in this file{}. This goes by how keys look: some may be none, and others may be missed.",
        listed(&counts),
        places(exported, &found)
    )
}

/// In which messages of the exported session they are.
fn places(exported: &[u8], found: &[Found]) -> String {
    let Ok(text) = std::str::from_utf8(exported) else { return String::new() };
    let Ok(session) = SessionText::read_with(text, &ReadOptions::default()) else { return String::new() };
    let mut messages: Vec<u64> = (0..session.transcript().messages().len())
        .filter(|index| found.iter().any(|one| session.span(*index).contains(&one.at)))
        .map(|index| index as u64 + 1)
        .collect();
    if messages.is_empty() {
        return String::new();
    }
    let noun = if messages.len() == 1 { "message" } else { "messages" };
    let more = messages.len().saturating_sub(NAMED);
    messages.truncate(NAMED);
    let mut named: Vec<String> = messages.into_iter().map(grouped).collect();
    if more > 0 {
        named.push(format!("{} more", grouped(more as u64)));
    }
    format!(", in {noun} {}", listed(&named))
}

/// `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Everything that looks like a key, in the order of the text.
fn find(text: &[u8]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let is_inside =
            at.checked_sub(1).and_then(|before| text.get(before)).is_some_and(|byte| is_of_key(*byte));
        match seen(rest, is_inside, is_escape(text, at)) {
            Some((look, length)) => {
                found.push(Found { look, at });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// Whether the byte at `at` is the letter of an escape such as `\n`, behind which a word begins.
fn is_escape(text: &[u8], at: usize) -> bool {
    at.checked_sub(2).and_then(|before| text.get(before)) == Some(&b'\\')
}

fn is_of_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// What begins at `rest`, and its length. `is_inside`: it stands behind a letter; `is_escaped`: that letter is an escape.
fn seen(rest: &[u8], is_inside: bool, is_escaped: bool) -> Option<(Look, usize)> {
    let first = *rest.first()?;
    if first == b'-' && rest.starts_with(b"-----BEGIN ") {
        return private_key(rest);
    }
    if is_inside && !is_escaped {
        return None;
    }
    for (beginning, look, least, most) in BEGINNINGS {
        if first != *beginning.as_bytes().first()? || !rest.starts_with(beginning.as_bytes()) {
            continue;
        }
        let behind = rest.get(beginning.len()..)?;
        let body = behind.split(|byte| !is_of_key(*byte)).next().unwrap_or_default();
        let length = beginning.len() + body.len();
        if look == JWT {
            return jwt(rest, length);
        }
        let is_key =
            (least..=most).contains(&body.len()) && is_random(body) && (look != AWS || is_upper(body));
        return is_key.then_some((look, length));
    }
    named(rest)
}

/// `-----BEGIN … PRIVATE KEY-----` with something behind it.
fn private_key(rest: &[u8]) -> Option<(Look, usize)> {
    let line = rest.get(..rest.len().min(64))?;
    let words = line.get(11..)?;
    let end = words.windows(16).position(|window| window == b"PRIVATE KEY-----")?;
    let is_label = words.get(..end)?.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b' ');
    let length = 11 + end + 16;
    // A header that is only spoken of has no key behind it.
    let behind = rest.get(length..length + 40)?;
    let body =
        behind.iter().filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')).count();
    (is_label && body >= 30).then_some((PRIVATE_KEY, length))
}

/// Three parts in base64url, of which the first two are JSON; `length` is the length of the first.
fn jwt(rest: &[u8], length: usize) -> Option<(Look, usize)> {
    let mut parts = rest.split(|byte| !is_of_key(*byte) && *byte != b'.').next()?.split(|byte| *byte == b'.');
    let (head, body, signature) = (parts.next()?, parts.next()?, parts.next()?);
    let is_token = head.len() >= 13 && body.starts_with(b"eyJ") && body.len() >= 13 && signature.len() >= 20;
    is_token.then_some((JWT, length + body.len() + signature.len() + 2))
}

/// `api_key = "…"`, also inside a string of JSON: the value has to look random.
fn named(rest: &[u8]) -> Option<(Look, usize)> {
    let name = rest.split(|byte| !is_of_key(*byte)).next().filter(|name| (6..=40).contains(&name.len()))?;
    let bare: String = name
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(|byte| char::from(byte.to_ascii_lowercase()))
        .collect();
    if !NAMES.iter().any(|known| bare.ends_with(known)) {
        return None;
    }
    let mut at = name.len();
    let skip = |at: usize, of: &[u8]| {
        rest.get(at..).map_or(at, |rest| at + rest.iter().take_while(|byte| of.contains(byte)).count())
    };
    at = skip(at, b"\\\"' ");
    if !matches!(rest.get(at), Some(b':' | b'=')) {
        return None;
    }
    at += 1;
    let quote = skip(at, b"\\\"' ");
    // A value without a quote may be any code.
    let is_quoted = rest.get(at..quote)?.iter().any(|byte| matches!(byte, b'"' | b'\''));
    let is_of_value =
        |byte: &u8| is_of_key(*byte) || matches!(byte, b'+' | b'/' | b'=' | b'.' | b'!' | b'@' | b'#' | b'$');
    let value = rest.get(quote..)?;
    let length = value.iter().take_while(|byte| is_of_value(byte)).count();
    let value = value.get(..length)?;
    let is_known = BEGINNINGS.iter().any(|(beginning, ..)| value.starts_with(beginning.as_bytes()));
    (is_quoted && (VALUE..=400).contains(&length) && !is_known && is_random(value))
        .then_some((OTHER, quote + length))
}

fn is_upper(body: &[u8]) -> bool {
    body.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Whether a text has letters and digits, few of them twice, and no word that stands for a key.
fn is_random(body: &[u8]) -> bool {
    let mut counts = [0_u32; 128];
    for byte in body {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let letters = body.iter().any(|byte| byte.is_ascii_alphabetic());
    let digits = body.iter().any(|byte| byte.is_ascii_digit());
    let different = counts.iter().filter(|count| **count > 0).count();
    let most = counts.iter().max().copied().unwrap_or(0) as usize;
    let lower = body.to_ascii_lowercase();
    let is_placeholder =
        PLACEHOLDERS.iter().any(|word| lower.windows(word.len()).any(|window| window == word.as_bytes()));
    letters && digits && different >= 8 && most * 3 <= body.len() && !is_placeholder
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Put together here, so that no scanner takes this file for one with keys.
    fn key(beginning: &str, body: &str) -> String {
        format!("{beginning}{body}")
    }

    const BODY: &str = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";

    fn looks(text: &str) -> Vec<Look> {
        find(text.as_bytes()).into_iter().map(|found| found.look).collect()
    }

    #[test]
    fn keys_are_found() {
        let pem = format!(
            "-----BEGIN RSA {}-----\\nMIIEpAIBAAKCAQEA7bq1x9ZkQm3v8sYtWc4nLr2pHdJ5gUe6",
            "PRIVATE KEY"
        );
        let jwt = format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{}", &BODY[..30]);
        for (text, look) in [
            (key("sk-", BODY), API),
            (key("sk-", &format!("proj-{BODY}")), API),
            (key("sk-ant-", &format!("api03-{BODY}")), API),
            (key("ghp_", &BODY[..36]), GITHUB),
            (key("github_pat_", &format!("11ABCDE_{BODY}")), GITHUB),
            (key("glpat-", &BODY[..20]), GITLAB),
            (key("npm_", &BODY[..36]), NPM),
            (key("hf_", &BODY[..34]), HUGGING_FACE),
            (key("AKIA", "Q3EGRIZ7KXW2MNB4"), AWS),
            (key("xoxb-", "123456789012-abcDEF345ghi"), SLACK),
            (key("xoxp-", "123456789012-abcDEF345ghi"), SLACK),
            (key("AIza", &BODY[..35]), GOOGLE),
            (pem, PRIVATE_KEY),
            (jwt, JWT),
            (format!("api_key = \"{}\"", &BODY[..24]), OTHER),
            (format!("{{\\\"client_secret\\\": \\\"{}\\\"}}", &BODY[..24]), OTHER),
            (format!("DB_PASSWORD='{}'", &BODY[..20]), OTHER),
        ] {
            for around in [
                text.clone(),
                format!("use {text}, please"),
                format!("a\\n{text}\\nb"),
                format!("\"{text}\""),
            ] {
                assert_eq!(looks(&around), [look], "{around}");
            }
        }
    }

    #[test]
    fn a_key_under_a_name_is_found_once() {
        let text = format!("api_key = \"{}\"", key("sk-", BODY));
        assert_eq!(looks(&text), [API]);
    }

    #[test]
    fn what_only_resembles_a_key_is_none() {
        for text in [
            "pip install sk-learn",
            "sk-...",
            "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "sk-your-key-goes-here-123456789",
            "task-a1B2c3D4e5F6g7H8i9J0k1L2m3",
            "risk-assessment-of-the-whole-project-in-2026",
            "sk-this-is-a-long-name-of-a-branch",
            "MAKIAQ3EGRIZ7KXW2MNB4X",
            "AKIAIOSFODNN7EXAMPLE",
            "AKIA",
            "ghp_short",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "xoxb-your-token",
            "eyJ.eyJ.x",
            "-----BEGIN PUBLIC KEY-----\\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA",
            "it begins with -----BEGIN PRIVATE KEY----- and then base64",
            "api_key = \"YOUR_API_KEY_12345678\"",
            "api_key = os.environ['OPENAI_API_KEY_2']",
            "password = \"correct horse battery staple\"",
            "password: \"aaaaaaaaaaaaaaaa1\"",
            "max_tokens = \"4096\"",
            "secret: process.env.A1B2C3D4E5F6G7H8",
        ] {
            assert_eq!(looks(text), Vec::<Look>::new(), "{text}");
        }
    }

    #[test]
    fn the_samples_have_no_keys() {
        for sample in &crate::sample::ALL {
            assert_eq!(warning(crate::sample::text_of(sample).as_bytes()), "", "{}", sample.id);
        }
    }

    #[test]
    fn the_warning_counts_and_names_messages() {
        let github = key("ghp_", &BODY[..36]);
        let pem =
            format!("-----BEGIN {}-----\\nMIIEpAIBAAKCAQEA7bq1x9ZkQm3v8sYtWc4nLr2pHdJ5gUe6", "PRIVATE KEY");
        let messages: Vec<String> = (0..42)
            .map(|at| {
                let said = match at {
                    11 | 39 => github.as_str(),
                    40 => pem.as_str(),
                    _ => "nothing",
                };
                format!(r#"{{"role":"user","content":"{said}"}}"#)
            })
            .collect();
        let text = format!("[{}]", messages.join(",\n"));
        assert_eq!(
            warning(text.as_bytes()),
            "2 GitHub tokens and 1 private key stand in this file, in messages 12, 40 and 41. This goes by how keys look: \
             some may be none, and others may be missed."
        );
        let many: Vec<String> =
            (0..15).map(|_| format!(r#"{{"role":"user","content":"{github}"}}"#)).collect();
        let said = warning(format!("[{}]", many.join(",\n")).as_bytes());
        assert!(said.contains("in messages 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 5 more."), "{said}");
    }
}
