//! How programs in other languages write, measure and cut texts and values.
//!
//! Agents measure what they hold by what their language makes of it: an agent in JavaScript by the length of
//! `JSON.stringify`, one in Python by the length of `repr`. Both modules work on [parsed JSON](crate::json) and give what
//! that language would give for the same document.

pub mod javascript;
pub mod python;
