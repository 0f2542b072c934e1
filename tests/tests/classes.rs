//! The class-aware estimate: a table of texts, which Node measures too, and what is true of every text.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use ebbline::binding::classes::{PUNCTUATION, TOKEN, WHOLE};
use ebbline::json::{Document, Value, compact_length};
use ebbline::length::Length;
use ebbline::notation::javascript::Utf16;
use proptest::prelude::*;

/// Its `tokens` were counted with `o200k_base`.
const TABLE: &str = include_str!("../texts/classes.json");

struct Row {
    name: String,
    text: Utf16,
    classed: u32,
    /// As the text of a call's arguments, and as a string of JSON in them, without its quotes.
    in_calls: [u32; 2],
    tokens: f64,
}

fn rows(list: &str) -> Vec<Row> {
    let table = Document::parse(TABLE).unwrap();
    let number = |row: Value<'_>, key| row.get(key).and_then(Value::number);
    let row = |row: Value<'_>| {
        let text = Utf16::from(row.text_of("text").unwrap());
        let times = number(row, "times").map_or(1, |times| times as usize);
        Row {
            name: row.text_of("name").unwrap().decode().into_owned(),
            text: Utf16::join(&vec![text; times], ""),
            classed: number(row, "classed").unwrap() as u32,
            in_calls: ["arguments", "inJson"].map(|key| number(row, key).unwrap() as u32),
            tokens: number(row, "tokens").unwrap_or_default(),
        }
    };
    table.root().elements_of(list).map(row).collect()
}

fn classed(text: &str) -> u32 {
    Length::of(text).classed
}

/// A text in JSON with every unit outside ASCII escaped.
fn escaped(text: &Utf16) -> String {
    let spell = |unit: &u16| match unit {
        0x20 | 0x21 | 0x23..=0x5B | 0x5D..=0x7E => char::from(*unit as u8).to_string(),
        _ => format!("\\u{unit:04x}"),
    };
    format!("\"{}\"", text.units().iter().map(spell).collect::<String>())
}

/// The figure for a text in JSON with every unit outside ASCII escaped.
fn classed_in_json(text: &Utf16) -> u32 {
    Document::parse(&escaped(text)).unwrap().root().text().unwrap().length().classed
}

/// The figures for a text in JSON as the text of a call's arguments, and as a string in them.
fn in_calls(json: &str) -> [u32; 2] {
    let document = Document::parse(json).unwrap();
    let text = document.root().text().unwrap();
    [text.length_of_arguments().classed_json, compact_length(document.root()).classed_json - PUNCTUATION]
}

#[test]
fn the_table_holds_however_a_text_is_spelled() {
    for Row { name, text, classed: expected, in_calls: expected_in_calls, .. } in
        ["texts", "corners", "long"].iter().flat_map(|list| rows(list))
    {
        assert_eq!(classed_in_json(&text), expected, "{name}, escaped");
        assert_eq!(in_calls(&escaped(&text)), expected_in_calls, "{name}, in calls");
        if let Ok(plain) = String::from_utf16(text.units()) {
            assert_eq!(classed(&plain), expected, "{name}");
        }
    }
}

#[test]
fn each_sort_of_text_is_near_its_true_count_where_a_quarter_of_a_token_is_not() {
    let (mut of_classes, mut of_quarters) = (0.0, 0.0);
    let texts = rows("texts");
    for Row { name, text, classed, tokens, .. } in &texts {
        let off = f64::from(*classed) / f64::from(TOKEN) / tokens - 1.0;
        assert!(off.abs() < 0.2, "{name}: {:+.0} %", off * 100.0);
        of_classes += off.abs();
        of_quarters += (text.len() as f64 / 4.0 / tokens - 1.0).abs();
    }
    assert!(of_classes * 4.0 < of_quarters, "{of_classes} of {of_quarters}, {} texts", texts.len());
}

/// Words of every sort, each followed by a space.
fn words(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => "[a-z]{1,9}",
        2 => "[A-Z][a-z]{1,5}[A-Z][a-z]{1,5}",
        2 => "[0-9]{1,7}",
        1 => "[0-9a-f]{16}",
        1 => r"[-=_./{}\[\]:,;]{1,6}",
        1 => "[äöüßéèçąęłőűạệ]{1,4}",
        1 => "[а-я]{1,9}",
        1 => "[ا-ي]{1,7}",
        1 => "[一-龥]{1,9}",
        1 => "[ぁ-ん가-힣]{1,9}",
        1 => "[😀-🙏]{1,3}",
    ];
    prop::collection::vec(word, count).prop_map(|words| words.iter().flat_map(|word| [word, " "]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn texts_that_are_read_whole_add_up(one in words(0..20), other in words(0..20)) {
        let whole = format!("{one}{other}");
        prop_assume!(whole.encode_utf16().count() <= WHOLE as usize);
        let apart = classed(&one) + classed(&other);
        prop_assert!(apart.abs_diff(classed(&whole)) <= 2 * TOKEN, "{apart} {}", classed(&whole));
    }

    #[test]
    fn a_longer_text_costs_no_less_and_none_is_free(text in words(1..500)) {
        let mut before = 0;
        for (end, _) in text.char_indices().skip(1).step_by(7) {
            let now = classed(&text[..end]);
            prop_assert!(now >= before && now > 0, "{now} after {before} at {end}");
            before = now;
        }
    }

    #[test]
    fn where_escapes_part_a_text_makes_no_difference(text in words(0..900)) {
        prop_assert_eq!(classed_in_json(&Utf16::from(text.as_str())), classed(&text));
    }
}
