//! The table of knobs. Each knob is defined once, as a field of its group's struct; the macro `knobs!` makes the struct
//! and its rows of this table. The table determines which knobs can be set, which values are valid, which knobs
//! may be a share of the window, and also the types, the schema and the documentation. The rules that use a knob
//! read the field.

use std::num::NonZeroU64;
use std::str::FromStr;

use super::{Comparison, CountCalls, Cut, Estimator, Fill, Limit, Measure, Model, Policy, PrunePolicy};
use super::{RetainPolicy, Rounding, Scope, Share, Snap, TriggerPolicy, unknown};
use crate::error::{Error, ErrorCode};
use crate::json::{Value, Writer};
use crate::length::Unit;
use crate::order::sort_by;
use crate::words::{Word, Words};

/// The largest integer that JavaScript represents exactly, `2^53 - 1`. No amount may be larger.
pub(super) const LARGEST: i64 = (1 << 53) - 1;

/// One knob of a [`Policy`].
///
/// # Example
///
/// ```
/// let knob = ebbline::Policy::knob("prune.protect").unwrap();
/// assert!(knob.may_be_share);
/// assert_eq!(knob.unit, Some(ebbline::policy::knob::Counted::Tokens));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Knob {
    /// Its path in the JSON form, for example `prune.protect`.
    pub path: &'static str,
    /// The kind of value that it holds.
    pub kind: Kind,
    /// What its number counts; `None` when the knob holds no number.
    pub unit: Option<Counted>,
    /// Whether it may be given as a share of the context window.
    pub may_be_share: bool,
    /// Whether a policy's JSON may omit it. An omitted knob is `false`, 0 or `null`.
    pub may_be_missing: bool,
    pub(crate) figure: fn(&Policy) -> Option<i128>,
    pub(crate) put: fn(&mut Policy, i128),
    /// Assigns a JSON value, or says what the value must be.
    pub(super) read: fn(&mut Policy, Value<'_>) -> Result<(), String>,
    /// Writes the value as JSON.
    pub(super) write: fn(&Policy, &mut Writer),
}

/// The kind of value that a knob holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// `true` or `false`.
    Switch,
    /// A whole number.
    Number {
        /// The smallest valid number.
        least: i64,
        /// The largest valid number.
        most: i64,
        /// Whether `null` is valid, with the meaning "none".
        or_null: bool,
    },
    /// A share of something other than the window, or `null`.
    Share,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Counted {
    /// Tokens.
    Tokens,
    /// Turns.
    Turns,
    /// Tool outputs.
    Outputs,
    /// Characters, in the estimator's unit.
    Characters,
    /// Milliseconds.
    Milliseconds,
    /// Tokens for each token.
    Ratio,
    /// Answers of the model.
    Answers,
    /// Images.
    Images,
}

/// The documentation of a knob or a group.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct About {
    /// The path of the knob, or the name of the group.
    pub path: &'static str,
    /// Its documentation, one entry a line.
    pub about: &'static str,
    /// For a choice: its words and their meanings.
    pub words: Option<Words>,
}

/// A group of knobs: one object in the JSON form of a policy.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Group {
    /// The name of its Rust struct and of its TypeScript interface.
    pub name: &'static str,
    /// The name and documentation of the group.
    pub about: About,
    /// The documentation of its knobs, in their order.
    pub knobs: &'static [About],
}

/// All groups with the documentation of their knobs, for programs that write documentation.
pub const GROUPS: [Group; 5] =
    [Model::GROUP, Estimator::GROUP, PrunePolicy::GROUP, RetainPolicy::GROUP, TriggerPolicy::GROUP];

const TABLE: [&[Knob]; 5] =
    [Model::KNOBS, Estimator::KNOBS, PrunePolicy::KNOBS, RetainPolicy::KNOBS, TriggerPolicy::KNOBS];

impl Policy {
    /// All knobs except the profile's name, group by group.
    ///
    /// # Example
    ///
    /// ```
    /// let mut paths = ebbline::Policy::knobs().map(|knob| knob.path);
    /// assert_eq!(paths.next(), Some("model.context"));
    /// ```
    pub fn knobs() -> impl Iterator<Item = &'static Knob> {
        TABLE.into_iter().flatten()
    }

    /// The knob at `path`, for example `prune.protect`; `None` when there is none.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline::Policy;
    /// assert!(Policy::knob("retain.keep").is_some());
    /// assert!(Policy::knob("retain.kept").is_none());
    /// ```
    #[must_use]
    pub fn knob(path: &str) -> Option<&'static Knob> {
        Self::knobs().find(|knob| knob.path == path)
    }

    /// The paths of all knobs, sorted.
    pub(super) fn knob_paths() -> Vec<&'static str> {
        let mut paths: Vec<_> = Self::knobs().map(|knob| knob.path).chain(["profile"]).collect();
        sort_by(&mut paths, &|one, other| one.cmp(other));
        paths
    }

    /// Whether a group of knobs is called `name`.
    pub(super) fn has_group(name: &str) -> bool {
        Self::knobs().any(|knob| knob.path.split_once('.').is_some_and(|(group, _)| group == name))
    }

    /// The number that the knob at `path` holds, ignoring shares. `None` when the knob holds no number.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = ebbline::profiles::get("pi@1.5")?;
    /// assert_eq!(policy.figure("retain.keep"), Some(20_000));
    /// assert_eq!(policy.figure("retain.cut"), None);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    #[must_use]
    pub fn figure(&self, path: &str) -> Option<i128> {
        Self::knob(path).and_then(|knob| (knob.figure)(self))
    }

    /// Assigns a number to the knob at `path`, as an assignment to its field would: the number is not checked
    /// (see [`Policy::check`]) and the profile's name does not change. Nothing happens when the knob holds no
    /// number.
    ///
    /// # Example
    ///
    /// ```
    /// let mut policy = ebbline::profiles::get("ebbline@1")?;
    /// policy.put_figure("retain.keep", 5_000);
    /// assert_eq!(policy.retain.keep, 5_000);
    /// # Ok::<(), ebbline::Error>(())
    /// ```
    pub fn put_figure(&mut self, path: &str, figure: i128) {
        if let Some(knob) = Self::knob(path) {
            (knob.put)(self, figure);
        }
    }

    /// Refuses numbers outside their ranges.
    pub(super) fn check_figures(&self) -> Result<(), Error> {
        for knob in Self::knobs() {
            let (Some(figure), Kind::Number { least, most, .. }) = ((knob.figure)(self), knob.kind) else {
                continue;
            };
            let path = knob.path;
            let fault = if figure > i128::from(most) {
                format!("{path} is {}, more than {most}", written(figure))
            } else if figure < i128::from(least) {
                format!("{path} is {}; it must be at least {least}", written(figure))
            } else {
                continue;
            };
            return Err(Error::new(ErrorCode::InvalidPolicy, fault));
        }
        Ok(())
    }
}

/// A figure in digits: of a knob's type, it fits into 64 bits, and a wider number is two kilobytes to write.
fn written(figure: i128) -> String {
    match u64::try_from(figure) {
        Ok(figure) => figure.to_string(),
        Err(_) => i64::try_from(figure).unwrap_or(i64::MIN).to_string(),
    }
}

/// A type that a knob may have.
pub(crate) trait Turned: Sized {
    const KIND: Kind;
    const WORDS: Option<Words> = None;

    fn figure(&self) -> Option<i128> {
        None
    }

    fn put(&mut self, _figure: i128) {}

    /// The value that JSON spells, or what it must be in words.
    fn read(value: Value<'_>) -> Result<Self, String>;

    fn write(&self, out: &mut Writer);
}

impl Turned for bool {
    const KIND: Kind = Kind::Switch;

    fn read(value: Value<'_>) -> Result<Self, String> {
        match value.source() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err("true or false".to_owned()),
        }
    }

    fn write(&self, out: &mut Writer) {
        out.flag(*self);
    }
}

impl Turned for String {
    const KIND: Kind = Kind::Text;

    fn read(value: Value<'_>) -> Result<Self, String> {
        value.text().map(|text| text.decode().into_owned()).ok_or_else(|| "a text".to_owned())
    }

    fn write(&self, out: &mut Writer) {
        out.string(self);
    }
}

impl Turned for Vec<String> {
    const KIND: Kind = Kind::Texts;

    /// A single text holds names that commas separate.
    fn read(value: Value<'_>) -> Result<Self, String> {
        if let Some(names) = value.text() {
            let names = names.decode();
            let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
            return Ok(names.map(str::to_owned).collect());
        }
        let wanted = || "a list of texts".to_owned();
        if !value.is_array() {
            return Err(wanted());
        }
        value.elements().map(|element| String::read(element).map_err(|_| wanted())).collect()
    }

    fn write(&self, out: &mut Writer) {
        for (index, text) in self.iter().enumerate() {
            out.raw(if index == 0 { "[\n      " } else { ",\n      " }).string(text);
        }
        out.raw(if self.is_empty() { "[]" } else { "\n    ]" });
    }
}

impl Turned for Option<Share> {
    const KIND: Kind = Kind::Share;

    fn read(value: Value<'_>) -> Result<Self, String> {
        if value.is_null() {
            return Ok(None);
        }
        let share = value.text().and_then(|text| Share::parse(&text.decode()));
        share.map(Some).ok_or_else(|| "a share such as \"25%\", or null".to_owned())
    }

    fn write(&self, out: &mut Writer) {
        match self {
            Some(share) => out.string(&share.to_string()),
            None => out.raw("null"),
        };
    }
}

/// A whole number without a fraction or an exponent.
fn whole<N: FromStr>(value: Value<'_>, wanted: &str) -> Result<N, String> {
    value.source().parse().map_err(|_| wanted.to_owned())
}

const AMOUNT: &str = "a whole number of 0 or more";

impl Turned for u64 {
    const KIND: Kind = Kind::Number { least: 0, most: LARGEST, or_null: false };

    fn figure(&self) -> Option<i128> {
        Some(i128::from(*self))
    }

    fn put(&mut self, figure: i128) {
        *self = Self::try_from(figure.max(0)).unwrap_or(Self::MAX);
    }

    fn read(value: Value<'_>) -> Result<Self, String> {
        whole(value, AMOUNT)
    }

    fn write(&self, out: &mut Writer) {
        out.number(*self);
    }
}

/// An amount that may not be known: its number is then 0.
impl Turned for Option<NonZeroU64> {
    const KIND: Kind = u64::KIND;

    fn figure(&self) -> Option<i128> {
        unknown::or_zero(*self).figure()
    }

    fn put(&mut self, figure: i128) {
        let mut amount = 0;
        u64::put(&mut amount, figure);
        *self = NonZeroU64::new(amount);
    }

    fn read(value: Value<'_>) -> Result<Self, String> {
        u64::read(value).map(NonZeroU64::new)
    }

    fn write(&self, out: &mut Writer) {
        unknown::or_zero(*self).write(out);
    }
}

impl Turned for i64 {
    const KIND: Kind = Kind::Number { least: -LARGEST, most: LARGEST, or_null: false };

    fn figure(&self) -> Option<i128> {
        Some(i128::from(*self))
    }

    fn put(&mut self, figure: i128) {
        *self = Self::try_from(figure).unwrap_or(if figure < 0 { Self::MIN } else { Self::MAX });
    }

    fn read(value: Value<'_>) -> Result<Self, String> {
        whole(value, "a whole number")
    }

    fn write(&self, out: &mut Writer) {
        out.raw(if *self < 0 { "-" } else { "" }).number(self.unsigned_abs());
    }
}

impl Turned for u32 {
    const KIND: Kind = Kind::Number { least: 0, most: Self::MAX as i64, or_null: false };

    fn figure(&self) -> Option<i128> {
        Some(i128::from(*self))
    }

    fn put(&mut self, figure: i128) {
        *self = Self::try_from(figure.max(0)).unwrap_or(Self::MAX);
    }

    fn read(value: Value<'_>) -> Result<Self, String> {
        whole(value, AMOUNT)
    }

    fn write(&self, out: &mut Writer) {
        out.number(u64::from(*self));
    }
}

impl Turned for Option<u32> {
    const KIND: Kind = Kind::Number { least: 0, most: u32::MAX as i64, or_null: true };

    fn figure(&self) -> Option<i128> {
        self.map(i128::from)
    }

    fn put(&mut self, figure: i128) {
        *self = Some(u32::try_from(figure.max(0)).unwrap_or(u32::MAX));
    }

    fn read(value: Value<'_>) -> Result<Self, String> {
        if value.is_null() {
            Ok(None)
        } else {
            whole(value, "a whole number of 0 or more, or null").map(Some)
        }
    }

    fn write(&self, out: &mut Writer) {
        match self {
            Some(number) => out.number(u64::from(*number)),
            None => out.raw("null"),
        };
    }
}

macro_rules! choices {
    ($($type:ty),+) => {$(
        impl Turned for $type {
            const KIND: Kind = Kind::Choice(<$type as Word>::WORDS.words);
            const WORDS: Option<Words> = Some(<$type as Word>::WORDS);

            fn read(value: Value<'_>) -> Result<Self, String> {
                let word = value.text().and_then(|text| Self::from_word(&text.decode()));
                word.ok_or_else(|| format!("one of {}", <$type as Word>::WORDS.words.join(", ")))
            }

            fn write(&self, out: &mut Writer) {
                out.word(self.as_str());
            }
        }
    )+};
}

choices!(Comparison, CountCalls, Cut, Fill, Limit, Measure, Rounding, Scope, Snap, Unit);

/// The smallest valid number of a kind: `wanted` if the knob sets one, else that of its type.
pub(crate) const fn at_least(kind: Kind, wanted: Option<i64>) -> Kind {
    match (kind, wanted) {
        (Kind::Number { most, or_null, .. }, Some(least)) => Kind::Number { least, most, or_null },
        (kind, _) => kind,
    }
}

/// Defines a group of knobs. A knob consists of its documentation, how serde writes it if not as its type does, its
/// field, its name in JSON and its type.
/// Brackets may follow: what the number counts, `share` if the knob may be a share of the window, and the least
/// valid number if it differs from that of the type. `= default` marks a knob that JSON may omit.
macro_rules! knobs {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident in $group:ident $([$derived:ident])? {
            $(
                $(#[doc = $meaning:literal])+
                $(#[serde(with = $with:literal)])?
                $field:ident $json:literal: $type:ty
                $([$counted:ident $(, $share:ident)? $(, $least:literal)?])?
                $(= $missing:ident)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $(#[derive($derived)])?
        #[serde(deny_unknown_fields)]
        #[non_exhaustive]
        pub struct $name {
            $(
                $(#[doc = $meaning])+
                #[serde(rename = $json)]
                $(#[serde($missing)])?
                $(#[serde(with = $with)])?
                pub $field: $type,
            )+
        }

        impl $name {
            pub(crate) const KNOBS: &'static [$crate::policy::knob::Knob] = &[$($crate::policy::knob::Knob {
                path: path::$field,
                kind: $crate::policy::knob::at_least(
                    <$type as $crate::policy::knob::Turned>::KIND,
                    $crate::policy::knob::knobs!(@least $($($least)?)?),
                ),
                unit: $crate::policy::knob::knobs!(@counted $($counted)?),
                may_be_share: $crate::policy::knob::knobs!(@share $($($share)?)?),
                may_be_missing: $crate::policy::knob::knobs!(@missing $($missing)?),
                figure: |policy| $crate::policy::knob::Turned::figure(&policy.$group.$field),
                put: |policy, figure| $crate::policy::knob::Turned::put(&mut policy.$group.$field, figure),
                read: |policy, value| {
                    policy.$group.$field = $crate::policy::knob::Turned::read(value)?;
                    Ok(())
                },
                write: |policy, out| $crate::policy::knob::Turned::write(&policy.$group.$field, out),
            }),+];

            pub(crate) const GROUP: $crate::policy::knob::Group = $crate::policy::knob::Group {
                name: stringify!($name),
                about: $crate::policy::knob::About {
                    path: stringify!($group),
                    about: concat!($($about, "\n"),+),
                    words: None,
                },
                knobs: &[$($crate::policy::knob::About {
                    path: path::$field,
                    about: concat!($($meaning, "\n"),+),
                    words: <$type as $crate::policy::knob::Turned>::WORDS,
                }),+],
            };
        }

        #[doc = concat!("The paths of the knobs in `", stringify!($group), "`.")]
        #[expect(non_upper_case_globals, reason = "a path has the name of its field")]
        pub mod path {
            $(
                #[doc = concat!("`", stringify!($group), ".", $json, "`")]
                pub const $field: &str = concat!(stringify!($group), ".", $json);
            )+
        }
    };
    (@least) => { None };
    (@least $least:literal) => { Some($least) };
    (@counted) => { None };
    (@counted $counted:ident) => { Some($crate::policy::knob::Counted::$counted) };
    (@share) => { false };
    (@share share) => { true };
    (@missing) => { false };
    (@missing default) => { true };
}

pub(crate) use knobs;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles;

    #[test]
    fn the_table_is_the_policys_json_form() {
        let policy = profiles::get("ebbline@1").unwrap();
        let tree: serde_json::Value = serde_json::from_str(&policy.to_json()).unwrap();
        for knob in Policy::knobs() {
            let value = tree.pointer(&format!("/{}", knob.path.replace('.', "/"))).unwrap();
            let fits = match knob.kind {
                Kind::Switch => value.is_boolean(),
                Kind::Number { or_null, .. } => value.is_i64() || or_null && value.is_null(),
                Kind::Share => value.is_null() || value.is_string(),
                Kind::Choice(words) => words.contains(&value.as_str().unwrap()),
                Kind::Text => value.is_string(),
                Kind::Texts => value.is_array(),
            };
            assert!(fits, "{knob:?} {value}");
            assert_eq!(knob.unit.is_some(), matches!(knob.kind, Kind::Number { .. }), "{}", knob.path);
        }
        let written = ["model", "estimator", "prune", "retain", "trigger"]
            .map(|group| tree.get(group).and_then(|group| group.as_object()).unwrap().len());
        assert_eq!(Policy::knobs().count(), written.iter().sum::<usize>());
    }

    #[test]
    fn every_number_is_held_to_its_range() {
        let plain = profiles::get("ebbline@1").unwrap();
        for knob in Policy::knobs() {
            let Kind::Number { least, most, .. } = knob.kind else { continue };
            for (figure, fits) in [
                (i128::from(least), true),
                (i128::from(most), true),
                (i128::from(least) - 1, false),
                (i128::from(most) + 1, false),
            ] {
                let mut policy = plain.clone();
                policy.put_figure(knob.path, figure);
                // What a field cannot hold is not put into it.
                let is_held = policy.figure(knob.path) == Some(figure);
                assert_eq!(policy.check().is_ok(), fits || !is_held, "{} {figure}", knob.path);
                assert_eq!(plain.clone().set(knob.path, &figure.to_string()).is_ok(), fits, "{}", knob.path);
            }
        }
    }
}
