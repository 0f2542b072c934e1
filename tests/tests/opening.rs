//! Where real sessions open in the playground: at a moment at which there is something to see.

use std::fs;
use std::path::Path;

use ebbline::{ReadOptions, Verdict};
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
        // Under the default policy, whose knobs are shares of the window, every session with a handful of requests shows something.
        if profile == ebbline::profiles::DEFAULT {
            assert!(sessions > 0 && silent.is_empty(), "{silent:#?}");
        }
    }
}
