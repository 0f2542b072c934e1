//! Text and values as a Python program holds and writes them: TunaCode's answers are counted in code points,
//! and hold what `repr` and `json.dumps` write.

mod dumps;
mod repr;
mod text;
mod unprintable;

pub use dumps::dumps_sorted;
pub use repr::{repr_length, repr_text};
pub use text::{CodePoints, is_blank, strip};
