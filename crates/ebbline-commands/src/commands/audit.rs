//! `audit`: what was really lost by the compactions that sessions record, worst first.

use std::cmp::Reverse;

use ebbline::Policy;
use ebbline::binding::FINDINGS;
use ebbline::loss::{self, LossInput, LossKind, LossReport};

use crate::amount::{amount, counted};
use crate::corpus::{Account, Gather, RowsTarget, over_files};
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folders::SessionFile;
use crate::job::{OnSession, Row, Task};
use crate::json::line_of_file;
use crate::life::Life;
use crate::loss_totals::LossTotals;
use crate::name::Name;
use crate::printable::printable;
use crate::rows::options::{RowKind, RowsOptions};
use crate::rows::sessions;
use crate::run::Run;
use crate::style::Style;
use crate::values::Values;

/// How many findings are shown; `--json` has more.
const SHOWN: usize = 20;
/// The longest text of a finding.
const LONGEST: usize = 120;

/// What audits a session.
#[derive(Debug)]
pub(crate) struct Auditor {
    options: EngineOptions,
    reading: Policy,
    has_rows: bool,
    is_json: bool,
    style: Style,
}

impl Auditor {
    /// What options ask for.
    pub(crate) fn of(values: &Values, style: Style) -> Result<Self, Failure> {
        let options = Life::of(values)?.options;
        let reading = options.plain_policy()?;
        Ok(Self {
            options,
            reading,
            has_rows: RowKind::of(values).is_some(),
            is_json: values.has("json"),
            style,
        })
    }
}

impl OnSession for Auditor {
    fn row(&self, file: &SessionFile, bytes: &[u8]) -> Result<Row, Failure> {
        let session = self.options.read(bytes, &self.reading)?;
        let summaries = loss::recorded_summaries(&session);
        let mut input = LossInput::default();
        (input.summaries, input.findings) = (&summaries, FINDINGS);
        let report = loss::measure(&session, &loss::recorded(&session), &input);
        let rows = if self.has_rows { sessions::loss(&session, &report) } else { Vec::new() };
        let text = if self.is_json {
            line_of_file(&file.name.given(), &report)
        } else {
            lines(&file.name, &report, self.style).join("\n") + "\n"
        };
        Ok(Row { text, loss: LossTotals::of(&report), rows, ..Row::default() })
    }
}

/// Audits files.
pub(crate) async fn run(run: &mut Run) -> Result<Exit, Failure> {
    Auditor::of(&run.given.values, run.style())?;
    let rows = RowsOptions::of(&run.given.values)?;
    RowsOptions::only_sessions(rows.as_ref(), "audit")?;
    let has_rows = rows.is_some();
    let written = rows.map(|options| RowsTarget { options, columns: sessions::of_losses() });
    let mut audits = Audits { kept: Vec::new(), sums: has_rows.then(LossTotals::default), is_lost: false };
    let exit = over_files(run, Task::of(run, None), written, &mut audits).await?;
    let is_asked = run.given.values.has("check");
    Ok(if is_asked && audits.is_lost { exit.worse(Exit::Work) } else { exit })
}

struct Audits {
    /// What is printed of each session, and what it lost.
    kept: Vec<(String, LossTotals)>,
    /// The sums, which are shown instead if the sessions themselves are in a file of rows.
    sums: Option<LossTotals>,
    is_lost: bool,
}

impl Gather for Audits {
    async fn take(&mut self, _: &SessionFile, row: Row, run: &mut Run) -> Result<(), Failure> {
        self.is_lost |= row.loss.findings > 0;
        match &mut self.sums {
            // The order of rows is that of files, and no file is kept.
            Some(_) if run.is_json() => return run.out.write(row.text).await,
            Some(sums) => sums.add(&row.loss),
            None => self.kept.push((row.text, row.loss)),
        }
        Ok(())
    }

    async fn show(&mut self, _: &Account, run: &mut Run) -> Result<(), Failure> {
        if let Some(sums) = &self.sums {
            return if run.is_json() { Ok(()) } else { run.out.write(sums.page()).await };
        }
        self.kept.sort_by_key(|(_, loss)| Reverse(loss.weights));
        if !run.is_json() {
            let page = page(&self.kept, run.style());
            return run.out.write(page).await;
        }
        for (line, _) in &self.kept {
            run.out.write(&**line).await?;
        }
        Ok(())
    }
}

fn page(audits: &[(String, LossTotals)], style: Style) -> String {
    let is_one = audits.len() == 1;
    let is_loud = |audit: &&(String, LossTotals)| is_one || audit.1.compactions > 0;
    let mut page: String = audits.iter().filter(is_loud).map(|(text, _)| text.as_str()).collect();
    let quiet = audits.iter().filter(|(_, loss)| loss.compactions == 0).count();
    if !is_one && quiet > 0 {
        let record = if quiet == 1 { "records" } else { "record" };
        page.push_str(&style.dim(&format!("{} {record} no compaction", counted(quiet, "file"))));
        page.push('\n');
    }
    page
}

fn lines(name: &Name, loss: &LossReport, style: Style) -> Vec<String> {
    let title = style.strong(&printable(&name.said()));
    if loss.compactions == 0 {
        return vec![format!("{title}  records no compaction")];
    }
    let orders = loss.orders.lost.map_or_else(|| "not known".to_owned(), amount);
    let mut lines = vec![
        title,
        format!(
            "{} in {}; {} left the context",
            counted(loss.compactions, "compaction"),
            counted(loss.requests, "request"),
            counted(loss.departed_outputs, "output"),
        ),
        format!(
            "needed again: {}; calls repeated: {}; orders given: {}, lost: {orders}",
            amount(loss.references.re_referenced),
            amount(loss.re_reads.exact),
            amount(loss.orders.given),
        ),
        format!(
            "first goal kept at {} of {}",
            loss.words.goal_kept,
            counted(loss.words.compactions, "compaction")
        ),
    ];
    for finding in loss.worst.iter().take(SHOWN) {
        let text = finding.words.join(", ");
        let short = if text.chars().count() > LONGEST {
            text.chars().take(LONGEST - 1).chain(['…']).collect()
        } else {
            text
        };
        let later = finding.used_in.map(|message| format!(", used in message {message}")).unwrap_or_default();
        let (kind, message) = (style.pruned(kind(finding.kind)), finding.message);
        lines.push(format!("  {kind}  message {message}{later}: {}", printable(&short)));
    }
    if loss.worst.len() > SHOWN {
        let more = amount(loss.worst.len() - SHOWN);
        lines.push(style.dim(&format!("  and {more} more: --json lists them")));
    }
    lines
}

fn kind(kind: LossKind) -> &'static str {
    match kind {
        LossKind::LostOrder => "order lost",
        LossKind::LostGoal => "goal lost",
        LossKind::ReReference => "needed again",
        LossKind::ReRead => "read again",
        LossKind::Decision => "decision gone",
        kind => kind.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss_totals::weights;

    #[test]
    fn what_is_worse_comes_first_and_what_is_quiet_is_counted() {
        let report = |change: fn(&mut LossReport)| {
            let mut report = LossReport::default();
            change(&mut report);
            report
        };
        let quiet = report(|_| {});
        let compacted = report(|report| report.compactions = 2);
        let needed = report(|report| (report.compactions, report.references.re_referenced) = (1, 3));
        assert!(weights(&needed) > weights(&compacted) && weights(&compacted) > weights(&quiet));
        let audit = |name: &str, loss: &LossReport| {
            (lines(&Name::from(name), loss, Style::new(false)).join("\n") + "\n", LossTotals::of(loss))
        };
        assert_eq!(page(&[audit("a", &quiet)], Style::new(false)), "a  records no compaction\n");
        let audits = [audit("a", &needed), audit("b", &quiet), audit("c", &quiet)];
        let page = page(&audits, Style::new(false));
        assert!(page.starts_with("a\n1 compaction in 0 requests; 0 outputs left the context\n"), "{page}");
        assert!(page.ends_with("compactions\n2 files record no compaction\n"), "{page}");
    }
}
