//! A choice among a few, as one type of signal for all of them: Leptos compiles its code again for each type that a signal
//! holds, which would make the program considerably larger.

use std::marker::PhantomData;

use ebbline_web::edge::Edge;
use ebbline_web::kind::{Kind, Shown};
use ebbline_web::sheet::Which;
use leptos::prelude::*;

use super::panels::{Dialog, Panel, Side};
use super::theme::Theme;

/// What can be chosen.
pub(super) trait Coded: Copy {
    /// All that can be chosen; fewer than 2³² of them.
    fn all() -> impl Iterator<Item = Self>;
    /// The number in that order.
    fn code(self) -> u32;
}

macro_rules! coded {
    ($($of:ty: $all:expr;)*) => {
        $(impl Coded for $of {
            fn all() -> impl Iterator<Item = Self> {
                $all.into_iter()
            }

            fn code(self) -> u32 {
                self as u32
            }
        })*
    };
}

coded! {
    Kind: Kind::ALL;
    Shown: Shown::ALL;
    Edge: Edge::ALL;
    Panel: [Panel::Messages, Panel::Inspector];
    Side: [Side::Before, Side::After, Side::Raw];
    Theme: Theme::ALL;
}

/// How many dialogs are no sheets.
const OWN: [Dialog; 3] = [Dialog::Paste, Dialog::Samples, Dialog::Export];

impl Coded for Dialog {
    fn all() -> impl Iterator<Item = Self> {
        OWN.into_iter().chain(Which::ALL.map(Dialog::Sheet))
    }

    fn code(self) -> u32 {
        match self {
            Self::Paste => 0,
            Self::Samples => 1,
            Self::Export => 2,
            Self::Sheet(which) => OWN.len() as u32 + which as u32,
        }
    }
}

/// What is chosen; nothing, if it is to be possible.
pub(super) struct Choice<T>(RwSignal<Option<u32>>, PhantomData<fn() -> T>);

impl<T> Clone for Choice<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Choice<T> {}

impl<T: Coded> Choice<T> {
    pub(super) fn new(chosen: Option<T>) -> Self {
        Self(RwSignal::new(chosen.map(T::code)), PhantomData)
    }

    fn of(code: Option<u32>) -> Option<T> {
        T::all().nth(code? as usize)
    }

    pub(super) fn get(self) -> Option<T> {
        Self::of(self.0.get())
    }

    pub(super) fn get_untracked(self) -> Option<T> {
        Self::of(self.0.get_untracked())
    }

    pub(super) fn track(self) {
        self.0.track();
    }

    pub(super) fn set(self, chosen: Option<T>) {
        self.0.set(chosen.map(T::code));
    }

    /// Whether this is chosen.
    pub(super) fn is(self, one: T) -> bool {
        self.0.get() == Some(one.code())
    }
}
