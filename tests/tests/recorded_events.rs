//! Replays of sessions that their own agents pruned or compacted: the same places, the same parts.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "the shares are what the test is for")]

mod agents;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use agents::Story;
use ebbline::loss::{self, Left};
use ebbline::policy::Model;
use ebbline::replay::{Moments, Replay, ReplayOptions, UsageFrom};
use ebbline::transcript::Role;
use ebbline::{Policy, SessionText, profiles};
use ebbline_tests::{sessions, shared};

/// What left the context before one request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Event {
    /// The outputs that were pruned, as parts of the log.
    pruned: BTreeSet<usize>,
    /// The messages that a summary replaced.
    summarized: BTreeSet<usize>,
}

impl Event {
    fn shown(&self) -> String {
        let ends = |set: &BTreeSet<usize>| match (set.first(), set.last()) {
            (Some(first), Some(last)) => format!("{} ({first}..={last})", set.len()),
            _ => "0".to_owned(),
        };
        format!("pruned {}, summarized {}", ends(&self.pruned), ends(&self.summarized))
    }
}

/// The events by the message that answers the first request without what left.
type Events = BTreeMap<usize, Event>;

/// What the file records.
fn recorded(session: &SessionText<'_>, replay: &Replay<'_>) -> Events {
    let log = session.transcript();
    let mut owners = vec![0; log.parts().len()];
    for message in 0..log.messages().len() {
        owners[log.part_range(message)].fill(message);
    }
    let history = replay.history().messages();
    let answers = |message: &u32| {
        let message = &log.messages()[*message as usize];
        message.role == Role::Assistant && !message.continues && !message.summary
    };
    let mut events = Events::new();
    for departure in loss::recorded(session) {
        let from =
            history.iter().position(|message| *message as usize == departure.at).unwrap_or(history.len());
        let answer = history[from..].iter().find(|message| answers(message));
        let event = events.entry(answer.map_or(usize::MAX, |message| *message as usize)).or_default();
        let owner = owners[departure.part];
        match departure.how {
            Left::Pruned => drop(event.pruned.insert(departure.part)),
            // A replay writes no summary of its own into the log: that one goes with the next is not compared.
            Left::Summarized if log.messages()[owner].summary => {}
            _ => drop(event.summarized.insert(owner)),
        }
    }
    events
}

/// What a replay did.
fn replayed(replay: &Replay<'_>) -> Events {
    let history = replay.history();
    let mut events = Events::new();
    for compaction in replay.compactions() {
        let at = replay.requests()[compaction.request as usize].at as usize;
        let answer = history.messages().get(at).map_or(usize::MAX, |message| *message as usize);
        let event = events.entry(answer).or_default();
        event.pruned.extend(compaction.pruned.iter().map(|part| *part as usize));
        event.summarized.extend(compaction.summarized.iter().map(|message| *message as usize));
    }
    events
}

/// How many recorded events a replay met.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    recorded: usize,
    /// Those in which something was summarized.
    summaries: usize,
    /// Something left at the same request.
    same_place: usize,
    /// And the same parts.
    met: usize,
    /// What a replay did that was not recorded.
    more: usize,
}

fn compare(name: &str, recorded: &Events, replayed: &Events, told: &mut String) -> Share {
    let mut share = Share { recorded: recorded.len(), ..Share::default() };
    for (at, event) in recorded {
        let other = replayed.get(at);
        share.summaries += usize::from(!event.summarized.is_empty());
        share.same_place += usize::from(other.is_some());
        share.met += usize::from(other == Some(event));
        if other != Some(event) {
            let other = other.map_or("nothing".to_owned(), Event::shown);
            let _ = writeln!(
                told,
                "    {name}: before the request of message {at}: {}; replayed {other}",
                event.shown()
            );
        }
    }
    for (at, event) in replayed.iter().filter(|(at, _)| !recorded.contains_key(at)) {
        share.more += 1;
        let _ =
            writeln!(told, "    {name}: before the request of message {at}: only replayed {}", event.shown());
    }
    share
}

impl std::ops::AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.recorded += other.recorded;
        self.summaries += other.summaries;
        self.same_place += other.same_place;
        self.met += other.met;
        self.more += other.more;
    }
}

fn policy(profile: &str, context: u64, output: u64) -> Policy {
    let mut policy = profiles::get(profile).unwrap();
    policy.model = Model::new(context).output(output);
    policy
}

fn stories() -> Vec<Story> {
    (1..=3).map(|seed| Story::new(seed, 18, 36_000)).collect()
}

/// The share that a replay of sessions meets, at the moments at which the system decides. Printed beside it: what is met by a
/// replay that decides before every request.
fn share_of(name: &str, texts: &[String], policy: &Policy) -> Share {
    let mut shares = [Share::default(); 2];
    let mut told = [String::new(), String::new()];
    for text in texts {
        let session = SessionText::read(&**text).unwrap();
        for (at, moments) in [Moments::System, Moments::EveryRequest].into_iter().enumerate() {
            let options = ReplayOptions::new().usage(UsageFrom::Recorded).moments(moments);
            let replay = Replay::new(&session, policy, &options);
            moments_are_what_is_sent(&replay, policy);
            shares[at] += compare(name, &recorded(&session, &replay), &replayed(&replay), &mut told[at]);
        }
    }
    let [system, every] = shares;
    println!(
        "{name}: {} of {} met ({} with a summary), {} more; before every request: {} met, {} more",
        system.met, system.recorded, system.summaries, system.more, every.met, every.more
    );
    print!("{}", told[0]);
    system
}

/// Where nothing is done before a request, it sends the context before it.
fn moments_are_what_is_sent(replay: &Replay<'_>, policy: &Policy) {
    for (number, request) in replay.requests().iter().enumerate().step_by(7) {
        let Some(moment) = replay.moment(number).filter(|_| request.compaction.is_none()) else { continue };
        let planned = ebbline::plan(moment.transcript(), policy, ebbline::PlanOptions::new());
        assert_eq!(planned.decision.tokens_before, request.tokens, "request {number}");
    }
}

fn all_met(share: Share, at_least: usize) {
    assert!(share.recorded >= at_least, "{share:?}: too few to say anything");
    assert_eq!((share.met, share.more), (share.recorded, 0));
}

#[test]
fn what_opencode_prunes_and_summarizes_is_met() {
    for (version, profile) in
        [("2025-12", "opencode@2025-12"), ("2026-01", "opencode@2026-01"), ("2026-06", "opencode@2026-06")]
    {
        for prunes in [true, false] {
            let mut policy = policy(profile, agents::opencode::CONTEXT, agents::opencode::OUTPUT);
            policy.prune.enabled = prunes;
            let texts: Vec<String> =
                stories().iter().map(|story| agents::opencode::session(version, prunes, story)).collect();
            let name = format!("{profile}, {}", if prunes { "pruning" } else { "not pruning" });
            let share = share_of(&name, &texts, &policy);
            all_met(share, if prunes { 20 } else { 6 });
            assert!(prunes || share.summaries > 0);
        }
    }
}

#[test]
fn what_pi_summarizes_is_met() {
    for (version, profile) in [("0.58.3", "pi@0.58"), ("0.84.2", "pi@0.84"), ("1.5.2", "pi@1.5")] {
        let policy = policy(profile, agents::pi::CONTEXT, 32_000);
        let texts: Vec<String> = stories().iter().map(|story| agents::pi::session(version, story)).collect();
        all_met(share_of(profile, &texts, &policy), 4);
    }
}

/// The file does not show what was pruned, so the agent tells it, and the replay gets what was written.
#[test]
fn what_tunacode_prunes_is_met() {
    let policy = policy("tunacode@2026-01", 200_000, 32_000);
    let (mut share, mut told) = (Share::default(), String::new());
    for life in stories() {
        let (text, prunes) = agents::tunacode::session(&life);
        let session = SessionText::read(text).unwrap();
        let log = session.transcript();
        let options = ReplayOptions::new().usage(UsageFrom::Recorded).moments(Moments::System);
        let replay = Replay::new(&session, &policy, &options);
        let told_events = prunes.iter().map(|(before, places)| {
            let cleared = places.iter().map(|(message, part)| log.part_range(*message).start + part);
            (*before, Event { pruned: cleared.collect(), ..Event::default() })
        });
        share += compare("tunacode", &told_events.collect(), &replayed(&replay), &mut told);
    }
    println!("tunacode@2026-01: {} of {} met, {} more\n{told}", share.met, share.recorded, share.more);
    all_met(share, 20);
}

/// A real session, the profile that is nearest to its agent, and the window of its model. No file says the window.
struct Real {
    file: &'static str,
    profile: &'static str,
    context: u64,
    output: u64,
    /// How many events are recorded, happen at the same request, and are met.
    expected: (usize, usize, usize),
}

const REAL: &[Real] = &[
    // OpenCode 1.4.3 of April 2026 with claude-sonnet-4.6. It compacted at 112,579 tokens and not at 105,395.
    Real {
        file: "opencode/savekirk",
        profile: "opencode@2026-01",
        context: 144_000,
        output: 32_000,
        expected: (1, 1, 1),
    },
    // pi of December 2025 with claude-opus-4-5. The first compaction, at 175,004 tokens, was the user's own.
    Real { file: "pi/badlogic", profile: "pi@0.58", context: 200_000, output: 64_000, expected: (2, 1, 0) },
];

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn what_real_agents_did_is_met_or_explained() {
    let folder = shared("sessions");
    let mut found = Vec::new();
    for path in sessions::files(&folder) {
        let file = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(session) = SessionText::read(&*text) else { continue };
        if loss::recorded(&session).is_empty() {
            continue;
        }
        let Some(real) = REAL.iter().find(|real| file.starts_with(real.file)) else {
            println!("{file}: {} parts left, and no profile is of its agent", loss::recorded(&session).len());
            assert_eq!(session.format(), ebbline::Format::ClaudeCode, "{file} is in no list");
            continue;
        };
        let policy = policy(real.profile, real.context, real.output);
        let share = share_of(&format!("{file}, {}", real.profile), std::slice::from_ref(&text), &policy);
        assert_eq!((share.recorded, share.same_place, share.met), real.expected, "{file}");
        found.push(real.file);
    }
    assert_eq!(found.len(), REAL.len(), "a session is missing");
}
