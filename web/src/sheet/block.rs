//! The parts of a sheet.

use ebbline::Policy;
use serde::{Deserialize, Serialize};

use super::Which;

/// How a sentence looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Look {
    /// As running text.
    Plain,
    /// As a remark.
    Quiet,
    /// As a warning.
    Warning,
    /// As something that was done.
    Done,
    /// As a heading.
    Heading,
}

/// What a click does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Act {
    /// Nothing: it cannot be clicked.
    None,
    /// Shows these messages in the list.
    Lead {
        /// What they have in common.
        of: String,
        /// Their indices.
        messages: Vec<u32>,
    },
    /// Sets the knobs.
    Take(#[serde(with = "crate::wire::policy")] Box<Policy>),
    /// Lets a policy write the history; the moment and the knobs stay.
    Write(#[serde(with = "crate::wire::policy")] Box<Policy>),
    /// Lets the policy on the knobs write the history.
    FromTheStart,
    /// Exchanges A and B.
    Swap,
    /// Opens another sheet.
    Open(Which),
    /// Types into a field.
    Type {
        /// The field.
        id: String,
        /// What is typed.
        value: String,
    },
    /// Goes to a step of the lesson; 0 leaves it.
    Step(u32),
    /// Lets the user choose a file.
    Choose,
    /// Goes to another page of the site.
    Go(String),
}

/// A row of a table. Its first cell names it and carries the act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The cells.
    pub cells: Vec<String>,
    /// What a click on the first cell does.
    pub act: Act,
}

/// A bar with its name and figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// What it stands for.
    pub name: String,
    /// Its figure in words.
    pub said: String,
    /// What a screen reader says.
    pub spoken: String,
    /// Its length, in percent of the whole.
    pub share: u64,
    /// What a click does.
    pub act: Act,
}

/// A field to type into. The sheet is written again when it changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Its id.
    pub id: String,
    /// Its label.
    pub label: String,
    /// What it contains until something is typed.
    pub value: String,
    /// How many lines it shows; 0 for a number.
    pub lines: u64,
}

/// A menu of acts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Menu {
    /// Its id.
    pub id: String,
    /// Its label.
    pub label: String,
    /// Which option is chosen.
    pub chosen: u64,
    /// The options, and what their choice does.
    pub options: Vec<(String, Act)>,
}

/// A point of a picture that can be clicked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    /// Its place from the left and from the top, in thousandths of the picture.
    pub place: (u64, u64),
    /// What it stands for.
    pub name: String,
    /// What a click does.
    pub act: Act,
}

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Block {
    /// A sentence or several.
    Words(Look, String),
    /// A table.
    Table {
        /// What it shows.
        caption: String,
        /// The names of the columns.
        columns: Vec<String>,
        /// The rows.
        rows: Vec<Row>,
    },
    /// Bars, the largest first.
    Bars {
        /// What they show.
        title: String,
        /// The bars.
        bars: Vec<Bar>,
    },
    /// A text to read, copy and save.
    Text {
        /// What it is.
        title: String,
        /// The name of the file that it becomes.
        name: String,
        /// The text.
        text: String,
    },
    /// Fields to type into.
    Fields(Vec<Field>),
    /// A picture with points.
    Picture {
        /// The picture as an SVG document.
        svg: String,
        /// What it shows, in words.
        about: String,
        /// The points.
        dots: Vec<Dot>,
    },
    /// Buttons.
    Actions(Vec<(String, Act)>),
    /// Menus.
    Menus(Vec<Menu>),
    /// What the screen has to show beside the sheet.
    Stage {
        /// The policy that writes the history.
        #[serde(with = "crate::wire::policy")]
        history: Box<Policy>,
        /// The policy on the knobs.
        #[serde(with = "crate::wire::policy")]
        policy: Box<Policy>,
        /// The moment.
        request: Option<u32>,
        /// The part of the screen that it is about, by its name in the style sheet.
        light: String,
        /// Of which step it is: what was turned in another one is turned back.
        step: u32,
        /// Whether the two policies are compared.
        is_compared: bool,
    },
    /// What stands in a field of the page from now on.
    Typed {
        /// The field.
        id: String,
        /// What stands there.
        value: String,
    },
    /// How much of something is done.
    Progress {
        /// So much is.
        done: u64,
        /// So much there is.
        of: u64,
    },
}

impl Block {
    pub(super) fn plain(words: impl Into<String>) -> Self {
        Self::Words(Look::Plain, words.into())
    }

    pub(super) fn quiet(words: impl Into<String>) -> Self {
        Self::Words(Look::Quiet, words.into())
    }

    pub(super) fn warning(words: impl Into<String>) -> Self {
        Self::Words(Look::Warning, words.into())
    }

    pub(super) fn heading(words: impl Into<String>) -> Self {
        Self::Words(Look::Heading, words.into())
    }
}
