//! The commands and the options that each of them takes.

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Nothing: it is there or not.
    Nothing,
    /// A value; of several, the last one counts.
    Value,
    /// A value each time that it is given.
    Values,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// Its name, without the hyphens.
    pub(crate) name: &'static str,
    /// Its letter.
    pub(crate) short: Option<char>,
    /// What it takes.
    pub(crate) takes: Takes,
}

const fn flag(name: &'static str) -> Choice {
    Choice { name, short: None, takes: Takes::Nothing }
}

const fn value(name: &'static str) -> Choice {
    Choice { name, short: None, takes: Takes::Value }
}

const fn values(name: &'static str) -> Choice {
    Choice { name, short: None, takes: Takes::Values }
}

const fn with_short(short: char, choice: Choice) -> Choice {
    Choice { short: Some(short), ..choice }
}

/// What every command takes.
pub(crate) const COMMON: &[Choice] =
    &[with_short('h', flag("help")), with_short('V', flag("version")), value("color"), flag("json")];
const READING: &[Choice] = &[value("format"), flag("strict"), value("conversation")];
const DECIDING: &[Choice] = &[
    value("profile"),
    values("set"),
    value("context"),
    value("output-limit"),
    value("known-tokens"),
    value("overhead"),
    value("idle"),
    flag("force"),
];
const LIVING: &[Choice] = &[
    value("profile"),
    values("set"),
    value("context"),
    value("output-limit"),
    value("overhead"),
    value("usage"),
    value("rates"),
    value("moments"),
    value("cache-minimum"),
    value("cache-lives"),
    flag("csv"),
];
const OUT: Choice = with_short('o', value("out"));
const WRITING: &[Choice] = &[OUT, value("now"), flag("free-bytes"), value("record")];
const SCANNING: &[Choice] = &[
    value("policies"),
    value("context"),
    value("output-limit"),
    value("overhead"),
    value("usage"),
    value("rates"),
    value("moments"),
    value("cache-minimum"),
    value("cache-lives"),
];
/// Long work, which the npm command line has not.
const WORKING: &[Choice] =
    &[value("rows"), value("rows-of"), flag("resume"), value("max-memory"), value("jobs")];
const RULES: &[Choice] = &[values("also"), values("except")];

/// A command, with the groups of its options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command {
    /// Its name.
    pub(crate) name: &'static str,
    groups: &'static [&'static [Choice]],
}

impl Command {
    /// Its options.
    pub(crate) fn choices(self) -> impl Iterator<Item = &'static Choice> {
        self.groups.iter().copied().flatten()
    }
}

/// Every command.
pub(crate) const COMMANDS: &[Command] = &[
    Command { name: "detect", groups: &[COMMON] },
    Command { name: "plan", groups: &[COMMON, READING, DECIDING, &[flag("check")]] },
    Command { name: "inspect", groups: &[COMMON, READING, &[value("profile"), values("set")]] },
    Command { name: "compact", groups: &[COMMON, READING, DECIDING, WRITING, &[value("summary")]] },
    Command {
        name: "summarize",
        groups: &[
            COMMON,
            READING,
            DECIDING,
            WRITING,
            &[value("with"), value("timeout"), value("focus"), value("budget")],
        ],
    },
    Command { name: "undo", groups: &[COMMON, &[value("record"), OUT]] },
    Command { name: "recall", groups: &[COMMON, READING, &[value("record")]] },
    Command { name: "repair", groups: &[COMMON, READING, RULES, &[OUT]] },
    Command { name: "validate", groups: &[COMMON, READING, RULES] },
    Command {
        name: "summary-request",
        groups: &[COMMON, READING, DECIDING, &[value("focus"), value("budget"), value("answer")]],
    },
    Command { name: "profiles", groups: &[COMMON] },
    Command {
        name: "replay",
        groups: &[COMMON, READING, LIVING, &[value("svg"), flag("cache-check")], WORKING],
    },
    Command {
        name: "compare",
        groups: &[COMMON, READING, LIVING, &[value("policies"), flag("loss")], WORKING],
    },
    Command {
        name: "sweep",
        groups: &[
            COMMON,
            READING,
            LIVING,
            &[value("policy"), value("policies"), value("window"), value("grid"), value("svg")],
            WORKING,
        ],
    },
    Command { name: "audit", groups: &[COMMON, READING, &[flag("check")], WORKING] },
    // What the npm command line has not stands at the end.
    Command { name: "scan", groups: &[COMMON, READING, SCANNING, WORKING] },
    Command { name: "completions", groups: &[COMMON] },
    Command { name: "man", groups: &[COMMON] },
];
