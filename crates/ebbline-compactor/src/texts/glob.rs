//! Globs: `*` stands for anything but a slash, `**` for anything, `**` with a slash behind it for any folders or none, `?` for
//! one character but a slash.

/// What a glob is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Exactly(char),
    One,
    Name,
    Anything,
    /// Any folders, or none.
    Folders,
}

/// A glob. All ways to match are followed at once, so that none takes exponential time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob(Vec<Piece>);

impl Glob {
    /// Every text is a glob.
    pub(crate) fn new(glob: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = glob;
        while let Some(first) = rest.chars().next() {
            let behind = rest.trim_start_matches('*');
            let stars = rest.len() - behind.len();
            let (piece, length) = match (stars, first) {
                (0, '?') => (Piece::One, 1),
                (0, other) => (Piece::Exactly(other), other.len_utf8()),
                (1, _) => (Piece::Name, 1),
                _ if behind.starts_with('/') => (Piece::Folders, stars + 1),
                _ => (Piece::Anything, stars),
            };
            pieces.push(piece);
            rest = rest.get(length..).unwrap_or_default();
        }
        Self(pieces)
    }

    /// Whether it stands for the whole text.
    pub(crate) fn fits(&self, text: &str) -> bool {
        let mut open = vec![false; self.0.len() + 1];
        self.open_from(0, &mut open);
        for character in text.chars() {
            open = self.behind(&open, character);
            if !open.contains(&true) {
                return false;
            }
        }
        open.last().copied().unwrap_or(false)
    }

    /// Opens the places that are reached at `place` without a character.
    fn open_from(&self, place: usize, open: &mut [bool]) {
        for at in place..open.len() {
            let Some(is_open) = open.get_mut(at) else { return };
            if std::mem::replace(is_open, true)
                || !matches!(self.0.get(at), Some(Piece::Name | Piece::Anything | Piece::Folders))
            {
                return;
            }
        }
    }

    /// The places that are reached by a character.
    fn behind(&self, open: &[bool], character: char) -> Vec<bool> {
        let mut next = vec![false; open.len()];
        let mut inside = Vec::new();
        for (at, piece) in self.0.iter().enumerate().filter(|(at, _)| open.get(*at) == Some(&true)) {
            match piece {
                Piece::Exactly(own) if *own == character => self.open_from(at + 1, &mut next),
                Piece::One if character != '/' => self.open_from(at + 1, &mut next),
                Piece::Name if character != '/' => self.open_from(at, &mut next),
                Piece::Anything => self.open_from(at, &mut next),
                Piece::Folders => {
                    inside.push(at);
                    if character == '/' {
                        self.open_from(at + 1, &mut next);
                    }
                }
                _ => {}
            }
        }
        // Inside the name of a folder, nothing behind it is reached before its slash.
        for at in inside {
            if let Some(is_open) = next.get_mut(at) {
                *is_open = true;
            }
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_stands_for_paths() {
        for (glob, fitting, others) in [
            ("read", &["read"][..], &["reads", "rea", ""][..]),
            ("read*", &["read", "read_file"], &["read/file", "bread"]),
            ("src/*.rs", &["src/lib.rs", "src/.rs"], &["src/a/lib.rs", "src/lib.rss"]),
            ("src/**", &["src/a", "src/a/b.rs", "src/"], &["src", "lib/src/a"]),
            ("**/lib.rs", &["lib.rs", "a/lib.rs", "a/b/lib.rs"], &["a/xlib.rs", "xlib.rs"]),
            ("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/xb"]),
            ("?.é", &["x.é", "𝄞.é"], &["/.é", ".é"]),
            ("***", &["", "a/b"], &[]),
            ("", &[""], &["a"]),
        ] {
            for text in fitting {
                assert!(Glob::new(glob).fits(text), "{glob} {text}");
            }
            for text in others {
                assert!(!Glob::new(glob).fits(text), "{glob} {text}");
            }
        }
        assert!(!Glob::new(&"*a".repeat(200)).fits(&"a".repeat(199)));
    }
}
