//! `scan`: the sessions of every agent on this machine, and what each policy would have saved.

use std::collections::{BTreeMap, HashMap};

use ebbline::economics::compare;
use ebbline::{Error, Policy};
use serde::Serialize;

use crate::amount::{amount, counted};
use crate::columns::{Side, titled};
use crate::commands::compare::{of_lives, policies, totals_of, totals_page, written};
use crate::complaints::Complaints;
use crate::corpus::{Account, Gather, over_listed};
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folders::{SessionFile, list_files};
use crate::job::{OnSession, Row, Task};
use crate::json::{as_javascript, line};
use crate::life::{Life, Terms};
use crate::name::Name;
use crate::places::{self, AgentFolder, Variables};
use crate::policy_totals::{Figures, NONE, PolicyTotals, none};
use crate::progress::size;
use crate::rows::options::{RowKind, RowsOptions};
use crate::run::Run;
use crate::style::Style;
use crate::values::Values;
use crate::window_note::note_assumed;

/// What compares policies on one of all sessions.
#[derive(Debug)]
pub(crate) struct Scanner {
    options: EngineOptions,
    reading: Policy,
    policies: Vec<Policy>,
    terms: Terms,
    of: Option<RowKind>,
}

impl Scanner {
    /// What options ask for.
    pub(crate) fn of(values: &Values) -> Result<Self, Failure> {
        let life = Life::of(values)?;
        let policies = policies_of(&life, values.text("policies"))?;
        let (terms, reading) = (life.terms()?, life.options.plain_policy()?);
        Ok(Self { options: life.options, reading, policies, terms, of: RowKind::of(values) })
    }
}

impl OnSession for Scanner {
    fn row(&self, _: &SessionFile, bytes: &[u8]) -> Result<Row, Failure> {
        let Self { options, reading, policies, terms, of } = self;
        let session = options.read(bytes, reading)?;
        let moments = terms.moments(&session, policies);
        let outcomes = compare(&session, policies, &terms.with(&moments));
        let lived = || outcomes.iter().map(|outcome| (outcome, None));
        let rows = of.map(|of| of_lives(of, &session, lived(), policies, terms)).unwrap_or_default();
        let format = session.format().title().to_owned();
        Ok(Row { totals: totals_of(lived()), format, rows, ..Row::default() })
    }
}

/// Scans folders, or the home folder.
pub(crate) async fn run(run: &mut Run) -> Result<Exit, Failure> {
    let values = run.given.values.clone();
    let scanner = Scanner::of(&values)?;
    let mut complaints = Complaints::new(true);
    let (files, places) = sessions(run, &mut complaints).await?;
    if values.text("context").is_none() {
        note_assumed(None, &mut run.notes, "--context");
    }
    let rows = RowsOptions::of(&values)?;
    let mut scan = Scan::new(&scanner.policies, &places, &files);
    over_listed(run, files, complaints, Task::of(run, None), rows.map(written), &mut scan).await
}

/// First what removes nothing, then the policies that the command line names, or all there are.
fn policies_of(life: &Life, given: Option<&str>) -> Result<Vec<Policy>, Error> {
    let names = given.map(|names| names.split(',').filter(|name| *name != NONE).collect::<Vec<_>>());
    let others = match &names {
        Some(names) if names.is_empty() => Vec::new(),
        Some(names) => policies(life, Some(&names.join(",")))?,
        None => policies(life, None)?,
    };
    Ok(std::iter::once(none(life.options.plain_policy()?)).chain(others).collect())
}

/// The files that may be sessions, and the folders of agents among those that were looked through. A folder that has the
/// folders of agents is a home folder: nothing else in it is looked at.
async fn sessions(
    run: &mut Run,
    complaints: &mut Complaints,
) -> Result<(Vec<SessionFile>, Vec<AgentFolder>), Failure> {
    let mut folders = run.given.files.clone();
    let mut variables = Variables::new();
    let is_home = folders.is_empty();
    if is_home {
        let home = run.io.home().await.filter(|home| !home.bytes().is_empty());
        let sentence = "scan needs a FOLDER: the home folder is not known";
        folders.push(home.ok_or_else(|| Failure::Usage(sentence.to_owned()))?);
        variables = places::variables(&run.io).await;
    }
    let (mut files, mut found) = (Vec::new(), Vec::new());
    for folder in folders {
        let here = places::found(&folder, &variables, &run.io).await;
        let roots = if here.is_empty() && !is_home {
            vec![folder]
        } else {
            let mut roots: Vec<Name> = here.iter().map(|found| found.folder.clone()).collect();
            roots.dedup();
            roots
        };
        let notes = &mut run.notes;
        let mut there =
            list_files(&roots, &run.io, &mut |failure| complaints.add(failure.into(), notes)).await;
        there.retain(|file| {
            let is_stored = file.store.is_some();
            let is_of_agent = here.is_empty() || here.iter().any(|found| found.has(&file.name, is_stored));
            (!file.is_found && here.is_empty())
                || (is_of_agent && (is_stored || places::may_be_session(&file.name)))
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

/// The sessions of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Group {
    sessions: u64,
    requests: u64,
    bytes: u64,
}

struct Scan {
    /// The agent whose folder a file is in.
    agents: HashMap<Name, &'static str>,
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
    fn new(policies: &[Policy], places: &[AgentFolder], files: &[SessionFile]) -> Self {
        let mut agents = HashMap::new();
        for file in files {
            let place = places.iter().find(|place| place.has(&file.name, file.store.is_some()));
            agents.extend(place.map(|place| (file.name.clone(), place.agent)));
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
    async fn take(&mut self, file: &SessionFile, row: Row, _: &mut Run) -> Result<(), Failure> {
        let name = match self.agents.get(&file.name) {
            Some(agent) if *agent != row.format => format!("{agent} ({})", row.format),
            _ => row.format,
        };
        let group = self.groups.entry(name).or_default();
        group.sessions += 1;
        group.requests += row.totals.first().map_or(0, |totals| totals.requests);
        group.bytes += file.size;
        self.totals.iter_mut().zip(&row.totals).for_each(|(totals, of_session)| totals.add(of_session));
        Ok(())
    }

    async fn show(&mut self, account: &Account, run: &mut Run) -> Result<(), Failure> {
        if run.is_json() {
            return run.out.write(self.json(account)).await;
        }
        if account.files == 0 {
            return Ok(());
        }
        let page = self.page(account, run.style());
        run.out.write(page).await
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
