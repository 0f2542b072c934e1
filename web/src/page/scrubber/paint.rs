//! Painting the sawtooth: the line, the window and the trigger, the events, and the moment that is shown.

use ebbline::numbers::{fraction, short};
use ebbline::replay::Known;
use ebbline_web::life::{Event, EventKind, Life};
use ebbline_web::question::Line;
use ebbline_web::sawtooth::{INSET, Scale, Stroke};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::page::canvas::{Colors, Hatches, Palette, Room};

/// The picture's height, and the tops and bottoms of the events and of the line, in CSS pixels.
const HEIGHT: f64 = 112.0;
const RECORDED: f64 = 8.0;
const EVENTS: f64 = 20.0;
const TOP: f64 = 32.0;
const BOTTOM: f64 = 110.0;

/// Paints the sawtooth.
#[derive(Default)]
pub(super) struct Painter {
    colors: Colors,
}

struct Picture<'p> {
    context: CanvasRenderingContext2d,
    palette: &'p Palette,
    ratio: f64,
    width: f64,
    scale: Scale,
}

impl Painter {
    pub(super) fn paint(
        &self,
        canvas: &HtmlCanvasElement,
        room: Room,
        (life, other): (&Life, Option<&Line>),
        (at, colors): (Option<u32>, u32),
    ) {
        let Some(context) = self.colors.cleared(canvas, room, HEIGHT, colors) else { return };
        let palette = self.colors.palette();
        let picture = Picture {
            context,
            palette: &palette,
            ratio: room.ratio,
            width: room.width,
            scale: Scale::new(life, other, room.width),
        };
        picture.phases(life);
        picture.unknown(life, self.colors.hatches());
        picture.line(life);
        if let Some(other) = other {
            picture.other(other);
        }
        picture.cursor(life, at);
        picture.events(&life.events, EVENTS, true);
        picture.events(&life.recorded, RECORDED, false);
    }
}

impl Picture<'_> {
    /// A length in device pixels.
    fn px(&self, css: f64) -> f64 {
        (css * self.ratio).round()
    }

    fn y(&self, tokens: f64) -> f64 {
        self.px(BOTTOM - self.scale.height(tokens) * (BOTTOM - TOP))
    }

    /// Every second phase between compactions has a ground of its own, as long as phases can be told apart.
    fn phases(&self, life: &Life) {
        let starts: Vec<f64> = life.events.iter().map(|event| self.scale.x(event.request)).collect();
        if starts.len() as f64 * 6.0 > self.width {
            return;
        }
        self.context.set_fill_style_str(&self.palette.well);
        let ends = starts.iter().skip(1).copied().chain([self.width - INSET]);
        for (from, to) in starts.iter().zip(ends).step_by(2) {
            let (from, to) = (self.px(*from), self.px(to));
            self.context.fill_rect(from, self.px(TOP), to - from, self.px(BOTTOM) - self.px(TOP));
        }
    }

    /// In front of a file that holds only a tail, nobody knows what was.
    fn unknown(&self, life: &Life, hatches: &Hatches) {
        if life.known != Known::Tail {
            return;
        }
        if let Some(hatch) = hatches.of(&self.context, &self.palette.line, 6.0, self.ratio) {
            self.context.set_fill_style_canvas_pattern(&hatch);
            let top = self.px(TOP);
            self.context.fill_rect(0.0, top, self.px(INSET), self.px(BOTTOM) - top);
        }
    }

    /// The window, solid, with its label at the right; the trigger, dashed, with its label at the left.
    fn limits(&self, life: &Life) {
        let Self { context, palette, ratio, .. } = self;
        let (left, right) = (self.px(INSET), self.px(self.width - INSET));
        context.set_line_width(ratio.max(1.0));
        context.set_stroke_style_str(&palette.line);
        context.set_font(&format!("{}px system-ui, sans-serif", fraction(self.px(11.0) as u64, 1, 0)));
        let across = |y: f64| {
            let y = y.floor() + 0.5;
            context.begin_path();
            context.move_to(left, y);
            context.line_to(right, y);
            context.stroke();
        };
        across(self.px(BOTTOM));
        context.set_fill_style_str(&palette.muted);
        if let Some(window) = life.window {
            let y = self.y(window as f64);
            across(y);
            // On a narrow picture the moment that is shown would often stand on a label at the right.
            let is_narrow = self.width < 560.0;
            context.set_text_align(if is_narrow { "left" } else { "right" });
            context.set_text_baseline("bottom");
            let x = if is_narrow { left + self.px(2.0) } else { right };
            let _never = context.fill_text(&format!("window {}", short(window)), x, y - self.px(2.0));
        }
        if let Some(threshold) = life.threshold.filter(|threshold| Some(*threshold) != life.window) {
            let y = self.y(threshold as f64);
            self.dashes(&[4.0, 3.0]);
            across(y);
            self.dashes(&[]);
            context.set_text_align("left");
            context.set_text_baseline("top");
            let _never = context.fill_text(
                &format!("full above {}", short(threshold)),
                left + self.px(2.0),
                y + self.px(3.0),
            );
        }
    }

    /// The line, over a quiet ground and the limits.
    fn line(&self, life: &Life) {
        let Self { context, palette, ratio, .. } = self;
        let strokes = self.scale.strokes(&life.found, &life.sent);
        let Some(first) = strokes.first() else { return self.limits(life) };
        context.begin_path();
        self.trace(&strokes);
        context.line_to(self.px(self.width - INSET), self.px(BOTTOM));
        context.line_to(first.x * ratio, self.px(BOTTOM));
        context.close_path();
        context.set_global_alpha(0.7);
        context.set_fill_style_str(&palette.wash);
        context.fill();
        context.set_global_alpha(1.0);
        // Behind the line, and on the ground: labels keep their contrast.
        self.limits(life);
        context.begin_path();
        self.trace(&strokes);
        context.set_stroke_style_str(&palette.ink);
        context.set_line_width((1.25 * ratio).max(1.0));
        context.set_line_join("round");
        context.stroke();
    }

    /// Traces the line from the first stroke to the end of the file.
    fn trace(&self, strokes: &[Stroke]) {
        let Self { context, ratio, .. } = self;
        for (number, stroke) in strokes.iter().enumerate() {
            let x = stroke.x * ratio;
            let (found, sent) = (self.y(f64::from(stroke.found)), self.y(f64::from(stroke.sent)));
            if number == 0 {
                context.move_to(x, found);
            } else {
                context.line_to(x, found);
            }
            if sent > found {
                context.line_to(x, sent);
            }
        }
        // What the last request sends stays until the end of the file.
        if let Some(last) = strokes.last() {
            context.line_to(self.px(self.width - INSET), self.y(f64::from(last.sent)));
        }
    }

    /// The life under the other policy, dashed over the first.
    fn other(&self, other: &Line) {
        let Self { context, palette, ratio, .. } = self;
        self.dashes(&[5.0, 3.0]);
        context.begin_path();
        self.trace(&self.scale.strokes(&other.found, &other.sent));
        context.set_stroke_style_str(&palette.select);
        context.set_line_width((2.0 * ratio).max(1.0));
        context.stroke();
        self.dashes(&[]);
    }

    /// Dashes and gaps of these lengths in CSS pixels; none for a solid line.
    fn dashes(&self, lengths: &[f64]) {
        let lengths: js_sys::Array =
            lengths.iter().map(|length| wasm_bindgen::JsValue::from_f64(length * self.ratio)).collect();
        let _never = self.context.set_line_dash(&lengths);
    }

    /// A square for a prune, a triangle for a summary; filled if simulated, hollow if recorded.
    fn events(&self, events: &[Event], middle: f64, filled: bool) {
        let Self { context, palette, ratio, .. } = self;
        let half = 4.0 * ratio;
        context.set_stroke_style_str(&palette.ink);
        context.set_line_width((1.25 * ratio).max(1.0));
        let y = middle * ratio;
        for (x, event) in self.scale.events(events) {
            let x = x * ratio;
            // On the cursor, a ground of its own.
            context.set_fill_style_str(&palette.page);
            context.fill_rect(x - half, y - half - ratio, 2.0 * half, 2.0 * (half + ratio));
            context.set_fill_style_str(&palette.ink);
            context.begin_path();
            if event.kind == EventKind::Summary {
                context.move_to(x - half, y - half);
                context.line_to(x + half, y - half);
                context.line_to(x, y + half);
                context.close_path();
            } else {
                let half = half * 0.8;
                context.rect(x - half, y - half, 2.0 * half, 2.0 * half);
            }
            if filled {
                context.fill();
            } else {
                context.stroke();
            }
        }
    }

    /// The moment that is shown.
    fn cursor(&self, life: &Life, at: Option<u32>) {
        let Self { context, palette, ratio, .. } = self;
        let x = self.px(self.scale.x(at.unwrap_or(life.len() as u32)));
        let width = (2.0 * ratio).round();
        context.set_fill_style_str(&palette.page);
        context.fill_rect(x - width, self.px(TOP), 2.0 * width, self.px(BOTTOM) - self.px(TOP));
        context.set_fill_style_str(&palette.select);
        context.fill_rect(x - width / 2.0, 0.0, width, self.px(HEIGHT));
        let found = at.and_then(|at| life.found.get(at as usize));
        if let Some(found) = found {
            context.begin_path();
            let _never = context.arc(x, self.y(f64::from(*found)), 4.0 * ratio, 0.0, std::f64::consts::TAU);
            context.fill();
        }
    }
}
