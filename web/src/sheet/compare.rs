//! Two policies: A ran until the moment on screen, B is on the knobs.
//!
//! At the moment on screen, both act once on the context that A left. Over the whole life, each writes a history of its
//! own.

use ebbline::Policy;
use ebbline::economics::{self, Outcome};

use super::cost::{self, Prices, share};
use super::{Act, Ask, Block, Menu, Row};
use crate::content::Content;
use crate::drawn_plan::Fates;
use crate::figures::Figures;
use crate::kind::{Kind, Shown};
use crate::knob::{Knob, preset};
use crate::open_session::OpenSession;
use crate::overview::{Rows, tools};
use ebbline::numbers::{counted, grouped, short};

/// How many messages with another fate are listed; all can be walked through.
const LISTED: usize = 40;

/// The name of a policy with what differs from its profile: `ebbline@2 · protect 30k · no summary`.
pub(super) fn named(policy: &Policy) -> String {
    let base = preset(policy);
    let mut words = vec![policy.profile.trim_end_matches('*').to_owned()];
    for knob in Knob::ALL.into_iter().filter(|knob| *knob != Knob::Context) {
        let value = knob.value(policy);
        let is_share = policy.share(knob.path()).is_some();
        if value != knob.value(&base) && !is_share {
            words.push(format!("{} {}", knob.label().to_lowercase(), short(value)));
        }
    }
    for (is_on, was_on, name) in [
        (policy.prune.enabled, base.prune.enabled, "pruning"),
        (policy.retain.enabled, base.retain.enabled, "summary"),
    ] {
        if is_on != was_on {
            words.push(if is_on { format!("with {name}") } else { format!("no {name}") });
        }
    }
    if policy.prune.protected_tools != base.prune.protected_tools {
        words.push("other protected tools".to_owned());
    }
    words.join(" · ")
}

/// The same with the window.
fn named_with_window(policy: &Policy) -> String {
    match policy.model.context {
        Some(window) => format!("{} · window {}", named(policy), short(window.get())),
        None => named(policy),
    }
}

/// A menu of the profiles, with the window of `policy`, which is an option of its own if it differs from its profile.
fn menu(id: &str, label: &str, policy: &Policy, act: fn(Box<Policy>) -> Act) -> Menu {
    let mut options: Vec<(String, Act)> = ebbline::profiles::ALL
        .iter()
        .map(|profile| {
            let mut option = profile.policy();
            Knob::Context.set(&mut option, Knob::Context.value(policy));
            (profile.name.to_owned(), act(Box::new(option)))
        })
        .collect();
    let chosen = options.iter().position(|(name, _)| *name == policy.profile).unwrap_or(options.len());
    if chosen == options.len() {
        options.push((named(policy), Act::None));
    }
    Menu { id: id.to_owned(), label: label.to_owned(), chosen: chosen as u64, options }
}

/// A figure of both policies.
fn row(name: &str, figures: [u64; 2]) -> Row {
    let [a, b] = figures;
    let difference = if b >= a { format!("+{}", grouped(b - a)) } else { format!("−{}", grouped(a - b)) };
    let difference = if a == b { "same".to_owned() } else { difference };
    Row { cells: vec![name.to_owned(), grouped(a), grouped(b), difference], act: Act::None }
}

/// The comparison.
pub(super) fn compare<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    let (a, b) = (named_with_window(&ask.history), named_with_window(&ask.policy));
    let (prices, wrong) = Prices::of(ask);
    let moments = session.content().moments();
    let terms = prices.terms(session.beside(&ask.history), &moments);
    let policies = [ask.history.clone(), ask.policy.clone()];
    let outcomes = economics::compare(session.history().clone(), &policies, &terms);
    let mut blocks = vec![
        Block::Menus(vec![
            menu("compare-a", "A", &ask.history, Act::Write),
            menu("compare-b", "B", &ask.policy, Act::Take),
        ]),
        Block::plain(format!("A ran until here: {a}. B, on the knobs: {b}.")),
    ];
    if ask.history == ask.policy {
        blocks.push(Block::quiet(
            "They are the same. Choose another B, or turn a knob: while the two are compared, that changes B only.",
        ));
    }
    blocks.push(Block::Actions(vec![
        ("Use B from the start".to_owned(), Act::FromTheStart),
        ("Swap A and B".to_owned(), Act::Swap),
        ("Cost and loss of all profiles".to_owned(), Act::Open(super::Which::Frontier)),
    ]));
    let at = ask.at();
    let [a, b] = [&ask.history, &ask.policy].map(|policy| session.plan_at(policy, ask.force, at.as_ref()));
    blocks.push(at_this_moment(&a.figures, &b.figures));
    if let [a, b] = outcomes.as_slice() {
        blocks.push(over_the_life(a, b, &prices));
    }
    blocks.extend(differing(session, &a.fates, &b.fates));
    blocks.push(Block::heading("What tokens cost, as multiples of a fresh input token"));
    blocks.push(cost::fields());
    blocks.extend(cost::warning(&wrong));
    blocks
}

/// What both do once, with the context on screen.
fn at_this_moment(a: &Figures, b: &Figures) -> Block {
    let figures = |of: fn(&Figures) -> u64| [of(a), of(b)];
    let rows = vec![
        row("Context before, tokens", figures(Figures::total_before)),
        row("Context after, tokens", figures(Figures::total_after)),
        row("Outputs pruned", figures(|figures| figures.prune.outputs as u64)),
        row("Messages summarized", figures(summarized)),
    ];
    Block::Table { caption: "Once, on the context at this moment".to_owned(), columns: columns(), rows }
}

/// How many messages a summary replaces.
fn summarized(figures: &Figures) -> u64 {
    if figures.retain.applied { figures.retain.messages as u64 } else { 0 }
}

/// The messages whose outcome differs.
fn differing<C: Content>(session: &OpenSession<C>, a: &Fates, b: &Fates) -> Vec<Block> {
    let transcript = session.content().transcript();
    let (of_rows, names) = (Rows::of(transcript), tools(transcript));
    let both = a.fate.iter().zip(&b.fate);
    let differing: Vec<(u32, u8, u8)> =
        (0_u32..).zip(both).filter(|(_, (a, b))| a != b).map(|(index, (a, b))| (index, *a, *b)).collect();
    if differing.is_empty() {
        return vec![Block::quiet("Every message has the same outcome under both.")];
    }
    let messages: Vec<u32> = differing.iter().map(|(index, ..)| *index).collect();
    let of = "another outcome under B".to_owned();
    let walk =
        format!("Walk through the {} whose outcome differs", counted(messages.len() as u64, "message"));
    let walk = Block::Actions(vec![(walk, Act::Lead { of: of.clone(), messages })]);
    let rows = differing.iter().take(LISTED).map(|(index, a, b)| {
        let (kind, tool) =
            of_rows.kind_and_tool(&names, *index as usize).unwrap_or((Kind::System, String::new()));
        let who = if tool.is_empty() { kind.word().to_owned() } else { format!("{} {tool}", kind.word()) };
        let word = |code: u8| Shown::from_code(code).word().to_owned();
        Row {
            cells: vec![format!("#{}", grouped(u64::from(*index) + 1)), who, word(*a), word(*b)],
            act: Act::Lead { of: of.clone(), messages: vec![*index] },
        }
    });
    let caption = match differing.len() {
        all if all > LISTED => {
            format!("The first {LISTED} of {} messages whose outcome differs", grouped(all as u64))
        }
        _ => "Messages whose outcome differs".to_owned(),
    };
    let columns = ["Message", "Kind", "A", "B"].map(str::to_owned).to_vec();
    vec![walk, Block::Table { caption, columns, rows: rows.collect() }]
}

fn columns() -> Vec<String> {
    ["Figure", "A", "B", "B against A"].map(str::to_owned).to_vec()
}

/// What both do over the whole life.
fn over_the_life(a: &Outcome, b: &Outcome, prices: &Prices) -> Block {
    let of = |figure: fn(&Outcome) -> u64| [figure(a), figure(b)];
    let mut rows = vec![
        row("Compactions that prune", of(|outcome| outcome.prunes.into())),
        row("Summaries", of(|outcome| outcome.summaries.into())),
        row("Outputs pruned", of(|outcome| outcome.outputs.into())),
        row("Mean request, tokens", of(|outcome| outcome.mean)),
        row("Largest request, tokens", of(|outcome| outcome.peak)),
        row("Requests over the window", of(|outcome| outcome.over_window.unwrap_or(0).into())),
        row("Input read from the cache, tokens", of(|outcome| outcome.charge.cached)),
        row("Cached tokens that a change broke", of(|outcome| outcome.charge.broken)),
        row(
            "Output and summaries, tokens",
            of(|outcome| {
                outcome.charge.output + outcome.charge.summary_input + outcome.charge.summary_output
            }),
        ),
    ];
    let difference = match b.cost.partial_cmp(&a.cost) {
        Some(std::cmp::Ordering::Equal) | None => "same".to_owned(),
        Some(std::cmp::Ordering::Greater) => format!("+{}", share((b.cost - a.cost) / a.cost.max(1.0))),
        Some(std::cmp::Ordering::Less) => format!("−{}", share((a.cost - b.cost) / a.cost.max(1.0))),
    };
    rows.push(Row {
        cells: vec![prices.unit().to_owned(), prices.said(a.cost), prices.said(b.cost), difference],
        act: Act::None,
    });
    let of_nothing = |outcome: &Outcome| outcome.of_nothing.map_or_else(String::new, share);
    rows.push(Row {
        cells: vec![
            "Cost, of the same session without compaction".to_owned(),
            of_nothing(a),
            of_nothing(b),
            String::new(),
        ],
        act: Act::None,
    });
    Block::Table {
        caption: "Over the whole session, each from the start".to_owned(),
        columns: columns(),
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::change;
    use crate::sheet::Which;

    fn ask(history: Policy, policy: Policy) -> Ask {
        Ask { which: Which::Compare, history, policy, force: false, request: Some(39), fields: Vec::new() }
    }

    fn tables(blocks: &[Block]) -> Vec<&Vec<Row>> {
        let rows = blocks.iter().filter_map(|block| match block {
            Block::Table { rows, .. } => Some(rows),
            _ => None,
        });
        rows.collect()
    }

    #[test]
    fn names_carry_what_was_changed() {
        let mut policy = ebbline::profiles::get("pi@1.5").unwrap();
        assert_eq!(named_with_window(&policy), "pi@1.5 · window 200k");
        Knob::Context.set(&mut policy, 64_000);
        Knob::Keep.set(&mut policy, 8_600);
        change(&mut policy, |policy| policy.retain.enabled = false);
        assert_eq!(named(&policy), "pi@1.5 · keep 8.6k · no summary");
    }

    #[test]
    fn each_menu_has_its_policy_chosen_and_changes_nothing_but_the_profile() {
        let mut policy = ebbline::profiles::get("pi@1.5").unwrap();
        Knob::Context.set(&mut policy, 64_000);
        let plain = menu("a", "A", &policy, Act::Write);
        let (name, act) = &plain.options[plain.chosen as usize];
        assert_eq!((name.as_str(), act), ("pi@1.5", &Act::Write(Box::new(policy.clone()))));
        Knob::Keep.set(&mut policy, 8_600);
        let turned = menu("b", "B", &policy, Act::Take);
        assert_eq!(turned.options.len(), ebbline::profiles::ALL.len() + 1);
        assert_eq!(turned.options[turned.chosen as usize], ("pi@1.5 · keep 8.6k".to_owned(), Act::None));
        for (name, act) in &turned.options[..turned.options.len() - 1] {
            let Act::Take(taken) = act else { panic!("{name}") };
            assert_eq!((&taken.profile, Knob::Context.value(taken)), (name, 64_000));
        }
    }

    #[test]
    fn the_same_policy_differs_in_nothing() {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::ALL[0].policy();
        let blocks = compare(&session, &ask(policy.clone(), policy));
        let tables = tables(&blocks);
        assert_eq!(tables.len(), 2);
        for row in tables.into_iter().flatten().filter(|row| !row.cells[3].is_empty()) {
            assert_eq!((&row.cells[1], row.cells[3].as_str()), (&row.cells[2], "same"));
        }
    }

    #[test]
    fn the_walk_visits_the_messages_whose_fate_differs_and_swapping_twice_changes_nothing() {
        let (session, _) = crate::sample::opened();
        let a = ebbline::profiles::ALL[0].policy();
        let mut b = a.clone();
        Knob::Protect.set(&mut b, 70_000);
        let ask = ask(a.clone(), b.clone());
        let at = ask.at();
        let fates = [&a, &b].map(|policy| session.plan_at(policy, false, at.as_ref()).fates.fate);
        let expected: Vec<u32> = (0..fates[0].len() as u32)
            .filter(|at| fates[0][*at as usize] != fates[1][*at as usize])
            .collect();
        assert!(!expected.is_empty());
        let blocks = compare(&session, &ask);
        let walk = blocks.iter().find_map(|block| match block {
            Block::Actions(actions) => actions.iter().find_map(|(name, act)| match act {
                Act::Lead { messages, .. } => Some((name.clone(), messages.clone())),
                _ => None,
            }),
            _ => None,
        });
        let (name, messages) = walk.unwrap();
        assert_eq!(messages, expected);
        assert!(name.contains(&counted(expected.len() as u64, "message")), "{name}");
        let swapped = Ask { history: ask.policy.clone(), policy: ask.history.clone(), ..ask.clone() };
        let back = Ask { history: swapped.policy.clone(), policy: swapped.history.clone(), ..swapped };
        assert_eq!(compare(&session, &back), blocks);
    }
}
