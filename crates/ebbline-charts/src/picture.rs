//! A picture as SVG text: elements with classes, a title and a description, inside a page or as a file.

use super::palette::{fixed_variables, rules, variables};

/// A drawn picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// What it shows, in a few words.
    pub title: String,
    /// What there is to see, for those who do not see it.
    pub description: String,
    /// Its elements.
    pub body: String,
}

impl Picture {
    /// The picture inside a page whose style sheet has the rules of [`rules`]. `id` is unique in the page.
    #[must_use]
    pub fn inline(&self, id: &str) -> String {
        let Self { width, height, title, description, body } = self;
        let (id, title, description) = (escaped(id), escaped(title), escaped(description));
        format!(
            "<svg class=\"picture\" role=\"img\" aria-labelledby=\"{id}-title\" aria-describedby=\"{id}-desc\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
             <title id=\"{id}-title\">{title}</title><desc id=\"{id}-desc\">{description}</desc>\n{body}</svg>\n"
        )
    }

    /// The picture as a file of its own, which contains its styles and is light or dark as its viewer is.
    #[must_use]
    pub fn standalone(&self) -> String {
        self.with_colors(&variables("svg"))
    }

    /// The picture as a file of its own on a light or on a dark ground.
    #[must_use]
    pub fn file(&self, is_dark: bool) -> String {
        self.with_colors(&fixed_variables("svg", is_dark))
    }

    fn with_colors(&self, variables: &str) -> String {
        let Self { width, height, title, description, body } = self;
        let (title, description) = (escaped(title), escaped(description));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" role=\"img\" \
             aria-labelledby=\"title about\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
             <title id=\"title\">{title}</title>\n<desc id=\"about\">{description}</desc>\n\
             <style>{variables}{}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"var(--surface)\"/>\n{body}</svg>\n",
            rules()
        )
    }
}

/// `text` as the content of an element or of an attribute in double quotes.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            // XML has no such characters.
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            _ if letter.is_control() && letter != '\n' => safe.push('\u{fffd}'),
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

/// The elements of a picture while they are drawn, in CSS pixels.
#[derive(Debug, Default)]
pub struct Drawing {
    /// The elements so far.
    pub body: String,
}

/// Where a text stands from its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It lies around it.
    Middle,
    /// It ends there.
    End,
}

/// About the width of a letter of 12 pixels: enough to keep labels inside the picture.
const LETTER: f64 = 6.3;

/// About the width of a label in CSS pixels.
#[must_use]
pub fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

impl Drawing {
    /// A rectangle.
    pub fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let [x, y, width, height] = [x, y, width, height].map(short);
        self.body.push_str(&format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\n"
        ));
    }

    /// A path; nothing where it has no steps.
    pub fn path(&mut self, class: &str, steps: &str) {
        if !steps.is_empty() {
            self.body.push_str(&format!("<path class=\"{class}\" d=\"{steps}\"/>\n"));
        }
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.path(class, &format!("M{}L{}", pair(from), pair(to)));
    }

    /// A text.
    pub fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y, text) = (short(x), short(y), escaped(text));
        self.body.push_str(&format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{anchor}>{text}</text>\n"));
    }

    /// A text around `x` that stays between 0 and `width`.
    pub fn text_inside(&mut self, class: &str, (x, y): (f64, f64), width: f64, text: &str) {
        let half = width_of(text) / 2.0;
        if x - half < 0.0 {
            self.text(class, (0.0, y), Anchor::Start, text);
        } else if x + half > width {
            self.text(class, (width, y), Anchor::End, text);
        } else {
            self.text(class, (x, y), Anchor::Middle, text);
        }
    }

    /// Lines at 45 degrees, `gap` pixels apart, inside a rectangle. They are drawn one by one: a pattern would need a
    /// name that no other picture of the page has.
    pub fn hatch(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64), gap: f64) {
        let (end, bottom) = (x + width, y + height);
        let mut steps = String::new();
        let mut at = ((x - height) / gap).floor() * gap;
        while at < end {
            let (from, to) = (at.max(x), (at + height).min(end));
            if to > from {
                let (low, high) = (bottom - (from - at), bottom - (to - at));
                steps.push_str(&format!("M{}L{}", pair((from, low)), pair((to, high))));
            }
            at += gap;
        }
        self.path(class, &steps);
    }
}

/// Pictures below each other, as one of the first one's title.
///
/// # Example
///
/// ```
/// use ebbline_charts::{Sawtooth, stacked};
/// let one = Sawtooth::default().picture(300);
/// assert_eq!(stacked(&[one.clone(), one.clone()]).height, 2 * one.height);
/// ```
#[must_use]
pub fn stacked(pictures: &[Picture]) -> Picture {
    let (mut body, mut height) = (String::new(), 0);
    for picture in pictures {
        body.push_str(&format!("<g transform=\"translate(0,{height})\">\n{}</g>\n", picture.body));
        height += picture.height;
    }
    let descriptions: Vec<&str> = pictures.iter().map(|picture| picture.description.as_str()).collect();
    Picture {
        width: pictures.iter().map(|picture| picture.width).max().unwrap_or(0),
        height,
        title: pictures.first().map(|picture| picture.title.clone()).unwrap_or_default(),
        description: descriptions.join(" "),
        body,
    }
}

/// A place as a path writes it.
#[must_use]
pub fn pair((x, y): (f64, f64)) -> String {
    format!("{},{}", short(x), short(y))
}

/// A number with at most one decimal.
pub(crate) fn short(number: f64) -> String {
    let tenths = (number * 10.0).round();
    if tenths % 10.0 == 0.0 { format!("{}", tenths / 10.0) } else { format!("{:.1}", tenths / 10.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hatch_stays_inside_its_rectangle() {
        let mut drawing = Drawing::default();
        drawing.hatch("hatch", (10.0, 20.0), (7.0, 12.0), 4.0);
        let steps = drawing.body.split('"').nth(3).unwrap_or_default();
        let places = steps.split(['M', 'L']).filter(|place| !place.is_empty());
        let places: Vec<(f64, f64)> = places
            .map(|place| {
                place.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap()
            })
            .collect();
        assert!(places.len() >= 8, "{steps}");
        for (x, y) in places {
            assert!((10.0..=17.0).contains(&x) && (20.0..=32.0).contains(&y), "{x},{y}");
        }
    }

    #[test]
    fn texts_are_escaped_and_stay_inside() {
        let mut drawing = Drawing::default();
        drawing.text_inside("name", (3.0, 9.0), 200.0, "<b> & \"c\"");
        drawing.text_inside("name", (198.0, 9.0), 200.0, "end");
        drawing.text_inside("name", (99.5, 9.25), 200.0, "middle");
        assert_eq!(
            drawing.body,
            "<text class=\"name\" x=\"0\" y=\"9\">&lt;b&gt; &amp; &quot;c&quot;</text>\n\
             <text class=\"name\" x=\"200\" y=\"9\" text-anchor=\"end\">end</text>\n\
             <text class=\"name\" x=\"99.5\" y=\"9.3\" text-anchor=\"middle\">middle</text>\n"
        );
    }

    #[test]
    fn a_picture_says_what_it_shows_and_a_file_has_its_styles() {
        let picture = Picture {
            width: 10,
            height: 5,
            title: "A & B".to_owned(),
            description: "Nothing".to_owned(),
            body: String::new(),
        };
        let inline = picture.inline("one");
        assert!(
            inline.contains("<title id=\"one-title\">A &amp; B</title><desc id=\"one-desc\">Nothing</desc>")
        );
        assert!(inline.contains("aria-labelledby=\"one-title\"") && !inline.contains("style"), "{inline}");
        let file = picture.standalone();
        assert!(file.starts_with("<svg xmlns=") && file.contains("prefers-color-scheme:dark"), "{file}");
    }
}
