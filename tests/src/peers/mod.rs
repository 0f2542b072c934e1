//! The rules of other libraries in their own code: lives go out as lines, what each library would send comes back as lines, and the
//! measures that judge policies judge them.
//!
//! `cargo xtask defaults FOLDER --lives FILE` writes the lives, `tests/hosts/peers/replay.mjs` replays them, and
//! `cargo xtask defaults FOLDER --peers ROWS` prints the table.

mod field;
mod life;
mod row;
mod score;

pub use field::Field;
pub use life::Life;
pub use row::{Item, Row};
pub use score::{Judge, Measured, Order, order_of};
