//! Packs a vocabulary as `tiktoken` publishes it: `cargo run --example pack -- o200k_base.tiktoken o200k.ranks`.

use std::error::Error;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("usage: pack FILE.tiktoken FILE.ranks".into());
    };
    fs::write(to, ebbline_tokenizer::pack(&fs::read_to_string(from)?)?)?;
    Ok(())
}
