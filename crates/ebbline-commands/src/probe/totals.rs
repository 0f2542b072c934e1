//! What the answers of a probe come to: for each policy, with and without recall.

use serde::Serialize;

use crate::amount::amount;
use crate::columns::{Side, percent, titled};
use crate::probe::rows::ProbeRow;
use crate::style::Style;

/// What the columns mean.
pub(crate) const NOTES: [&str; 2] = [
    "Held: the policy still had the output. Carried: it had not, but a placeholder, a summary or other words said the fact. Gone: nothing said it.",
    "Right of asked. Unknown: the model said that it does not know, which is better than a wrong answer.",
];

/// How many answers are right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Score {
    pub(crate) asked: u64,
    pub(crate) right: u64,
}

impl Score {
    fn add(&mut self, row: &ProbeRow) {
        self.asked += 1;
        self.right += u64::from(row.correct);
    }

    fn said(self) -> String {
        if self.asked == 0 {
            "-".to_owned()
        } else {
            format!("{} of {}", amount(self.right), amount(self.asked))
        }
    }
}

/// The answers under one policy.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProbeTotals {
    policy: String,
    recall: bool,
    all: Score,
    held: Score,
    carried: Score,
    gone: Score,
    unknown: u64,
    recalls: u64,
    requests: u64,
    sent_tokens: u64,
}

impl ProbeTotals {
    fn add(&mut self, row: &ProbeRow) {
        self.all.add(row);
        let part = match (&row.left, row.in_context) {
            (None, _) => &mut self.held,
            (Some(_), true) => &mut self.carried,
            (Some(_), false) => &mut self.gone,
        };
        part.add(row);
        self.unknown += u64::from(row.unknown);
        self.recalls += u64::from(row.recalled.is_some());
        self.requests += row.requests;
        self.sent_tokens += row.sent_tokens;
    }
}

/// The totals of answers, in the order in which policies first answered.
pub(crate) fn totals<'r>(rows: impl IntoIterator<Item = &'r ProbeRow>) -> Vec<ProbeTotals> {
    let mut totals: Vec<ProbeTotals> = Vec::new();
    for row in rows {
        let own = totals.iter_mut().find(|known| known.policy == row.policy && known.recall == row.recall);
        if let Some(own) = own {
            own.add(row);
        } else {
            let mut own =
                ProbeTotals { policy: row.policy.clone(), recall: row.recall, ..ProbeTotals::default() };
            own.add(row);
            totals.push(own);
        }
    }
    totals
}

/// The totals as a table, with what its columns mean.
pub(crate) fn page(totals: &[ProbeTotals], style: Style) -> String {
    let titles = ["policy", "recall"].map(|title| (title, Side::Left)).into_iter();
    let figures = ["right", "share", "held", "carried", "gone", "unknown", "recalls", "requests", "tokens"];
    let titles: Vec<(&str, Side)> = titles.chain(figures.map(|title| (title, Side::Right))).collect();
    let rows: Vec<Vec<String>> = totals
        .iter()
        .map(|own| {
            vec![
                own.policy.clone(),
                if own.recall { "with" } else { "without" }.to_owned(),
                own.all.said(),
                percent(own.all.right as f64 / own.all.asked.max(1) as f64),
                own.held.said(),
                own.carried.said(),
                own.gone.said(),
                amount(own.unknown),
                amount(own.recalls),
                amount(own.requests),
                amount(own.sent_tokens),
            ]
        })
        .collect();
    let mut lines = titled(&titles, &rows, style);
    lines.extend(NOTES.map(|note| style.dim(note)));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_what_the_context_said() {
        let row = |left: Option<&str>, in_context, correct| ProbeRow {
            policy: "a".to_owned(),
            left: left.map(str::to_owned),
            in_context,
            correct,
            unknown: !correct,
            requests: 1,
            ..ProbeRow::default()
        };
        let rows = [
            row(None, true, true),
            row(Some("pruned"), true, true),
            row(Some("pruned"), false, false),
            row(Some("summarized"), false, true),
        ];
        let totals = totals(&rows);
        let [own] = &*totals else { panic!("{totals:?}") };
        let score = |asked, right| Score { asked, right };
        assert_eq!((own.all, own.held), (score(4, 3), score(1, 1)));
        assert_eq!((own.carried, own.gone, own.unknown), (score(1, 1), score(2, 1), 1));
        let page = page(&totals, Style::new(false));
        assert!(
            page.lines().nth(1).is_some_and(|line| line.contains("3 of 4  75.0 %  1 of 1   1 of 1  1 of 2")),
            "{page}"
        );
    }
}
