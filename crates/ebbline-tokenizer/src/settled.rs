//! A text that comes in parts: how far it can be encoded before the rest is there.

use crate::unicode::{Kind, kind_at};

/// The last place in `text`, at most `limit`, where every encoding cuts whatever follows; 0 if there is none.
///
/// The piece before such a place ends there because of the two characters around it alone, and nothing looks back
/// over it from behind.
pub(crate) fn settled(text: &str, limit: usize) -> usize {
    let bytes = text.as_bytes();
    let mut next = kind_at(bytes, limit).map(|(kind, _)| (kind, limit));
    for (at, _) in text.get(..limit).unwrap_or_default().char_indices().rev() {
        let Some((kind, _)) = kind_at(bytes, at) else { break };
        if let Some((next, place)) = next
            && cuts(kind, next, bytes.get(place).copied())
        {
            return place;
        }
        next = Some((kind, at));
    }
    0
}

/// Whether a piece always ends between two characters of these kinds; `first` is the first byte of the second.
fn cuts(before: Kind, after: Kind, first: Option<u8>) -> bool {
    match before {
        // A mark goes on with a word, and an apostrophe may be the beginning of its contraction.
        Kind::Upper | Kind::Lower | Kind::Letter => match after {
            Kind::Other => first != Some(b'\''),
            _ => matches!(after, Kind::Space | Kind::Newline | Kind::Number),
        },
        Kind::Number => after != Kind::Number,
        // Line breaks go with punctuation before them; it may lead a letter, and be followed by more of its kind.
        Kind::Mark | Kind::Other => after == Kind::Space,
        // Punctuation may have a slash behind its line breaks.
        Kind::Newline => after.is_letter() || after == Kind::Number,
        Kind::Space => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_settled_up_to_where_two_characters_decide() {
        for (text, expected) in [
            ("", 0),
            ("hello", 0),
            ("hello world", 5),
            ("hello ", 5),
            ("don't", 0),
            ("don't ", 5),
            ("(a)", 2),
            ("((a", 0),
            ("12a", 2),
            ("a12", 1),
            ("a  b", 1),
            ("a;\nb", 3),
            ("a;\n/", 1),
            ("日本。東京", 6),
            ("e\u{301}", 0),
        ] {
            assert_eq!(settled(text, text.len()), expected, "{text}");
        }
        assert_eq!(settled("a b c", 3), 3);
        assert_eq!(settled("a b c", 2), 1);
    }
}
