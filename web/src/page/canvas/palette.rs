//! The colors of the pictures, as the style sheet resolves them for the theme and the system's contrast settings.

use std::cell::RefCell;

use ebbline_web::kind::Kind;
use wasm_bindgen::JsCast;
use web_sys::{CanvasPattern, CanvasRenderingContext2d};

use crate::page::browser;

/// Colors as CSS.
#[derive(Clone, Debug, Default)]
pub(in crate::page) struct Palette {
    pub(in crate::page) kinds: [String; 5],
    pub(in crate::page) ink: String,
    pub(in crate::page) muted: String,
    pub(in crate::page) line: String,
    pub(in crate::page) page: String,
    pub(in crate::page) well: String,
    pub(in crate::page) wash: String,
    pub(in crate::page) alarm: String,
    pub(in crate::page) select: String,
}

impl Palette {
    /// Reads the current colors.
    pub(in crate::page) fn read() -> Self {
        let style = browser::document()
            .and_then(|document| document.document_element())
            .and_then(|root| browser::window()?.get_computed_style(&root).ok().flatten());
        let color = |name: &str| {
            style
                .as_ref()
                .and_then(|style| style.get_property_value(name).ok())
                .map(|value| value.trim().to_owned())
                .unwrap_or_default()
        };
        Self {
            kinds: Kind::ALL.map(|kind| color(&format!("--kind-{}", kind.name()))),
            ink: color("--ink"),
            muted: color("--muted"),
            line: color("--line"),
            page: color("--surface"),
            well: color("--well"),
            wash: color("--wash"),
            alarm: color("--alarm"),
            select: color("--focus"),
        }
    }

    /// The color of a kind.
    pub(in crate::page) fn kind(&self, code: u8) -> &str {
        self.kinds.get(usize::from(code)).map_or("", String::as_str)
    }
}

/// Hatches at 45 degrees, made once for each color and pixel ratio.
#[derive(Default)]
pub(in crate::page) struct Hatches {
    made: RefCell<Vec<(String, u32, CanvasPattern)>>,
}

impl Hatches {
    /// Forgets all hatches, because the colors have changed.
    pub(in crate::page) fn clear(&self) {
        self.made.borrow_mut().clear();
    }

    /// A hatch of lines `gap` CSS pixels apart.
    pub(in crate::page) fn of(
        &self,
        context: &CanvasRenderingContext2d,
        color: &str,
        gap: f64,
        ratio: f64,
    ) -> Option<CanvasPattern> {
        let size = (gap * ratio).round().max(3.0);
        let key = size as u32;
        if let Some((.., pattern)) =
            self.made.borrow().iter().find(|(name, of, _)| name == color && *of == key)
        {
            return Some(pattern.clone());
        }
        let tile = browser::document()?
            .create_element("canvas")
            .ok()?
            .dyn_into::<web_sys::HtmlCanvasElement>()
            .ok()?;
        tile.set_width(key);
        tile.set_height(key);
        let pen = tile.get_context("2d").ok()??.dyn_into::<CanvasRenderingContext2d>().ok()?;
        pen.set_stroke_style_str(color);
        pen.set_line_width((1.4 * ratio).max(1.0));
        pen.begin_path();
        // The line and its neighbors, so that the corners of the tiles meet.
        for shift in [-1.0, 0.0, 1.0] {
            pen.move_to(shift * size - size * 0.5, size * 1.5);
            pen.line_to(shift * size + size * 1.5, -size * 0.5);
        }
        pen.stroke();
        let pattern = context.create_pattern_with_html_canvas_element(&tile, "repeat").ok().flatten()?;
        self.made.borrow_mut().push((color.to_owned(), key, pattern.clone()));
        Some(pattern)
    }
}
