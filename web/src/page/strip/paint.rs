//! Painting the strip: color shows the kind, shape shows the fate.

use std::iter::successors;

use ebbline::numbers::{fraction, short};
use ebbline::{Fate, Policy};
use ebbline_web::drawn_plan::DrawnPlan;
use ebbline_web::edge::Edge;
use ebbline_web::kind::{Kind, fate_from_code};
use ebbline_web::knob::Knob;
use ebbline_web::strip::{Band, bands};
use ebbline_web::verdict::left_free;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::{AFTER, AXIS, BEFORE, HEIGHT};
use crate::page::canvas::{Colors, Hatches, Palette, Room};

/// Stands for the summary that does not exist yet; it is not a message of the session.
pub(super) const SUMMARY: u32 = u32::MAX;
/// Stands for what is sent with the messages but is not in the file.
pub(super) const NOT_IN_FILE: u32 = u32::MAX - 1;

/// What to paint.
pub(super) struct Scene<'s> {
    pub(super) planned: &'s DrawnPlan,
    pub(super) policy: &'s Policy,
    pub(super) selected: Option<u32>,
    /// How many tokens the whole width stands for.
    pub(super) scale: u64,
    pub(super) held: Option<Edge>,
    pub(super) colors: u32,
}

/// A message, a kind, a fate and tokens.
type Segment = (u32, u8, u8, u32);
/// One type for both rows, so that the layout code is compiled once.
type Segments<'p> = Box<dyn Iterator<Item = Segment> + 'p>;

/// What is sent with the messages but is not in the file. It stands in front of the messages, outlined because its
/// kind is unknown.
fn not_in_file(planned: &DrawnPlan) -> Option<Segment> {
    let tokens = u32::try_from(planned.figures.not_in_file()).unwrap_or(u32::MAX);
    (tokens > 0).then_some((NOT_IN_FILE, Kind::System as u8, Fate::Inactive as u8, tokens))
}

/// The segments before.
fn before(planned: &DrawnPlan) -> Segments<'_> {
    Box::new(not_in_file(planned).into_iter().chain(planned.segments.befores()))
}

/// The segments after: the summary takes the place of the first summarized message.
pub(super) fn after(planned: &DrawnPlan) -> Segments<'_> {
    let summary = planned.figures.allowance as u32;
    let first = planned.segments.fate.iter().position(|fate| *fate == Fate::Summarized as u8);
    let segments = planned.segments.afters().enumerate().flat_map(move |(at, segment)| {
        let before = (first == Some(at)).then_some((SUMMARY, Kind::Summary as u8, Fate::Kept as u8, summary));
        before.into_iter().chain([segment])
    });
    Box::new(not_in_file(planned).into_iter().chain(segments))
}

/// Paints the strip.
#[derive(Default)]
pub(super) struct Painter {
    colors: Colors,
}

/// A row of the picture being painted, in device pixels.
struct Row<'r> {
    context: &'r CanvasRenderingContext2d,
    palette: &'r Palette,
    hatches: &'r Hatches,
    ratio: f64,
    top: f64,
    height: f64,
    /// Whether everything but tool outputs is dimmed.
    dim: bool,
}

impl Painter {
    pub(super) fn paint(&self, canvas: &HtmlCanvasElement, room: Room, scene: &Scene<'_>) {
        let Some(context) = self.colors.cleared(canvas, room, HEIGHT, scene.colors) else { return };
        let (width, palette) = (canvas.width(), self.colors.palette());
        let Scene { planned, policy, scale, .. } = *scene;
        let window = Knob::Context.value(policy);
        let row = |(top, height): (f64, f64), dim| Row {
            context: &context,
            palette: &palette,
            hatches: self.colors.hatches(),
            ratio: room.ratio,
            top: (top * room.ratio).round(),
            height: (height * room.ratio).round(),
            dim,
        };
        let (before_row, after_row) = (row(BEFORE, scene.held == Some(Edge::Prune)), row(AFTER, false));
        let x = |tokens: f64| (tokens / scale as f64 * f64::from(width)).round().min(f64::from(width));

        let (whole, whole_after) = (planned.figures.total_before(), planned.figures.total_after());
        for row in [&before_row, &after_row] {
            let free = left_free(&planned.figures);
            row.window(x(window as f64), x(window.saturating_sub(free) as f64));
        }
        wash(&before_row, &after_row, x(whole as f64), x(whole_after as f64));
        before_row.bands(&bands(before(planned), scale, width));
        after_row.bands(&bands(after(planned), scale, width));
        if whole > window {
            before_row.overflow(x(window as f64), x(whole as f64));
        }
        let fires = policy.retain.enabled || policy.prune.enabled && policy.prune.only_when_full;
        before_row.threshold(&after_row, x(planned.figures.trigger.threshold as f64), fires);
        before_row.behind(planned, scene.held, &x);
        if let Some(selected) = scene.selected {
            before_row.selection(before(planned), selected, &x);
            after_row.selection(after(planned), selected, &x);
        }
        axis(&before_row, scale, window, width);
    }
}

/// A quiet slope from the upper to the lower bar, which shows how much is removed.
fn wash(before: &Row<'_>, after: &Row<'_>, from: f64, to: f64) {
    let context = before.context;
    let (top, bottom) = (before.top + before.height, after.top);
    context.set_fill_style_str(&before.palette.wash);
    context.begin_path();
    context.move_to(0.0, top);
    context.line_to(from, top);
    context.line_to(to, bottom);
    context.line_to(0.0, bottom);
    context.close_path();
    context.fill();
}

/// The axis in tokens, with ticks at round numbers and at the end of the window.
fn axis(row: &Row<'_>, scale: u64, window: u64, width: u32) {
    let (context, ratio) = (row.context, row.ratio);
    let wanted = (f64::from(width) / ratio / 110.0).clamp(2.0, 10.0);
    let rough = scale as f64 / wanted;
    // Multiplied, because the code of `powf` and `log10` is large.
    let powers = successors(Some(1.0), |power| Some(power * 10.0));
    let steps = powers.take(20).flat_map(|power| [power, 2.0 * power, 5.0 * power]);
    let step = steps.into_iter().find(|step| *step >= rough).unwrap_or(rough);
    // An integer is formatted, because the code that formats floating-point numbers is large and nothing else needs
    // it.
    let size = fraction((11_000.0 * ratio).round() as u64, 1_000, 3);
    context.set_font(&format!("{size}px system-ui, sans-serif"));
    context.set_text_baseline("top");
    let y = AXIS * ratio;
    let mut tokens = 0.0;
    let end = window as f64 / scale as f64 * f64::from(width);
    while tokens <= scale as f64 {
        let x = tokens / scale as f64 * f64::from(width);
        let near_end = (x - end).abs() < 130.0 * ratio;
        if !near_end {
            context.set_fill_style_str(&row.palette.line);
            context.fill_rect(x.round(), y - 2.0 * ratio, ratio.max(1.0), 4.0 * ratio);
            context.set_fill_style_str(&row.palette.muted);
            context.set_text_align(if tokens == 0.0 { "left" } else { "center" });
            let _never = context.fill_text(&short(tokens as u64), x, y + 4.0 * ratio);
        }
        tokens += step.max(1.0);
    }
}

impl Row<'_> {
    /// The empty window, with the reserve at its end.
    fn window(&self, end: f64, reserve: f64) {
        let Self { context, palette, .. } = self;
        context.set_fill_style_str(&palette.well);
        context.fill_rect(0.0, self.top, end, self.height);
        if let Some(hatch) = self.hatches.of(context, &palette.line, 7.0, self.ratio) {
            context.set_fill_style_canvas_pattern(&hatch);
            context.set_global_alpha(0.55);
            context.fill_rect(reserve.max(0.0), self.top, end - reserve.max(0.0), self.height);
            context.set_global_alpha(1.0);
        }
        context.set_fill_style_str(&palette.line);
        context.fill_rect(end - self.ratio.max(1.0), self.top, self.ratio.max(1.0), self.height);
    }

    fn bands(&self, bands: &[Band]) {
        for (at, band) in bands.iter().enumerate() {
            self.band(band, at + 1 == bands.len());
        }
    }

    fn band(&self, band: &Band, is_last: bool) {
        let Self { context, palette, ratio, top, height, .. } = *self;
        let color = palette.kind(band.kind);
        let (x, width) = (f64::from(band.from), f64::from(band.to - band.from));
        // Adjacent bands are separated by a line of the background, if they are wide enough.
        let inset = if width >= 5.0 * ratio && !is_last { ratio.max(1.0).round() } else { 0.0 };
        let width = width - inset;
        context.set_global_alpha(if self.dim && band.kind != Kind::Tool as u8 { 0.18 } else { 1.0 });
        match fate_from_code(band.fate) {
            Fate::Kept => {
                context.set_fill_style_str(color);
                context.fill_rect(x, top, width, height);
            }
            Fate::Summarized => {
                let low = (height * 0.45).round();
                context.set_fill_style_str(color);
                context.fill_rect(x, top + height - low, width, low);
            }
            Fate::Pruned => {
                context.set_fill_style_str(&palette.page);
                context.fill_rect(x, top, width, height);
                if let Some(hatch) = self.hatches.of(context, color, 5.0, ratio) {
                    context.set_fill_style_canvas_pattern(&hatch);
                    context.fill_rect(x, top, width, height);
                }
                if width >= 3.0 * ratio {
                    self.outline(color, x, width, &[]);
                }
            }
            _ => {
                if width >= 3.0 * ratio {
                    self.outline(color, x, width, &[2.0 * ratio, 2.0 * ratio]);
                } else {
                    context.set_fill_style_str(color);
                    context.fill_rect(x, top, width, (2.0 * ratio).round());
                    context.fill_rect(x, top + height - (2.0 * ratio).round(), width, (2.0 * ratio).round());
                }
            }
        }
        context.set_global_alpha(1.0);
    }

    fn outline(&self, color: &str, x: f64, width: f64, dashes: &[f64]) {
        let line = (1.25 * self.ratio).round().max(1.0);
        let dashes: js_sys::Array =
            dashes.iter().map(|length| wasm_bindgen::JsValue::from_f64(*length)).collect();
        let _never = self.context.set_line_dash(&dashes);
        self.context.set_stroke_style_str(color);
        self.context.set_line_width(line);
        self.context.stroke_rect(x + line / 2.0, self.top + line / 2.0, width - line, self.height - line);
        let _never = self.context.set_line_dash(&js_sys::Array::new());
    }

    /// The part of the context that exceeds the window.
    fn overflow(&self, from: f64, to: f64) {
        let line = (3.0 * self.ratio).round();
        self.context.set_fill_style_str(&self.palette.alarm);
        self.context.fill_rect(from, self.top - line, to - from, line);
        self.context.fill_rect(from, self.top - line, (2.0 * self.ratio).round(), self.height + 2.0 * line);
    }

    /// The threshold of summarizing: a dashed line through both rows.
    fn threshold(&self, after: &Row<'_>, x: f64, enabled: bool) {
        let Self { context, palette, ratio, .. } = *self;
        let dashes: js_sys::Array =
            [4.0, 3.0].iter().map(|length| wasm_bindgen::JsValue::from_f64(length * ratio)).collect();
        let _never = context.set_line_dash(&dashes);
        context.set_stroke_style_str(&palette.ink);
        context.set_line_width((1.25 * ratio).max(1.0));
        context.set_global_alpha(if enabled { 1.0 } else { 0.4 });
        context.begin_path();
        context.move_to(x, self.top - 4.0 * ratio);
        context.line_to(x, after.top + after.height);
        context.stroke();
        let _never = context.set_line_dash(&js_sys::Array::new());
        context.set_global_alpha(1.0);
    }

    /// A bracket over everything behind the edge that is dragged.
    fn behind(&self, planned: &DrawnPlan, held: Option<Edge>, x: &dyn Fn(f64) -> f64) {
        let Self { context, palette, ratio, top, height, .. } = *self;
        let (protect, keep) = planned.figures.places;
        let (place, y) = match held {
            Some(Edge::Prune) => (protect, top - 5.0 * ratio),
            Some(Edge::Keep) => (keep, top + height + 4.0 * ratio),
            _ => return,
        };
        let (from, end) =
            (x((planned.figures.not_in_file() + place) as f64), x(planned.figures.total_before() as f64));
        context.set_fill_style_str(&palette.ink);
        context.fill_rect(from, y, end - from, (2.0 * ratio).round());
    }

    /// The outline of the selected message, which is visible however small the message is.
    fn selection(&self, segments: Segments<'_>, selected: u32, x: &dyn Fn(f64) -> f64) {
        let (mut at, mut span) = (0_u64, None::<(u64, u64)>);
        for (message, _, _, tokens) in segments {
            if message == selected {
                span = Some((span.map_or(at, |(from, _)| from), at + u64::from(tokens)));
            }
            at += u64::from(tokens);
        }
        let Some((from, to)) = span.filter(|(from, to)| from < to) else { return };
        let ratio = self.ratio;
        let (from, to) = (x(from as f64), x(to as f64));
        let width = (to - from).max(2.0 * ratio);
        let line = (2.0 * ratio).round();
        self.context.set_stroke_style_str(&self.palette.page);
        self.context.set_line_width(line * 2.5);
        self.context.stroke_rect(from - line, self.top - line, width + 2.0 * line, self.height + 2.0 * line);
        self.context.set_stroke_style_str(&self.palette.select);
        self.context.set_line_width(line);
        self.context.stroke_rect(from - line, self.top - line, width + 2.0 * line, self.height + 2.0 * line);
    }
}
