//! What a format's folder tells of the format: its row of the table.

use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::signs::Sign;
use super::source::Source;
use super::usage::ReportedInput;
use crate::error::Error;
use crate::rules::Rules;

/// Reads a source into a recorder and returns where a summary would go.
pub(super) type Reader = fn(&Source<'_>, &mut Recorder) -> Result<SummaryPlacement, Error>;

/// Everything that the engine knows of one format.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormatEntry {
    pub(super) description: &'static Description,
    /// What the format's message list has to obey.
    pub(super) rules: Rules,
    /// What shows that a text is of this format.
    pub(super) signs: &'static [Sign],
    pub(super) read: Reader,
}

/// What is said of a format in words and flags: plain data, without the reader.
#[derive(Clone, Copy, Debug)]
pub(super) struct Description {
    /// The name used in options and results, which is also that of the format's folders.
    pub(super) name: &'static str,
    /// The name for people.
    pub(super) title: &'static str,
    /// Whether live JavaScript messages of this format are walked, not only texts.
    pub(super) is_live: bool,
    /// What the reported input covers; `None` where no usage is reported.
    pub(super) reported_input: Option<ReportedInput>,
    /// The name that formats share whose sessions hold each other's messages.
    pub(super) family: Option<&'static str>,
}
