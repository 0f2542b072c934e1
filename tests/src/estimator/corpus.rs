//! Texts of every class: those written for `tests/texts/classes.json`, and longer ones that a seeded generator always
//! makes the same.

use std::fmt::Write;

use ebbline::json::{Document, Value};

/// The written texts, with the estimate's figures.
const WRITTEN: &str = include_str!("../../texts/classes.json");

/// The lengths of generated texts in characters, three texts each: one that is read almost completely and one that is
/// sampled.
const LENGTHS: [usize; 2] = [1_000, 12_000];
const OF_EACH: u64 = 3;

/// The class of a text, by which its tokens differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// English.
    Prose,
    /// Rust, JavaScript, Python, minified.
    Code,
    /// JSON.
    Json,
    /// Tables of numbers, checksums and hexadecimal.
    Digits,
    /// Chinese, Japanese, Korean.
    Cjk,
    /// Base64.
    Base64,
    /// Emoji, alone and among words.
    Emoji,
    /// Logs, listings, paths.
    Logs,
    /// Languages of Europe, India and the Near East.
    Languages,
}

impl Class {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 9] = [
        Self::Prose,
        Self::Code,
        Self::Json,
        Self::Digits,
        Self::Cjk,
        Self::Base64,
        Self::Emoji,
        Self::Logs,
        Self::Languages,
    ];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prose => "prose",
            Self::Code => "code",
            Self::Json => "JSON",
            Self::Digits => "digits",
            Self::Cjk => "CJK",
            Self::Base64 => "base64",
            Self::Emoji => "emoji",
            Self::Logs => "logs, listings",
            Self::Languages => "other languages",
        }
    }

    /// The class of a written text, by its name.
    fn of(name: &str) -> Self {
        match name {
            "English" => Self::Prose,
            "Rust" | "JavaScript" | "Python" | "minified JavaScript" => Self::Code,
            "JSON" => Self::Json,
            "a table of numbers" | "hexadecimal" | "checksums" => Self::Digits,
            "Chinese" | "Japanese" | "Korean" => Self::Cjk,
            "base64" => Self::Base64,
            "emoji in a log" | "emoji alone" => Self::Emoji,
            "a log" | "ls -l" | "paths" | "a tree of boxes" => Self::Logs,
            _ => Self::Languages,
        }
    }
}

/// The texts of every class.
pub fn texts() -> Vec<(Class, String)> {
    let written = written();
    let mut texts: Vec<(Class, String)> =
        written.iter().map(|(name, text)| (Class::of(name), text.clone())).collect();
    for class in Class::ALL {
        for seed in 0..OF_EACH {
            for length in LENGTHS {
                let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ ((seed + 1) << 8) ^ class as u64);
                texts.push((class, made(class, length, &written, &mut dice)));
            }
        }
    }
    texts
}

pub(super) fn written() -> Vec<(String, String)> {
    let Ok(table) = Document::parse(WRITTEN) else { return Vec::new() };
    let text = |row: Value<'_>, key| row.text_of(key).map(|text| text.decode().into_owned());
    table
        .root()
        .elements_of("texts")
        .filter_map(|row| Some((text(row, "name")?, text(row, "text")?)))
        .collect()
}

/// Pseudo-random numbers (xorshift), so that every machine generates the same texts.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    pub(super) fn one_of<'t, T: ?Sized>(&mut self, list: &[&'t T]) -> &'t T
    where
        &'t T: Default,
    {
        list.get(self.below(list.len())).copied().unwrap_or_default()
    }

    pub(super) fn word(&mut self) -> &'static str {
        self.one_of(WORDS)
    }

    pub(super) fn character(&mut self, of: &str) -> char {
        of.chars().nth(self.below(of.chars().count())).unwrap_or_default()
    }
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "agent", "answer", "branch", "budget", "buffer", "build", "cache", "call", "change", "check", "client", "close",
    "column", "commit", "config", "context", "count", "cursor", "database", "default", "delete", "depth", "device",
    "document", "early", "editor", "element", "empty", "engine", "entry", "error", "event", "example", "expected",
    "failure", "field", "file", "filter", "first", "folder", "format", "function", "handler", "header", "history",
    "image", "index", "input", "install", "issue", "item", "kernel", "label", "language", "later", "length", "limit",
    "line", "list", "loader", "manager", "memory", "message", "method", "model", "module", "network", "number",
    "object", "option", "order", "output", "package", "page", "parser", "path", "pattern", "person", "place", "plan",
    "policy", "position", "process", "project", "prompt", "query", "reader", "record", "release", "report", "request",
    "result", "return", "review", "schema", "script", "search", "server", "session", "setting", "shell", "signal",
    "source", "stack", "state", "status", "step", "stream", "string", "summary", "symbol", "system", "table", "target",
    "task", "terminal", "test", "thread", "timeout", "token", "tool", "trace", "transcript", "type", "update", "user",
    "value", "version", "view", "warning", "window", "worker", "writer",
];
const JOINERS: &[&str] = &[
    "and", "but", "because", "so that", "which", "when", "before", "after the", "of the", "in the", "with a",
    "is not", "has been", "will be", "should", "does not", "to the", "from", "for every", "without",
];

fn made(class: Class, length: usize, written: &[(String, String)], dice: &mut Dice) -> String {
    let mut text = String::new();
    let languages: &[&str] = match class {
        Class::Cjk => &["Chinese", "Japanese", "Korean"],
        _ => &["Russian", "Arabic", "Hindi", "German", "French", "Polish"],
    };
    let language = dice.one_of(languages);
    while text.chars().count() < length {
        let written_or_not = match class {
            Class::Prose => sentence(&mut text, dice),
            Class::Code => function(&mut text, dice),
            Class::Json => record(&mut text, dice),
            Class::Digits => numbers(&mut text, dice),
            Class::Base64 => base64(&mut text, dice),
            Class::Emoji => emoji(&mut text, dice),
            Class::Logs => log_line(&mut text, dice),
            Class::Cjk | Class::Languages => borrowed(&mut text, written, language, dice),
        };
        if written_or_not.is_err() {
            break;
        }
    }
    text
}

pub(super) fn sentence(text: &mut String, dice: &mut Dice) -> std::fmt::Result {
    let words = 3 + dice.below(4);
    write!(text, "The {}", dice.word())?;
    for _ in 0..words {
        write!(text, " {} {}", dice.one_of(JOINERS), dice.word())?;
    }
    text.write_str(if dice.below(5) == 0 { ".\n\n" } else { ". " })
}

pub(super) fn function(text: &mut String, dice: &mut Dice) -> std::fmt::Result {
    let [name, value, other, list] = [(); 4].map(|()| dice.word());
    let number = dice.below(500);
    match dice.below(3) {
        0 => write!(
            text,
            "    pub fn {name}_{other}(&self, {list}: &[{}]) -> Option<usize> {{\n        \
             let {value} = self.{other}.get({number})?;\n        {list}.iter().position(|{name}| \
             {name}.{other} == *{value})\n    }}\n\n",
            capital(value)
        ),
        1 => write!(
            text,
            "export async function {name}{}({value}, {{ {other} = {number} }} = {{}}) {{\n  const {list} = await \
             {value}.{name}(`/{other}/${{{value}.id}}`);\n  if (!{list}.ok) throw new \
             {}Error('{name} {other}');\n  return {list}.map(({other}) => {other}.{value});\n}}\n\n",
            capital(other),
            capital(name)
        ),
        _ => write!(
            text,
            "def {name}_{value}(self, {other}, {list}=None):\n    \"\"\"Return the {name} of {other}.\"\"\"\n    \
             if {list} is None:\n        {list} = self.{value}[{number}:]\n    return [{name} for {name} in {list} \
             if {name} != {other}]\n\n\n"
        ),
    }
}

pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn record(text: &mut String, dice: &mut Dice) -> std::fmt::Result {
    write!(
        text,
        r#"{{"id":{},"{}":"{} {}","{}":[{},{}],"is{}":{},"created_at":"2026-0{}-1{}T0{}:{}:00Z","{}":null}},"#,
        dice.below(1_000_000),
        dice.word(),
        dice.word(),
        dice.word(),
        dice.word(),
        dice.below(100),
        dice.below(10_000),
        capital(dice.word()),
        dice.below(2) == 0,
        1 + dice.below(9),
        dice.below(10),
        dice.below(10),
        10 + dice.below(50),
        dice.word()
    )
}

fn numbers(text: &mut String, dice: &mut Dice) -> std::fmt::Result {
    for _ in 0..5 {
        write!(text, "{}.{:02},{},", dice.below(1_000), dice.below(100), dice.below(1_000_000))?;
    }
    writeln!(text, "{}", dice.below(10))
}

fn base64(text: &mut String, dice: &mut Dice) -> std::fmt::Result {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    (0..64).try_for_each(|_| text.write_char(dice.character(LETTERS)))
}

fn emoji(text: &mut String, dice: &mut Dice) -> std::fmt::Result {
    const FACES: &str = "😀😂🤔🎉🚀✅❌🔥💡📦🐛🔧📝👀🙏💥🌍🏁🧪🔒⚡🎯🐳🍕";
    for _ in 0..=dice.below(6) {
        text.write_char(dice.character(FACES))?;
    }
    write!(text, " {} ", if dice.below(2) == 0 { dice.word() } else { "" })
}

fn log_line(text: &mut String, dice: &mut Dice) -> std::fmt::Result {
    let [day, hour, minute, second] = [28, 24, 60, 60].map(|limit| dice.below(limit));
    let [level, word, other] = [dice.one_of(&["INFO", "WARN", "DEBUG", "ERROR"]), dice.word(), dice.word()];
    let (size, time) = (dice.below(90_000), dice.below(3_000));
    match dice.below(3) {
        0 => writeln!(
            text,
            "2026-03-{day:02}T{hour:02}:{minute:02}:{second:02}.{time:04}Z {level:5} [{word}] {other} \
             took {time}ms status=200 bytes={size}"
        ),
        1 => writeln!(
            text,
            "-rw-r--r--  1 node node {size:6} Mar {day:2} {hour:02}:{minute:02} {word}.{other}.rs"
        ),
        _ => writeln!(
            text,
            "./src/{word}/{other}/{}.ts:{second}:{minute}: {level} {word} {other}",
            dice.word()
        ),
    }
}

/// A sentence of a written text.
pub(super) fn borrowed(
    text: &mut String,
    written: &[(String, String)],
    language: &str,
    dice: &mut Dice,
) -> std::fmt::Result {
    let (_, source) = written.iter().find(|(name, _)| name == language).ok_or(std::fmt::Error)?;
    let sentences: Vec<&str> = source.split_inclusive(['.', '。', '।', '،', '，', '、', ',']).collect();
    text.write_str(dice.one_of(&sentences))
}
