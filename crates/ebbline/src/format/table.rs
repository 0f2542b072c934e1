//! The table of formats, which one row of `rows.rs` each registers, and the order of their signs.

use super::layout::OwnElement;
use super::signs::{Shows, Sign};

/// Defines the enum of formats and the table from one row per format: its documentation, its variant, and the folder
/// whose `ENTRY` contains the rest.
macro_rules! formats {
    ($($(#[doc = $words:literal])+ $variant:ident = $seen:vis $folder:ident,)+) => {
        /// A session format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Format {
            $($(#[doc = $words])+ $variant,)+
        }

        /// Every format with the entry of its folder.
        const TABLE: &[(Format, super::entry::FormatEntry)] = &[$((Format::$variant, super::$folder::ENTRY),)+];

        // Each function reads one field of a row at compile time, so that a program that only uses the names contains
        // no reader.
        impl Format {
            /// Every format that ebbline reads.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            pub(super) fn description(self) -> &'static super::entry::Description {
                match self { $(Self::$variant => const { super::$folder::ENTRY.description },)+ }
            }

            pub(crate) fn rules(self) -> $crate::rules::Rules {
                match self { $(Self::$variant => const { super::$folder::ENTRY.rules },)+ }
            }

            pub(super) fn reader(self) -> super::entry::Reader {
                match self { $(Self::$variant => const { super::$folder::ENTRY.read },)+ }
            }

            pub(super) fn fault_of(self) -> Option<super::chat::FaultOf> {
                match self { $(Self::$variant => const { super::$folder::ENTRY.fault_of },)+ }
            }

            /// Whether messages of the format say what earlier ones are, so that new ones cannot be read by themselves.
            #[doc(hidden)]
            #[must_use]
            pub fn is_read_whole(self) -> bool {
                match self { $(Self::$variant => const { super::$folder::ENTRY.is_read_whole },)+ }
            }

            /// Where agents keep sessions of the format.
            ///
            /// # Example
            ///
            /// ```
            /// let store = ebbline::Format::Codex.store();
            /// assert!(store.places.iter().any(|place| place.folder == ".codex/sessions"));
            /// ```
            #[must_use]
            pub fn store(self) -> &'static super::store::Store {
                match self { $(Self::$variant => const { super::$folder::ENTRY.store },)+ }
            }

            pub(crate) fn own_elements(self) -> &'static [super::layout::OwnElement] {
                match self {
                    $(Self::$variant => const {
                        match super::$folder::ENTRY.layout { Some(layout) => layout.own, None => &[] }
                    },)+
                }
            }

            pub(crate) fn layout(self) -> Option<&'static super::layout::Layout> {
                match self { $(Self::$variant => const { super::$folder::ENTRY.layout },)+ }
            }
        }
    };
}

super::rows::rows!(formats);

/// The signs of all formats in the order of detection.
static SIGNS: [(Format, Sign); COUNT] = in_order();

/// How many signs there are.
const COUNT: usize = {
    let (mut count, mut rows) = (0, TABLE);
    while let [(_, entry), rest @ ..] = rows {
        count += entry.signs.len();
        rows = rest;
    }
    count
};

/// Sorts the signs at compile time. Two signs of the same rank are a compile error.
#[expect(
    clippy::indexing_slicing,
    reason = "the compiler runs it: an index outside is an error of the build"
)]
const fn in_order() -> [(Format, Sign); COUNT] {
    let mut sorted = [(Format::Tunacode, Sign::conversation(0, |_| false)); COUNT];
    let (mut count, mut rows) = (0, TABLE);
    while let [(format, entry), rest @ ..] = rows {
        let mut signs = entry.signs;
        while let [sign, others @ ..] = signs {
            let mut place = count;
            while place > 0 && sorted[place - 1].1.order() > sign.order() {
                sorted[place] = sorted[place - 1];
                place -= 1;
            }
            assert!(
                place == 0 || sorted[place - 1].1.order() != sign.order(),
                "two signs have the same rank"
            );
            sorted[place] = (*format, *sign);
            count += 1;
            signs = others;
        }
        rows = rest;
    }
    sorted
}

/// The signs of all formats in the order of detection.
pub(super) fn signs() -> impl Iterator<Item = (Format, Shows)> {
    SIGNS.iter().map(|(format, Sign { shows, .. })| (*format, *shows))
}

impl OwnElement {
    /// The element of a format of its own that has this type.
    pub(crate) fn of(kind: &str) -> Option<&'static Self> {
        Self::all().find(|own| own.kind == kind)
    }

    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        Format::ALL.iter().flat_map(|format| format.own_elements())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_called_the_same_in_options_and_in_json() {
        for (format, entry) in TABLE {
            assert_eq!(serde_json::to_string(format).unwrap(), format!("\"{}\"", entry.description.name));
            assert_eq!(Format::from_name(format.name()).unwrap(), *format);
        }
        assert_eq!(TABLE.len(), Format::ALL.len());
    }
}
