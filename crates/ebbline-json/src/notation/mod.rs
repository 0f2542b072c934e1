//! How programs in other languages write, measure and cut texts and values.
//!
//! Agents measure values with their language's own functions: an agent in JavaScript by the length of
//! `JSON.stringify`, one in Python by the length of `repr`. Both modules work on [parsed JSON](crate::json) and give
//! the result of that language for the same document.

pub mod javascript;
pub mod python;
