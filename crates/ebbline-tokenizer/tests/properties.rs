//! What holds of every text.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::LazyLock;

use ebbline_tokenizer::{Encoding, Memo, Tokenizer};
use proptest::prelude::*;

static TOKENIZERS: LazyLock<[Tokenizer; 2]> = LazyLock::new(|| {
    [
        Tokenizer::new(Encoding::O200k, include_bytes!("../ranks/o200k.ranks")).unwrap(),
        Tokenizer::new(Encoding::Cl100k, include_bytes!("../ranks/cl100k.ranks")).unwrap(),
    ]
});

#[test]
fn known_texts_have_their_tokens() {
    let [o200k, cl100k] = &*TOKENIZERS;
    for (text, first, second) in [
        ("", vec![], vec![]),
        ("hello world", vec![24_912, 2_375], vec![15_339, 1_917]),
        ("<|endoftext|>", vec![27, 91, 419, 1_440, 919, 91, 29], vec![27, 91, 8_862, 728, 428, 91, 29]),
    ] {
        assert_eq!(o200k.encode(text), first, "{text}");
        assert_eq!(cl100k.encode(text), second, "{text}");
    }
    let special =
        o200k.encode_with_special("a<|endofprompt|><|endoftext|>b", |name| name == "<|endofprompt|>");
    assert_eq!((special.get(1), special.contains(&199_999)), (Some(&200_018), false));
    assert_eq!(o200k.decode(&special).unwrap(), b"a<|endofprompt|><|endoftext|>b");
    assert_eq!(o200k.decode(&[199_998]), None);
}

#[test]
fn ranks_of_another_encoding_are_refused() {
    let error = Tokenizer::new(Encoding::O200k, include_bytes!("../ranks/cl100k.ranks")).unwrap_err();
    assert_eq!(error.to_string(), "o200k_base has 199998 tokens, but these are 100256");
}

#[test]
fn a_long_run_without_spaces_is_one_piece_and_comes_back() {
    for text in ["x".repeat(40_000), "日本語".repeat(15_000), "ab".repeat(20_000), "é".repeat(40_000)] {
        for tokenizer in TOKENIZERS.iter() {
            let tokens = tokenizer.encode(&text);
            assert_eq!(tokenizer.decode(&tokens).unwrap(), text.as_bytes());
            assert_eq!(tokenizer.count(&text), tokens.len());
        }
    }
}

/// Texts in which every second place is a question: where words, contractions, numbers and special tokens may end.
fn tricky() -> impl Strategy<Value = String> {
    const ATOMS: [&str; 40] = [
        "'", "'s", "'l", "'ll", "ſ", "a", "B", "Ab", "ǅ", "ʰ", "日", "本", "é", "e\u{301}", "\u{301}", "1",
        "23", "½", " ", "  ", "\t", "\n", "\r\n", "\u{3000}", "/", "//", ".", ";", "。", "👍", "\u{200d}",
        "<", "<|", "|>", "<|endof", "text", "<|endoftext|>", "<|endofprompt|>", "<|fim_prefix|>", "\u{fffd}",
    ];
    prop::collection::vec(prop::sample::select(&ATOMS[..]), 0..24).prop_map(|atoms| atoms.concat())
}

/// The tokens of a text that comes in parts, divided at `places`.
fn in_parts(
    tokenizer: &Tokenizer,
    text: &str,
    places: &[usize],
    is_allowed: impl Fn(&str) -> bool + Copy,
) -> Vec<u32> {
    let (mut tokens, mut start, mut memo) = (Vec::new(), 0, Memo::default());
    for place in places.iter().filter(|place| text.is_char_boundary(**place)) {
        if let Some(part) = text.get(start..*place) {
            start += tokenizer.encode_part(part, &mut memo, is_allowed, |token| tokens.push(token));
        }
    }
    tokens.extend(tokenizer.encode_with_special(&text[start..], is_allowed));
    tokens
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_comes_back_from_its_tokens(text in any::<String>(), repeated in 1..40_usize) {
        let text = text.repeat(repeated);
        for tokenizer in TOKENIZERS.iter() {
            let tokens = tokenizer.encode(&text);
            prop_assert_eq!(tokenizer.decode(&tokens).unwrap(), text.as_bytes());
            prop_assert_eq!(tokenizer.count(&text), tokens.len());
        }
    }

    #[test]
    fn a_text_in_parts_has_the_tokens_of_the_whole(
        text in tricky(),
        places in prop::collection::vec(0..120_usize, 0..6),
        only in prop::sample::select(&["<|endoftext|>", "<|endofprompt|>", "none", "all"][..]),
    ) {
        let is_allowed = |name: &str| only == "all" || only == name;
        for tokenizer in TOKENIZERS.iter() {
            let whole = tokenizer.encode_with_special(&text, is_allowed);
            prop_assert_eq!(in_parts(tokenizer, &text, &places, is_allowed), whole);
        }
    }

    #[test]
    fn tokens_of_a_text_in_words_are_those_of_its_words(words in prop::collection::vec("[a-z]{1,200}", 1..20)) {
        for tokenizer in TOKENIZERS.iter() {
            let mut apart = Vec::new();
            for (at, word) in words.iter().enumerate() {
                apart.extend(tokenizer.encode(&if at == 0 { word.clone() } else { format!(" {word}") }));
            }
            prop_assert_eq!(tokenizer.encode(&words.join(" ")), apart);
        }
    }
}
