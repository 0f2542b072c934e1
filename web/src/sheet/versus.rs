//! The first comparison that a person sees: the rules of the agent that wrote the session against those on the knobs, over the
//! whole session, in three figures.

use ebbline::Policy;
use ebbline::economics::{self, Grid, weigh};
use ebbline::numbers::grouped;

use super::compare::named;
use super::cost::{Prices, share};
use super::{Act, Ask, Block, Row};
use crate::agents::Agent;
use crate::content::Content;
use crate::open_session::OpenSession;

/// Facts are only counted in sessions with at most so many messages: for that, all of the text is read.
const MANY: usize = 20_000;

/// What one policy costs: a share of the session without compaction, outputs that leave and are used later, summaries.
type Figures = (f64, Option<u64>, u64);

/// The comparison.
pub(super) fn versus<C: Content>(session: &OpenSession<C>, ask: &Ask) -> Vec<Block> {
    let content = session.content();
    let (prices, _) = Prices::of(ask);
    let moments = content.moments();
    let terms = prices.terms(session.beside(&ask.history), &moments);
    let policies = [ask.history.clone(), ask.policy.clone()];
    let figures: Vec<Figures> = if content.transcript().messages().len() > MANY {
        let outcomes = economics::compare(session.history().clone(), &policies, &terms);
        outcomes.iter().map(|of| (of.of_nothing.unwrap_or(1.0), None, of.summaries.into())).collect()
    } else {
        let points = Grid::default().beside(policies).points().unwrap_or_default();
        let cost = |cost: f64, without: f64| if without > 0.0 { cost / without } else { 1.0 };
        let totals = weigh(content.session(), &points, &terms);
        totals.iter().map(|of| (cost(of.cost, of.without), Some(of.needed_again), of.summaries)).collect()
    };
    let row = |name: String, (cost, lost, summaries): &Figures| Row {
        cells: vec![
            name,
            share(*cost),
            lost.map_or_else(|| "not counted".to_owned(), grouped),
            grouped(*summaries),
        ],
        act: Act::None,
    };
    let names = [today(&ask.history, content.format()), with(&ask.policy)];
    vec![Block::Table {
        caption: "Cost: of the session without compaction. Facts lost: outputs that left and are used later."
            .to_owned(),
        columns: ["", "Cost", "Facts lost", "Summaries"].map(str::to_owned).to_vec(),
        rows: names.into_iter().zip(&figures).map(|(name, figures)| row(name, figures)).collect(),
    }]
}

/// The name of the policy that ran until here.
fn today(policy: &Policy, format: &str) -> String {
    let name = named(policy);
    let own = Agent::of_format(format).and_then(Agent::rules);
    if own.is_some_and(|own| own.name == policy.profile) { format!("Your agent today: {name}") } else { name }
}

fn with(policy: &Policy) -> String {
    let name = named(policy);
    if name.starts_with("ebbline") { format!("With {name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Which;

    #[test]
    fn both_rules_have_their_figures() {
        let (session, _) = crate::sample::opened();
        let history = ebbline::profiles::get("pi@1.5").unwrap();
        let policy = ebbline::profiles::get(ebbline::profiles::DEFAULT).unwrap();
        let ask =
            Ask { which: Which::Versus, history, policy, force: false, request: None, fields: Vec::new() };
        let blocks = versus(&session, &ask);
        let [Block::Table { rows, columns, .. }] = blocks.as_slice() else { panic!("{blocks:?}") };
        assert_eq!((rows.len(), columns.len()), (2, 4));
        assert_eq!(rows[0].cells[0], "pi@1.5");
        assert!(rows[1].cells[0].starts_with("With ebbline@"));
        assert_eq!(today(&ask.history, "pi"), "Your agent today: pi@1.5");
    }
}
