//! What the page's pictures have in common: how large a canvas is, when it is painted, and in which colors.

mod palette;

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::browser;
use super::live::effect;
pub(super) use palette::{Hatches, Palette};

/// The width of a canvas in CSS pixels, and the device's pixel ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Room {
    pub(super) width: f64,
    pub(super) ratio: f64,
}

/// Colors and hatches, read once for each theme.
#[derive(Default)]
pub(super) struct Colors {
    palette: RefCell<Palette>,
    hatches: Hatches,
    of_theme: Cell<Option<u32>>,
}

impl Colors {
    pub(super) fn palette(&self) -> Ref<'_, Palette> {
        self.palette.borrow()
    }

    pub(super) fn hatches(&self) -> &Hatches {
        &self.hatches
    }

    /// Clears a canvas that fills `room` and is `height` CSS pixels high; `None` if it has no width. `theme` is another number whenever
    /// the colors of the page have changed.
    pub(super) fn cleared(
        &self,
        canvas: &HtmlCanvasElement,
        room: Room,
        height: f64,
        theme: u32,
    ) -> Option<CanvasRenderingContext2d> {
        if self.of_theme.get() != Some(theme) {
            *self.palette.borrow_mut() = Palette::read();
            self.hatches.clear();
            self.of_theme.set(Some(theme));
        }
        let (width, height) =
            ((room.width * room.ratio).round() as u32, (height * room.ratio).round() as u32);
        if width == 0 {
            return None;
        }
        if (canvas.width(), canvas.height()) != (width, height) {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        let context = canvas.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
        context.clear_rect(0.0, 0.0, f64::from(width), f64::from(height));
        Some(context)
    }
}

/// Paints at most once per frame, in the next frame after something that `track` reads has changed.
pub(super) fn paint_when_changed(
    track: impl Fn() + 'static,
    paint: impl Fn(&HtmlCanvasElement) + 'static,
    canvas: NodeRef<html::Canvas>,
) {
    let due = StoredValue::new(false);
    let paint = StoredValue::new_local(Rc::new(paint));
    effect(move || {
        track();
        if due.get_value() {
            return;
        }
        due.set_value(true);
        request_animation_frame(move || {
            due.set_value(false);
            if let Some(canvas) = canvas.get_untracked() {
                (paint.get_value())(&canvas);
            }
        });
    });
}

/// Keeps the canvas as large as its container, in device pixels.
pub(super) fn watch_size(canvas: NodeRef<html::Canvas>, room: RwSignal<Room>) {
    effect(move || {
        let Some(canvas) = canvas.get() else { return };
        let measured = canvas.clone();
        let measure = move || {
            let ratio = browser::window().map_or(1.0, |window| window.device_pixel_ratio());
            room.set(Room { width: f64::from(measured.client_width()), ratio });
        };
        measure();
        let changed = Closure::<dyn FnMut()>::new(measure);
        if let Ok(observer) = web_sys::ResizeObserver::new(changed.as_ref().unchecked_ref()) {
            observer.observe(&canvas);
            // The pictures live as long as the page.
            changed.forget();
        }
    });
}
