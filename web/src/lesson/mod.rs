//! The lesson: how compaction works, in nine steps, for people who have never heard of tokens.
//!
//! The text stands here and nowhere else. The page of `/learn/` shows it, and so does the playground beside the lesson's
//! own session, the first sample. A figure of a sentence is a `{place}`, which [`stage`] fills from the engine's own plans.

pub mod stage;

/// The number of the last step. The page knows it, but not the steps, which are in the worker.
pub const LAST: u32 = 9;

/// A step of the lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The step's name in addresses.
    pub name: &'static str,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// What happens.
    pub text: &'static str,
    /// What to do on the screen of the playground.
    pub action: &'static str,
    /// What is to be seen when it was done.
    pub seen: &'static str,
    /// A prediction to make first, where there is one.
    pub guess: Option<Guess>,
    /// The part of the screen it is about.
    pub light: Light,
}

/// A part of the playground's screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    /// The life of the session, with its scrubber.
    Life,
    /// The context at the moment, with its boundaries.
    Strip,
    /// The buttons for a closer look.
    Closer,
    /// The list of messages and what is in one.
    Rows,
    /// The knobs.
    Settings,
    /// The card itself.
    Card,
}

impl Light {
    /// The name in the style sheet.
    pub fn name(self) -> &'static str {
        match self {
            Self::Life => "life",
            Self::Strip => "strip",
            Self::Closer => "closer",
            Self::Rows => "rows",
            Self::Settings => "settings",
            Self::Card => "card",
        }
    }
}

/// A prediction: a question, a wrong and a right answer, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The question.
    pub question: &'static str,
    /// The answers, in the order in which they stand.
    pub answers: [&'static str; 2],
    /// Which of them is right.
    pub right: usize,
    /// Why, for those who were wrong and for those who were right.
    pub because: &'static str,
}

const fn guess(
    question: &'static str,
    answers: [&'static str; 2],
    right: usize,
    because: &'static str,
) -> Guess {
    Guess { question, answers, right, because }
}

/// The part of the playground's address that opens a step of the lesson, counted from 1: `#lesson=4`.
pub fn link(number: usize) -> String {
    format!("#lesson={number}")
}

/// The steps, in order.
pub const STEPS: [Step; LAST as usize] = [
    Step {
        name: "resend",
        title: "Everything is sent again",
        text: "A model remembers nothing, so an agent sends the whole conversation with every request. Request {request} carries \
               {tokens} tokens, which are pieces of words.",
        action: "Move the slider to the right.",
        seen: "Request {request} carries {tokens}, the earlier ones among them.",
        guess: Some(guess(
            "After twenty requests, how often was the first message sent?",
            ["Once", "Twenty times"],
            1,
            "Each request contains everything before it.",
        )),
        light: Light::Life,
    },
    Step {
        name: "window",
        title: "The window fills",
        text: "A model takes only so many tokens at once: its context window, here {window}. Mostly tool outputs fill it.",
        action: "Move the slider to where the line crosses the window.",
        seen: "{tokens} do not fit: the provider refuses.",
        guess: Some(guess(
            "Does a window twice as large help?",
            ["For good", "For a while"],
            1,
            "Long work fills that one, too.",
        )),
        light: Light::Life,
    },
    Step {
        name: "boundary",
        title: "Old outputs give way first",
        text: "Tools can run again. So when the context is full, outputs before a boundary are cleared: here {outputs}. {before} \
               tokens become {after}.",
        action: "Drag the boundary.",
        seen: "Now {before} become {after}.",
        guess: Some(guess(
            "It moves to the left. What is freed?",
            ["More", "Less"],
            1,
            "Fewer outputs stand before it.",
        )),
        light: Light::Strip,
    },
    Step {
        name: "placeholder",
        title: "A placeholder keeps the name",
        text: "One line stays of a cleared output: its tool, its file, its length, and a reference to get it back.",
        action: "Choose a message that is pruned, then “After”.",
        seen: "{was} tokens became {is}.",
        guess: None,
        light: Light::Rows,
    },
    Step {
        name: "newest",
        title: "The newest stay word for word",
        text: "Where clearing is not enough, or is off as here, {messages} old messages become one summary. The newest {kept} \
               tokens stay.",
        action: "Drag “keep” to the left.",
        seen: "Now the newest {kept} stay.",
        guess: Some(guess(
            "May a call and its result be parted?",
            ["Yes", "No"],
            1,
            "Providers refuse that, so the edge snaps.",
        )),
        light: Light::Strip,
    },
    Step {
        name: "summary",
        title: "A summary forgets",
        text: "{messages} messages become one page: {before} tokens become {after}. A path or number that it does not repeat is \
               gone.",
        action: "Open “Look closer”, then “What the summary has to carry”.",
        seen: "All of that should stand there.",
        guess: None,
        light: Light::Closer,
    },
    Step {
        name: "cache",
        title: "Why clearing waits",
        text: "Providers charge little for a beginning they know. Clearing breaks it. This policy clears at every chance, {often} \
               times, and costs {dear}.",
        action: "Raise “Minimum saving” to 20,000.",
        seen: "{seldom} times now, for {cheap}.",
        guess: Some(guess(
            "What does clearing one early output cost?",
            ["Nothing", "All that follows, anew"],
            1,
            "Known is only what comes before the change.",
        )),
        light: Light::Settings,
    },
    Step {
        name: "thresholds",
        title: "Three numbers decide when",
        text: "The reserve, {reserve}, stays free for the answer. So the threshold is {threshold}. A saving below the minimum, \
               {minimum}, waits.",
        action: "Lower “Reserve” to 4,000.",
        seen: "Above {threshold} now: nothing happens yet.",
        guess: None,
        light: Light::Settings,
    },
    Step {
        name: "agents",
        title: "Three agents, three rules",
        text: "One moment, three agents. None is best: what one keeps, another clears.",
        action: "Choose another one.",
        seen: "{profile}: {before} become {after}.",
        guess: None,
        light: Light::Card,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> usize {
        text.split_whitespace().count()
    }

    #[test]
    fn all_of_it_has_at_most_450_words() {
        let of = |step: &Step| {
            let own: usize = [step.title, step.text, step.action, step.seen].map(words).iter().sum();
            own + step.guess.map_or(0, |guess| {
                words(guess.question) + guess.answers.map(words).iter().sum::<usize>() + words(guess.because)
            })
        };
        let all: usize = STEPS.iter().map(of).sum();
        assert!((300..=450).contains(&all), "{all} words");
    }

    #[test]
    fn names_are_different_and_belong_into_addresses() {
        for (index, step) in STEPS.iter().enumerate() {
            assert!(step.name.bytes().all(|byte| byte.is_ascii_lowercase()), "{}", step.name);
            assert!(STEPS.iter().skip(index + 1).all(|other| other.name != step.name), "{}", step.name);
        }
        assert_eq!(link(4), "#lesson=4");
    }
}
