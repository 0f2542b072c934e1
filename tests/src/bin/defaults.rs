//! Sweeps policies over the sessions below a folder, and prints what docs/defaults.md shows: the figures of every policy
//! on the half of the sessions that tuned the default, and on the other half, under three assumptions about summaries.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "printing is what the program is for")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use ebbline::economics::{Cache, Grid, Point, Rates, SummaryContent, Sweep, SweepReport, Terms, weigh};
use ebbline::replay::{Replay, ReplayOptions};
use ebbline::{Error, ErrorCode, Policy, ReadOptions, SessionText, profiles};
use ebbline_tests::peers::{Field, Life, Row};
use ebbline_tests::sessions;

/// Each window, and the tokens that every request sends beside the messages.
const WINDOWS: [(u64, u64); 4] = [(200_000, 8_000), (128_000, 6_000), (64_000, 4_000), (32_000, 2_000)];
/// What the summaries of a replay carry, in the order of the columns.
const CARRIED: [SummaryContent; 3] =
    [SummaryContent::Nothing, SummaryContent::ByRule, SummaryContent::Names(1_800)];

/// What a provider charges for cached, written and answered tokens, relative to fresh input, and how it caches.
struct Charges {
    name: &'static str,
    rates: Rates,
    cache: Cache,
}

const CHARGES: [Charges; 3] = [
    Charges {
        name: "read 0.1, write 1.25, cold after 5 minutes",
        rates: Rates::new(0.1, 1.25, 5.0),
        cache: Cache::new(1_024, 1, Some(300_000)),
    },
    Charges {
        name: "read 0.25, write 1, blocks of 128 from 1,024 on",
        rates: Rates::new(0.25, 1.0, 8.0),
        cache: Cache::new(1_024, 128, None),
    },
    Charges {
        name: "nothing cached",
        rates: Rates::new(1.0, 1.0, 4.0),
        cache: Cache::new(u64::MAX, 1, None),
    },
];

/// The policies that are compared with `ebbline@3`: our own before it, and the newest default of each system.
const PEERS: [&str; 7] = [
    "ebbline@2", "ebbline@1", "pi@1.5", "opencode@2026-06", "opencode-v2@2026-06", "tunacode@2026-01/local",
    "tunacode@0.2",
];

/// A rule that is no profile, as changes of one.
struct Rule {
    name: &'static str,
    profile: &'static str,
    knobs: &'static [(&'static str, &'static str)],
}

const RULES: [Rule; 5] = [
    Rule {
        name: "Gemini CLI's pruning",
        profile: "opencode@2026-06",
        knobs: &[("prune.enabled", "true"), ("prune.protect", "50000"), ("prune.minimum", "30000")],
    },
    Rule {
        name: "all but the newest three outputs, when full",
        profile: "ebbline@2",
        knobs: &[
            ("prune.keepOutputs", "3"),
            ("prune.protect", "0"),
            ("prune.minimum", "0"),
            ("prune.downTo", "0"),
        ],
    },
    Rule { name: "summary at 85 %, keep 10 %", profile: "ebbline@2", knobs: &[("prune.enabled", "false")] },
    Rule {
        name: "summary 13,000 before the window is full, keep nothing",
        profile: "ebbline@2",
        knobs: &[("prune.enabled", "false"), ("retain.keep", "0"), ("trigger.reserve", "13000")],
    },
    Rule {
        name: "ebbline@1, no protected turn, floor 75 %",
        profile: "ebbline@1",
        knobs: &[("prune.protectedTurns", "0"), ("trigger.floor", "75%")],
    },
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: defaults FOLDER [PATH=VALUE,VALUE ... | --lives FILE | --peers ROWS]");
        return ExitCode::from(2);
    };
    let (folder, words) = (Path::new(&folder), arguments.collect::<Vec<_>>());
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--lives", file] => write_lives(folder, Path::new(file)),
        ["--peers", rows] => print_peers(folder, Path::new(rows)),
        // A word that begins so is no path of a knob.
        [option, ..] if option.starts_with("--") => {
            eprintln!("there is no {option} FILE; there are --lives FILE and --peers ROWS");
            return ExitCode::from(2);
        }
        _ => print_all(folder, &words),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn print_all(folder: &Path, axes: &[String]) -> Result<(), Error> {
    let texts = texts(folder);
    if texts.is_empty() {
        let why = format!("there is no session below {}", folder.display());
        return Err(Error::new(ErrorCode::NoMessages, why));
    }
    let mut endless = profiles::get(profiles::DEFAULT)?;
    (endless.prune.enabled, endless.retain.enabled) = (false, false);
    let largest = |session: &SessionText<'_>| {
        let replay = Replay::new(session, &endless, &ReplayOptions::new());
        replay.requests().iter().map(|request| request.tokens).max().unwrap_or(0)
    };
    let mut sessions: Vec<(u64, SessionText<'_>)> = texts
        .iter()
        .filter_map(|text| SessionText::read_with(text.as_str(), &ReadOptions::new()).ok())
        .map(|session| (largest(&session), session))
        .collect();
    // Long and short sessions in both halves.
    sessions.sort_by_key(|(tokens, _)| std::cmp::Reverse(*tokens));
    let full = |window: u64| sessions.iter().filter(|(tokens, _)| *tokens > window / 2).count();
    println!(
        "{} sessions; {}, {}, {} and {} of them reach half of a window of 32,000, 64,000, 128,000 and 200,000 tokens.",
        sessions.len(),
        full(32_000),
        full(64_000),
        full(128_000),
        full(200_000)
    );
    for (half, name) in ["Tuned on", "Held out"].into_iter().enumerate() {
        let of_half = || sessions.iter().skip(half).step_by(2).map(|(_, session)| session);
        for charges in &CHARGES {
            println!("\n### {name}: {}\n", charges.name);
            println!(
                "| window | policy | cost | lost if summaries carry nothing | by rule | 1,800 tokens of names | prunes / summaries | over the window |"
            );
            println!("|---|---|---|---|---|---|---|---|");
            for (window, overhead) in WINDOWS {
                let sweeps = sweeps(of_half(), charges, window, overhead, axes)?;
                print_rows(window, &sweeps.each_ref().map(Sweep::report));
            }
        }
    }
    Ok(())
}

fn texts(folder: &Path) -> Vec<String> {
    named_texts(folder).into_iter().map(|(_, text)| text).collect()
}

/// The texts below a folder, with their paths in it.
fn named_texts(folder: &Path) -> Vec<(String, String)> {
    let name = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
    let read = |path: &std::path::PathBuf| Some((name(path), std::fs::read_to_string(path).ok()?));
    sessions::files(folder).iter().filter_map(read).collect()
}

/// Writes the lives below a folder for programs that replay them under rules of their own.
fn write_lives(folder: &Path, file: &Path) -> Result<(), Error> {
    let policy = profiles::get(profiles::DEFAULT)?;
    let line = |(name, text): &(String, String)| {
        let session = SessionText::read(text.as_str()).ok()?;
        let life = Life::of(name.as_str(), &session, &policy, 0);
        life.requests().next()?;
        Some(life.line() + "\n")
    };
    let lines: String = named_texts(folder).iter().filter_map(line).collect();
    if lines.is_empty() {
        return Err(unreadable(folder, "there is no session in it"));
    }
    std::fs::write(file, lines).map_err(|error| unreadable(file, &error.to_string()))
}

/// Prints the table of the rules that the rows of a file carried out, with our own beside them.
fn print_peers(folder: &Path, file: &Path) -> Result<(), Error> {
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, &error.to_string()))?;
    let rows = Row::read(&text).map_err(|error| unreadable(file, &error))?;
    let is_known = |row: &&Row| WINDOWS.iter().any(|(window, _)| *window == row.window);
    if let Some(row) = rows.iter().find(|row| !is_known(row)) {
        let why = format!("{} is none of the windows of this program", row.window);
        return Err(unreadable(file, &why));
    }
    let mut seen = BTreeSet::new();
    if let Some(row) =
        rows.iter().find(|row| !seen.insert((&row.peer, &row.session, row.window, row.request)))
    {
        return Err(unreadable(
            file,
            &format!("request {} of {} has two rows of {}", row.request, row.session, row.peer),
        ));
    }
    let texts = named_texts(folder);
    let is_there = |row: &&Row| texts.iter().any(|(name, _)| *name == row.session);
    if let Some(row) = rows.iter().find(|row| !is_there(row)) {
        return Err(unreadable(
            file,
            &format!("there is no session {} in {}", row.session, folder.display()),
        ));
    }
    for charges in &CHARGES {
        println!("\n### {}\n", charges.name);
        for (window, overhead) in
            WINDOWS.into_iter().filter(|(window, _)| rows.iter().any(|row| row.window == *window))
        {
            let field =
                Field { rates: charges.rates, cache: charges.cache, window, overhead, contents: &CARRIED };
            print!(
                "{}",
                field
                    .table(&texts, &rows, &points(window, &[])?)
                    .map_err(|error| unreadable(file, &error))?
            );
        }
    }
    Ok(())
}

fn unreadable(file: &Path, why: &str) -> Error {
    Error::new(ErrorCode::InvalidOption, format!("{}: {why}", file.display()))
}

fn points(window: u64, axes: &[String]) -> Result<Vec<Point>, Error> {
    let rule = |rule: &Rule| -> Result<Policy, Error> {
        let mut policy = profiles::get(rule.profile)?;
        for (path, value) in rule.knobs {
            policy.set(path, value)?;
        }
        rule.name.clone_into(&mut policy.profile);
        Ok(policy)
    };
    let peers = PEERS.into_iter().map(profiles::get);
    let others: Vec<Policy> = peers.chain(RULES.iter().map(rule)).collect::<Result<_, _>>()?;
    let mut grid = Grid::over(profiles::get("ebbline@3")?).windows([window]).beside(others);
    for axis in axes {
        let (path, values) = axis.split_once('=').unwrap_or((axis, ""));
        grid = grid.axis(path, values.split(','));
    }
    grid.points()
}

/// A sweep for each assumption about summaries.
fn sweeps<'s>(
    sessions: impl Iterator<Item = &'s SessionText<'s>>,
    charges: &Charges,
    window: u64,
    overhead: u64,
    axes: &[String],
) -> Result<[Sweep; CARRIED.len()], Error> {
    let mut sweeps = CARRIED.map(|_| Sweep::of(Vec::new()));
    let points = points(window, axes)?;
    sweeps.fill(Sweep::of(points));
    for session in sessions {
        let moments = session.moments();
        for (sweep, carried) in sweeps.iter_mut().zip(CARRIED) {
            let terms = Terms::new(charges.rates)
                .options(ReplayOptions::new().overhead(overhead))
                .cache(charges.cache, &moments)
                .summaries(carried);
            let totals = weigh(session, sweep.points(), &terms);
            sweep.add(&totals);
        }
    }
    Ok(sweeps)
}

/// One row a policy. What nobody beats under any of the assumptions is bold; a figure that nobody beats under its own has a star.
fn print_rows(window: u64, [nothing, by_rule, names]: &[SweepReport<'_>; CARRIED.len()]) {
    for ((point, by_rule), names) in nothing.points.iter().zip(&by_rule.points).zip(&names.points) {
        let totals = &point.totals;
        let changes: Vec<String> = point.set.iter().map(|(path, value)| format!("{path}={value}")).collect();
        let all = [point, by_rule, names];
        let mark = if all.iter().all(|point| point.standing.on_frontier) { "**" } else { "" };
        let [nothing, by_rule, names] = all.map(|point| {
            let star = if point.standing.on_frontier { "\\*" } else { "" };
            format!("{:.1}{star}", per_hundred(point.totals.needed_again, point.totals.requests))
        });
        println!(
            "| {}k | {mark}{}{mark} | {:+.0} % | {nothing} | {by_rule} | {names} | {} / {} | {} |",
            window / 1_000,
            [&[point.profile.to_owned()], &changes[..]].concat().join(" "),
            (totals.cost / totals.without - 1.0) * 100.0,
            totals.prunes,
            totals.summaries,
            totals.over_window,
        );
    }
}

fn per_hundred(count: u64, requests: u64) -> f64 {
    count as f64 * 100.0 / requests.max(1) as f64
}
