//! The form of a plan. Its structs have more than other reports: the JSON that [`Plan::to_json`](super::Plan::to_json) writes, and
//! the figures by which a decision crosses to JavaScript.

use std::num::NonZeroU64;

use super::{
    Boundary, BoundaryLimit, Decision, Fate, MessagePlan, Preview, Reason, SCHEMA, Source, Verdict,
    VerdictReason,
};
use crate::form::{Described, Form, Member, formed, worded};
use crate::json::Writer;
use crate::policy::unknown;
use crate::transcript::{PartKind, Role};

/// The form of [`Plan`](super::Plan): schema and profile first, then the members of the decision, then the messages.
#[must_use]
pub fn plan() -> Vec<Member> {
    let name = |name, about, form| Member { name, about, form, may_be_missing: false };
    let mut members = vec![
        name("schema", "The name and version of this form.", Form::Always(SCHEMA)),
        name(
            "profile",
            "The policy's name; it ends in `*` when a knob of the profile has been turned.",
            Form::Text,
        ),
    ];
    members.extend(Decision::OBJECT.members);
    let about = "Every message, in the order in which the agent would send the active ones.";
    members.push(name("messages", about, Form::List(&MessagePlan::OBJECT)));
    members
}

/// A value that crosses to JavaScript as figures and has hand-written JSON output.
pub(crate) trait Figures {
    /// The number of figures.
    const COUNT: usize;
    /// Writes the figures into the next places.
    fn put(&self, places: &mut std::slice::IterMut<'_, f64>);
    /// Writes it as JSON.
    fn write(&self, writer: &mut Writer);
}

pub(crate) fn put(figure: f64, places: &mut std::slice::IterMut<'_, f64>) {
    if let Some(place) = places.next() {
        *place = figure;
    }
}

/// Defines structs of the plan's form. A member consists of its documentation, how serde writes it if not as its type
/// does, its field, its name in JSON and its type. Fields behind `apart` are not part of the form.
macro_rules! described {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident [$($derived:path),*] {
            $(
                $(#[doc = $meaning:literal])+
                $(#[serde($serde:ident = $with:literal)])?
                $field:ident $json:literal: $type:ty
            ),+ $(,)?
        }
        $(apart {
            $(
                $(#[doc = $also:literal])+
                $apart:ident: $other:ty
            ),+ $(,)?
        })?
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize $(, $derived)*)]
        #[non_exhaustive]
        pub struct $name {
            $(
                $(#[doc = $meaning])+
                #[serde(rename = $json)]
                $(#[serde($serde = $with)])?
                pub $field: $type,
            )+
            $($(
                $(#[doc = $also])+
                #[serde(skip)]
                pub $apart: $other,
            )+)?
        }

        impl $crate::form::Described for $name {
            const OBJECT: $crate::form::Object = $crate::form::Object {
                name: stringify!($name),
                about: concat!($($about, "\n"),+),
                members: &[$($crate::form::Member {
                    name: $json,
                    about: concat!($($meaning, "\n"),+),
                    form: <$type as $crate::form::Formed>::FORM,
                    may_be_missing: false,
                }),+],
            };
        }

        impl $crate::form::Formed for $name {
            const FORM: $crate::form::Form =
                $crate::form::Form::Object(&<Self as $crate::form::Described>::OBJECT);
        }
    };
}

/// [`described!`] for structs that cross to JavaScript as figures.
macro_rules! figures {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            $(
                $(#[doc = $meaning:literal])+
                $(#[serde(with = $with:literal)])?
                $field:ident $json:literal: $type:ty
            ),+ $(,)?
        }
    ) => {
        $crate::plan::form::described! {
            $(#[doc = $about])+
            pub struct $name [Copy, Default, serde::Deserialize] {
                $(
                    $(#[doc = $meaning])+
                    $(#[serde(with = $with)])?
                    $field $json: $type
                ),+
            }
        }

        impl $name {
            /// Writes the members: `before` comes before the first, a comma before each other.
            pub(crate) fn write_members(&self, before: &str, writer: &mut $crate::json::Writer) {
                let mut before = before;
                $(
                    writer.raw(before).raw(concat!("\"", $json, "\":"));
                    $crate::plan::form::Figures::write(&self.$field, writer);
                    before = ",";
                )+
                let _ = before;
            }
        }

        impl $crate::plan::form::Figures for $name {
            const COUNT: usize = 0 $(+ <$type as $crate::plan::form::Figures>::COUNT)+;

            fn put(&self, places: &mut std::slice::IterMut<'_, f64>) {
                $($crate::plan::form::Figures::put(&self.$field, places);)+
            }

            fn write(&self, writer: &mut $crate::json::Writer) {
                self.write_members("{", writer);
                writer.raw("}");
            }
        }
    };
}

pub(crate) use {described, figures};

formed! {
    Option<Preview> => Form::Optional(&Preview::OBJECT),
    Option<Boundary> => Form::Maybe(&Boundary::OBJECT),
}

impl Figures for u64 {
    const COUNT: usize = 1;

    fn put(&self, places: &mut std::slice::IterMut<'_, f64>) {
        put(*self as f64, places);
    }

    fn write(&self, writer: &mut Writer) {
        writer.number(*self);
    }
}

/// What is not known is 0.
impl Figures for Option<NonZeroU64> {
    const COUNT: usize = 1;

    fn put(&self, places: &mut std::slice::IterMut<'_, f64>) {
        unknown::or_zero(*self).put(places);
    }

    fn write(&self, writer: &mut Writer) {
        unknown::or_zero(*self).write(writer);
    }
}

impl Figures for usize {
    const COUNT: usize = 1;

    fn put(&self, places: &mut std::slice::IterMut<'_, f64>) {
        put(*self as f64, places);
    }

    fn write(&self, writer: &mut Writer) {
        writer.number(*self as u64);
    }
}

impl Figures for bool {
    const COUNT: usize = 1;

    fn put(&self, places: &mut std::slice::IterMut<'_, f64>) {
        put(f64::from(u8::from(*self)), places);
    }

    fn write(&self, writer: &mut Writer) {
        writer.flag(*self);
    }
}

/// What is not known is -1.
impl Figures for Option<u64> {
    const COUNT: usize = 1;

    fn put(&self, places: &mut std::slice::IterMut<'_, f64>) {
        put(self.map_or(-1.0, |amount| amount as f64), places);
    }

    fn write(&self, writer: &mut Writer) {
        match self {
            Some(amount) => writer.number(*amount),
            None => writer.raw("null"),
        };
    }
}

/// A missing place is -1.
impl Figures for Option<usize> {
    const COUNT: usize = 1;

    fn put(&self, places: &mut std::slice::IterMut<'_, f64>) {
        put(self.map_or(-1.0, |place| place as f64), places);
    }

    fn write(&self, writer: &mut Writer) {
        writer.maybe(*self);
    }
}

/// A missing boundary is -1 in each figure.
impl Figures for Option<Boundary> {
    const COUNT: usize = Boundary::COUNT;

    fn put(&self, places: &mut std::slice::IterMut<'_, f64>) {
        match self {
            Some(boundary) => boundary.put(places),
            None => places.take(Self::COUNT).for_each(|place| *place = -1.0),
        }
    }

    fn write(&self, writer: &mut Writer) {
        match self {
            Some(boundary) => boundary.write(writer),
            None => {
                writer.raw("null");
            }
        }
    }
}

/// For closed sets: a word is its number in the set.
macro_rules! figures_of_words {
    ($($type:ty),+) => {
        worded!($($type),+);
        $(
        impl Figures for $type {
            const COUNT: usize = 1;

            fn put(&self, places: &mut std::slice::IterMut<'_, f64>) {
                put(*self as usize as f64, places);
            }

            fn write(&self, writer: &mut Writer) {
                writer.word(self.as_str());
            }
        }
    )+};
}

figures_of_words!(BoundaryLimit, Fate, PartKind, Reason, Role, Source, Verdict, VerdictReason);
