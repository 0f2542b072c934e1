//! Bars on one scale of tokens, one above the other: the strip before and after, requests that follow each other, kinds of
//! content side by side.

use ebbline::Fate;

use crate::drawn_plan::DrawnPlan;
use crate::kind::{Kind, Shown, fate_from_code};
use crate::strip::{Band, bands};
use ebbline::numbers::{grouped, short};
use ebbline_charts::{Anchor, Drawing, Picture, pair, width_of};

/// The height of a bar, in CSS pixels.
const BAR: f64 = 28.0;
/// The height of a line of text.
const LINE: f64 = 18.0;
/// The space between two rows.
const GAP: f64 = 14.0;
/// The height of a bracket with its label.
const BRACKET: f64 = LINE + 7.0;
/// How much of a bar's height is painted of what is summarized.
const LOW: f64 = 0.45;
/// Bands that are narrower are not set apart from each other.
const APART: u32 = 5;

/// A stretch of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The message; pieces of one message are drawn as one.
    pub message: u32,
    /// What it is: its color.
    pub kind: Kind,
    /// What happens to it: its shape.
    pub fate: Fate,
    /// Its length.
    pub tokens: u32,
}

/// A bracket below a stretch of a bar, with what there is to say of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Tokens in front of it.
    pub from: u64,
    /// Tokens up to its end.
    pub to: u64,
    /// What it is.
    pub label: String,
}

/// A bar with its label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What the bar is.
    pub label: String,
    /// Its pieces, from the left.
    pub pieces: Vec<Piece>,
    /// Brackets below it, from the left.
    pub spans: Vec<Span>,
}

impl Row {
    /// The tokens of all pieces.
    pub fn tokens(&self) -> u64 {
        self.pieces.iter().map(|piece| u64::from(piece.tokens)).sum()
    }
}

/// A picture of bars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bars {
    /// What it shows, in a few words.
    pub title: String,
    /// The bars, from above.
    pub rows: Vec<Row>,
    /// The window in tokens, which is then drawn behind each bar; 0 for none.
    pub window: u64,
    /// The size in tokens at which compaction fires; 0 for none.
    pub fires: u64,
}

/// The context before, as pieces.
pub fn before(planned: &DrawnPlan) -> Vec<Piece> {
    pieces(planned.segments.befores())
}

/// The context after, as pieces: the summary that is still to be written stands where the first summarized message stood.
pub fn after(planned: &DrawnPlan) -> Vec<Piece> {
    let tokens = u32::try_from(planned.figures.allowance).unwrap_or(u32::MAX);
    let summary = Piece { message: u32::MAX, kind: Kind::Summary, fate: Fate::Kept, tokens };
    let first = planned.segments.fate.iter().position(|fate| *fate == Fate::Summarized as u8);
    let mut after = pieces(planned.segments.afters());
    if let Some(first) = first.filter(|first| tokens > 0 && *first <= after.len()) {
        after.insert(first, summary);
    }
    after.retain(|piece| piece.tokens > 0);
    after
}

fn pieces(segments: impl Iterator<Item = (u32, u8, u8, u32)>) -> Vec<Piece> {
    segments
        .map(|(message, kind, fate, tokens)| Piece {
            message,
            kind: Kind::from_code(kind),
            fate: fate_from_code(fate),
            tokens,
        })
        .collect()
}

impl Bars {
    /// The picture, `width` CSS pixels wide.
    pub fn picture(&self, width: u32) -> Picture {
        let mut drawing = Drawing::default();
        let widest = self.rows.iter().map(Row::tokens).max().unwrap_or(0);
        let scale = widest.max(self.window).max(1);
        let x = |tokens: u64| (tokens as f64 / scale as f64 * f64::from(width)).round();
        let mut top = 0.0;
        for row in &self.rows {
            drawing.text("name", (0.0, top + 12.0), Anchor::Start, &row.label);
            let tokens = format!("{} tokens", grouped(row.tokens()));
            drawing.text("figure", (f64::from(width), top + 12.0), Anchor::End, &tokens);
            top += LINE;
            self.window(&mut drawing, top, x);
            let segments = row.pieces.iter();
            let segments =
                segments.map(|piece| (piece.message, piece.kind as u8, piece.fate as u8, piece.tokens));
            draw(&mut drawing, &bands(segments, scale, width), top);
            if self.fires > 0 {
                drawing.line("fires", (x(self.fires), top - 3.0), (x(self.fires), top + BAR + 3.0));
            }
            top += BAR;
            let mut taken: Option<f64> = None;
            for span in &row.spans {
                let (from, to) = (x(span.from), x(span.to));
                let middle = f64::midpoint(from, to);
                let half = width_of(&span.label) / 2.0;
                // Beside the last one where its label leaves room, else on a line below.
                let begins = (middle - half).min(f64::from(width) - 2.0 * half);
                if taken.is_some_and(|taken| taken > begins) {
                    top += BRACKET;
                }
                bracket(&mut drawing, span, (from, to), top, f64::from(width));
                taken = Some((middle + half).max(2.0 * half) + LINE);
            }
            top += if row.spans.is_empty() { 0.0 } else { BRACKET };
            top += GAP;
        }
        top = self.axis(&mut drawing, top - GAP, f64::from(width), x);
        Picture {
            width,
            height: top.ceil() as u32,
            title: self.title.clone(),
            description: self.description(),
            body: drawing.body,
        }
    }

    /// The empty window behind a bar, with what is kept free at its end.
    fn window(&self, drawing: &mut Drawing, top: f64, x: impl Fn(u64) -> f64) {
        if self.window == 0 {
            return;
        }
        let end = x(self.window);
        drawing.rect("well", (0.0, top), (end, BAR));
        if self.fires > 0 && self.fires < self.window {
            drawing.hatch("reserve", (x(self.fires), top), (end - x(self.fires), BAR), 6.0);
        }
        drawing.line("limit", (end - 0.75, top), (end - 0.75, top + BAR));
    }

    /// What the lines mean, below the bars; each on a line of its own, because they are close to each other.
    fn axis(&self, drawing: &mut Drawing, top: f64, width: f64, x: impl Fn(u64) -> f64) -> f64 {
        let mut top = top;
        for (tokens, words) in [(self.window, "window"), (self.fires, "compaction fires at")] {
            if tokens > 0 {
                top += LINE;
                let words = format!("{words} {}", short(tokens));
                let at = x(tokens);
                drawing.text("note", (at.min(width), top - 3.0), Anchor::End, &words);
            }
        }
        top + 2.0
    }

    /// The bars in words.
    fn description(&self) -> String {
        let mut sentences: Vec<String> = Vec::new();
        if self.window > 0 {
            sentences.push(format!("The window holds {} tokens.", grouped(self.window)));
        }
        if self.fires > 0 {
            sentences.push(format!("Compaction fires at {}.", grouped(self.fires)));
        }
        for row in &self.rows {
            let of = |kind: Kind| {
                row.pieces
                    .iter()
                    .filter(|piece| piece.kind == kind)
                    .map(|piece| u64::from(piece.tokens))
                    .sum()
            };
            let kinds = Kind::ALL.into_iter().map(|kind| (kind, of(kind)));
            let kinds: Vec<String> = kinds
                .filter(|(_, tokens)| *tokens > 0)
                .map(|(kind, tokens): (Kind, u64)| format!("{} {}", kind.word(), grouped(tokens)))
                .collect();
            let spans = row.spans.iter().map(|span| {
                format!(" {}: {} tokens.", span.label, grouped(span.to.saturating_sub(span.from)))
            });
            sentences.push(format!(
                "{}: {} tokens ({}).{}",
                row.label,
                grouped(row.tokens()),
                kinds.join(", "),
                spans.collect::<String>()
            ));
        }
        sentences.join(" ")
    }
}

/// Draws bands: full for what stays, hatched for what is pruned, low for what is summarized.
fn draw(drawing: &mut Drawing, bands: &[Band], top: f64) {
    for band in bands {
        let (from, wide) = (f64::from(band.from), f64::from(band.to - band.from));
        let fate = fate_from_code(band.fate);
        let kind = format!("kind-{}", Kind::from_code(band.kind).name());
        let class = format!("{kind} {}", Shown::from_code(band.fate).name());
        if fate == Fate::Summarized {
            drawing.rect(&class, (from, top + BAR * (1.0 - LOW)), (wide, BAR * LOW));
            continue;
        }
        drawing.rect(&class, (from, top), (wide, BAR));
        if fate == Fate::Pruned && wide > 2.0 {
            drawing.hatch(&format!("{kind} hatch"), (from, top), (wide, BAR), 5.0);
        }
    }
    for pair in bands.windows(2) {
        let [one, two] = pair else { continue };
        let narrow = (one.to - one.from).min(two.to - two.from);
        if one.message != two.message && narrow >= APART {
            let x = f64::from(two.from) - 0.5;
            drawing.line("cut", (x, top), (x, top + BAR));
        }
    }
}

fn bracket(drawing: &mut Drawing, span: &Span, (from, to): (f64, f64), top: f64, width: f64) {
    let (from, to) = (from + 0.5, (to - 0.5).max(from + 1.5));
    let places = [(from, top + 3.0), (from, top + 7.0), (to, top + 7.0), (to, top + 3.0)];
    let [a, b, c, d] = places.map(pair);
    drawing.path("edge", &format!("M{a}L{b}L{c}L{d}"));
    drawing.text_inside("note", (f64::midpoint(from, to), top + 20.0), width, &span.label);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(message: u32, kind: Kind, fate: Fate, tokens: u32) -> Piece {
        Piece { message, kind, fate, tokens }
    }

    /// The widths of all rectangles with these classes, in pixels.
    fn painted(picture: &Picture, classes: &str) -> f64 {
        let rects =
            picture.body.lines().filter(|line| line.starts_with(&format!("<rect class=\"{classes}\"")));
        let widths =
            rects.filter_map(|line| line.split("width=\"").nth(1)?.split('"').next()?.parse::<f64>().ok());
        widths.sum()
    }

    #[test]
    fn painted_widths_are_the_shares_of_tokens() {
        // Deterministic pieces of very different lengths; pieces below a pixel are among them.
        let mut state = 7_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for width in [340, 680] {
            for _ in 0..50 {
                let pieces: Vec<Piece> = (0..60)
                    .map(|message| {
                        let kind = Kind::from_code(next(5) as u8);
                        let fate = if next(2) == 0 { Fate::Kept } else { Fate::Pruned };
                        piece(message, kind, fate, (next(3_000) + 1) as u32)
                    })
                    .collect();
                let row = Row { pieces: pieces.clone(), ..Row::default() };
                let window = 100_000 + next(100_000);
                let tokens = row.tokens();
                let picture = Bars { rows: vec![row], window, ..Bars::default() }.picture(width);
                let per_token = f64::from(width) / tokens.max(window) as f64;
                let mut sum = 0.0;
                for kind in Kind::ALL {
                    for fate in [Fate::Kept, Fate::Pruned] {
                        let of = pieces.iter().filter(|piece| (piece.kind, piece.fate) == (kind, fate));
                        let (count, tokens) =
                            of.fold((0, 0), |(count, sum), piece| (count + 1, sum + piece.tokens));
                        let found = painted(
                            &picture,
                            &format!("kind-{} {}", kind.name(), Shown::from_code(fate as u8).name()),
                        );
                        let exact = f64::from(tokens) * per_token;
                        // Each piece can lose or win half a pixel at either end.
                        assert!(
                            (found - exact).abs() <= f64::from(count),
                            "{kind:?} {fate:?}: {found}, {exact}"
                        );
                        sum += found;
                    }
                }
                assert!((sum - tokens as f64 * per_token).abs() <= 1.0, "{sum} for {tokens}");
            }
        }
    }

    #[test]
    fn fates_differ_in_shape_and_words_say_what_is_seen() {
        let pieces = vec![
            piece(0, Kind::System, Fate::Kept, 100),
            piece(1, Kind::Tool, Fate::Pruned, 300),
            piece(2, Kind::Assistant, Fate::Summarized, 200),
            piece(3, Kind::Tool, Fate::Kept, 400),
        ];
        let spans = vec![Span { from: 600, to: 1_000, label: "kept".to_owned() }];
        let row = Row { label: "before".to_owned(), pieces, spans };
        let bars = Bars { title: "t".to_owned(), rows: vec![row], window: 2_000, fires: 1_700 };
        let picture = bars.picture(200);
        for (classes, width) in [
            ("kind-system kept", 10.0),
            ("kind-tool pruned", 30.0),
            ("kind-assistant summarized", 20.0),
            ("kind-tool kept", 40.0),
            ("well", 200.0),
        ] {
            assert!((painted(&picture, classes) - width).abs() < 0.01, "{classes}: {}", picture.body);
        }
        assert_eq!(
            picture.description,
            "The window holds 2,000 tokens. Compaction fires at 1,700. before: 1,000 tokens (system 100, assistant 200, tool \
             output 700). kept: 400 tokens."
        );
        assert!(
            picture.body.contains("class=\"kind-tool hatch\"")
                && picture.body.contains("compaction fires at 1.7k")
        );
    }

    #[test]
    fn nothing_is_an_empty_picture() {
        let picture = Bars::default().picture(0);
        assert_eq!((picture.width, picture.body.as_str()), (0, ""));
    }
}
