//! Where the texts of parts are in the source: a transcript contains no text, but a summary is written from it.

use std::borrow::Cow;
use std::ops::Range;

use crate::growth;
use crate::json::Document;
use crate::marks;
use crate::notation::javascript::stringify;

/// What a piece of a part is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// The part's own text or value.
    #[default]
    Content,
    /// A command that the user ran.
    Command,
    /// What a command of the user printed.
    Printed,
    /// Text that the application added to a message of the user: a file that the user named, for example.
    Added,
}

/// How a piece is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceForm {
    /// As a JSON value: a string with its quotes, or any other value.
    Value,
    /// As it is.
    Text,
}

/// One value or text of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    part: u32,
    start: u32,
    end: u32,
    pub(crate) kind: PieceKind,
    pub(crate) form: PieceForm,
}

impl Piece {
    /// The bytes of the value in the source.
    pub(crate) fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Its text: a string's content, any other value as compact JSON. Unpaired surrogates become U+FFFD.
    fn read<'s>(&self, source: &'s str) -> Cow<'s, str> {
        let raw = source.get(self.span()).unwrap_or_default();
        if self.form == PieceForm::Text {
            return Cow::Borrowed(raw);
        }
        let inside = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if let Some(plain) = inside.filter(|inside| !inside.contains('\\')) {
            return Cow::Borrowed(plain);
        }
        let written = |document: Document<'_>| {
            let root = document.root();
            root.text().map_or_else(|| stringify(root).to_text(), |text| text.decode().into_owned())
        };
        if let Ok(document) = Document::parse_range(source, self.span()) {
            return Cow::Owned(written(document));
        }
        let inner = self.unescaped(source).and_then(|inner| Document::parse(&inner).ok().map(written));
        inner.map_or(Cow::Borrowed(raw), Cow::Owned)
    }

    /// JSON that is escaped inside a string of the source, as in database rows.
    pub(crate) fn unescaped(&self, source: &str) -> Option<String> {
        let quoted = format!("\"{}\"", source.get(self.span())?);
        let document = Document::parse(&quoted).ok()?;
        document.root().text().map(|text| text.decode().into_owned())
    }
}

/// The text of the value at `span`, as that of a piece.
pub(crate) fn text_at<'s>(source: &'s str, span: &Range<usize>) -> Cow<'s, str> {
    let (start, end) = (span.start as u32, span.end as u32);
    Piece { part: 0, start, end, kind: PieceKind::Content, form: PieceForm::Value }.read(source)
}

/// The pieces of all parts, in order of parts; 16 bytes each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pieces {
    pieces: Vec<Piece>,
    /// Sentences that introduce summaries, and are no part of their texts.
    pub(crate) introductions: Vec<String>,
}

impl Pieces {
    /// Reserves room for `pieces` pieces.
    pub(crate) fn reserve(&mut self, pieces: usize) {
        self.pieces.reserve_exact(pieces);
    }

    /// Records that the value at `span` is a piece of `part`. Parts must be recorded in order.
    pub(crate) fn note(&mut self, part: usize, span: &Range<usize>) {
        self.note_piece(part, span, PieceKind::Content, PieceForm::Value);
    }

    /// Records a piece of `part`. Parts must be recorded in order.
    pub(crate) fn note_piece(&mut self, part: usize, span: &Range<usize>, kind: PieceKind, form: PieceForm) {
        // A source is shorter than 4 GiB, and so are its offsets.
        let (start, end) = (span.start as u32, span.end as u32);
        growth::push(&mut self.pieces, Piece { part: part as u32, start, end, kind, form });
    }

    /// Sets the kind of the newest piece if it belongs to `part`.
    pub(crate) fn name(&mut self, part: usize, kind: PieceKind) {
        if let Some(last) = self.pieces.last_mut().filter(|last| last.part as usize == part) {
            last.kind = kind;
        }
    }

    /// Sets the kind of all pieces of `part`.
    pub(crate) fn name_all(&mut self, part: usize, kind: PieceKind) {
        let first = self.pieces.partition_point(|piece| (piece.part as usize) < part);
        for piece in self.pieces.iter_mut().skip(first).take_while(|piece| piece.part as usize == part) {
            piece.kind = kind;
        }
    }

    /// Appends the pieces of other parts, whose first part is `first_part` here.
    pub(crate) fn append(&mut self, other: Self, first_part: usize) {
        self.pieces.extend(
            other.pieces.into_iter().map(|piece| Piece { part: piece.part + first_part as u32, ..piece }),
        );
    }

    /// The pieces of `part`, in order; empty if no text of it is sent.
    pub(crate) fn of(&self, part: usize) -> &[Piece] {
        let first = self.pieces.partition_point(|piece| (piece.part as usize) < part);
        let count = self.pieces.iter().skip(first).take_while(|piece| piece.part as usize == part).count();
        self.pieces.get(first..first + count).unwrap_or_default()
    }

    /// The texts of the pieces of `part`, as they are sent.
    pub(crate) fn texts_of<'s>(&self, source: &'s str, part: usize) -> impl Iterator<Item = Cow<'s, str>> {
        self.of(part).iter().map(|piece| piece.read(source))
    }

    /// The text of `part`: its pieces, one per line.
    pub(crate) fn text_of<'s>(&self, source: &'s str, part: usize) -> Cow<'s, str> {
        match self.of(part) {
            [] => Cow::Borrowed(""),
            [piece] => self.without_introduction(piece.read(source)),
            pieces => {
                Cow::Owned(pieces.iter().map(|piece| piece.read(source)).collect::<Vec<_>>().join("\n"))
            }
        }
    }

    /// Apart from its callers, which are many.
    ///
    /// The next summarizer would take an introduction for a part of the summary, so that there would be one more each round.
    #[inline(never)]
    fn without_introduction<'s>(&self, text: Cow<'s, str>) -> Cow<'s, str> {
        if self.introductions.is_empty() {
            return text;
        }
        let Some((lead, body)) = marks::split(&text) else { return text };
        let rest = |known: &String| body.strip_prefix(known.as_str())?.strip_prefix(marks::BREAK);
        match self.introductions.iter().find_map(rest) {
            Some(rest) => Cow::Owned([lead, marks::BREAK, rest].concat()),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_found_by_their_part() {
        let mut places = Pieces::default();
        for (part, span) in [(0, 0..4), (2, 4..6), (2, 7..9), (5, 9..12)] {
            places.note(part, &span);
        }
        places.name(5, PieceKind::Printed);
        places.name(4, PieceKind::Command);
        let spans =
            |part: usize| places.of(part).iter().map(|piece| (piece.start, piece.end)).collect::<Vec<_>>();
        assert_eq!((spans(0), spans(1), spans(2)), (vec![(0, 4)], vec![], vec![(4, 6), (7, 9)]));
        assert_eq!((places.of(5)[0].kind, places.of(9).len()), (PieceKind::Printed, 0));
    }
}
