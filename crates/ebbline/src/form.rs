//! The form of what leaves the engine as JSON. Members are defined once, with documentation and types, in the structs. What
//! `cargo xtask gen` writes follows from them: types of TypeScript and Python, the schema, the reader of figures.

use crate::words::Words;

/// An object.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// Its name in other languages.
    pub name: &'static str,
    /// Its documentation, a line each.
    pub about: &'static str,
    /// Its members, in their order.
    pub members: &'static [Member],
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name in JSON; of a report, in Rust.
    pub name: &'static str,
    /// Its documentation, a line each.
    pub about: &'static str,
    /// What it holds.
    pub form: Form,
    /// Whether it is missing where nothing is known.
    pub may_be_missing: bool,
}

/// What a member holds.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// A number of tokens or of things: 0 or more.
    Amount,
    /// The same; `null` when it is not known.
    MaybeAmount,
    /// Any number.
    Number,
    /// The same; `null` when there is none.
    MaybeNumber,
    /// `true` or `false`.
    Flag,
    /// Any string.
    Text,
    /// The same; `null` if there is none.
    MaybeText,
    /// Always this string.
    Always(&'static str),
    /// A word of a closed set.
    Word(Words),
    /// The index of a message; `null` for none.
    Place,
    /// An object.
    Object(&'static Object),
    /// An object, or `null`.
    Maybe(&'static Object),
    /// An object, or nothing: then the member is missing.
    Optional(&'static Object),
    /// A list of objects.
    List(&'static Object),
    /// A list of amounts.
    Amounts,
    /// A list of strings.
    Texts,
    /// The first byte of something, and the one behind its last.
    Range,
    /// Values of knobs, by their paths.
    Settings,
    /// Members of the object itself.
    Inside(&'static Object),
    /// Nothing: it stays in Rust.
    Apart,
}

/// An object whose members are described, by the macro `described!` or `reported!`.
pub trait Described {
    /// What it is made of.
    const OBJECT: Object;
}

/// What a member may be.
pub(crate) trait Formed {
    const FORM: Form;
}

/// Defines structs of reports. A struct's derives besides those of every report stand in brackets in front of it; a name in other
/// languages behind an `=`; a member that always has the same text has that one behind an `=`.
macro_rules! reported {
    (
        $(#[doc = $about:literal])+
        [$($derived:path),*]
        $(#[$more:meta])*
        $shown_to:vis struct $name:ident $(<$life:lifetime>)? $(= $shown:literal)? {
            $(
                $(#[doc = $meaning:literal])+
                $(#[serde($($serde:tt)*)])?
                $vis:vis $field:ident: $type:ty $(= $always:expr)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, serde::Serialize $(, $derived)*)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        $(#[$more])*
        $shown_to struct $name $(<$life>)? {
            $(
                $(#[doc = $meaning])+
                $(#[serde($($serde)*)])?
                $vis $field: $type,
            )+
        }

        impl $(<$life>)? $crate::form::Described for $name $(<$life>)? {
            const OBJECT: $crate::form::Object = $crate::form::Object {
                name: $crate::form::reported!(@name $name $($shown)?),
                about: concat!($($about, "\n"),+),
                members: &[$($crate::form::Member {
                    name: $crate::form::reported!(@named $field $($($serde)*)?),
                    about: concat!($($meaning, "\n"),+),
                    form: $crate::form::reported!(@form ($type) ($($always)?) $($($serde)*)?),
                    may_be_missing: $crate::form::reported!(@missing $($($serde)*)?),
                }),+],
            };
        }

        impl $(<$life>)? $crate::form::Formed for $name $(<$life>)? {
            const FORM: $crate::form::Form =
                $crate::form::Form::Object(&<Self as $crate::form::Described>::OBJECT);
        }

        impl $(<$life>)? $crate::form::Formed for Option<$name $(<$life>)?> {
            const FORM: $crate::form::Form =
                $crate::form::Form::Maybe(&<$name as $crate::form::Described>::OBJECT);
        }
    };
    (@named $field:ident rename = $shown:literal) => { $shown };
    (@named $field:ident $($serde:tt)*) => { stringify!($field) };
    (@name $name:ident) => { stringify!($name) };
    (@name $name:ident $shown:literal) => { $shown };
    (@form ($type:ty) ($always:expr) $($serde:tt)*) => { $crate::form::Form::Always($always) };
    (@form ($type:ty) () flatten) => { $crate::form::Form::Inside(&<$type as $crate::form::Described>::OBJECT) };
    (@form ($type:ty) () skip) => { $crate::form::Form::Apart };
    (@form ($type:ty) () $($serde:tt)*) => { <$type as $crate::form::Formed>::FORM };
    (@missing skip_serializing_if = $test:literal) => { true };
    (@missing $($serde:tt)*) => { false };
}

/// Says of types that they have a form.
macro_rules! formed {
    ($($type:ty => $form:expr),+ $(,)?) => {
        $(impl $crate::form::Formed for $type {
            const FORM: $crate::form::Form = $form;
        })+
    };
}

/// Says of sets of words that they have the form of one of them.
macro_rules! worded {
    ($($type:ty),+) => {
        $crate::form::formed! { $($type => $crate::form::Form::Word(<$type as $crate::words::Word>::WORDS)),+ }
        $crate::form::formed! { $(Option<$type> => $crate::form::Form::Word(<$type as $crate::words::Word>::WORDS)),+ }
    };
}

pub(crate) use {formed, reported, worded};

formed! {
    u16 => Form::Amount,
    u32 => Form::Amount,
    Option<std::num::NonZeroU32> => Form::Amount,
    u64 => Form::Amount,
    usize => Form::Amount,
    Option<std::num::NonZeroU64> => Form::Amount,
    Option<u32> => Form::MaybeAmount,
    Option<u64> => Form::MaybeAmount,
    Option<usize> => Form::Place,
    f64 => Form::Number,
    Option<f64> => Form::MaybeNumber,
    bool => Form::Flag,
    &str => Form::Text,
    String => Form::Text,
    Option<String> => Form::MaybeText,
    Option<&str> => Form::MaybeText,
    Option<[usize; 2]> => Form::Range,
    [usize; 2] => Form::Range,
    crate::length::Length => Form::Object(&crate::length::Length::OBJECT),
    &[u32] => Form::Amounts,
    Vec<String> => Form::Texts,
    &[(String, String)] => Form::Settings,
    Option<crate::error::Place> => Form::Inside(&<Option<crate::error::Place> as Described>::OBJECT),
}

impl<T: Described> Described for &T {
    const OBJECT: Object = T::OBJECT;
}

impl<T: Described> Formed for &[T] {
    const FORM: Form = Form::List(&T::OBJECT);
}

impl<T: Described> Formed for Vec<T> {
    const FORM: Form = Form::List(&T::OBJECT);
}

/// Where a message begins, if it was read from text.
impl Described for Option<crate::error::Place> {
    const OBJECT: Object = Object {
        name: "Place",
        about: "A place in a source document.",
        members: &[
            Member {
                may_be_missing: true,
                ..amount("line", "The line on which the message begins, counted from 1; only for text.")
            },
            Member {
                may_be_missing: true,
                ..amount("byte", "The byte at which the message begins, counted from 0; only for text.")
            },
        ],
    };
}

/// How long a part is.
impl Described for crate::length::Length {
    const OBJECT: Object = Object {
        name: "PartLength",
        about: "The length of a text, in every unit in which an estimator may measure it.",
        members: &[
            amount("utf16", "UTF-16 code units."),
            amount("codePoints", "Unicode code points."),
            amount("bytes", "Bytes of UTF-8."),
            amount("classed", "64ths of a token, estimated by the kinds of characters."),
            amount("classedJson", "The same; of a value, those of the JSON that is sent."),
        ],
    };
}

const fn amount(name: &'static str, about: &'static str) -> Member {
    Member { name, about, form: Form::Amount, may_be_missing: false }
}
