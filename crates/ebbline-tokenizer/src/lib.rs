//! Exact token counts for the models of `OpenAI`: the encodings `o200k_base` and `cl100k_base`.
//!
//! A text is split into pieces (words, numbers, runs of punctuation, white space), and each piece is merged pair by
//! pair, lowest rank first, until no pair of neighbors is a token. It is fast because handwritten code finds the pieces
//! instead of a regular expression, nine pieces in ten are whole tokens, and a heap merges long pieces, so no input
//! takes more than `n log n`.
//!
//! The tokens are the same as those of `tiktoken`.
//!
//! # Ranks
//!
//! The vocabulary of an encoding, its *ranks*, is not part of the library: load it when it is needed, from the files
//! `ranks/o200k.ranks` (1.6 MB, 0.79 by brotli) and `ranks/cl100k.ranks` (0.74 MB, 0.36 by brotli) of this package, or
//! enable the features `o200k` and `cl100k`, which provide them as constants. [`pack`] builds such a file from
//! the one that `OpenAI` publishes.
//!
//! A file of packed ranks is a line of ASCII, `ebbline ranks 1 ` and the number of tokens in decimal, ended by `\n`; then
//! one byte for each token, its length; then the bytes of all tokens without separators. Tokens are in the order of
//! their ranks, which are also their ids. Lengths and bytes are separate because they compress better that way, and
//! nothing has to be unpacked.
//!
//! # Example
//!
//! ```
//! use ebbline_tokenizer::{Encoding, Tokenizer};
//! let ranks = include_bytes!("../ranks/cl100k.ranks");
//! let tokenizer = Tokenizer::new(Encoding::Cl100k, ranks)?;
//! assert_eq!(tokenizer.encode("hello world"), [15339, 1917]);
//! assert_eq!(tokenizer.count("hello world"), 2);
//! # Ok::<(), ebbline_tokenizer::BadRanks>(())
//! ```
//!
//! Nothing here panics, allocates without need or uses `unsafe`; the only error is [`BadRanks`], when a tokenizer is created.

mod encoding;
mod memo;
mod merge;
mod ranks;
mod settled;
mod split;
mod tokenizer;
mod unicode;
mod vocabulary;

/// The ranks of `o200k_base`, packed.
#[cfg(feature = "o200k")]
pub const O200K_RANKS: &[u8] = include_bytes!("../ranks/o200k.ranks");
/// The ranks of `cl100k_base`, packed.
#[cfg(feature = "cl100k")]
pub const CL100K_RANKS: &[u8] = include_bytes!("../ranks/cl100k.ranks");

pub use encoding::Encoding;
pub use memo::Memo;
pub use ranks::{BadRanks, pack};
pub use tokenizer::Tokenizer;
