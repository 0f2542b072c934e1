//! The data table: what the two pictures show, as tables for people who do not see them or want to copy them.

use super::{Act, Ask, Block, Row};
use crate::content::Content;
use crate::kind::{Kind, Shown};
use crate::life::Life;
use crate::life_words;
use crate::open_session::OpenSession;
use crate::overview::{Rows, tools};
use ebbline::numbers::{counted, grouped};

/// How many rows are shown at once.
const PAGE: usize = 200;
/// The field that says which table, and the one with the first row.
const BY: &str = "table-by";
const FROM: &str = "table-from";
/// What stands in the first for the table of messages.
const MESSAGES: &str = "message";

/// The sheet.
pub(super) fn table<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    let by_message = ask.field(BY) == Some(MESSAGES);
    let (caption, columns, rows) = if by_message {
        of_messages(session, ask)
    } else {
        session.with_life(&ask.history, |life| {
            let caption =
                counted(life.len() as u64, "request") + ", each with the size of its context in tokens";
            (caption, ["Request", "Turn", "Context", "Compaction"], of_life(life))
        })
    };
    let all = rows.len();
    let first = ask.field(FROM).and_then(|from| from.parse::<usize>().ok()).unwrap_or(0);
    let first = first.min(all.saturating_sub(1) / PAGE * PAGE);
    let rows: Vec<Row> = rows.into_iter().skip(first).take(PAGE).collect();
    let last = first + rows.len();
    let to = |name: &str, id: &str, value: String| (name.to_owned(), Act::Type { id: id.to_owned(), value });
    let which = vec![to("By request", BY, "request".to_owned()), to("By message", BY, MESSAGES.to_owned())];
    let mut pages = Vec::new();
    if first > 0 {
        pages.push(to("Earlier", FROM, first.saturating_sub(PAGE).to_string()));
    }
    if last < all {
        pages.push(to("Later", FROM, (first + PAGE).to_string()));
    }
    let place = format!(
        "Rows {} to {} of {}",
        grouped((first + 1).min(all) as u64),
        grouped(last as u64),
        grouped(all as u64)
    );
    let columns = columns.map(str::to_owned).to_vec();
    vec![
        Block::Actions(which),
        Block::Table { caption, columns, rows },
        Block::quiet(place),
        Block::Actions(pages),
    ]
}

fn row(cells: [String; 4]) -> Row {
    Row { cells: cells.into(), act: Act::None }
}

/// The requests of the life.
fn of_life(life: &Life) -> Vec<Row> {
    let rows = (0..life.len()).map(|at| {
        let request = at as u32;
        let event = match (life.event_at(request), life.recorded_at(request)) {
            (Some(event), _) => life_words::event_with_sizes(event),
            (None, Some(event)) => format!("recorded: {}", life_words::event_with_sizes(event)),
            (None, None) => String::new(),
        };
        let number = |column: &[u32]| grouped(u64::from(column.get(at).copied().unwrap_or(0)));
        row([grouped(at as u64 + 1), number(&life.turns), number(&life.found), event])
    });
    rows.collect()
}

/// The messages at this moment.
fn of_messages<C: Content>(session: &OpenSession<C>, ask: &Ask) -> (String, [&'static str; 4], Vec<Row>) {
    let fates = session.plan_at(&ask.policy, ask.force, ask.at().as_ref()).fates;
    let transcript = session.content().transcript();
    let (of_rows, names) = (Rows::of(transcript), tools(transcript));
    let columns = fates.fate.iter().zip(fates.before.iter().zip(&fates.after));
    let rows = columns.enumerate().map(|(at, (code, (before, after)))| {
        let shown = Shown::from_code(*code);
        let (kind, tool) = of_rows.kind_and_tool(&names, at).unwrap_or((Kind::System, String::new()));
        let who = if tool.is_empty() { kind.word().to_owned() } else { format!("{}, {tool}", kind.word()) };
        let tokens = if shown.is_in_context() {
            format!("{} → {}", grouped(u64::from(*before)), grouped(u64::from(*after)))
        } else {
            String::new()
        };
        row([grouped(at as u64 + 1), who, tokens, shown.word().to_owned()])
    });
    let caption = counted(fates.fate.len() as u64, "message")
        + ", each with its tokens before and after, and its outcome at this moment";
    (caption, ["Message", "Kind", "Tokens", "Fate"], rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Which;

    fn rows(fields: &[(&str, &str)]) -> (usize, String, usize) {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::ALL[0].policy();
        let fields = fields.iter().map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect();
        let ask = Ask {
            which: Which::Table,
            history: policy.clone(),
            policy,
            force: false,
            request: Some(39),
            fields,
        };
        let blocks = table(&session, &ask);
        let (Block::Table { rows, .. }, Block::Words(_, place), Block::Actions(pages)) =
            (&blocks[1], &blocks[2], &blocks[3])
        else {
            panic!("{blocks:?}")
        };
        (rows.len(), place.clone(), pages.len())
    }

    #[test]
    fn every_request_and_message_has_a_row_and_a_page_beyond_the_last_is_the_last() {
        assert_eq!(rows(&[]), (47, "Rows 1 to 47 of 47".to_owned(), 0));
        assert_eq!(rows(&[(BY, MESSAGES)]), (115, "Rows 1 to 115 of 115".to_owned(), 0));
        assert_eq!(rows(&[(BY, MESSAGES), (FROM, "9000")]).0, 115);
    }
}
