//! Text and values as a Python program holds and writes them: TunaCode's answers are counted in code points,
//! and hold what `repr` and `json.dumps` write.

mod dumps;
mod repr;
mod text;
mod unprintable;

pub(crate) use dumps::dumps_sorted;
pub(crate) use repr::{repr_length, repr_text};
pub(crate) use text::{CodePoints, is_blank, strip};
