//! Live pieces of a view behind one type each.
//!
//! What a `view!` or an effect does with a closure is compiled anew for each closure. Boxed, all texts are one type and
//! all flags another, and the program is a good deal smaller; a call through a pointer is nothing beside a change of the
//! page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};

/// A text that follows what it reads.
pub(super) type Words = Box<dyn FnMut() -> String + Send>;
/// A condition that follows what it reads.
pub(super) type Flag = Box<dyn FnMut() -> bool + Send>;
/// A piece of the page that follows what it reads.
pub(super) type Piece = Box<dyn FnMut() -> AnyView + Send>;

/// A text that follows what `read` reads.
pub(super) fn words(read: impl FnMut() -> String + Send + 'static) -> Words {
    Box::new(read)
}

/// A condition that follows what `read` reads.
pub(super) fn flag(read: impl FnMut() -> bool + Send + 'static) -> Flag {
    Box::new(read)
}

/// A piece of the page that follows what `read` reads.
pub(super) fn part<V: IntoView + 'static>(mut read: impl FnMut() -> V + Send + 'static) -> Piece {
    Box::new(move || read().into_any())
}

/// What is done when something is clicked.
pub(super) fn click(mut act: impl FnMut() + 'static) -> Box<dyn FnMut(leptos::ev::MouseEvent)> {
    Box::new(move |_| act())
}

/// What is done when a field is changed or typed into. Menus and text areas are read like inputs: they have the same
/// `value`.
pub(super) fn field(mut act: impl FnMut(&HtmlInputElement) + 'static) -> Box<dyn FnMut(Event)> {
    Box::new(move |event| {
        if let Some(target) = event.target() {
            act(target.unchecked_ref());
        }
    })
}

/// What is done again whenever something that it reads has changed.
pub(super) fn effect(run: impl FnMut() + 'static) {
    let run: Box<dyn FnMut()> = Box::new(run);
    Effect::new(run);
}
