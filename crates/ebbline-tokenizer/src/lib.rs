//! Exact token counts for the models of `OpenAI`: the encodings `o200k_base` and `cl100k_base`.
//!
//! A text is cut into pieces (words, numbers, runs of punctuation, white space), and each piece is merged pair by
//! pair, lowest rank first, until no pair of neighbours is a token. What makes it fast: the pieces are found by hand
//! instead of by a regular expression, nine pieces in ten are tokens as they stand, and long pieces are merged with a
//! heap, so that no input takes more than `n log n`.
//!
//! The result is that of `tiktoken`, token by token. The vocabulary (about 0.8 MB compressed) is not part of the
//! library: load it when it is needed.
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

mod encoding;
mod merge;
mod ranks;
mod settled;
mod split;
mod tokenizer;
mod unicode;
mod vocabulary;

pub use encoding::Encoding;
pub use ranks::{BadRanks, pack};
pub use tokenizer::Tokenizer;
