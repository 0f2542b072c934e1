//! A corpus of made-up sessions: many formats and sizes, with outputs as tools print them. The same size and seed give the
//! same bytes.

use std::fs;
use std::io;
use std::path::Path;

use crate::conversation::{Output, Step, TOOLS, format_of, spell_with, spellings};

/// How many sessions are in a folder.
const IN_FOLDER: usize = 20;
/// The length of each text from which outputs are cut, in characters.
const SOURCE: usize = 1 << 20;

/// Sessions of agents are more than one format each, and more often than those of libraries.
const FREQUENT: [&str; 6] = ["claude_code", "codex", "pi", "opencode", "gemini_cli", "copilot_cli"];

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// How many sessions.
    pub files: usize,
    /// How many bytes.
    pub bytes: u64,
}

/// Writes sessions into a folder until they have so many bytes.
pub fn write(folder: &Path, bytes: u64, seed: u64) -> io::Result<Written> {
    let mut sessions = Sessions::of(seed);
    let mut written = Written::default();
    while written.bytes < bytes {
        let (spelling, text) = sessions.next_session();
        let place = folder.join(format!("{:04}", written.files / IN_FOLDER));
        fs::create_dir_all(&place)?;
        // The members of a document may stand on lines of their own.
        let ending =
            if text.lines().nth(1).is_some_and(|line| line.starts_with('{')) { "jsonl" } else { "json" };
        let name = format!("{:06}-{}.{ending}", written.files, format_of(spelling));
        fs::write(place.join(name), &text)?;
        written.files += 1;
        written.bytes += text.len() as u64;
    }
    Ok(written)
}

/// Sessions without end.
#[derive(Debug)]
pub struct Sessions {
    random: Random,
    texts: Vec<Vec<char>>,
    spellings: Vec<&'static str>,
}

impl Sessions {
    /// Those of a seed.
    pub fn of(seed: u64) -> Self {
        let mut random = Random(seed);
        let texts = [code, log, json, wide].map(|line| source(line, &mut random)).into();
        let often = || spellings().filter(|spelling| FREQUENT.contains(&format_of(spelling)));
        let spellings = spellings().chain(often()).chain(often()).collect();
        Self { random, texts, spellings }
    }

    /// The next session, with the name of its spelling.
    pub fn next_session(&mut self) -> (&'static str, String) {
        let spelling = pick(&self.spellings, &mut self.random).copied().unwrap_or_default();
        // One session in a hundred is that of a whole day.
        let most = if self.random.below(100) == 0 { 3_000.0 } else { 300.0 };
        let turns = self.random.between(4.0, most);
        let mut steps = Vec::with_capacity(turns);
        for turn in 0..turns {
            if turn % 12 == 0 {
                steps.push(Step::Person(self.random.between(20.0, 2_000.0)));
            }
            let calls = 1 + usize::from(self.random.below(4) == 0) + usize::from(self.random.below(12) == 0);
            let outputs = (0..calls).map(|_| self.output()).collect();
            let has_thought = self.random.below(3) == 0;
            steps.push(if has_thought { Step::Thought(outputs) } else { Step::Calls(outputs) });
            if turn % 12 == 11 || turn + 1 == turns {
                steps.push(Step::Answer(self.random.between(50.0, 3_000.0)));
            }
        }
        let Self { random, texts, .. } = self;
        (spelling, spell_with(spelling, &steps, &mut |size| cut(texts, random, size)))
    }

    fn output(&mut self) -> Output {
        Output {
            size: Some(self.random.between(40.0, 20_000.0)),
            failed: self.random.below(15) == 0,
            tool: self.random.below(TOOLS.len()),
        }
    }
}

/// A piece of one of the texts. One output in twelve has letters beyond Latin-1.
fn cut(texts: &[Vec<char>], random: &mut Random, size: usize) -> String {
    let at = match random.below(12) {
        0 => texts.len().saturating_sub(1),
        other => other % texts.len().saturating_sub(1).max(1),
    };
    let text = texts.get(at).map_or(&[][..], Vec::as_slice);
    let start = random.below(text.len().saturating_sub(size).max(1));
    text.iter().skip(start).take(size).collect()
}

/// A long text of lines.
fn source(line: fn(&mut Random) -> String, random: &mut Random) -> Vec<char> {
    let mut text = Vec::with_capacity(SOURCE + 200);
    while text.len() < SOURCE {
        text.extend(line(random).chars());
        text.push('\n');
    }
    text
}

const WORDS: [&str; 24] = [
    "session", "window", "request", "buffer", "index", "parse", "token", "policy", "render", "cache",
    "stream", "worker", "retry", "limit", "config", "result", "message", "handler", "schema", "widget",
    "cursor", "report", "budget", "thread",
];

fn word(random: &mut Random) -> &'static str {
    pick(&WORDS, random).copied().unwrap_or_default()
}

fn code(random: &mut Random) -> String {
    let indent = "    ".repeat(random.below(4));
    let (one, two, three) = (word(random), word(random), word(random));
    match random.below(6) {
        0 => format!("{indent}pub fn {one}_{two}(&mut self, {three}: &str) -> Result<(), Error> {{"),
        1 => format!(
            "{indent}let {one} = self.{two}.get(\"{three}\").copied().unwrap_or({});",
            random.below(4_096)
        ),
        2 => format!("{indent}// The {one} of a {two} is never longer than its {three}."),
        3 => format!("{indent}if {one}.{two}() > {three} && !{two}.is_empty() {{"),
        4 => format!("{indent}}}"),
        _ => {
            format!("{indent}{one}.push({two}::new({three}, {}, 0x{:x}));", random.below(100), random.next())
        }
    }
}

fn log(random: &mut Random) -> String {
    let level = pick(&["INFO", "WARN", "DEBUG", "ERROR"], random).copied().unwrap_or_default();
    let (minute, second, part) = (random.below(60), random.below(60), random.below(1_000));
    let (one, two, number) = (word(random), word(random), random.below(100_000));
    format!(
        "2026-01-31T10:{minute:02}:{second:02}.{part:03}Z {level} {one}::{two} [{number}] {} of {}: {} ms",
        word(random),
        word(random),
        random.below(3_000)
    )
}

fn json(random: &mut Random) -> String {
    let (id, share) = (random.next(), random.below(10_000));
    format!(
        "{{\"id\":\"{id:016x}\",\"{}\":{share},\"{}\":[\"{}\",null,0.{share}],\"path\":\"C:\\\\src\\\\{}\"}}",
        word(random),
        word(random),
        word(random),
        word(random)
    )
}

fn wide(random: &mut Random) -> String {
    const PARTS: [&str; 12] = [
        "セッション", "を読む", "窗口大小", "错误", "файл", "не найден", "παράθυρο", "😀", "✓ ok", "한국어",
        "—", "naïve café",
    ];
    (0..6).map(|_| pick(&PARTS, random).copied().unwrap_or_default()).collect::<Vec<_>>().join(" ")
}

fn pick<'l, T>(list: &'l [T], random: &mut Random) -> Option<&'l T> {
    list.get(random.below(list.len()))
}

/// Numbers that depend on the seed only: `SplitMix64`.
#[derive(Clone, Copy, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A number whose logarithm is spread evenly. Whole steps of a power of two and even steps within one: exact on
    /// every machine, which a logarithm of the system's library is not.
    fn between(&mut self, least: f64, most: f64) -> usize {
        let mut top = least;
        let mut steps = 0;
        while top * 2.0 <= most {
            top *= 2.0;
            steps += 1;
        }
        let scale = (0..self.below(steps + 1)).fold(least, |scale, _| scale * 2.0);
        let within = self.below(1 << 16) as f64 / f64::from(1 << 16);
        (scale * (1.0 + within)).min(most) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_sessions_and_each_is_read() {
        let (mut one, mut two, mut other) = (Sessions::of(1), Sessions::of(1), Sessions::of(2));
        let mut differ = false;
        for _ in 0..12 {
            let (spelling, text) = one.next_session();
            assert_eq!((spelling, &text), (two.next_session().0, &text));
            differ |= other.next_session().1 != text;
            let session =
                ebbline::SessionText::read(&*text).unwrap_or_else(|error| panic!("{spelling}: {error}"));
            assert_eq!(session.format().name(), format_of(spelling));
        }
        assert!(differ);
    }

    #[test]
    fn a_corpus_has_the_size_that_was_asked_for() {
        let folder = std::env::temp_dir().join(format!("ebbline-corpus-{}", std::process::id()));
        let written = write(&folder, 300_000, 1).unwrap();
        assert!(written.bytes >= 300_000 && written.files > 0, "{written:?}");
        let there = fs::read_dir(folder.join("0000")).unwrap().count();
        assert_eq!(there, written.files);
        fs::remove_dir_all(folder).unwrap();
    }
}
