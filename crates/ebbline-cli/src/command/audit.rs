//! `audit`: what was really lost by the compactions that sessions record, worst first.

use std::cmp::Reverse;
use std::sync::Arc;

use ebbline::loss::{self, LossInput, LossKind, LossReport};

use crate::amount::{amount, counted};
use crate::corpus::{Account, Answer, Gather, Written, over_files};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Name;
use crate::folders::Listed;
use crate::json::line_of_file;
use crate::life::Life;
use crate::pool::Work;
use crate::printable::printable;
use crate::rows::asked::Asked;
use crate::rows::sessions;
use crate::run::Run;
use crate::style::Style;

/// How many findings a report lists.
const FINDINGS: usize = 100;
/// How many findings are shown; `--json` has more.
const SHOWN: usize = 20;
/// The longest text of a finding.
const LONGEST: usize = 120;

/// Audits files.
pub(crate) fn run(run: &mut Run) -> Result<Exit, Failure> {
    let asked = Life::of(&run.given.values)?.asked;
    let reading = asked.plain_policy()?;
    let rows = Asked::of(&run.given.values)?;
    Asked::only_sessions(rows.as_ref(), "audit")?;
    let has_rows = rows.is_some();
    let work: Work<Answer<LossReport>> = Arc::new(move |bytes| {
        let session = asked.read(bytes, &reading)?;
        let summaries = loss::recorded_summaries(&session);
        let mut input = LossInput::default();
        (input.summaries, input.findings) = (&summaries, FINDINGS);
        let result = loss::measure(&session, &loss::recorded(&session), &input);
        let rows = if has_rows { sessions::loss(&session, &result) } else { Vec::new() };
        Ok(Answer { result, rows })
    });
    let written = rows.map(|asked| Written { asked, columns: sessions::of_losses() });
    let mut audits = Audits { kept: Vec::new(), sums: has_rows.then(Sums::default), is_lost: false };
    let exit = over_files(run, &work, written, &mut audits)?;
    let is_asked = run.given.values.has("check");
    Ok(if is_asked && audits.is_lost { exit.worse(Exit::Work) } else { exit })
}

struct Audits {
    kept: Vec<(Name, LossReport)>,
    /// The sums, which are shown instead if the sessions themselves are in a file of rows.
    sums: Option<Sums>,
    is_lost: bool,
}

impl Gather for Audits {
    type Result = LossReport;

    fn take(&mut self, file: &Listed, loss: LossReport, run: &mut Run) -> Result<(), Failure> {
        self.is_lost |= !loss.worst.is_empty();
        match &mut self.sums {
            // The order of rows is that of files, and no file is kept.
            Some(_) if run.is_json() => return run.out.write(line_of_file(&file.name.given(), &loss)),
            Some(sums) => sums.add(&loss),
            None => self.kept.push((file.name.clone(), loss)),
        }
        Ok(())
    }

    fn show(&mut self, _: &Account, run: &mut Run) -> Result<(), Failure> {
        if let Some(sums) = &self.sums {
            return if run.is_json() { Ok(()) } else { run.out.write(sums.page()) };
        }
        self.kept.sort_by_key(|(_, loss)| Reverse(weights(loss)));
        if !run.is_json() {
            let page = page(&self.kept, run.style());
            return run.out.write(page);
        }
        for (name, loss) in &self.kept {
            run.out.write(line_of_file(&name.given(), loss))?;
        }
        Ok(())
    }
}

/// What was lost in all sessions together.
#[derive(Default)]
struct Sums {
    sessions: usize,
    compacted: usize,
    compactions: usize,
    outputs: usize,
    needed_again: usize,
    read_again: usize,
    orders: usize,
    orders_lost: usize,
    goal_kept: usize,
}

impl Sums {
    fn add(&mut self, loss: &LossReport) {
        self.sessions += 1;
        self.compacted += usize::from(loss.compactions > 0);
        self.compactions += loss.compactions;
        self.outputs += loss.departed_outputs;
        self.needed_again += loss.references.re_referenced;
        self.read_again += loss.re_reads.exact;
        self.orders += loss.orders.given;
        self.orders_lost += loss.orders.lost.unwrap_or(0);
        self.goal_kept += loss.words.goal_kept;
    }

    fn page(&self) -> String {
        format!(
            "{} in {} of {}; {} left the context\nneeded again: {}; calls repeated: {}; orders given: {}, lost: {}\n\
             first goal kept at {} of {}\n",
            counted(self.compactions, "compaction"),
            amount(self.compacted),
            counted(self.sessions, "session"),
            counted(self.outputs, "output"),
            amount(self.needed_again),
            amount(self.read_again),
            amount(self.orders),
            amount(self.orders_lost),
            amount(self.goal_kept),
            counted(self.compactions, "compaction"),
        )
    }
}

/// How bad a loss is: first in the order of the kinds of findings, then of compactions.
fn weights(loss: &LossReport) -> [usize; 6] {
    [
        loss.orders.lost.unwrap_or(0),
        loss.words.compactions.saturating_sub(loss.words.goal_kept),
        loss.references.re_referenced,
        loss.re_reads.exact,
        loss.decisions.never_return,
        loss.compactions,
    ]
}

fn page(audits: &[(Name, LossReport)], style: Style) -> String {
    let is_one = audits.len() == 1;
    let is_loud = |audit: &&(Name, LossReport)| is_one || audit.1.compactions > 0;
    let mut page = String::new();
    for (name, loss) in audits.iter().filter(is_loud) {
        for line in lines(name, loss, style) {
            page.push_str(&(line + "\n"));
        }
    }
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
        let one = page(&[(Name::from("a"), quiet.clone())], Style::new(false));
        assert_eq!(one, "a  records no compaction\n");
        let audits = [(Name::from("a"), needed), (Name::from("b"), quiet.clone()), (Name::from("c"), quiet)];
        let page = page(&audits, Style::new(false));
        assert!(page.starts_with("a\n1 compaction in 0 requests; 0 outputs left the context\n"), "{page}");
        assert!(page.ends_with("compactions\n2 files record no compaction\n"), "{page}");
    }
}
