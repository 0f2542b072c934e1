//! A text that arrives in parts: how much of it can be encoded before the next part arrives.

use crate::unicode::{Kind, kind_at};

/// The last place in `text`, at most `limit`, where every encoding ends a piece, whatever text follows; 0 if there is
/// none.
///
/// The two characters around such a place alone decide that a piece ends there, and no later piece depends on the
/// characters before it.
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
        // A combining mark continues a word, and an apostrophe may begin a contraction.
        Kind::Upper | Kind::Lower | Kind::Letter => match after {
            Kind::Other => first != Some(b'\''),
            _ => matches!(after, Kind::Space | Kind::Newline | Kind::Number),
        },
        Kind::Number => after != Kind::Number,
        // Line breaks belong to the punctuation before them, which may also precede a letter or more punctuation.
        Kind::Mark | Kind::Other => after == Kind::Space,
        // A slash may follow the line breaks after punctuation.
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
