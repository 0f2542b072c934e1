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
    /// Whether only the native program has it.
    pub(crate) is_native: bool,
}

const fn flag(name: &'static str) -> Choice {
    Choice { name, short: None, takes: Takes::Nothing, is_native: false }
}

const fn value(name: &'static str) -> Choice {
    Choice { name, short: None, takes: Takes::Value, is_native: false }
}

const fn values(name: &'static str) -> Choice {
    Choice { name, short: None, takes: Takes::Values, is_native: false }
}

const fn with_short(short: char, choice: Choice) -> Choice {
    Choice { short: Some(short), ..choice }
}

const fn native(choice: Choice) -> Choice {
    Choice { is_native: true, ..choice }
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
/// Long work.
const WORKING: &[Choice] = &[
    native(value("rows")),
    native(value("rows-of")),
    native(flag("resume")),
    native(value("max-memory")),
    value("jobs"),
];
/// The same where it is long in the native program alone.
const ROWS: &[Choice] = &[
    native(value("rows")),
    native(value("rows-of")),
    native(flag("resume")),
    native(value("max-memory")),
    native(value("jobs")),
];
const RULES: &[Choice] = &[values("also"), values("except")];

const PROBING: &[Choice] = &[
    value("policies"),
    values("set"),
    value("context"),
    value("output-limit"),
    value("overhead"),
    value("with"),
    value("timeout"),
    value("model"),
    value("recall"),
    value("questions"),
    value("seed"),
    value("requests"),
    value("tokens"),
    OUT,
];

/// A command, with the groups of its options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command {
    /// Its name.
    pub(crate) name: &'static str,
    groups: &'static [&'static [Choice]],
    /// Whether only the native program has it.
    pub(crate) is_native: bool,
}

impl Command {
    /// Its options.
    pub(crate) fn choices(self) -> impl Iterator<Item = &'static Choice> {
        self.groups.iter().copied().flatten()
    }
}

const fn command(name: &'static str, groups: &'static [&'static [Choice]]) -> Command {
    Command { name, groups, is_native: false }
}

const fn only_native(name: &'static str, groups: &'static [&'static [Choice]]) -> Command {
    Command { name, groups, is_native: true }
}

/// Every command.
pub(crate) const COMMANDS: &[Command] = &[
    command("detect", &[COMMON]),
    command("plan", &[COMMON, READING, DECIDING, &[flag("check")]]),
    command("inspect", &[COMMON, READING, &[value("profile"), values("set")]]),
    command("compact", &[COMMON, READING, DECIDING, WRITING, &[value("summary")]]),
    command(
        "summarize",
        &[
            COMMON,
            READING,
            DECIDING,
            WRITING,
            &[value("with"), value("timeout"), value("focus"), value("budget")],
        ],
    ),
    command("undo", &[COMMON, &[value("record"), OUT]]),
    command("recall", &[COMMON, READING, &[value("record")]]),
    command("repair", &[COMMON, READING, RULES, &[OUT]]),
    command("validate", &[COMMON, READING, RULES]),
    command(
        "summary-request",
        &[COMMON, READING, DECIDING, &[value("focus"), value("budget"), value("answer")]],
    ),
    command("profiles", &[COMMON]),
    command("replay", &[COMMON, READING, LIVING, &[value("svg"), flag("cache-check")], ROWS]),
    command("compare", &[COMMON, READING, LIVING, &[value("policies"), flag("loss")], WORKING]),
    command("probe", &[COMMON, READING, PROBING]),
    command(
        "sweep",
        &[
            COMMON,
            READING,
            LIVING,
            &[
                value("carried"),
                value("policy"),
                value("policies"),
                value("window"),
                value("grid"),
                value("svg"),
            ],
            WORKING,
        ],
    ),
    command("audit", &[COMMON, READING, &[flag("check")], WORKING]),
    // What the npm command line has not stands at the end.
    only_native("scan", &[COMMON, READING, SCANNING, WORKING]),
    only_native("completions", &[COMMON]),
    only_native("man", &[COMMON]),
];
