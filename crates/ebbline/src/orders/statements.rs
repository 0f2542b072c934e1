//! What the user stated: facts with a value, decisions, rules for things, preferences and where the work stands. Nothing is ordered by
//! it, so that a wrong one only takes room; a summary carries the user's own sentence where there is no room for all that was said.

use super::ban::begins_at;
use super::prose::LONGEST;
use super::sentence::{Heard, Said, joined};
use super::signs::may_be_rule;
use super::speech::{is, narrates, say_any};
use super::subject::Subject;
use super::terms::{ASKING, BINDING, PREFERRING, STANDING};
use super::turns::Turn;

/// So many statements are kept at most: the newest.
const MOST: usize = 64;
/// A longer sentence tells something, a shorter one says nothing by itself.
const WORDS: std::ops::RangeInclusive<usize> = 3..=34;
/// A message of more bytes is no talk.
const LONG: usize = 4_000;

/// A sentence in which the user stated something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The message that it is of, as the caller counts messages.
    pub(crate) message: usize,
    pub(crate) sentence: String,
    subject: Subject,
}

/// The statements that hold, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statements {
    all: Vec<Statement>,
}

impl Statements {
    /// Takes in what the user said.
    pub(crate) fn add(&mut self, message: usize, heard: &Heard<'_>) {
        if heard.own.len() > LONG {
            return;
        }
        for said in heard.said.iter().filter(|said| is_stated(said)) {
            self.give(message, said.text.clone());
        }
    }

    /// Takes in a statement that an earlier summary hands on.
    pub(crate) fn keep(&mut self, message: usize, sentence: &str) {
        let end = sentence.floor_char_boundary(LONGEST);
        self.give(message, joined(sentence.get(..end).unwrap_or_default()));
    }

    /// Takes in an order: what is said otherwise by it no longer holds.
    pub(crate) fn ordered(&mut self, sentence: &str) {
        let subject = Subject::of(sentence);
        self.all.retain(|old| !old.subject.is_replaced_by(&subject));
    }

    fn give(&mut self, message: usize, sentence: String) {
        let subject = Subject::of(&sentence);
        self.all.retain(|old| old.sentence != sentence && !old.subject.is_replaced_by(&subject));
        self.all.push(Statement { message, sentence, subject });
        if self.all.len() > MOST {
            self.all.remove(0);
        }
    }

    /// The statements that hold.
    pub(crate) fn all(&self) -> &[Statement] {
        &self.all
    }

    /// Whether a later statement says otherwise than `order`, which the message `message` gave.
    pub(crate) fn replace(&self, order: &str, message: usize) -> bool {
        let subject = Subject::of(order);
        self.all.iter().any(|newer| newer.message > message && subject.is_replaced_by(&newer.subject))
    }
}

/// "Only Kim may deploy": elsewhere it says that something is less than one thinks.
const ONLY: &[&str] = &["only", "nur", "solo", "seulement"];

/// Whether the sentence states something.
fn is_stated(said: &Said<'_>) -> bool {
    let words = &said.words;
    if !WORDS.contains(&words.len())
        || said.turn == Some(Turn::Revokes)
        || narrates(words)
        || !may_be_rule(words, said.sentence.text)
    {
        return false;
    }
    let opens = |at: usize| is(words, at, ONLY) && begins_at(words, at);
    let binds = say_any(words, BINDING) || (0..words.len()).any(opens);
    let subject = Subject::of(&said.text);
    let is_plain = binds || said.sign.is_some() || say_any(words, STANDING) || subject.is_single();
    // "Update: the date moved" asks for nothing.
    let is_labelled = words.get(1).is_some_and(|second| second.begins);
    let is_asked = || said.requests && !is_labelled || say_any(words, ASKING);
    is_plain || !is_asked() && (say_any(words, PREFERRING) || subject.has_values())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(said: &[&str]) -> Vec<String> {
        let mut statements = Statements::default();
        for (at, text) in said.iter().enumerate() {
            statements.add(at, &Heard::of(text));
        }
        statements.all.into_iter().map(|it| it.sentence).collect()
    }

    #[test]
    fn what_the_user_states_is_kept_in_six_languages() {
        for said in [
            "Our staging broker is mq7.acme.example.",
            "The invoice for the hosting was 312 € in March 14.",
            "Marta Lindqvist signs off on the schema.",
            "The incident number is INC-20931.",
            "Only Marta may drop tables.",
            "Guests must wear badges in the lab.",
            "We decided against GraphQL.",
            "Next step is the rollback plan.",
            "My boss prefers one slide over ten.",
            "Die Testdatenbank läuft auf db3.intern.example.",
            "Wir haben beschlossen, bei REST zu bleiben.",
            "Kunden dürfen nicht auf den Server.",
            "El entorno de pruebas está en pruebas.acme.example.",
            "El siguiente paso es migrar los usuarios.",
            "Le serveur de test est test4.acme.example.",
            "La cliente préfère un ton neutre.",
            "测试服务器是 test9.acme.example。",
            "テスト環境は stage2.acme.example です。",
        ] {
            assert_eq!(held(&[said]), [said], "{said}");
        }
    }

    #[test]
    fn talk_and_requests_are_no_statements() {
        for said in [
            "Fix the login test.",
            "Thanks, that works now.",
            "What is the incident number?",
            "Looking at the retry code with INC-20931 open.",
            "Can you rename fetch_all to list_items?",
            "I want you to read src/main.rs.",
            "It still fails.",
            "Danke, das passt so.",
            "¿Cuál es el puerto?",
            "好的，继续。",
        ] {
            assert_eq!(held(&[said]), [""; 0], "{said}");
        }
    }

    #[test]
    fn the_latest_of_two_that_contradict_holds() {
        for (old, new) in [
            ("The staging broker is mq7.acme.example.", "The staging broker is now mq9.acme.example."),
            (
                "The catering budget must stay below $400.",
                "New cap for catering: three hundred dollars, never more.",
            ),
            ("Marta Lindqvist has the pager this week.", "Joon Park is on call this week now."),
            ("Times must be in CET.", "Show clocks in UTC."),
            ("The door code is KX-4471.", "The door code changed: it is PT-9013."),
            ("We work on branch feat/import-v2.", "We switched to branch feat/import-v3."),
            ("The demo is due on 2027-03-02.", "Update: the demo date moved to March 9."),
            ("I prefer short answers.", "I prefer detailed answers."),
            (
                "Der Stichtag für die Abgabe ist der 03.05.2027.",
                "Der Stichtag für die Abgabe ist jetzt der 10.05.2027.",
            ),
            ("La fecha de entrega es 2027-05-03.", "La fecha de entrega es ahora 2027-05-10."),
        ] {
            assert_eq!(held(&[old, new]), [new], "{old}");
        }
    }

    #[test]
    fn what_is_about_something_else_stays() {
        for (old, new) in [
            ("The production queue is mq1.acme.example.", "The staging queue is now mq2.acme.example."),
            ("The catering budget is $400.", "The travel budget is $900."),
            ("The admin port is 8080 on host a1.example.", "The metrics port is 9090 on host a2.example."),
            ("Marta Lindqvist reviews the schema.", "Joon Park reviews the copy."),
            ("The beta is due on 2027-03-02.", "The manual is due on 2027-04-02."),
            ("Unit tests must pass before merging.", "Load tests must pass before release."),
        ] {
            assert_eq!(held(&[old, new]), [old, new], "{old}");
        }
    }
}
