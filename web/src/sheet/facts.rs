//! What the summary has to carry: what the messages contain that it would replace, and nothing else in the context does.

use ebbline::loss::{Class, Holdings};
use ebbline::orders::Orders;
use ebbline::transcript::{Output, PartKind, Role};
use ebbline::{Fate, Plan, Transcript};

use super::{Act, Ask, Block, Row};
use crate::content::Content;
use crate::open_session::OpenSession;
use crate::view::{EARLIER_SUMMARY, View};
use ebbline::numbers::{counted, grouped};

/// How many findings of a class are listed.
const LISTED: usize = 15;
/// Longer findings are cut in the table, in characters.
const LONGEST: usize = 90;

/// The classes that are shown, with their titles and nouns. Names in code and quotations are in all texts, so they say little.
const CLASSES: [(Class, &str, &str); 4] = [
    (Class::File, "Files and addresses", "file"),
    (Class::Command, "Commands", "command"),
    (Class::Error, "Errors", "error"),
    (Class::Number, "Numbers", "number"),
];

/// Said where not even a forced compaction would summarize.
pub(super) const NOTHING: &str = "Nothing is summarized at this moment, not even by a forced compaction: there is nothing before the newest messages that stay.";

/// The plan, and if it summarizes nothing, that of a forced summary with a remark about it.
pub(super) fn summarizing(view: &View<'_>, ask: &Ask) -> (Plan, Vec<Block>) {
    let plan = ebbline::plan(view.transcript(), &ask.policy, view.options(ask.force));
    if plan.decision.retain.applied {
        return (plan, Vec::new());
    }
    let mut policy = ask.policy.clone();
    (policy.prune.enabled, policy.retain.enabled) = (false, true);
    let plan = ebbline::plan(view.transcript(), &policy, view.options(true));
    let remark =
        "Nothing is summarized at this moment. Below is what a summary would replace if one were made here.";
    (plan, vec![Block::quiet(remark)])
}

/// A shortened text for a cell.
pub(super) fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The sheet.
pub(super) fn facts<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    session.with_view(ask.at().as_ref(), &ask.policy, |view| {
        let (plan, note) = summarizing(view, ask);
        let is_gone = |at: usize| plan.messages.get(at).is_some_and(|message| message.fate == Fate::Summarized);
        let gone = (0..plan.messages.len()).filter(|at| is_gone(*at)).count();
        if gone == 0 {
            return vec![Block::plain(NOTHING)];
        }
        let (holdings, orders) = (held(session, view, is_gone), orders(session, view));
        let orders: Vec<Row> = orders
            .in_force()
            .filter(|order| is_gone(order.message))
            .map(|order| row(order.sentence.clone(), &[order.message], view))
            .collect();
        let found = holdings.only_there();
        let of_class = |class: Class| found.iter().filter(move |held| held.class == class);
        let counts: Vec<String> = CLASSES
            .iter()
            .map(|(class, _, noun)| (of_class(*class).count(), noun))
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| counted(count as u64, noun))
            .chain((!orders.is_empty()).then(|| counted(orders.len() as u64, "standing order")))
            .collect();
        let mut blocks = note;
        blocks.push(Block::plain(match counts.split_last() {
            None => format!("The {} that a summary would replace contain no file, command, error, number or standing order that the rest of the context does not contain as well.", counted(gone as u64, "message")),
            Some((last, [])) => format!("{last} would exist only in the summary: what it does not carry, the agent has to find again."),
            Some((last, first)) => format!("{} and {last} would exist only in the summary: what it does not carry, the agent has to find again.", first.join(", ")),
        }));
        if !orders.is_empty() {
            blocks.push(table("Standing orders in force; ebbline carries them word for word", orders, None));
        }
        for (class, title, _) in CLASSES {
            let all = of_class(class).count();
            let rows: Vec<Row> =
                of_class(class).take(LISTED).map(|held| row(cut(&held.text), &held.messages, view)).collect();
            if !rows.is_empty() {
                blocks.push(table(title, rows, Some(all)));
            }
        }
        blocks.push(Block::quiet("Found by rule, without a model: what looks like a path, a command, an error or a number. A row leads to its messages."));
        blocks
    })
}

fn table(title: &str, rows: Vec<Row>, all: Option<usize>) -> Block {
    let caption = match all.filter(|all| *all > rows.len()) {
        Some(all) => format!("{title}: the {} in the most messages of {}", rows.len(), grouped(all as u64)),
        None => title.to_owned(),
    };
    Block::Table { caption, columns: ["Found", "Messages"].map(str::to_owned).to_vec(), rows }
}

/// A finding with the messages of the session that contain it.
fn row(text: String, places: &[usize], view: &View<'_>) -> Row {
    let messages: Vec<u32> =
        places.iter().map(|at| view.message(*at)).filter(|message| *message != EARLIER_SUMMARY).collect();
    let said = match messages.as_slice() {
        [one] => format!("#{}", grouped(u64::from(*one) + 1)),
        _ => grouped(messages.len() as u64),
    };
    let act = if messages.is_empty() { Act::None } else { Act::Lead { of: text.clone(), messages } };
    Row { cells: vec![text, said], act }
}

/// Calls `take` with place, role, kind and text of every part in the context.
fn each_part<C: Content>(
    session: &OpenSession<C>,
    view: &View<'_>,
    mut take: impl FnMut(usize, &Transcript, usize, &str),
) {
    let transcript = view.transcript();
    for place in 0..transcript.messages().len() {
        for at in transcript.part_range(place) {
            let part = view.part(at);
            if part != usize::MAX {
                take(place, transcript, at, &session.content().text_of(part));
            }
        }
    }
}

fn held<C: Content>(session: &OpenSession<C>, view: &View<'_>, is_gone: impl Fn(usize) -> bool) -> Holdings {
    let mut holdings = Holdings::default();
    each_part(session, view, |place, transcript, at, text| {
        let Some(part) = transcript.parts().get(at) else { return };
        // Outputs that were pruned before contain nothing any more.
        if part.output == Output::Pruned {
            return;
        }
        if is_gone(place) {
            holdings.leaves(place, part.kind, text);
        } else {
            holdings.stays(part.kind, text);
        }
    });
    holdings
}

/// The orders of the user in the context, by the place of their message.
fn orders<C: Content>(session: &OpenSession<C>, view: &View<'_>) -> Orders {
    let mut orders = Orders::default();
    each_part(session, view, |place, transcript, at, text| {
        let of_user = transcript
            .messages()
            .get(place)
            .is_some_and(|message| message.role == Role::User && !message.summary);
        if of_user && transcript.parts().get(at).is_some_and(|part| part.kind == PartKind::Text) {
            orders.add(place, text);
        }
    });
    orders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Which;

    fn ask(profile: &str, window: u64, force: bool) -> Ask {
        let mut policy = ebbline::profiles::get(profile).unwrap();
        crate::knob::Knob::Context.set(&mut policy, window);
        Ask { which: Which::Facts, history: policy.clone(), policy, force, request: None, fields: Vec::new() }
    }

    #[test]
    fn where_nothing_is_summarized_a_forced_summary_is_shown_and_called_so() {
        let (session, _) = crate::sample::opened();
        let blocks = facts(&session, &ask("ebbline@1", 1_000_000, false));
        assert!(
            matches!(&blocks[0], Block::Words(super::super::Look::Quiet, words) if words.starts_with("Nothing is summarized"))
        );
        assert!(blocks.len() > 3);
    }

    #[test]
    fn what_is_listed_stands_in_no_message_that_stays() {
        let (session, _) = crate::sample::opened();
        let ask = ask("ebbline@1", 32_000, false);
        let blocks = facts(&session, &ask);
        let fates = session.plan_at(&ask.policy, false, None).fates.fate;
        let summarized = crate::kind::Shown::Summarized as u8;
        let mut seen = 0;
        for block in &blocks {
            let Block::Table { caption, rows, .. } = block else { continue };
            for row in rows {
                let Act::Lead { messages, .. } = &row.act else { panic!("no way to {:?}", row.cells) };
                assert!(
                    messages.iter().all(|message| fates[*message as usize] == summarized),
                    "{:?}",
                    row.cells
                );
                if caption.starts_with("Files") {
                    seen += 1;
                    let found = session.find(&row.cells[0]);
                    let kept = found.iter().filter(|message| fates[**message as usize] != summarized).count();
                    assert_eq!(kept, 0, "{:?} stays in {found:?}", row.cells);
                }
            }
        }
        assert!(seen > 3, "{blocks:?}");
    }

    #[test]
    fn long_findings_are_cut_at_a_character() {
        assert_eq!(cut("a\n  b"), "a b");
        assert_eq!(cut(&"ü".repeat(200)).chars().count(), LONGEST + 1);
    }
}
