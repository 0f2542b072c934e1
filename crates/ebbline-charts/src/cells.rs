//! A chart as the lines of a terminal: characters with a tone, which the host paints.

/// What a stretch of characters is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Nothing to be painted.
    Plain,
    /// What is read last: axes, legends.
    Quiet,
    /// A point that no other beats.
    Best,
    /// What was pruned.
    Pruned,
    /// What was summarized.
    Summarized,
}

/// A line: stretches of characters, each with its tone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(Vec<(Tone, String)>);

impl Line {
    /// A line of one tone.
    pub(crate) fn of(tone: Tone, text: impl Into<String>) -> Self {
        Self::default().and(tone, text)
    }

    /// The line with more at its end.
    pub(crate) fn and(mut self, tone: Tone, text: impl Into<String>) -> Self {
        let text = text.into();
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some((last, before)) if *last == tone => before.push_str(&text),
            _ => self.0.push((tone, text)),
        }
        self
    }

    /// The line as text, each stretch painted by `paint`, without spaces at its end.
    ///
    /// # Example
    ///
    /// ```
    /// use ebbline_charts::{Sawtooth, cells::Tone};
    /// let lines = Sawtooth::default().cells(40);
    /// let text = lines[0].painted(|tone, text| if tone == Tone::Quiet { format!("<{text}>") } else { text.to_owned() });
    /// assert_eq!(text, "0 <│>");
    /// ```
    #[must_use]
    pub fn painted(&self, mut paint: impl FnMut(Tone, &str) -> String) -> String {
        let end = self.0.iter().rposition(|(_, text)| !text.trim_end().is_empty()).map_or(0, |last| last + 1);
        let mut painted = String::new();
        for (at, (tone, text)) in self.0.iter().take(end).enumerate() {
            painted.push_str(&paint(*tone, if at + 1 == end { text.trim_end() } else { text }));
        }
        painted
    }
}

/// The text with spaces in front of it.
pub(crate) fn right(text: &str, width: usize) -> String {
    format!("{text:>width$}")
}
