//! `replay`: a session's life under a policy, what it would have done, and what that would have cost.

use ebbline::Policy;
use ebbline::economics::{CacheCheck, Charge, ReplayReport, compare};
use ebbline::json::format_js;
use ebbline::replay::{Known, Replay};
use serde::Serialize;

use crate::amount::{amount, counted, rounded};
use crate::charts;
use crate::commands::compare::{of_lives, totals_of, totals_page, written};
use crate::corpus::{Account, Gather, over_files};
use crate::csv::{self, csv, row};
use crate::decimal::{fixed, precise};
use crate::engine_options::EngineOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::folders::SessionFile;
use crate::job::{OnSession, Row, Task};
use crate::json::line_of_file;
use crate::life::{Life, Terms};
use crate::name::Name;
use crate::policy_totals::PolicyTotals;
use crate::printable::printable;
use crate::rows::options::{RowKind, RowsOptions};
use crate::run::Run;
use crate::style::Style;
use crate::values::Values;
use crate::window_note::note_assumed;

/// The width of a chart that is written to a file or a pipe, and the least of all.
const DEFAULT_WIDTH: usize = 100;
const NARROWEST: usize = 20;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LifeReport<'r> {
    #[serde(flatten)]
    life: ReplayReport<'r>,
    /// `None` unless it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_check: Option<Check>,
}

/// The rules of the cache, checked.
#[derive(Serialize)]
#[serde(untagged)]
enum Check {
    Against(CacheCheck),
    /// The session reports no cache.
    Nothing,
}

/// Replays a session.
pub(crate) async fn run(name: &Name, run: &mut Run) -> Result<Exit, Failure> {
    let values = run.given.values.clone();
    if values.text("context").is_none() && !values.sets_window() {
        note_assumed(values.text("profile"), &mut run.notes, "--context");
    }
    let bytes = run.io.read(name).await?;
    let given = Life::of(&values)?;
    let policy = given.options.policy()?;
    let terms = given.terms()?;
    let session = given.options.read(&bytes, &policy)?;
    let moments = terms.moments(&session, [&policy]);
    let replay = Replay::with_moments(&session, &policy, &terms.options, &moments);
    let life = ReplayReport::of(&replay, &terms.with(&moments).bill(&replay));
    let cache_check = values.has("cache-check").then(|| {
        let moments = terms.moments(&session, []);
        let check = CacheCheck::of(&session, terms.cache, &policy.estimator, &moments);
        check.map_or(Check::Nothing, Check::Against)
    });
    if let Some(file) = values.text("svg") {
        charts::write(file, &charts::replay_picture(&name.said(), &life), &run.io).await?;
    }
    let lived = LifeReport { life, cache_check };
    if run.is_json() {
        run.out.write(line_of_file(&name.given(), &lived)).await?;
    } else if values.has("csv") {
        run.out.write(csv(&rows(&lived.life))).await?;
    } else {
        let style = run.style();
        let width = run.width().unwrap_or(DEFAULT_WIDTH).max(NARROWEST);
        let chart = charts::sawtooth(&name.said(), &lived.life).cells(width);
        let account = account(name, &lived, style).join("\n");
        run.out.write(format!("{account}\n\n{}\n", charts::painted(&chart, style).join("\n"))).await?;
    }
    Ok(Exit::Ok)
}

/// What replays one of many sessions.
#[derive(Debug)]
pub(crate) struct Replayer {
    options: EngineOptions,
    policies: [Policy; 1],
    terms: Terms,
    of: Option<RowKind>,
}

impl Replayer {
    /// What options ask for.
    pub(crate) fn of(values: &Values) -> Result<Self, Failure> {
        let life = Life::of(values)?;
        let (policy, terms) = (life.options.policy()?, life.terms()?);
        Ok(Self { options: life.options, policies: [policy], terms, of: RowKind::of(values) })
    }
}

impl OnSession for Replayer {
    fn row(&self, _: &SessionFile, bytes: &[u8]) -> Result<Row, Failure> {
        let Self { options, policies, terms, of } = self;
        let [policy] = policies;
        let session = options.read(bytes, policy)?;
        let moments = terms.moments(&session, policies);
        let outcomes = compare(&session, policies, &terms.with(&moments));
        let lived = || outcomes.iter().map(|outcome| (outcome, None));
        let rows = of.map(|of| of_lives(of, &session, lived(), policies, terms)).unwrap_or_default();
        Ok(Row { totals: totals_of(lived()), rows, ..Row::default() })
    }
}

/// Replays many sessions: each is a row, and their sums are shown.
pub(crate) async fn run_many(run: &mut Run) -> Result<Exit, Failure> {
    let values = run.given.values.clone();
    if let Some(option) = ["svg", "cache-check", "csv", "json"].into_iter().find(|option| values.has(option))
    {
        return Err(Failure::Usage(format!("replay --rows does not go with --{option}")));
    }
    if values.text("context").is_none() && !values.sets_window() {
        note_assumed(values.text("profile"), &mut run.notes, "--context");
    }
    let replayer = Replayer::of(&values)?;
    let mut sums = Sums(replayer.policies.iter().map(PolicyTotals::of).collect());
    let rows = RowsOptions::of(&values)?;
    over_files(run, Task::of(run, None), rows.map(written), &mut sums).await
}

struct Sums(Vec<PolicyTotals>);

impl Gather for Sums {
    async fn take(&mut self, _: &SessionFile, row: Row, _: &mut Run) -> Result<(), Failure> {
        self.0.iter_mut().zip(&row.totals).for_each(|(sums, of_session)| sums.add(of_session));
        Ok(())
    }

    async fn show(&mut self, account: &Account, run: &mut Run) -> Result<(), Failure> {
        if account.files == 0 {
            return Ok(());
        }
        let page = totals_page(&self.0, run.style());
        run.out.write(page).await
    }
}

fn account(name: &Name, LifeReport { life, cache_check }: &LifeReport<'_>, style: Style) -> Vec<String> {
    let answered = life.requests.iter().filter(|each| each.charge.is_some());
    let prunes = life.compactions.iter().filter(|each| each.decision.prune.applied).count();
    let summaries = life.compactions.iter().filter(|each| each.decision.retain.applied).count();
    let peak = life.requests.iter().map(|each| each.request.tokens).max().unwrap_or(0);
    let unfit = answered.clone().filter(|each| !each.request.fits).count();
    let over = answered.clone().filter(|each| each.request.over_window).count();
    let Charge { fresh, cached, written, output, broken, .. } = life.total;
    let input = fresh + cached + written;
    let share = if input == 0 { 0 } else { rounded(cached as f64 / input as f64 * 100.0) };
    let known = match life.known {
        Known::Restored => ", its own compactions undone",
        Known::Tail => "; what was before its summary is not known",
        _ => "",
    };
    let unfit = match unfit {
        0 => String::new(),
        unfit => format!("; {} above the threshold, with nothing left to remove", counted(unfit, "request")),
    };
    let over = match over {
        0 => String::new(),
        over => format!("; {} larger than the window, which a provider refuses", counted(over, "request")),
    };
    let mut lines = vec![
        style.strong(&format!("{}  {}", printable(&name.said()), life.profile)),
        format!("{}, {}{known}", counted(life.messages, "message"), counted(answered.count(), "request")),
        format!(
            "{}, {}; largest request {} tokens{unfit}",
            counted(prunes, "prune"),
            counted(summaries, "summary").replace("summarys", "summaries"),
            amount(peak + life.overhead),
        ),
        format!("{}{over}", limits(life)),
        format!(
            "input {} tokens, {share} % of them from the cache; output {}; {} cached tokens lost to changes",
            amount(input),
            amount(output),
            amount(broken),
        ),
        format!("cost {} fresh input tokens", amount(rounded(life.cost))),
    ];
    match cache_check {
        None => {}
        Some(Check::Nothing) => lines.push("the session reports no cache reads".to_owned()),
        Some(Check::Against(check)) => lines.extend(checked(check)),
    }
    lines
}

fn limits(life: &ReplayReport<'_>) -> String {
    match life.window {
        None => "the context window is not known".to_owned(),
        Some(window) => {
            format!("window {} tokens, full from {}", amount(window), amount(life.threshold.unwrap_or(0)))
        }
    }
}

/// How far the rules of the cache are off from what the provider reported.
fn checked(check: &CacheCheck) -> [String; 2] {
    let percent = |share: f64| format!("{} %", format_js(precise(share * 100.0, 2)));
    [
        format!(
            "cache reads of {}: predicted {}, reported {}; median error {}, by estimated sizes {}",
            counted(check.requests.len(), "request"),
            amount(check.predicted),
            amount(check.reported),
            percent(check.median_error),
            percent(check.median_error_estimated),
        ),
        format!(
            "{} predicted and not reported, {} reported and not predicted; sent beside the messages: {} tokens; {} tokens for each estimated",
            amount(check.missed),
            amount(check.unexpected),
            amount(check.overhead),
            fixed(check.ratio, 2),
        ),
    ]
}

/// A row for each request, with its charge.
fn rows(life: &ReplayReport<'_>) -> Vec<csv::Row> {
    let rows = life.requests.iter().enumerate().map(|(at, each)| {
        let request = &each.request;
        let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
        let cells = [
            ("request", at.to_string()),
            ("message", number(each.message)),
            ("tokens", request.tokens.to_string()),
            ("unchanged", request.unchanged.to_string()),
            ("output", request.output.to_string()),
            ("compaction", number(request.compaction)),
            ("fits", request.fits.to_string()),
            ("overWindow", request.over_window.to_string()),
        ];
        let mut cells: csv::Row = cells.map(|(title, cell)| (title.to_owned(), cell)).into();
        for (title, cell) in each.charge.iter().flat_map(row) {
            // The output of a charge is the same, and stands where that of the request does.
            match cells.iter_mut().find(|(known, _)| *known == title) {
                Some(known) => known.1 = cell,
                None => cells.push((title, cell)),
            }
        }
        cells
    });
    rows.collect()
}
