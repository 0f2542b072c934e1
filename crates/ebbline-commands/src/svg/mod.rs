//! Charts as SVG files that need nothing else: no script, no font, no style sheet. They are light or dark as the reader
//! prefers.

mod axes;
pub(crate) mod replay;
pub(crate) mod sweep;

use ebbline::json::format_js;

use crate::amount;
use crate::failure::Failure;
use crate::io::Io;

/// The page, and the room around the chart for axes and words.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 600.0;
const LEFT: f64 = 86.0;
const RIGHT: f64 = 32.0;
const TOP: f64 = 74.0;
const BOTTOM: f64 = 104.0;

const STYLE: &str = r#"
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: var(--ink); }
.page { fill: var(--page); }
.title { font-size: 17px; font-weight: 600; }
.quiet { fill: var(--quiet); }
.tick { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--quiet); stroke-width: 1; }
.label { font-size: 12px; paint-order: stroke; stroke: var(--page); stroke-width: 4px; stroke-linejoin: round; }
svg { --page: #ffffff; --ink: #1c2330; --quiet: #5d6778; --grid: #e6e9ee; --best: #0a7d55; --other: #8a94a6; --fill: #cfe0f5;
  --line: #2f6db5; --pruned: #b36b00; --summarized: #8b3fb0; --limit: #c0392b; }
@media (prefers-color-scheme: dark) {
  svg { --page: #14181f; --ink: #e8ebf0; --quiet: #9aa5b5; --grid: #2a313c; --best: #3ecf98; --other: #7d8797; --fill: #22384f;
    --line: #6aa9ee; --pruned: #e5a23d; --summarized: #c58be0; --limit: #ff7b6b; }
}"#;

/// A chart: `about` says in words what it shows; panels stand below each other.
struct Chart {
    title: String,
    about: String,
    style: &'static str,
    panels: Vec<Vec<String>>,
}

impl Chart {
    /// The whole file.
    fn file(&self) -> String {
        let (width, height) = (format_js(WIDTH), format_js(HEIGHT * self.panels.len() as f64));
        let (title, about) = (escaped(&self.title), escaped(&self.about));
        let mut body = Vec::new();
        for (at, panel) in self.panels.iter().enumerate() {
            if at > 0 {
                body.push(format!(r#"<g transform="translate(0 {})">"#, format_js(HEIGHT * at as f64)));
            }
            body.extend(panel.iter().cloned());
            if at > 0 {
                body.push("</g>".to_owned());
            }
        }
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-labelledby="title about">
<title id="title">{title}</title>
<desc id="about">{about}</desc>
<style>{STYLE}{}
</style>
<rect class="page" width="{width}" height="{height}"/>
{}
</svg>
"#,
            self.style,
            body.join("\n")
        )
    }
}

/// Writes a chart to the file that `--svg` names.
pub(crate) async fn write(name: &str, svg: String, io: &Io) -> Result<(), Failure> {
    check(name)?;
    io.write(name, svg.into_bytes(), None).await
}

fn check(name: &str) -> Result<(), Failure> {
    match name {
        "" | "-" => Err(Failure::Usage("--svg needs the name of a file".to_owned())),
        _ => Ok(()),
    }
}

/// Text as XML: control characters are none that XML has.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if character.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// How a text is written at a place.
#[derive(Clone, Copy)]
struct Words<'w> {
    kind: &'w str,
    anchor: &'w str,
    turn: &'w str,
}

const WORDS: Words<'static> = Words { kind: "", anchor: "start", turn: "" };

impl Words<'_> {
    /// A text at a place.
    fn at(self, x: f64, y: f64, text: &str) -> String {
        let attribute = |name: &str, value: &str| {
            if value.is_empty() { String::new() } else { format!(r#" {name}="{value}""#) }
        };
        format!(
            r#"<text x="{}" y="{}"{} text-anchor="{}"{}>{}</text>"#,
            rounded(x),
            rounded(y),
            attribute("class", self.kind),
            self.anchor,
            attribute("transform", self.turn),
            escaped(text)
        )
    }
}

/// A coordinate, short enough to read.
fn rounded(figure: f64) -> String {
    format_js(amount::rounded(figure * 10.0) as f64 / 10.0)
}

fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64), kind: &str) -> String {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(rounded);
    format!(r#"<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#)
}

/// Roughly how wide a label is, rather more than less; a file cannot measure text.
fn width_of(label: &str) -> f64 {
    label.chars().count() as f64 * 7.4
}

/// A text that fits on a line; of a long one, such as a path, the end says more than the beginning.
fn shortened(text: &str, longest: usize) -> String {
    let characters = text.chars().count();
    if characters <= longest {
        return text.to_owned();
    }
    let end: String = text.chars().skip(characters + 1 - longest).collect();
    format!("…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_long_ones_keep_their_end() {
        assert_eq!(
            escaped("a <b> & \"c\"\u{1b}\u{ffff}é"),
            "a &lt;b&gt; &amp; &quot;c&quot;\u{fffd}\u{fffd}é"
        );
        assert_eq!((shortened("abcdef", 4), shortened("abcd", 4)), ("…def".to_owned(), "abcd".to_owned()));
    }

    #[test]
    fn coordinates_have_one_digit_behind_the_point() {
        assert_eq!([0.04, 1.25, -0.04, 12.0].map(rounded), ["0", "1.3", "0", "12"]);
    }

    #[test]
    fn a_chart_needs_a_name() {
        for name in ["", "-"] {
            assert!(matches!(check(name), Err(Failure::Usage(_))));
        }
    }
}
