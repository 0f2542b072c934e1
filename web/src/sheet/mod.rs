//! Sheets: parts of the page that the worker writes and the page shows without knowing what they say.
//!
//! A sheet is a list of blocks: sentences, tables, bars, fields, pictures. What can be clicked carries an [`Act`], which
//! the page carries out. So everything that the first screen does not need stays out of the page's own program.

mod ask;
mod bars;
mod block;
mod compare;
mod cost;
mod facts;
mod frontier;
mod help;
mod lesson;
pub mod share;
mod summary;
mod table;
mod versus;

pub use ask::{Ask, Which};
pub use block::{Act, Bar, Block, Dot, Field, Look, Menu, Row};
pub use help::LETTERS;
pub use lesson::{OPENED, READ, STEP};

use crate::content::Content;
use crate::open_session::OpenSession;

/// Writes a sheet.
pub fn write<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    match ask.which {
        Which::Fills => bars::fills(session, ask),
        Which::Versus => versus::versus(session, ask),
        Which::Compare => compare::compare(session, ask),
        Which::Frontier => frontier::frontier(session, ask),
        Which::Facts => facts::facts(session, ask),
        Which::Summary => summary::summary(session, ask),
        Which::Lesson => lesson::lesson(session, ask),
        Which::Help => help::help(ask),
        Which::Table => table::table(session, ask),
        Which::Share => share::share(session, ask),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_space_was_not_typed() {
        let policy = ebbline::profiles::ALL[0].policy();
        let fields = vec![("rate".to_owned(), " 0.5 ".to_owned()), ("price".to_owned(), "  ".to_owned())];
        let ask =
            Ask { which: Which::Fills, history: policy.clone(), policy, force: false, request: None, fields };
        assert_eq!((ask.field("rate"), ask.field("price"), ask.field("other")), (Some("0.5"), None, None));
    }
}
