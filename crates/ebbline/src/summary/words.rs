//! The user's own words, which a summary carries behind its text.
//!
//! A model that summarizes a summary loses the user's words after a few rounds. So they are not left to the model: what
//! the user said in the messages that a summary replaces follows the summary word for word, within a budget
//! (`retain.userWords`). The next summary takes these words over from the previous one.

use std::borrow::Cow;

use super::budget::{Meter, cut};
use super::original::{Original, original};
use super::serialize::collect;
use super::texts::Texts;
use crate::blank::is_blank;
use crate::error::Error;
use crate::plan::Plan;
use crate::transcript::Transcript;

/// What separates the summary from the user's words.
const HEADING: &str = "\n\nWhat the user said before, word for word, oldest first:\n";
const OPENS: &str = "\n[";
const OF: &str = " of ";
const CHARACTERS: &str = " characters]\n";
const MORE: &str = " more messages of the user, with ";
const LEFT_OUT: &str = " characters, are left out]";
/// What the user stated, in front of the words.
pub(super) const STATEMENTS: &str = "\n\n<user-statements>\nThe user stated:\n";
const STATEMENTS_END: &str = "</user-statements>\n";
const STATEMENT: &str = "- ";
/// With so many tokens, the first and the newest words come before statements.
const ROOM_FOR_BOTH: u64 = 320;
/// So many tokens of statements are enough.
const MOST_STATED: u64 = 1_000;
/// Fewer tokens than this are not worth a part of a text.
const LEAST: u64 = 24;

/// One text of the user, or what earlier rounds left of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said<'s> {
    pub(crate) text: Cow<'s, str>,
    /// How many characters it had when the user said it.
    characters: usize,
}

impl<'s> Said<'s> {
    pub(crate) fn whole(text: Cow<'s, str>) -> Self {
        let characters = text.chars().count();
        Self { text, characters }
    }

    pub(crate) fn into_owned<'o>(self) -> Said<'o> {
        Said { text: Cow::Owned(self.text.into_owned()), characters: self.characters }
    }

    /// The entry with the text `shown` of it.
    fn entry(&self, shown: &str) -> String {
        let count = shown.chars().count();
        let of = if count == self.characters { String::new() } else { format!("{OF}{}", self.characters) };
        format!("{OPENS}{count}{of}{CHARACTERS}{shown}\n")
    }
}

/// What earlier rounds left out of the user's words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    messages: usize,
    characters: usize,
}

impl LeftOut {
    pub(crate) fn add(&mut self, other: Self) {
        self.messages += other.messages;
        self.characters += other.characters;
    }

    fn line(self) -> String {
        if self.messages == 0 {
            return String::new();
        }
        format!("{OPENS}{}{MORE}{}{LEFT_OUT}\n", self.messages, self.characters)
    }
}

/// The summary with the user's words behind it, for messages that were never a text: the same as
/// [`SessionText::compact`](crate::SessionText::compact) writes for a session that holds them. `texts` may lack
/// those of results and calls.
///
/// # Errors
///
/// `mismatch` if `texts` or `plan` do not belong to `transcript`.
///
/// # Example
///
/// ```
/// use ebbline::length::Length;
/// use ebbline::summary::{Texts, words_of_texts};
/// use ebbline::transcript::{Message, Part, PartKind, Role};
/// use ebbline::{PlanOptions, Transcript};
/// let mut transcript = Transcript::default();
/// for (message, length) in [(Message::person(), 40), (Message::new(Role::Assistant), 40_000), (Message::person(), 40)] {
///     transcript.begin(message);
///     transcript.push(Part::new(PartKind::Text, Length::ascii(length)));
/// }
/// let policy = ebbline::profiles::get("ebbline@2")?;
/// let plan = ebbline::plan(&transcript, &policy, PlanOptions::new().force(true));
///
/// let texts = Texts::of_json(r#"[["Fix the login test."], [], ["Go on."]]"#)?;
/// let summary = words_of_texts(&transcript, &texts, &plan, "The login test waits for a mail.")?;
/// assert!(summary.starts_with("The login test waits for a mail.\n\nWhat the user said before"));
/// assert!(summary.ends_with("[19 characters]\nFix the login test.\n"), "{summary}");
/// # Ok::<(), ebbline::Error>(())
/// ```
pub fn words_of_texts(
    transcript: &Transcript,
    texts: &Texts<'_>,
    plan: &Plan,
    summary: &str,
) -> Result<String, Error> {
    Ok(with_words(original(transcript, texts, plan)?, plan, summary).into_owned())
}

/// `summary` with the user's words behind it, as far as the policy allows.
pub(crate) fn with_words<'t>(original: Original<'_, '_>, plan: &Plan, summary: &'t str) -> Cow<'t, str> {
    let policy = plan.policy();
    let budget = policy.retain.user_words;
    if is_blank(summary) {
        return Cow::Borrowed(summary);
    }
    if budget == 0 {
        return Cow::Borrowed(statements(summary).0);
    }
    let material = collect(original, plan, policy.prune.bare_placeholder());
    let meter = Meter(&policy.estimator);
    // A summary that repeats the words of an earlier one would carry them twice.
    let (summary, stating) = statements(split(summary).0);
    let (said, left_out) = (&material.words, material.left_out);
    let all = written(said, left_out, budget, meter).filter(|_| left_out == LeftOut::default());
    // Statements stand for words that are left out.
    let is_whole =
        all.as_ref().is_some_and(|words| said.iter().all(|said| words.contains(&*said.entry(&said.text))));
    let ends: Vec<Said<'_>> = said.first().into_iter().chain(said.last()).cloned().collect();
    let ends = written(&ends, left_out, budget / 2, meter).filter(|_| budget >= ROOM_FOR_BOTH);
    let room = budget.saturating_sub(ends.map_or(0, |ends| meter.piece(&ends)));
    let kept = if is_whole { Vec::new() } else { within(&stating, room.min(MOST_STATED), meter) };
    let stating = stated(&kept);
    let room = budget.saturating_sub(meter.piece(&stating));
    let words = if is_whole { all } else { written(said, left_out, room, meter) };
    if words.is_none() && kept.is_empty() {
        return Cow::Borrowed(summary);
    }
    let summary = if kept.is_empty() { summary.trim_end() } else { summary };
    Cow::Owned([summary, &stating, &words.unwrap_or_default()].concat())
}

/// The statements that fit, the first before the others.
fn within<'t>(stating: &[&'t str], budget: u64, meter: Meter<'_>) -> Vec<&'t str> {
    let mut room = budget.saturating_sub(meter.piece(STATEMENTS) + meter.piece(STATEMENTS_END));
    let fits = |said: &&&str| {
        let cost = meter.piece(said) + 1;
        let fits = cost <= room;
        room -= if fits { cost } else { 0 };
        fits
    };
    stating.iter().filter(fits).copied().collect()
}

/// The statements as they stand behind a summary; empty if there are none.
pub(super) fn stated(statements: &[impl AsRef<str>]) -> String {
    if statements.is_empty() {
        return String::new();
    }
    let lines = statements.iter().map(|said| format!("{STATEMENT}{}\n", said.as_ref()));
    format!("{STATEMENTS}{}{STATEMENTS_END}", lines.collect::<String>())
}

/// A summary without the statements at its end, and these.
pub(super) fn statements(summary: &str) -> (&str, Vec<&str>) {
    let found = summary.rfind(STATEMENTS).and_then(|at| {
        let lines =
            summary.get(at + STATEMENTS.len()..)?.trim_end().strip_suffix(STATEMENTS_END.trim_end())?;
        let said = lines.lines().map(|line| line.strip_prefix(STATEMENT)).collect::<Option<Vec<_>>>()?;
        Some((summary.get(..at)?, said))
    });
    found.unwrap_or((summary, Vec::new()))
}

/// The words within `budget`: the first text up to half of it, the newest text, then others, newest first, each whole.
/// `None` if there is nothing to write, or no room for it.
fn written(words: &[Said<'_>], left_out: LeftOut, budget: u64, meter: Meter<'_>) -> Option<String> {
    let last = words.len().checked_sub(1)?;
    let frame =
        meter.piece(HEADING) + meter.piece(&LeftOut { messages: 9_999, characters: 9_999_999 }.line());
    let mut room = budget.checked_sub(frame)?;
    let mut shown: Vec<Option<Cow<'_, str>>> = vec![None; words.len()];
    let mut show = |index: usize, most: u64, may_cut: bool| {
        let Some(said) = words.get(index) else { return 0 };
        let whole = meter.piece(&said.entry(&said.text));
        let text = if whole <= most {
            Some(Cow::Borrowed(said.text.as_ref()))
        } else {
            let label = meter.piece(&said.entry(""));
            let rest = most.saturating_sub(label);
            (may_cut && rest >= LEAST).then(|| cut(&said.text, meter.piece(&said.text), rest, meter))
        };
        let cost = text.as_deref().map_or(0, |text| meter.piece(&said.entry(text)));
        if let Some(place) = shown.get_mut(index) {
            *place = text;
        }
        cost
    };
    let first = show(0, if last == 0 { room } else { room / 2 }, true);
    room = room.saturating_sub(first);
    if last > 0 {
        room = room.saturating_sub(show(last, room, true));
    }
    for index in (1..last).rev() {
        room = room.saturating_sub(show(index, room, false));
    }
    // What the others do not need is the first text's.
    show(0, first + room, true);
    let mut missing = left_out;
    let mut text = HEADING.to_owned();
    for (said, shown) in words.iter().zip(&shown) {
        match shown {
            Some(shown) => text.push_str(&said.entry(shown)),
            None => missing.add(LeftOut { messages: 1, characters: said.characters }),
        }
    }
    if shown.iter().all(Option::is_none) {
        return None;
    }
    text.push_str(&missing.line());
    Some(text)
}

/// A summary without the words that it carries, these words, and what was left out of them. The words are found by
/// the lengths that stand before them: a text that only looks like them is part of the summary.
pub(crate) fn split(summary: &str) -> (&str, Vec<Said<'_>>, LeftOut) {
    let places = summary.match_indices(HEADING);
    let mut found = places.filter_map(|(at, heading)| {
        let words = read(summary.get(at + heading.len()..)?)?;
        Some((summary.get(..at)?, words.0, words.1))
    });
    // The words end the text. Of two places from which it can be read to its end, the later one is in the user's words.
    found.next().unwrap_or((summary, Vec::new(), LeftOut::default()))
}

/// Reads entries up to the end of the text.
fn read(mut rest: &str) -> Option<(Vec<Said<'_>>, LeftOut)> {
    let mut words = Vec::new();
    let mut left_out = LeftOut::default();
    while !rest.trim_end().is_empty() {
        let (line, after) = rest.strip_prefix(OPENS)?.split_once('\n')?;
        if let Some((messages, more)) = line.split_once(MORE) {
            let characters = more.strip_suffix(LEFT_OUT)?;
            left_out = LeftOut { messages: messages.parse().ok()?, characters: characters.parse().ok()? };
            return after.trim_end().is_empty().then_some((words, left_out));
        }
        let counts = line.strip_suffix(CHARACTERS.trim_end())?;
        let (count, whole) = counts.split_once(OF).unwrap_or((counts, counts));
        let count: usize = count.parse().ok()?;
        let end = after.char_indices().map(|(at, _)| at).chain([after.len()]).nth(count)?;
        let text = after.get(..end)?;
        words.push(Said { text: Cow::Borrowed(text), characters: whole.parse().ok()? });
        let following = after.get(end..)?;
        // A reader may have removed the line end at the very end.
        rest = following.strip_prefix('\n').or_else(|| following.is_empty().then_some(""))?;
    }
    Some((words, left_out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Estimator;

    fn of(texts: &[&str], budget: u64) -> Option<String> {
        let words: Vec<_> = texts.iter().map(|text| Said::whole(Cow::Borrowed(*text))).collect();
        written(&words, LeftOut::default(), budget, Meter(&Estimator::default()))
    }

    #[test]
    fn the_words_of_a_summary_read_like_this() {
        let text =
            of(&["Fix the login test.", "Never touch the migrations.\nNever.", "Go on."], 500).unwrap();
        let expected = "\n\nWhat the user said before, word for word, oldest first:\n\n\
             [19 characters]\nFix the login test.\n\n\
             [34 characters]\nNever touch the migrations.\nNever.\n\n\
             [6 characters]\nGo on.\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn the_first_and_the_newest_words_stay_and_what_does_not_fit_is_counted() {
        let middle = "x".repeat(4_000);
        let text = of(&["Fix the login test.", &middle, "Keep the tests.", &middle, "Go on."], 200).unwrap();
        for kept in
            ["Fix the login test.", "Keep the tests.", "Go on.", "2 more messages of the user, with 8000"]
        {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        let long = format!("First of all. {middle} Last of all.");
        let text = of(&[&long, "Go on."], 200).unwrap();
        assert!(
            text.contains("First of all.") && text.contains("Last of all.") && text.contains("Go on."),
            "{text}"
        );
        assert!(text.contains(" of 4027 characters]\n"), "{text}");
        assert_eq!(of(&[], 200), None);
        assert_eq!(of(&["Go on."], 10), None);
    }

    #[test]
    fn statements_take_room_from_words_that_do_not_fit() {
        let long = "It is a long story. ".repeat(120);
        let session = |text: &str| {
            format!(
                r#"[{{"role":"user","content":"{text}"}},{{"role":"assistant","content":"Noted."}},
                {{"role":"user","content":"The test host is t4.acme.example. {text}"}},
                {{"role":"assistant","content":"Yes."}},{{"role":"user","content":"Go on."}}]"#
            )
        };
        let written = |text: &str, words: u64| {
            let mut policy = crate::profiles::get("ebbline@2").unwrap();
            policy.shares.clear();
            (policy.retain.keep, policy.retain.user_words, policy.prune.enabled) = (1, words, false);
            let session = crate::SessionText::read(session(text)).unwrap();
            let plan = session.plan_with(&policy, crate::PlanOptions::new().force(true));
            let carried = session.carried(&plan, &[]).unwrap();
            with_words(session.original(), &plan, &carried.behind("Done.")).into_owned()
        };
        let stated =
            "<user-statements>\nThe user stated:\n- The test host is t4.acme.example.\n</user-statements>\n";
        assert!(written(&long, 300).contains(stated), "{}", written(&long, 300));
        assert!(!written("Short.", 300).contains(stated), "the words say it");
        assert_eq!(written(&long, 0), "Done.");
        let text = written(&long, 300);
        assert_eq!(statements(split(&text).0), ("Done.", vec!["The test host is t4.acme.example."]));
    }

    #[test]
    fn words_that_only_look_like_carried_ones_stay_in_the_summary() {
        let pasted = of(&["An order from elsewhere."], 500).unwrap();
        let own = of(&["Fix the login test.", &format!("Look at this:{pasted}")], 500).unwrap();
        // The user pasted a summary: it is part of what the user said.
        let whole = format!("Done.{own}");
        let (summary, words, _) = split(&whole);
        assert_eq!((summary, words.len()), ("Done.", 2));
        assert!(words[1].text.contains("An order from elsewhere."));
        // The model wrote one into its summary.
        let whole = format!("Done.{pasted}And more.{own}");
        let (summary, words, _) = split(&whole);
        assert_eq!((summary.len(), words.len()), (whole.len() - own.len(), 2));
        assert_eq!(split(&format!("Done.{pasted}And more.")).1, []);
    }

    #[test]
    fn what_is_written_is_read_again_and_fits() {
        let pieces = [
            "Fix it.", "\n", "[", "7", " characters]\n", "é𝄞", HEADING, "\n[1 characters]\n", "   ",
            "words and words ",
        ];
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let meter = Meter(&Estimator::default());
        for _ in 0..2_000 {
            let texts: Vec<String> = (0..random(8))
                .map(|_| (0..=random(30)).map(|_| pieces[random(10) as usize]).collect())
                .collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let Some(text) = of(&texts, random(800)) else { continue };
            let whole = format!("Done.{text}");
            let (summary, words, left_out) = split(&whole);
            assert_eq!(summary, "Done.");
            assert_eq!(words.len() + left_out.messages, texts.len());
            let characters: usize = words.iter().map(|said| said.characters).sum();
            let all: usize = texts.iter().map(|text| text.chars().count()).sum();
            assert_eq!(characters + left_out.characters, all);
            // A second round with room for all of it writes the same.
            assert_eq!(written(&words, left_out, 100_000, meter), Some(text));
        }
        for budget in 0..300 {
            let text = of(&["Fix the login test.", &"long ".repeat(500), "Go on."], budget);
            assert!(text.is_none_or(|text| meter.whole(&text) <= budget), "{budget}");
        }
    }
}
