//! Comma-separated values with a row of titles, which are those of the first row.

use ebbline::json::{Document, Value, format_js};
use serde::Serialize;

/// The cells of a row by their titles.
pub(crate) type Row = Vec<(String, String)>;

/// The members of a value that are no lists and no objects, in their order.
pub(crate) fn row(value: &impl Serialize) -> Row {
    let json = serde_json::to_string(value).unwrap_or_default();
    let Ok(document) = Document::parse(&json) else { return Row::new() };
    let plain = document.root().members().filter(|(_, value)| !value.is_array() && !value.is_object());
    plain.map(|(title, value)| (title.decode().into_owned(), cell(value))).collect()
}

/// A value as a cell: one that is not known is empty.
fn cell(value: Value<'_>) -> String {
    match (value.text(), value.number()) {
        (Some(text), _) => text.decode().into_owned(),
        (None, Some(number)) => format_js(number),
        (None, None) if value.is_null() => String::new(),
        (None, None) => value.source().to_owned(),
    }
}

/// The lines of rows.
pub(crate) fn csv(rows: &[Row]) -> String {
    let titles: Vec<&str> = rows.first().into_iter().flatten().map(|(title, _)| title.as_str()).collect();
    let mut text = line(titles.iter().copied());
    for row in rows {
        let cell = |title: &&str| row.iter().find(|(known, _)| known == title).map_or("", |(_, cell)| cell);
        text.push_str(&line(titles.iter().map(cell)));
    }
    text
}

fn line<'c>(cells: impl Iterator<Item = &'c str>) -> String {
    let quoted = |cell: &str| {
        if cell.contains(['"', ',', '\r', '\n']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    };
    let cells: Vec<String> = cells.map(quoted).collect();
    cells.join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_titles_are_those_of_the_first_row() {
        #[derive(Serialize)]
        struct Of {
            name: &'static str,
            share: Option<f64>,
            list: Vec<u8>,
            is: bool,
        }
        let first = row(&Of { name: "a, \"b\"", share: Some(1.0), list: vec![1], is: true });
        let second = vec![("is".to_owned(), "no".to_owned()), ("more".to_owned(), "x".to_owned())];
        assert_eq!(csv(&[first, second]), "name,share,is\n\"a, \"\"b\"\"\",1,true\n,,no\n");
        assert_eq!(row(&Of { name: "", share: None, list: Vec::new(), is: false })[1].1, "");
    }
}
