//! Where real sessions open in the playground: at a moment at which there is something to see, and something to turn.

use std::fs;
use std::path::Path;

use ebbline::{ReadOptions, Verdict};
use ebbline_web::agents::Agent;
use ebbline_web::edge::Edge;
use ebbline_web::file::File;
use ebbline_web::knob::Knob;
use ebbline_web::open_session::OpenSession;
use ebbline_web::view::At;

/// A session with fewer requests than this may have nothing to show.
const HANDFUL: usize = 4;

/// The files of a folder that are not larger than 60 MB, sorted.
fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, found);
        } else if fs::metadata(&path).is_ok_and(|about| about.len() < 60_000_000) {
            found.push(path);
        }
    }
    found.sort();
}

/// The sessions of a folder, with their names and formats.
fn opened(folder: &Path) -> Vec<(String, OpenSession<File>, String)> {
    let mut paths = Vec::new();
    files(folder, &mut paths);
    let open = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (session, overview) =
            OpenSession::open(fs::read(path).ok()?, &name, &ReadOptions::default()).ok()?;
        Some((path.display().to_string(), session, overview.about.format))
    };
    paths.iter().filter_map(open).collect()
}

/// Values of `knob` all over its slider.
fn values(knob: Knob, policy: &ebbline::Policy, size: u64) -> Vec<u64> {
    let most = knob.slider_max(policy, size);
    let steps = (0..=60).map(|step| most * step / 60);
    let near = (1..40).map(|step| size * step / 20);
    steps.chain(near).filter(|value| knob != Knob::Context || *value > 0).collect()
}

/// Handles are drawn where they change what happens: at least one in 95 % of the sessions, and every knob of the first screen
/// changes something or says why it does not.
#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn where_real_sessions_open_a_handle_changes_the_verdict() {
    let sessions = opened(&ebbline_tests::shared("sessions"));
    let (mut with_handle, mut silent, mut on_edge) = (0, Vec::new(), [0; 3]);
    for (name, session, format) in &sessions {
        let default = ebbline::profiles::get(ebbline::profiles::DEFAULT).unwrap();
        let own = Agent::of_format(format).and_then(Agent::rules).map(|profile| profile.policy());
        let history = own.unwrap_or_else(|| default.clone());
        let (_, opening) = session.open_life(&history, false);
        let at = opening.request.map(|request| At { history, request });
        let now = session.plan_at(&default, false, at.as_ref());
        let changes = |knob: Knob| {
            values(knob, &default, now.figures.total_before()).into_iter().any(|value| {
                let mut turned = default.clone();
                knob.set(&mut turned, value);
                let then = session.plan_at(&turned, false, at.as_ref());
                (then.said.headline, then.figures.after) != (now.said.headline.clone(), now.figures.after)
            })
        };
        let mut any = false;
        for (edge, lever) in Edge::ALL.into_iter().zip(&now.said.levers) {
            match lever.knob {
                Some(knob) => {
                    assert!(changes(knob), "{name}: the handle {edge:?} changes nothing");
                    (any, on_edge[edge as usize]) = (true, on_edge[edge as usize] + 1);
                }
                None => assert!(lever.said.ends_with('.'), "{name}: {edge:?} says nothing"),
            }
        }
        with_handle += usize::from(any);
        if !any {
            silent.push(name);
        }
        for knob in &now.said.first {
            let idle = &now.said.knobs[*knob as usize].idle;
            assert!(
                !idle.is_empty() || changes(*knob),
                "{name}: {knob:?} changes nothing and does not say so"
            );
        }
    }
    println!(
        "{} sessions: {with_handle} open with a handle that changes the verdict, by edge {on_edge:?}",
        sessions.len()
    );
    assert!(with_handle * 100 >= sessions.len() * 95, "without: {silent:#?}");
}

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn real_sessions_open_with_something_to_see() {
    let folder = ebbline_tests::shared("sessions");
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    for profile in ["ebbline@2", "ebbline@1", "pi@1.5", "opencode@2026-06", "tunacode@2026-01"] {
        let policy = ebbline::profiles::get(profile).unwrap();
        let (mut sessions, mut fitted, mut visible, mut short, mut before) = (0, 0, 0, 0, 0);
        let mut silent = Vec::new();
        for path in &paths {
            let bytes = fs::read(path).unwrap();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Ok((session, _)) = OpenSession::open(bytes, &name, &ReadOptions::default()) else { continue };
            sessions += 1;
            before += usize::from(session.plan(&policy, false).figures.verdict != Verdict::Noop);
            let (life, opening) = session.open_life(&policy, true);
            fitted += usize::from(opening.window.is_some());
            let mut shown = policy.clone();
            if let Some(window) = opening.window {
                ebbline_web::knob::Knob::Context.set(&mut shown, window);
            }
            let at = opening.request.map(|request| At { history: shown.clone(), request });
            let planned = session.plan_at(&shown, false, at.as_ref());
            let figures = &planned.figures;
            let has_something =
                matches!(figures.verdict, Verdict::Prune | Verdict::Summarize | Verdict::PruneThenSummarize)
                    && figures.after < figures.before;
            if has_something {
                visible += 1;
            } else if life.len() < HANDFUL {
                short += 1;
            } else {
                silent.push(format!("{}: {} requests, {}", path.display(), life.len(), opening.words));
            }
        }
        println!(
            "{profile}: {sessions} sessions; at the end of the file {before} show something; where they open {visible} do, {fitted} of them with a smaller window; {short} of the rest have fewer than {HANDFUL} requests"
        );
        for path in &silent {
            println!("  nothing to see: {path}");
        }
        // Under the default policy, whose knobs are shares of the window, every session in which three turns leave something
        // shows something.
        if profile == ebbline::profiles::DEFAULT {
            silent.retain(|said| !said.contains("A smaller window would show nothing more"));
            assert!(sessions > 0 && silent.is_empty(), "{silent:#?}");
        }
    }
}
