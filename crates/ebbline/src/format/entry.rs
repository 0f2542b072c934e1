//! What a format's folder declares: its row of the table.

use super::chat::FaultOf;
use super::layout::Layout;
use super::placement::SummaryPlacement;
use super::recorder::Recorder;
use super::signs::Sign;
use super::source::Source;
use super::store::Store;
use super::usage::ReportedInput;
use crate::error::Error;
use crate::rules::Rules;

/// Reads a source into a recorder and returns where a summary would go.
pub(super) type Reader = fn(&Source<'_>, &mut Recorder) -> Result<SummaryPlacement, Error>;

/// Everything that the engine knows about one format.
#[derive(Clone, Copy, Debug)]
pub(super) struct FormatEntry {
    pub(super) description: &'static Description,
    /// The rules of the format's message list.
    pub(super) rules: Rules,
    /// By what detection recognizes the format.
    pub(super) signs: &'static [Sign],
    pub(super) read: Reader,
    /// What makes a message none of the format; `None` if a file says by itself of which format it is.
    pub(super) fault_of: Option<FaultOf>,
    /// Where calls and results are in a message; `None` if nothing of the format can be repaired.
    pub(super) layout: Option<&'static Layout>,
    /// Whether messages say what earlier ones are, so that new ones cannot be read by themselves.
    pub(super) is_read_whole: bool,
    /// Where agents keep its sessions.
    pub(super) store: &'static Store,
}

impl FormatEntry {
    /// What most formats are, beside their description: the common rules, no repair, and no folder of their own.
    pub(super) const fn of(signs: &'static [Sign], read: Reader) -> Self {
        Self {
            description: const { &Description::of("", "") },
            rules: Rules::COMMON,
            signs,
            read,
            fault_of: None,
            layout: None,
            is_read_whole: false,
            store: &Store::NONE,
        }
    }
}

/// A format's description in words and flags: plain data, without the reader.
#[derive(Clone, Copy, Debug)]
pub(super) struct Description {
    /// The name used in options and results, and of the format's folders.
    pub(super) name: &'static str,
    /// The name for people.
    pub(super) title: &'static str,
    /// Whether live JavaScript messages of this format can be planned, not only texts.
    pub(super) is_live: bool,
    /// What the reported input includes; `None` if the format reports no usage.
    pub(super) reported_input: Option<ReportedInput>,
    /// The family's name. Sessions of a family's formats contain each other's messages, and those of the format with the
    /// family's name, if that is one.
    pub(super) family: Option<&'static str>,
}

impl Description {
    /// A format that is read from texts alone, and that reports no usage.
    pub(super) const fn of(name: &'static str, title: &'static str) -> Self {
        Self { name, title, is_live: false, reported_input: None, family: None }
    }
}
