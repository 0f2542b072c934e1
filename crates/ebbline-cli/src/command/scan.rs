//! `scan`: the sessions of every agent on this machine, and what each policy would have saved.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use ebbline::economics::{Outcome, compare};
use ebbline::{Error, Policy};
use serde::Serialize;

use crate::amount::{amount, counted};
use crate::columns::{Side, titled};
use crate::command::compare::{of_lives, policies, totals_page, written};
use crate::complaints::Complaints;
use crate::corpus::{Account, Answer, Gather, over_listed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Name;
use crate::folders::{Listed, listed};
use crate::json::{as_javascript, line};
use crate::life::Life;
use crate::places::{self, Found};
use crate::policy_totals::{Figures, NONE, PolicyTotals, none};
use crate::pool::Work;
use crate::progress::size;
use crate::rows::asked::Asked;
use crate::run::Run;
use crate::style::Style;
use crate::window_note::note_assumed;

/// Scans folders, or the home folder.
pub(crate) fn run(run: &mut Run) -> Result<Exit, Failure> {
    let values = run.given.values.clone();
    let life = Life::of(&values)?;
    let policies = policies_of(&life, values.text("policies"))?;
    let (terms, reading) = (life.terms()?, life.asked.plain_policy()?);
    let mut complaints = Complaints::new(true);
    let (files, places) = sessions(run, &mut complaints)?;
    if values.text("context").is_none() {
        note_assumed(None, &mut run.notes, "--context");
    }
    let rows = Asked::of(&values)?;
    let mut scan = Scan::new(&policies, &places, &files);
    let (of, asked) = (rows.as_ref().map(|rows| rows.of), life.asked);
    let work: Work<Answer<Scanned>> = Arc::new(move |bytes| {
        let session = asked.read(bytes, &reading)?;
        let moments = terms.moments(&session, &policies);
        let outcomes = compare(&session, &policies, &terms.with(&moments));
        let lived = outcomes.iter().map(|outcome| (outcome, None));
        let rows = of.map(|of| of_lives(of, &session, lived, &policies, &terms)).unwrap_or_default();
        Ok(Answer { result: Scanned { format: session.format().title(), outcomes }, rows })
    });
    over_listed(run, files, complaints, &work, rows.map(written), &mut scan)
}

/// First what removes nothing, then the policies that the command line names, or all there are.
fn policies_of(life: &Life, given: Option<&str>) -> Result<Vec<Policy>, Error> {
    let names = given.map(|names| names.split(',').filter(|name| *name != NONE).collect::<Vec<_>>());
    let others = match &names {
        Some(names) if names.is_empty() => Vec::new(),
        Some(names) => policies(life, Some(&names.join(",")))?,
        None => policies(life, None)?,
    };
    Ok(std::iter::once(none(life.asked.plain_policy()?)).chain(others).collect())
}

/// The files that may be sessions, and the folders of agents among those that were looked through. A folder that has the
/// folders of agents is a home folder: nothing else in it is looked at.
fn sessions(run: &mut Run, complaints: &mut Complaints) -> Result<(Vec<Listed>, Vec<Found>), Failure> {
    let mut folders: Vec<PathBuf> = run.given.files.iter().map(|name| name.path().to_owned()).collect();
    let of_process = |name: &str| std::env::var(name).ok();
    let nothing = |_: &str| None;
    let is_home = folders.is_empty();
    if is_home {
        let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
        let sentence = "scan needs a FOLDER: the home folder is not known";
        folders.push(home.ok_or_else(|| Failure::Usage(sentence.to_owned()))?);
    }
    let variable: &dyn Fn(&str) -> Option<String> = if is_home { &of_process } else { &nothing };
    let (mut files, mut found) = (Vec::new(), Vec::new());
    for folder in folders {
        let here = places::found(&folder, variable);
        let roots = if here.is_empty() && !is_home {
            vec![folder.clone()]
        } else {
            let mut roots: Vec<PathBuf> = here.iter().map(|found| found.folder.clone()).collect();
            roots.dedup();
            roots
        };
        let names: Vec<Name> = roots.into_iter().map(|root| root.into_os_string().into()).collect();
        let mut there = listed(&names, &mut |failure| complaints.add(failure.into(), &mut run.notes));
        there.retain(|file| {
            let (path, is_stored) = (file.name.path(), file.store.is_some());
            let is_of_agent = here.is_empty() || here.iter().any(|found| found.has(path, is_stored));
            (!file.is_found && here.is_empty())
                || (is_of_agent && (is_stored || places::may_be_session(path)))
        });
        files.append(&mut there);
        found.extend(here);
    }
    if files.is_empty() {
        let agents = places::agents().join(", ");
        run.notes.write(&format!("ebbline: there is no session of {agents}\n"));
    }
    Ok((files, found))
}

/// What is known of a session.
struct Scanned {
    /// The title of its format.
    format: &'static str,
    outcomes: Vec<Outcome>,
}

/// The sessions of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Group {
    sessions: u64,
    requests: u64,
    bytes: u64,
}

struct Scan {
    /// The agent whose folder a file is in.
    agents: HashMap<PathBuf, &'static str>,
    groups: BTreeMap<String, Group>,
    totals: Vec<PolicyTotals>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'s> {
    schema: &'static str,
    agents: Vec<Agent<'s>>,
    policies: Vec<Figures<'s>>,
    errors: Vec<Errors<'s>>,
    skipped: usize,
    missing: usize,
    files: usize,
    bytes: u64,
    milliseconds: u64,
}

#[derive(Serialize)]
struct Agent<'s> {
    agent: &'s str,
    #[serde(flatten)]
    group: Group,
}

#[derive(Serialize)]
struct Errors<'s> {
    code: &'s str,
    count: usize,
    first: &'s str,
}

impl Scan {
    fn new(policies: &[Policy], places: &[Found], files: &[Listed]) -> Self {
        let mut agents = HashMap::new();
        for file in files {
            let path = file.name.path();
            let place = places.iter().find(|place| place.has(path, file.store.is_some()));
            agents.extend(place.map(|place| (path.to_owned(), place.agent)));
        }
        let totals = policies.iter().map(PolicyTotals::of).collect();
        Self { agents, groups: BTreeMap::new(), totals }
    }

    fn json(&self, account: &Account) -> String {
        let errors = account.complaints.by_code.iter().map(|(code, counted)| Errors {
            code,
            count: counted.count,
            first: &counted.first,
        });
        let agents = self.groups.iter().map(|(agent, group)| Agent { agent, group: *group });
        as_javascript(&line(&Report {
            schema: "ebbline.scan/1",
            agents: agents.collect(),
            policies: self.totals.iter().map(PolicyTotals::figures).collect(),
            errors: errors.collect(),
            skipped: account.skipped,
            missing: account.missing,
            files: account.files,
            bytes: account.bytes,
            milliseconds: u64::try_from(account.taken.as_millis()).unwrap_or(u64::MAX),
        }))
    }

    fn page(&self, account: &Account, style: Style) -> String {
        let mut lines = self.table(style);
        lines.extend([String::new(), totals_page(&self.totals, style), account.said()]);
        lines.join("\n") + "\n"
    }

    /// The agents, and all of them together.
    fn table(&self, style: Style) -> Vec<String> {
        let titles = [
            ("agent", Side::Left),
            ("sessions", Side::Right),
            ("requests", Side::Right),
            ("size", Side::Right),
        ];
        let cells = |name: &str, group: Group| {
            vec![name.to_owned(), amount(group.sessions), amount(group.requests), size(group.bytes)]
        };
        let mut rows: Vec<Vec<String>> =
            self.groups.iter().map(|(name, group)| cells(name, *group)).collect();
        let mut all = Group::default();
        for group in self.groups.values() {
            all.sessions += group.sessions;
            all.requests += group.requests;
            all.bytes += group.bytes;
        }
        rows.push(cells(&counted(self.groups.len(), "agent"), all));
        let mut lines = titled(&titles, &rows, style);
        if let Some(all) = lines.last_mut() {
            *all = style.strong(all);
        }
        lines
    }
}

impl Gather for Scan {
    type Result = Scanned;

    fn take(
        &mut self,
        file: &Listed,
        Scanned { format, outcomes }: Scanned,
        _: &mut Run,
    ) -> Result<(), Failure> {
        let name = match self.agents.get(file.name.path()) {
            Some(agent) if *agent != format => format!("{agent} ({format})"),
            _ => format.to_owned(),
        };
        let group = self.groups.entry(name).or_default();
        group.sessions += 1;
        group.requests += outcomes.first().map_or(0, |outcome| u64::from(outcome.requests));
        group.bytes += file.size;
        self.totals.iter_mut().zip(&outcomes).for_each(|(totals, outcome)| totals.add(outcome, None));
        Ok(())
    }

    fn show(&mut self, account: &Account, run: &mut Run) -> Result<(), Failure> {
        if run.is_json() {
            return run.out.write(self.json(account));
        }
        if account.files == 0 { Ok(()) } else { run.out.write(self.page(account, run.style())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_removes_nothing_stands_first() {
        let life = Life::default();
        let names = |given: Option<&str>| -> Vec<String> {
            policies_of(&life, given).unwrap().into_iter().map(|policy| policy.profile).collect()
        };
        assert_eq!(names(Some("none")), ["none"]);
        assert_eq!(names(Some("pi@1.5,none")), ["none", "pi@1.5"]);
        assert_eq!(names(None).len(), ebbline::profiles::ALL.len() + 1);
        assert!(policies_of(&life, Some("")).is_err());
    }
}
