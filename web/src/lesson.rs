//! The lesson: how compaction works, in eight steps, for people who have never heard of tokens.
//!
//! The text stands here and nowhere else. The pages of `/learn/` show it, and so does the playground beside the session
//! that is open ([`crate::sheet`]). No step names a figure that the engine computes; figures are in the pictures, which are drawn from the engine's own plans.

/// The most words that a step's text may have, so that it can be read beside the picture that it explains.
pub const WORDS: usize = 60;

/// The number of the last step. The page knows it, but not the steps, which are in the worker.
pub const LAST: u32 = 8;

/// A step of the lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The step's name in addresses.
    pub name: &'static str,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// What happens, in at most [`WORDS`] words.
    pub text: &'static str,
    /// A prediction to make.
    pub question: &'static str,
    /// What can be predicted. One answer is right.
    pub answers: &'static [Answer],
    /// What to try on the screen of the playground.
    pub action: &'static str,
    /// The part of that screen it is about.
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
    /// The bar at the top.
    Bar,
}

impl Light {
    /// The name in the style sheet.
    pub fn name(self) -> &'static str {
        match self {
            Self::Life => "life",
            Self::Strip => "strip",
            Self::Closer => "closer",
            Self::Bar => "bar",
        }
    }
}

/// A possible answer to a step's question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The answer.
    pub text: &'static str,
    /// Whether it is the right one.
    pub right: bool,
    /// What to say to those who choose it.
    pub feedback: &'static str,
}

const fn right(text: &'static str, feedback: &'static str) -> Answer {
    Answer { text, right: true, feedback }
}

const fn wrong(text: &'static str, feedback: &'static str) -> Answer {
    Answer { text, right: false, feedback }
}

/// The part of the playground's address that opens a step of the lesson, counted from 1: `#lesson=4`.
pub fn link(number: usize) -> String {
    format!("#lesson={number}")
}

/// The steps, in order.
pub const STEPS: [Step; 8] = [
    Step {
        name: "resend",
        title: "Every request sends everything again",
        text: "An agent is a program that lets a language model work with tools: read files, search, run tests. The model \
               remembers nothing. So the agent sends the whole conversation again with each request. Its length is counted \
               in tokens; a token is about three quarters of an English word.",
        question: "The agent has sent twenty requests. How often was your first message sent?",
        answers: &[
            wrong("Once", "The model would not know it any more: each request begins from nothing."),
            right("Twenty times", "Every request contains everything that came before it."),
            wrong("Twice", "It is part of every request, not only of the next one."),
        ],
        action: "Move the slider under the line one request at a time: each is as large as the one before and something more.",
        light: Light::Life,
    },
    Step {
        name: "contents",
        title: "What fills it",
        text: "Most of what is sent is neither what you wrote nor what the model answered. It is what tools gave back: the \
               contents of files, the results of searches, the output of tests. Together, what is sent is called the context.",
        question: "The agent reads the same file twice. How much room does that take?",
        answers: &[
            wrong("As much as once", "Nothing compares the two: both results are part of the conversation."),
            right(
                "Twice as much",
                "Both results are part of the conversation, and both are sent with every request from then on.",
            ),
            wrong("None, for the file is on the disk", "The model sees only what is sent to it."),
        ],
        action: "Open “Look closer”, then “What fills the context”, and see which tool, file and message take the most.",
        light: Light::Closer,
    },
    Step {
        name: "window",
        title: "The wall",
        text: "A model accepts only so many tokens in one request: its context window. The context grows with every request, \
               so one day it no longer fits. The provider refuses that request, and the agent cannot go on. Something has to \
               give way before that happens.",
        question: "Take a window twice as large for the same work. What changes?",
        answers: &[
            wrong("It never gets full", "This session fills that one, too. Long work fills every window."),
            right(
                "It gets full later",
                "The wall moves, but it stays a wall; and every request until then is larger and costs more.",
            ),
            wrong("Nothing", "There is more room, so the wall is reached later."),
        ],
        action: "Here nothing gives way. Move the slider to where the line crosses the window: every request behind it would be refused.",
        light: Light::Life,
    },
    Step {
        name: "prune",
        title: "Prune: old tool outputs give way first",
        text: "Old tool outputs are the cheapest thing to give up: the agent can run the tool again. Pruning replaces them by a \
               short placeholder. The newest outputs are protected, because the agent is still working with them. The line \
               between the two is the protection boundary.",
        question: "You protect more of the newest outputs. What does pruning free?",
        answers: &[
            wrong("More", "What is protected is not pruned: more protection never prunes more."),
            right("Less, or as much", "The boundary moves to the left, and fewer outputs stand before it."),
        ],
        action: "Drag the handle above the bar to the left and to the right, and watch what is hatched: that is what goes.",
        light: Light::Strip,
    },
    Step {
        name: "summarize",
        title: "Summarize: then old messages give way",
        text: "If pruning is not enough, old messages themselves give way. The model writes a summary of them, which takes their \
               place. The newest messages stay word for word: the retention window. A tool's result is never separated from \
               the call that asked for it, because providers refuse such a request.",
        question: "The window would begin between a call and its result. What happens?",
        answers: &[
            wrong(
                "The result stays without its call",
                "The provider would refuse every request from then on.",
            ),
            right("The boundary moves", "It moves until call and result are on the same side."),
            wrong("Nothing is summarized", "There is nearly always another place to cut."),
        ],
        action: "Drag “keep”. It snaps, so that no call is parted from its result.",
        light: Light::Strip,
    },
    Step {
        name: "sawtooth",
        title: "It happens again and again",
        text: "The context fills, gives way, and fills again: over a session's life its size looks like a saw. A square marks a \
               prune, a triangle a summary. If too little is removed, the next compaction follows at once, and the agent does \
               little else. That is called thrashing.",
        question: "The same work in a window half as large: how often must room be made?",
        answers: &[
            wrong("Less often", "There is less room, so it is full sooner."),
            wrong("As often", "The work brings as much as before, but there is less room for it."),
            right("More often", "Each time there is less room to fill until the next time."),
        ],
        action: "The window is half as large here. Press Play: it stops at each compaction and says what it did.",
        light: Light::Life,
    },
    Step {
        name: "cost",
        title: "What it costs, and what is lost",
        text: "Providers remember for some minutes what they have read, and charge a fraction for a beginning that they know. \
               Compaction changes the beginning, so what follows is charged in full once. And of what was summarized only the \
               summary remains: file names, commands and numbers are easily lost.",
        question: "An agent prunes one small output before every request. What about the known beginning?",
        answers: &[
            wrong("It stays known", "Only up to the place that changed."),
            right(
                "It is lost every time",
                "What follows the changed place is charged in full at every request. That is why pruning waits until it is worth it.",
            ),
        ],
        action: "Open “Look closer”: “What the summary has to carry”, then “Cost and loss”.",
        light: Light::Closer,
    },
    Step {
        name: "yours",
        title: "Now with your own session",
        text: "When compaction fires, what is protected and what stays are settings, and every agent has chosen others: here is \
               one moment under three of them. None is the best for everybody. Open a session of yours in the playground, move \
               the boundaries, and take the settings with you.",
        question: "Two agents send equally many tokens. Do they remember equally well?",
        answers: &[
            wrong("Yes", "What one keeps word for word, the other may have summarized, or cleared."),
            right(
                "Not necessarily",
                "It depends on what stayed. The playground shows it message by message.",
            ),
        ],
        action: "Open a session of your own, choose a profile, then press Export.",
        light: Light::Bar,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> usize {
        text.split_whitespace().count()
    }

    #[test]
    fn the_last_step_has_its_number() {
        assert_eq!(STEPS.len() as u32, LAST);
    }

    #[test]
    fn steps_are_short() {
        for step in STEPS {
            assert!((20..=WORDS).contains(&words(step.text)), "{}: {} words", step.name, words(step.text));
            assert!(words(step.title) <= 8 && words(step.question) <= 20, "{}", step.name);
            for answer in step.answers {
                assert!(
                    words(answer.text) <= 8 && words(answer.feedback) <= 30,
                    "{}: {}",
                    step.name,
                    answer.text
                );
            }
        }
    }

    #[test]
    fn each_question_has_one_right_answer_and_others() {
        for step in STEPS {
            assert_eq!(step.answers.iter().filter(|answer| answer.right).count(), 1, "{}", step.name);
            assert!(step.answers.len() > 1 && step.question.ends_with('?'), "{}", step.name);
        }
    }

    #[test]
    fn names_are_different_and_belong_into_addresses() {
        for (index, step) in STEPS.iter().enumerate() {
            assert!(step.name.bytes().all(|byte| byte.is_ascii_lowercase()), "{}", step.name);
            assert!(STEPS.iter().skip(index + 1).all(|other| other.name != step.name), "{}", step.name);
        }
        assert_eq!(link(4), "#lesson=4");
    }

    #[test]
    fn no_step_names_a_figure_of_the_engine() {
        for step in STEPS {
            let said = [step.title, step.text].concat();
            assert!(!said.contains(|letter: char| letter.is_ascii_digit()), "{}", step.name);
        }
    }
}
