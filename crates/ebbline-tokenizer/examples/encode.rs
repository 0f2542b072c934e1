//! Encodes texts for comparison with other tokenizers: `encode ENCODING RANKS < TEXTS > TOKENS`.
//!
//! Each text on standard input is its length in bytes, as four bytes, lowest first, and the bytes; what comes out for it
//! is the number of its tokens and the tokens, each as four bytes.

use std::error::Error;
use std::io::{Read, Write};
use std::{env, fs, io};

use ebbline_tokenizer::{Encoding, Tokenizer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(name), Some(ranks)) = (arguments.next(), arguments.next()) else {
        return Err("usage: encode ENCODING RANKS".into());
    };
    let encoding = Encoding::ALL.iter().find(|encoding| encoding.name() == name).ok_or("no such encoding")?;
    let tokenizer = Tokenizer::new(*encoding, &fs::read(ranks)?)?;
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    let mut rest = input.as_slice();
    let mut output = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let (text, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or("torn")?;
        let tokens = tokenizer.encode(std::str::from_utf8(text)?);
        output.extend((tokens.len() as u32).to_le_bytes());
        output.extend(tokens.iter().flat_map(|token| token.to_le_bytes()));
        rest = behind;
    }
    io::stdout().write_all(&output)?;
    Ok(())
}
