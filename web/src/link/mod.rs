//! The link that restores what is on screen, but for the text of the session.
//!
//! `1.` and the words of the state in base64url. The number is the version: a link of an earlier one is read through the
//! migrations, one for each step. Words that this version does not know are ignored, so that later ones can add some.

mod base64url;
#[cfg(test)]
mod pasting;
pub mod sealed;

use ebbline::Policy;

use crate::saved;
use crate::sheet::Which;

/// A step from one version's words to the next one's.
type Migration = fn(&str) -> String;

/// `MIGRATIONS[version - 1]` turns the words of `version` into those of the version after it. There has been one version
/// so far.
const MIGRATIONS: &[Migration] = &[];

/// In front of the words of the policy that writes the history.
const FROM: char = '\n';

/// Which session a link was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// A sample, by its name.
    Sample(String),
    /// A file, by its fingerprint.
    File(u64),
    /// None that could be recognized again.
    Unknown,
}

/// What is open beside the session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The step of the lesson, from 1; 0 without a lesson.
    pub lesson: u32,
    /// Whether two policies are compared.
    pub comparing: bool,
    /// The sheet in front of the page.
    pub sheet: Option<Which>,
}

/// A place in a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The moment; `None` for where the session opens.
    pub moment: Option<Moment>,
    /// The message that is selected.
    pub message: Option<u32>,
    /// What is open beside it.
    pub view: View,
}

/// A moment of a session's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A request, from 0.
    Request(u32),
    /// The session as its file holds it.
    End,
}

/// Everything that a link holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Linked {
    /// The knobs, with the window that the user chose.
    pub policy: Policy,
    /// Whether compaction is forced.
    pub force: bool,
    /// The policy that writes the history, where it is another one.
    pub history: Option<Policy>,
    /// Whether a smaller window may be chosen for a session that does not fill the policy's.
    pub fitted: bool,
    /// The place.
    pub place: Place,
    /// The session.
    pub of: Of,
    /// What its file is, by which people know which one to open: `OpenAI Chat · 41 messages`. Its name may be a secret.
    pub file: String,
}

/// Why a link cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Something is missing, or has been changed.
    Damaged,
    /// A later version of the page has written it.
    Newer,
    /// Its policy is based on a profile that does not exist.
    UnknownProfile,
}

impl Fault {
    /// What the page says.
    pub fn sentence(self) -> String {
        let what = match self {
            Self::Damaged => "The link is damaged, or a part of it is missing",
            Self::Newer => "The link was made by a newer version of this page",
            Self::UnknownProfile => "The link names a profile that this page does not have",
        };
        format!("{what}. The page shows your own settings instead.")
    }
}

impl Linked {
    /// The settings alone, as words: two links with the same settings have the same.
    pub fn settings(&self) -> String {
        let mut words = saved::write(&self.policy, self.force);
        words.push_str(&added_tools(&self.policy));
        words
    }

    fn words(&self) -> String {
        let mut words = self.settings();
        match self.place.moment {
            Some(Moment::Request(request)) => words += &format!(" at={request}"),
            Some(Moment::End) => words += " end",
            None => {}
        }
        if let Some(message) = self.place.message {
            words += &format!(" message={message}");
        }
        if self.fitted {
            words += " fit";
        }
        let View { lesson, comparing, sheet } = self.place.view;
        if lesson > 0 {
            words += &format!(" lesson={lesson}");
        }
        if comparing {
            words += " compare";
        }
        if let Some(sheet) = sheet {
            words += &format!(" sheet={}", sheet.id());
        }
        match &self.of {
            Of::Sample(name) => words += &format!(" sample={}", escaped(name)),
            Of::File(fingerprint) => {
                words += &format!(" file={fingerprint}");
                if !self.file.is_empty() {
                    words += &format!(" like={}", escaped(&self.file));
                }
            }
            Of::Unknown => {}
        }
        if let Some(history) = &self.history {
            words.push(FROM);
            words += &saved::write(history, false);
            words += &added_tools(history);
        }
        words
    }

    /// The link, without the `#`.
    pub fn write(&self) -> String {
        let mut words = self.words();
        loop {
            let link = format!("1.{}", sealed::seal(words.as_bytes()));
            // Programs that find addresses in a text do not count such marks at the end as a part of them.
            if link.ends_with(|letter: char| letter.is_ascii_alphanumeric()) {
                return link;
            }
            words.push(' ');
        }
    }

    /// Reads a link, without the `#`.
    pub fn read(link: &str) -> Result<Self, Fault> {
        let words = words_of(link, MIGRATIONS)?;
        let (own, history) = match words.split_once(FROM) {
            Some((own, history)) => (own, Some(history)),
            None => (words.as_str(), None),
        };
        let (policy, force) = settings_of(own)?;
        let history = history.map(settings_of).transpose()?.map(|(policy, _)| policy);
        let (place, file) = (Place::default(), String::new());
        let mut linked = Self { policy, force, history, fitted: false, place, of: Of::Unknown, file };
        for word in own.split(' ') {
            match word.split_once('=') {
                Some(("at", number)) => linked.place.moment = number.parse().ok().map(Moment::Request),
                Some(("message", number)) => linked.place.message = number.parse().ok(),
                Some(("lesson", step)) => linked.place.view.lesson = step.parse().unwrap_or_default(),
                Some(("sheet", id)) => {
                    linked.place.view.sheet = Which::ALL.into_iter().find(|sheet| sheet.id() == id);
                }
                Some(("sample", name)) => linked.of = Of::Sample(unescaped(name)),
                Some(("like", file)) => linked.file = unescaped(file),
                Some(("file", fingerprint)) => {
                    linked.of = fingerprint.parse().map_or(Of::Unknown, Of::File);
                }
                None if word == "end" => linked.place.moment = Some(Moment::End),
                None if word == "fit" => linked.fitted = true,
                None if word == "compare" => linked.place.view.comparing = true,
                _ => {}
            }
        }
        Ok(linked)
    }

    /// The same without the session that is on screen: for its shape, which a link holds beside it.
    pub fn without_session(&self) -> Self {
        Self { of: Of::Unknown, file: String::new(), ..self.clone() }
    }

    /// What is said where its file is not there; empty if it was made with none.
    pub fn wants(&self) -> String {
        if !matches!(self.of, Of::File(_)) {
            return String::new();
        }
        let like = if self.file.is_empty() { String::new() } else { format!(" ({})", self.file) };
        format!(
            "This link was made with a file{like}, which is not in it. The settings are those of the link; open or drop the same file \
             to get to its place."
        )
    }

    /// What the link holds, as sentences for whoever gives it away.
    pub fn says(&self) -> String {
        let session = match &self.of {
            Of::Sample(_) => "which sample is shown",
            Of::File(_) => {
                "the format of your file with a checksum by which your file is recognized when it is opened again"
            }
            Of::Unknown => "the selected message",
        };
        let is_plain = added_tools(&self.policy).is_empty();
        let names = if is_plain { "" } else { ", the names of the tools that you added" };
        format!(
            "The link holds the settings{names}, the moment, what is open and {session}. No text of the session is in it, and nothing is sent \
             anywhere until you pass it on."
        )
    }
}

/// The part of what stands behind `#` that can be a link: without the marks and brackets behind it that some programs take
/// for a part of the address.
pub fn plain_part(hash: &str) -> &str {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let end = hash.find(|letter| !is_plain(letter)).unwrap_or(hash.len());
    hash.get(..end).unwrap_or_default()
}

/// Whether the part of an address behind `#` is a link of this kind.
pub fn is_link(hash: &str) -> bool {
    hash.split_once('.')
        .is_some_and(|(version, _)| !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The words of a link in the newest version.
fn words_of(link: &str, migrations: &[Migration]) -> Result<String, Fault> {
    let (version, sealed) = link.split_once('.').ok_or(Fault::Damaged)?;
    let version: usize = version.parse().map_err(|_| Fault::Damaged)?;
    if version > migrations.len() + 1 {
        return Err(Fault::Newer);
    }
    // A full stop that ends the sentence around the link is no part of it.
    let bytes = sealed::open(sealed.trim_end_matches('.')).ok_or(Fault::Damaged)?;
    let mut words = String::from_utf8(bytes).map_err(|_| Fault::Damaged)?;
    for migrate in migrations.get(version.checked_sub(1).ok_or(Fault::Damaged)?..).unwrap_or_default() {
        words = migrate(&words);
    }
    Ok(words)
}

fn settings_of(words: &str) -> Result<(Policy, bool), Fault> {
    let (mut policy, force) = saved::parse(words).ok_or(Fault::UnknownProfile)?;
    for word in words.split(' ') {
        if let Some(tool) = word.strip_prefix("add=").map(unescaped) {
            crate::knob::change(&mut policy, |policy| {
                if !policy.prune.protected_tools.contains(&tool) {
                    policy.prune.protected_tools.push(tool);
                }
            });
        }
    }
    Ok((policy, force))
}

/// The tools that the user protects and the profile does not: saved settings do not have them, because their names come
/// from a session.
fn added_tools(policy: &Policy) -> String {
    let base = crate::knob::preset(policy);
    let tools = policy.prune.protected_tools.iter();
    let added = tools.filter(|tool| !base.prune.protected_tools.contains(tool));
    added.map(|tool| " add=".to_owned() + &escaped(tool)).collect()
}

/// The characters that separate words, and what stands for them.
const ESCAPES: [(char, char); 3] = [(' ', 's'), ('\n', 'n'), ('~', 't')];

/// A name without the characters that separate words.
fn escaped(name: &str) -> String {
    let mut escaped = String::new();
    for letter in name.chars() {
        match ESCAPES.iter().find(|(of, _)| *of == letter) {
            Some((_, by)) => escaped.extend(['~', *by]),
            None => escaped.push(letter),
        }
    }
    escaped
}

fn unescaped(name: &str) -> String {
    let mut text = String::new();
    let mut letters = name.chars();
    while let Some(letter) = letters.next() {
        let by = if letter == '~' { letters.next() } else { None };
        let found = ESCAPES.iter().find(|(_, of)| Some(*of) == by);
        text.push(found.map_or(letter, |(of, _)| *of));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::random_policies;
    use crate::knob::Knob;

    /// 500 states, the same in every run.
    pub(super) fn random_states() -> impl Iterator<Item = Linked> {
        let mut state = 5_u64;
        let mut next = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let policies: Vec<Policy> = random_policies(1_000).collect();
        (0..500).map(move |at| Linked {
            policy: policies[at * 2].clone(),
            force: next(2) == 0,
            history: (next(3) == 0).then(|| policies[at * 2 + 1].clone()),
            fitted: next(4) == 0,
            place: Place {
                moment: match next(3) {
                    0 => None,
                    1 => Some(Moment::End),
                    _ => Some(Moment::Request(next(100_000) as u32)),
                },
                message: (next(4) != 0).then(|| next(1_000_000) as u32),
                view: View {
                    lesson: next(9) as u32,
                    comparing: next(2) == 0,
                    sheet: Which::ALL.get(next(16) as usize).copied(),
                },
            },
            of: match next(3) {
                0 => Of::Unknown,
                1 => Of::File(next(u64::MAX >> 33) << 20),
                _ => Of::Sample("bug-hunt".to_owned()),
            },
            file: String::new(),
        })
    }

    #[test]
    fn five_hundred_states_come_back() {
        for state in random_states() {
            let link = state.write();
            assert!(is_link(&link));
            assert!(
                link.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')),
                "{link}"
            );
            assert_eq!(Linked::read(&link), Ok(state), "{link}");
        }
    }

    #[test]
    fn usual_links_are_short() {
        let mut policy = ebbline::profiles::ALL[0].policy();
        let place = Place { moment: Some(Moment::Request(41)), message: Some(58), ..Place::default() };
        let of = Of::Sample("bug-hunt".to_owned());
        let mut state = Linked {
            policy: policy.clone(),
            force: false,
            history: None,
            fitted: false,
            place,
            of,
            file: String::new(),
        };
        assert!(state.write().len() <= 70, "{}", state.write());
        Knob::Protect.set(&mut policy, 30_000);
        Knob::Keep.set(&mut policy, 12_000);
        state.policy = policy;
        assert!(state.write().len() <= 120, "{}", state.write());
    }

    /// Links that have been given away: they must be read for ever.
    #[test]
    fn links_of_the_first_version_keep_loading() {
        let plain = Linked::read("1._jxlYmJsaW5lQDI").unwrap();
        assert_eq!(plain.policy.profile, "ebbline@2");
        let full = Linked::read(
            "1.zolvcGVuY29kZUAyMDI2LTAxIHByb3RlY3Q9MzAwMDAgZm9yY2UgYXQ9NDEgbWVzc2FnZT01OCBmaXQgc2FtcGxlPWJ1Zy1odW50CnBpQDEuNQ",
        ).unwrap();
        assert_eq!(full.policy.profile, "opencode@2026-01*");
        assert_eq!((full.policy.prune.protect, full.force, full.fitted), (30_000, true, true));
        assert_eq!(
            full.place,
            Place { moment: Some(Moment::Request(41)), message: Some(58), ..Place::default() }
        );
        assert_eq!(full.of, Of::Sample("bug-hunt".to_owned()));
        assert_eq!(full.history.unwrap().profile, "pi@1.5");
    }

    #[test]
    fn every_version_is_read_through_its_migrations() {
        let to_second: Migration = |words| words.replace("moment=", "at=");
        let to_third: Migration = |words| format!("{words} lesson=1");
        let migrations = [to_second, to_third];
        let sealed = sealed::seal(b"ebbline@2 moment=4");
        let read = |version: &str| words_of(&format!("{version}.{sealed}"), &migrations);
        assert_eq!(read("1").unwrap(), "ebbline@2 at=4 lesson=1");
        assert_eq!(read("2").unwrap(), "ebbline@2 moment=4 lesson=1");
        assert_eq!(read("3").unwrap(), "ebbline@2 moment=4");
        assert_eq!((read("4"), read("0")), (Err(Fault::Newer), Err(Fault::Damaged)));
        // The lesson and what is open beside the session came later than the first links.
        let view = format!("1.{}", sealed::seal(b"ebbline@2 at=7 lesson=4 compare sheet=frontier"));
        let expected = View { lesson: 4, comparing: true, sheet: Some(Which::Frontier) };
        assert_eq!(Linked::read(&view).unwrap().place.view, expected);
        // Words of a later page are no reason to refuse a link.
        let later = format!("1.{}", sealed::seal(b"ebbline@2 sheet=other view=wide at=7"));
        assert_eq!(Linked::read(&later).unwrap().place.moment, Some(Moment::Request(7)));
    }

    #[test]
    fn bad_links_say_what_they_are() {
        let link = random_states().next().unwrap().write();
        for end in 0..link.len() {
            assert!(Linked::read(&link[..end]).is_err(), "{end}");
        }
        assert_eq!(Linked::read("2.AAAA"), Err(Fault::Newer));
        assert_eq!(Linked::read("99.what"), Err(Fault::Newer));
        let gone = format!("1.{}", sealed::seal(b"gone@1 keep=3"));
        assert_eq!(Linked::read(&gone), Err(Fault::UnknownProfile));
        assert_eq!(Linked::read(&format!("1.{}", sealed::seal(&[0xff, 0xfe]))), Err(Fault::Damaged));
        for fault in [Fault::Damaged, Fault::Newer, Fault::UnknownProfile] {
            assert!(fault.sentence().ends_with("your own settings instead."));
        }
        for hash in ["", "lesson=4", "main", "s1.AAAA", ".x", "1"] {
            assert!(!is_link(hash), "{hash}");
        }
    }

    #[test]
    fn a_link_says_what_it_holds() {
        let state = |of: Of| Linked {
            policy: ebbline::profiles::ALL[0].policy(),
            force: false,
            history: None,
            fitted: false,
            place: Place::default(),
            of,
            file: String::new(),
        };
        let mut of_file = state(Of::File(1));
        assert!(of_file.wants().starts_with("This link was made with a file, which is not in it."));
        of_file.file = "OpenAI Chat · 41 messages".to_owned();
        assert!(
            of_file.wants().starts_with("This link was made with a file (OpenAI Chat · 41 messages), which")
        );
        assert_eq!(Linked::read(&of_file.write()), Ok(of_file));
        assert_eq!(state(Of::Unknown).wants(), "");
        assert_eq!(
            state(Of::File(1)).says(),
            "The link holds the settings, the moment, what is open and the format of your file with a checksum by which your file is recognized when it is opened again. \
             No text of the session is in it, and nothing is sent anywhere until you pass it on."
        );
        let mut added = state(Of::Sample("a".to_owned()));
        added.policy.prune.protected_tools.push("grep".to_owned());
        assert!(added.says().contains("the names of the tools that you added"), "{}", added.says());
    }
}
