//! Converts segments to bands of whole device pixels.

use ebbline::Fate;

const KINDS: usize = 5;
const CATEGORIES: usize = KINDS * Fate::ALL.len();

/// A run of device pixels of one color and shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The first pixel.
    pub from: u32,
    /// The pixel after the last one.
    pub to: u32,
    /// [`crate::kind::Kind`] as a code.
    pub kind: u8,
    /// [`ebbline::Fate`] as a code.
    pub fate: u8,
    /// The message with the largest share of the band's first pixel.
    pub message: u32,
}

/// Lays `segments`, given as `(message, kind, fate, tokens)`, side by side: `scale` tokens on `pixels` pixels.
///
/// A pixel shared by several segments shows the category with the most tokens in it, so that every category keeps its
/// share of the width. Segments beyond the last pixel are cut off.
pub fn bands(segments: impl Iterator<Item = (u32, u8, u8, u32)>, scale: u64, pixels: u32) -> Vec<Band> {
    let mut canvas = Canvas { bands: Vec::new(), pixel: 0, weights: [0.0; CATEGORIES], heaviest: (0.0, 0) };
    if scale == 0 || pixels == 0 {
        return canvas.bands;
    }
    let per_token = f64::from(pixels) / scale as f64;
    let mut tokens_before = 0_u64;
    for (message, kind, fate, tokens) in segments {
        let from = tokens_before as f64 * per_token;
        tokens_before += u64::from(tokens);
        let to = (tokens_before as f64 * per_token).min(f64::from(pixels));
        if from >= to {
            continue;
        }
        canvas.lay(from, to, message, (kind, fate));
    }
    canvas.flush();
    canvas.bands
}

struct Canvas {
    bands: Vec<Band>,
    /// The pixel that is being filled.
    pixel: u32,
    weights: [f64; CATEGORIES],
    /// The width and the message of the widest piece in it.
    heaviest: (f64, u32),
}

impl Canvas {
    fn lay(&mut self, from: f64, to: f64, message: u32, (kind, fate): (u8, u8)) {
        let category = (usize::from(kind) * Fate::ALL.len() + usize::from(fate)).min(CATEGORIES - 1);
        let mut at = from;
        while at < to {
            let pixel = at.floor() as u32;
            if pixel != self.pixel {
                self.flush();
                self.pixel = pixel;
            }
            // The whole pixels of a segment become one band without being visited one by one.
            let whole = to.floor() as u32;
            if at <= f64::from(pixel) && whole > pixel + 1 {
                self.flush();
                self.push(pixel, whole, kind, fate, message);
                self.pixel = whole;
                at = f64::from(whole);
                continue;
            }
            let end = to.min(f64::from(pixel) + 1.0);
            let width = end - at;
            if let Some(weight) = self.weights.get_mut(category) {
                *weight += width;
            }
            if width > self.heaviest.0 {
                self.heaviest = (width, message);
            }
            at = if end > at { end } else { to };
        }
    }

    fn flush(&mut self) {
        let heaviest = self.weights.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        if let Some((category, weight)) = heaviest
            && *weight > 1e-9
            // Drop a last pixel that is less than half full, so that bars are never too long.
            && self.weights.iter().sum::<f64>() >= 0.5
        {
            let (kind, fate) = ((category / Fate::ALL.len()) as u8, (category % Fate::ALL.len()) as u8);
            self.push(self.pixel, self.pixel + 1, kind, fate, self.heaviest.1);
        }
        self.weights = [0.0; CATEGORIES];
        self.heaviest = (0.0, 0);
    }

    fn push(&mut self, from: u32, to: u32, kind: u8, fate: u8, message: u32) {
        if let Some(last) = self.bands.last_mut()
            && last.to == from
            && (last.kind, last.fate, last.message) == (kind, fate, message)
        {
            last.to = to;
            return;
        }
        self.bands.push(Band { from, to, kind, fate, message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(bands: &[Band], kind: u8) -> u32 {
        bands.iter().filter(|band| band.kind == kind).map(|band| band.to - band.from).sum()
    }

    #[test]
    fn bands_follow_each_other_and_end_where_the_tokens_end() {
        let segments = [(0, 0, 0, 100), (1, 1, 0, 50), (2, 3, 1, 350), (3, 2, 0, 1)];
        let bands = bands(segments.into_iter(), 1_000, 100);
        assert_eq!(
            bands,
            [
                Band { from: 0, to: 10, kind: 0, fate: 0, message: 0 },
                Band { from: 10, to: 15, kind: 1, fate: 0, message: 1 },
                Band { from: 15, to: 50, kind: 3, fate: 1, message: 2 },
            ]
        );
    }

    #[test]
    fn narrow_segments_keep_their_share() {
        // 30,000 segments on 1,400 pixels: two thirds of the tokens are tool output.
        let segments = (0..30_000_u32).map(|at| (at, if at % 3 == 0 { 2 } else { 3 }, 0, 5 + at % 7));
        let total: u64 = segments.clone().map(|segment| u64::from(segment.3)).sum();
        let bands = bands(segments, total * 2, 1_400);
        assert_eq!(bands.iter().map(|band| band.to - band.from).sum::<u32>(), 700);
        assert!(width(&bands, 3) > 400);
        for pair in bands.windows(2) {
            assert_eq!(pair[0].to, pair[1].from);
        }
    }

    #[test]
    fn wide_segments_have_their_width_within_a_pixel() {
        let tokens = [333_u32, 777, 123, 4_000, 50, 900];
        let segments = tokens.iter().enumerate().map(|(at, tokens)| (at as u32, (at % 5) as u8, 0, *tokens));
        let scale = 6_183_u64;
        let bands = bands(segments, scale, 977);
        for (at, tokens) in tokens.iter().enumerate() {
            let exact = f64::from(*tokens) * 977.0 / scale as f64;
            let painted: u32 =
                bands.iter().filter(|band| band.message == at as u32).map(|band| band.to - band.from).sum();
            assert!((f64::from(painted) - exact).abs() <= 1.5, "{at}: {painted} for {exact}");
        }
    }

    #[test]
    fn what_overflows_is_cut_and_nothing_is_nothing() {
        assert_eq!(bands([(0, 3, 0, 5_000)].into_iter(), 1_000, 10).last().map(|band| band.to), Some(10));
        assert!(bands([(0, 3, 0, 0)].into_iter(), 1_000, 10).is_empty());
        assert!(bands([(0, 3, 0, 5)].into_iter(), 0, 10).is_empty());
    }
}
