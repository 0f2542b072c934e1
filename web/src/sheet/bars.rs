//! What fills the context, as bars that lead to their messages.

use super::{Act, Ask, Bar, Block};
use crate::content::Content;
use crate::fills::Fill;
use crate::open_session::OpenSession;
use ebbline::numbers::{counted, grouped, percent};

/// The titles of the groups, in their order.
const TITLES: [&str; 4] = ["By kind", "Outputs by tool", "Calls and outputs by file", "The largest messages"];

/// What fills the context.
pub(super) fn fills<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    let at = ask.at();
    let figures = session.plan_at(&ask.policy, false, at.as_ref()).figures;
    let total = figures.total_before();
    let beside = match figures.not_in_file() {
        0 => String::new(),
        beside => format!(", about {} of them system prompt and tools", grouped(beside)),
    };
    let mut blocks = vec![Block::quiet(format!(
        "{} at this moment{beside}. A row leads to its messages.",
        counted(total, "token")
    ))];
    let groups = TITLES.into_iter().zip(session.fills(&ask.policy, at.as_ref()));
    blocks.extend(groups.filter(|(_, fills)| !fills.is_empty()).map(|(title, fills)| Block::Bars {
        title: title.to_owned(),
        bars: fills.into_iter().map(|fill| bar(fill, total)).collect(),
    }));
    blocks
}

/// A bar of a fill among so many tokens.
pub(super) fn bar(fill: Fill, total: u64) -> Bar {
    let Fill { name, tokens, messages } = fill;
    let share = percent(tokens, total);
    Bar {
        said: format!("{}, {share}", grouped(tokens)),
        spoken: format!(
            "{name}: {}, {share}, in {}",
            counted(tokens, "token"),
            counted(messages.len() as u64, "message")
        ),
        share: (tokens.saturating_mul(100) / total.max(1)).min(100),
        act: Act::Lead { of: name.clone(), messages },
        name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Which;

    #[test]
    fn every_bar_says_its_share_and_leads_somewhere() {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::ALL[0].policy();
        let ask = Ask {
            which: Which::Fills,
            history: policy.clone(),
            policy,
            force: false,
            request: Some(39),
            fields: Vec::new(),
        };
        let blocks = fills(&session, &ask);
        assert_eq!(blocks.len(), 5);
        let Block::Bars { title, bars } = &blocks[1] else { panic!("no bars") };
        assert_eq!((title.as_str(), bars[0].name.as_str()), ("By kind", "tool output"));
        assert!(bars[0].said.ends_with(" %") && bars[0].share > 50, "{:?}", bars[0]);
        assert!(
            bars.iter().all(|bar| matches!(&bar.act, Act::Lead { messages, .. } if !messages.is_empty()))
        );
    }
}
