//! How fast tokens are counted, by kind of text: `cargo bench -p ebbline-bench --bench count`.

use divan::counter::BytesCount;
use ebbline_tokenizer::{Encoding, Tokenizer};

fn main() {
    divan::main();
}

const KINDS: [&str; 5] = ["prose", "code", "json", "japanese", "one long word"];

/// Half a megabyte of one kind of text, none of it twice the same.
fn text(kind: &str) -> String {
    let mut text = String::new();
    let mut at = 0_usize;
    while text.len() < 500_000 {
        at += 1;
        text += &match kind {
            "prose" => {
                format!("The {at}th request came later than expected, and nobody could say why it had. ")
            }
            "code" => format!("    let item_{at} = self.items.get({at}).unwrap_or(&Default::default());\n"),
            "json" => {
                format!("{{\"id\":\"{at:08x}\",\"size\":{},\"path\":\"src/module_{at}/mod.rs\"}},", at * 37)
            }
            "japanese" => {
                format!("{at}番目の要求は予想より遅れて届きましたが、理由は誰にも分かりませんでした。")
            }
            _ => format!("{:x}", at.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
        };
    }
    text
}

#[divan::bench(args = KINDS)]
fn o200k(bencher: divan::Bencher<'_, '_>, kind: &str) {
    let tokenizer =
        Tokenizer::new(Encoding::O200k, include_bytes!("../../ebbline-tokenizer/ranks/o200k.ranks"));
    let (Ok(tokenizer), text) = (tokenizer, text(kind)) else { return };
    bencher.counter(BytesCount::of_str(&text)).bench(|| tokenizer.count(divan::black_box(&text)));
}

#[divan::bench(args = KINDS)]
fn cl100k(bencher: divan::Bencher<'_, '_>, kind: &str) {
    let tokenizer =
        Tokenizer::new(Encoding::Cl100k, include_bytes!("../../ebbline-tokenizer/ranks/cl100k.ranks"));
    let (Ok(tokenizer), text) = (tokenizer, text(kind)) else { return };
    bencher.counter(BytesCount::of_str(&text)).bench(|| tokenizer.count(divan::black_box(&text)));
}

#[divan::bench]
fn load() {
    let tokenizer = Tokenizer::new(
        Encoding::O200k,
        divan::black_box(include_bytes!("../../ebbline-tokenizer/ranks/o200k.ranks")),
    );
    divan::black_box(tokenizer.is_ok());
}
