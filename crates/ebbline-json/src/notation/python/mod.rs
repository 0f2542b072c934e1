//! Text and values as a Python program stores and writes them: TunaCode counts in code points and writes values with
//! `repr` and `json.dumps`.

mod dumps;
mod repr;
mod text;
mod unprintable;

pub use dumps::dumps_sorted;
pub use repr::{repr_length, repr_text};
pub use text::{CodePoints, is_blank, strip};
