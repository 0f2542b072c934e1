//! Session formats. Only this module knows the messages of any agent.
//!
//! A format is a folder: its signs, reader, writer, summary and tests. One row of `rows.rs` registers it, and its `ENTRY` has the rest. The other modules (detection, reading, refusal) use that table and know no format by name.

mod cache_report;
#[cfg(test)]
mod carried_out;
mod chat;
mod container;
mod detect;
mod entry;
mod layout;
mod lead;
mod marker;
mod media;
mod moment;
mod order;
#[cfg(test)]
mod outline;
mod pieces;
mod placement;
mod provider_metadata;
mod reading;
mod recognized;
mod recorder;
mod refuse;
mod rows;
mod shaped;
mod signs;
mod slot;
mod source;
mod store;
mod streams;
mod structure;
mod summary;
mod table;
mod tree;
mod usage;
mod uuid;

/// Declares the folder of each row as a module.
macro_rules! modules {
    ($($(#[doc = $words:literal])+ $variant:ident = $seen:vis $folder:ident,)+) => { $($seen mod $folder;)+ };
}
rows::rows!(modules);

use std::fmt;

pub use cache_report::CacheReport;
pub use detect::{Detection, detect, detect_text};
pub use marker::{Marker, MarkerKind};
pub use reading::ReadOptions;
pub use store::{Place, PlaceFiles, Store};
pub use table::Format;
pub use tree::Entry;
pub use usage::ReportedInput;

pub(crate) use cache_report::report_in;
pub(crate) use layout::{Answers, Called, Element, Layout, Listed, Missing, OwnElement};
pub(crate) use lead::without_lead;
pub(crate) use pieces::{Piece, PieceForm, PieceKind, Pieces};
pub(crate) use reading::Reading;
pub(crate) use slot::Clearing;
pub(crate) use summary::Summary;
#[doc(hidden)]
pub use summary::Telling;
pub(crate) use tunacode::read_alone as read_tunacode_alone;

use crate::error::{Error, ErrorCode};
use crate::nearest::unknown;
use container::Container;
use recorder::Recorder;
use source::Source;

impl Format {
    /// The name used in options and results, for example `openai_chat`.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::Format::OpenaiChat.name(), "openai_chat");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// The name for people, for example `OpenAI Chat`.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(ebbline::Format::OpenaiChat.title(), "OpenAI Chat");
    /// ```
    #[must_use]
    pub fn title(self) -> &'static str {
        self.description().title
    }

    /// Whether live JavaScript messages of this format can be planned, not only texts.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(ebbline::Format::OpenaiChat.is_live());
    /// ```
    #[must_use]
    pub fn is_live(self) -> bool {
        self.description().is_live
    }

    /// The formats that a list of messages may show, the most specific first.
    #[doc(hidden)]
    #[must_use]
    pub fn of_lists() -> Vec<Self> {
        let mut found = Vec::new();
        for (format, shows) in table::signs() {
            if matches!(shows, signs::Shows::List { .. }) && !found.contains(&format) {
                found.push(format);
            }
        }
        found
    }

    /// What the reported input includes; `None` for formats that report no usage.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Format;
    /// use ebbline::format::ReportedInput;
    /// assert_eq!(Format::AnthropicMessages.reported_input(), Some(ReportedInput::ExcludesCache));
    /// ```
    #[must_use]
    pub fn reported_input(self) -> Option<ReportedInput> {
        self.description().reported_input
    }

    /// The format called `name`.
    ///
    /// # Errors
    ///
    /// `unknown_format`; the message lists the known names.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Format;
    /// assert_eq!(Format::from_name("openai_chat")?, Format::OpenaiChat);
    /// assert_eq!(Format::from_name("openai").unwrap_err().code(), "unknown_format");
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL.iter().copied().find(|format| format.name() == name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|format| format.name()).collect();
            Error::new(ErrorCode::UnknownFormat, unknown("format", name, &known))
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// Reads `text`; see [`SessionText::read`](crate::SessionText::read).
pub(crate) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Error> {
    read_by(text, options, Format::reader)
}

/// Reads `text` with the reader that `reader_of` returns: a program that needs a single format contains no other reader.
fn read_by(
    text: &str,
    options: &ReadOptions,
    reader_of: impl Fn(Format) -> entry::Reader,
) -> Result<Reading, Error> {
    read_source(Source::parse(text).map_err(|fault| refuse::no_json(text, fault))?, options, reader_of)
}

/// Reads a session from JSON Lines; `None` if the text is not JSON Lines.
pub(crate) fn read_lines(text: &str, options: &ReadOptions) -> Option<Result<Reading, Error>> {
    let source = Source::parse(text).ok().filter(|source| source.is_lines)?;
    Some(read_source(source, options, Format::reader))
}

fn read_source(
    mut source: Source<'_>,
    options: &ReadOptions,
    reader_of: impl Fn(Format) -> entry::Reader,
) -> Result<Reading, Error> {
    let text = source.text;
    let container = Container::of(&source);
    let chosen = container::choose(container.as_ref(), options).map_err(|error| error.located(text, 0))?;
    let detected = match &container {
        Some(container) => container.classify(&mut source, chosen, options.format),
        None => detect::classify_alone(&mut source, options.format),
    };
    let (format, evidence) = match (options.format, detected) {
        (None, detected) => {
            let detection = detected?;
            (detection.format, detection.evidence)
        }
        (Some(wanted), Ok(found)) if found.format == wanted => (wanted, found.evidence),
        (Some(wanted), Ok(found)) if detect::excludes(&found, wanted) => {
            return Err(Error::new(
                ErrorCode::WrongFormat,
                format!("{wanted} was asked for, but this is {}: {}", found.format, found.evidence),
            )
            .located(text, source.first_byte()));
        }
        (Some(wanted), _) => (wanted, format!("{wanted}, as asked for")),
    };
    // Only what was asked for by name may be read although it is of another shape.
    let foreign = options.format.and_then(|_| detect::foreign(&source, format));
    let reader = reader_of(format);
    let read = if let Some(container) = &container {
        container.read(&mut source, chosen, options, reader)
    } else {
        let mut recorder = Recorder::new(options);
        recorder.reserve(source.expected_messages());
        reader(&source, &mut recorder).map(|placement| (recorder, placement))
    };
    let (recorder, placement) = read.map_err(|error| error.located(text, source.first_byte()))?;
    if recorder.transcript.messages().is_empty() && options.format.is_none() {
        return Err(Error::new(ErrorCode::NoMessages, format!("{format}, but without messages"))
            .located(text, source.first_byte()));
    }
    Ok(Reading { foreign, ..recorder.finish(format, evidence, placement, source) })
}
