//! Closed sets of words: each word, its Rust name and its meaning are defined once.

/// A closed set of words, as the generators use it.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The name of the set, for example `Verdict`.
    pub name: &'static str,
    /// The documentation of the set, one element per line.
    pub about: &'static str,
    /// The words, in order.
    pub words: &'static [&'static str],
    /// The documentation of each word, in the same order.
    pub meanings: &'static [&'static str],
}

/// An enum that [`words!`](crate::words!) defines.
pub trait Word: Copy + 'static {
    /// The set that the word belongs to.
    const WORDS: Words;

    /// The word's number in the set, counted from 0.
    fn number(self) -> usize;
}

/// The first paragraph of a documentation, on one line.
///
/// # Example
///
/// ```
/// assert_eq!(ebbline_json::words::sentence(" What it is.\n Its unit.\n\n Where it comes from.\n"), "What it is. Its unit.");
/// ```
#[must_use]
pub fn sentence(documentation: &str) -> String {
    let lines = documentation.lines().map(str::trim).skip_while(|line| line.is_empty());
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Defines enums whose variants are words of a JSON form. A variant consists of its documentation, its name and its
/// word:
///
/// ```
/// ebbline_json::words! {
///     /// What becomes of a thing.
///     pub enum Fate {
///         /// It stays.
///         Kept "kept",
///         /// It goes.
///         Gone "gone",
///     }
/// }
/// assert_eq!(Fate::ALL, [Fate::Kept, Fate::Gone]);
/// assert_eq!((Fate::Gone.as_str(), Fate::Gone.to_string().as_str()), ("gone", "gone"));
/// assert_eq!(Fate::Gone.about(), "It goes.");
/// assert_eq!(Fate::from_word("kept"), Some(Fate::Kept));
/// assert_eq!(serde_json::to_string(&Fate::Kept).unwrap(), r#""kept""#);
/// ```
///
/// Attributes of the enum are in brackets after its name; an attribute of a variant is after its word.
#[macro_export]
macro_rules! words {
    ($(
        $(#[doc = $about:literal])+
        $visible:vis enum $name:ident $([$($attribute:meta),+])? {
            $(
                $(#[doc = $meaning:literal])+
                $variant:ident $word:literal $([$mark:meta])?
            ),+ $(,)?
        }
    )+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $($(#[$attribute])+)?
        $visible enum $name {
            $(
                $(#[doc = $meaning])+
                $(#[$mark])?
                $variant
            ),+
        }

        impl $name {
            /// All words, in order: `ALL[word as usize]` is `word`.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word in JSON.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// The meaning of the word, in one or two sentences.
            #[must_use]
            pub fn about(self) -> String {
                $crate::words::sentence(match self {
                    $(Self::$variant => concat!($($meaning, "\n"),+)),+
                })
            }

            /// The variant for this word; `None` if there is none.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == word)
            }
        }

        impl $crate::words::Word for $name {
            const WORDS: $crate::words::Words = $crate::words::Words {
                name: stringify!($name),
                about: concat!($($about, "\n"),+),
                words: &[$($word),+],
                meanings: &[$(concat!($($meaning, "\n"),+)),+],
            };

            fn number(self) -> usize {
                self as usize
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::words::serde::Serialize for $name {
            fn serialize<S: $crate::words::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::words::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::words::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <String as $crate::words::serde::Deserialize>::deserialize(deserializer)?;
                Self::from_word(&word).ok_or_else(|| {
                    let known = <Self as $crate::words::Word>::WORDS.words;
                    $crate::words::serde::de::Error::unknown_variant(&word, known)
                })
            }
        }
    )+};
}

#[doc(hidden)]
pub use serde;

#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro makes public items, also of a set that only this test has")]
mod tests {
    use super::*;

    words! {
        /// What becomes of a thing.
        ///
        /// More about it.
        enum Fate [derive(Default)] {
            /// It stays
            /// as it is.
            Kept "kept" [default],
            /// It goes.
            Gone "gone",
        }
    }

    #[test]
    fn a_word_stands_at_its_own_number_and_survives_json() {
        assert_eq!(Fate::default(), Fate::Kept);
        for (number, fate) in Fate::ALL.iter().enumerate() {
            assert_eq!(fate.number(), number);
            let json = serde_json::to_string(fate).unwrap();
            assert_eq!(json, format!("\"{}\"", Fate::WORDS.words[number]));
            assert_eq!(serde_json::from_str::<Fate>(&json).unwrap(), *fate);
        }
        let refused = serde_json::from_str::<Fate>("\"lost\"").unwrap_err().to_string();
        assert!(refused.starts_with("unknown variant `lost`, expected `kept` or `gone`"), "{refused}");
    }

    #[test]
    fn documentation_becomes_a_sentence() {
        assert_eq!(Fate::Kept.about(), "It stays as it is.");
        assert_eq!(sentence(Fate::WORDS.about), "What becomes of a thing.");
    }
}
