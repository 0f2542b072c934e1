//! Reactive pieces of a view, with one type for each purpose.
//!
//! Leptos compiles the code of a `view!` or an effect again for each closure. Boxed closures give all texts one type
//! and all flags another, which makes the program considerably smaller; the cost of a call through a pointer is
//! negligible beside a change of the page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};

/// A reactive text.
pub(super) type Words = Box<dyn FnMut() -> String + Send>;
/// A reactive condition.
pub(super) type Flag = Box<dyn FnMut() -> bool + Send>;
/// A reactive part of the page.
pub(super) type Piece = Box<dyn FnMut() -> AnyView + Send>;

/// A text that is computed again when a signal that `read` reads changes.
pub(super) fn words(read: impl FnMut() -> String + Send + 'static) -> Words {
    Box::new(read)
}

/// A condition that is computed again when a signal that `read` reads changes.
pub(super) fn flag(read: impl FnMut() -> bool + Send + 'static) -> Flag {
    Box::new(read)
}

/// A part of the page that is built again when a signal that `read` reads changes.
pub(super) fn part<V: IntoView + 'static>(mut read: impl FnMut() -> V + Send + 'static) -> Piece {
    Box::new(move || read().into_any())
}

/// A handler of clicks.
pub(super) fn click(mut act: impl FnMut() + 'static) -> Box<dyn FnMut(leptos::ev::MouseEvent)> {
    Box::new(move |_| act())
}

/// A handler of changed fields. It reads menus and text areas like inputs, because they have the same `value`.
pub(super) fn field(mut act: impl FnMut(&HtmlInputElement) + 'static) -> Box<dyn FnMut(Event)> {
    Box::new(move |event| {
        if let Some(target) = event.target() {
            act(target.unchecked_ref());
        }
    })
}

/// Runs `run` again when a signal that it reads changes.
pub(super) fn effect(run: impl FnMut() + 'static) {
    let run: Box<dyn FnMut()> = Box::new(run);
    Effect::new(run);
}
