//! What the page says about a session's life: of a moment, of the whole, and of what the file does not hold.

use ebbline::replay::Known;

use crate::life::{Event, EventKind, Life};
use ebbline::numbers::{counted, grouped};

/// What a compaction did.
pub fn event(event: &Event) -> String {
    match event.kind {
        EventKind::Prune if event.outputs > 0 => {
            format!("{} pruned", counted(u64::from(event.outputs), "output"))
        }
        EventKind::Prune => "outputs pruned".to_owned(),
        EventKind::Summary => {
            let messages = match event.messages {
                0 => "messages summarized".to_owned(),
                messages => format!("{} summarized", counted(u64::from(messages), "message")),
            };
            match event.outputs {
                0 => messages,
                outputs => format!("{} pruned, {messages}", counted(u64::from(outputs), "output")),
            }
        }
    }
}

/// What a compaction did, with the sizes of the context before and after it.
pub fn event_with_sizes(event: &Event) -> String {
    match event.sizes {
        (0, 0) => self::event(event),
        (before, after) => format!("{}, {} → {}", self::event(event), grouped(before), grouped(after)),
    }
}

/// Where the scrubber stands; `None` is the end of the file.
pub fn place(life: &Life, request: Option<u32>) -> String {
    match request {
        None => "The whole session, as its file holds it".to_owned(),
        Some(request) => {
            let turn = life.turns.get(request as usize).copied().unwrap_or(0);
            let (phase, phases) = life.phase(request);
            let phase = match phase {
                1 => "before the first compaction".to_owned(),
                phase => format!("after {}", counted(phase - 1, "compaction")),
            };
            let mut said =
                format!("Request {} of {}", grouped(u64::from(request) + 1), grouped(life.len() as u64));
            if turn > 0 {
                said += &format!(" · turn {}", grouped(u64::from(turn)));
            }
            if phases > 1 {
                said += &format!(" · {phase}");
            }
            said
        }
    }
}

/// What happens there: the size of the context, and what is compacted.
pub fn happening(life: &Life, request: Option<u32>) -> String {
    let Some(request) = request else { return String::new() };
    let found = life.found.get(request as usize).copied().unwrap_or(0);
    let mut said = counted(u64::from(found), "token");
    if let Some(here) = life.event_at(request) {
        said += &format!(": compaction fires, {}", event(here));
    }
    if let Some(here) = life.recorded_at(request) {
        said += &format!(". Its own agent compacted here: {}", event_with_sizes(here));
    }
    said
}

/// Place and happening in one line, for the value of the scrubber.
pub fn spoken(life: &Life, request: Option<u32>) -> String {
    match happening(life, request) {
        said if said.is_empty() => place(life, request),
        said => format!("{}, {said}", place(life, request)),
    }
}

/// How many prunes and summaries there are, each with the sign that stands for it in the picture.
fn sums(events: &[Event], (square, triangle): (char, char)) -> String {
    let summaries = events.iter().filter(|event| event.kind == EventKind::Summary).count() as u64;
    let prunes = events.len() as u64 - summaries;
    let prunes = (prunes > 0).then(|| format!("{square} {}", counted(prunes, "prune")));
    let summaries = match summaries {
        0 => None,
        1 => Some(format!("{triangle} 1 summary")),
        summaries => Some(format!("{triangle} {} summaries", grouped(summaries))),
    };
    prunes.into_iter().chain(summaries).collect::<Vec<_>>().join(", ")
}

/// Whether room is made before so many requests that the agent does little else: at least each fourth.
fn thrashes(life: &Life) -> bool {
    life.events.len() >= 5 && life.events.len() * 4 >= life.len()
}

/// The whole life: how often this policy and the session's own agent compacted.
pub fn whole(life: &Life, policy: &str) -> String {
    let requests = counted(life.len() as u64, "request");
    let mut said = if life.events.is_empty() {
        format!("{requests} under {policy}: nothing is compacted.")
    } else {
        format!("{requests} under {policy}: {}.", sums(&life.events, ('■', '▼')))
    };
    if thrashes(life) {
        let (times, all) = (grouped(life.events.len() as u64), grouped(life.len() as u64));
        said += &format!(" It thrashes: before {times} of {all} requests room has to be made again.");
    }
    if !life.recorded.is_empty() {
        said += &format!(" Its own agent: {}.", sums(&life.recorded, ('□', '▽')));
    }
    said
}

/// What another profile changes: the window that is shown, and how often is compacted. `names` are those of both profiles.
pub fn changed(was: &Life, is: &Life, (before, now): (&str, &str)) -> String {
    let counts = |life: &Life| match sums(&life.events, ('■', '▼')) {
        counts if counts.is_empty() => "no compaction".to_owned(),
        counts => counts,
    };
    let mut changes = Vec::new();
    if was.window != is.window {
        let window = |life: &Life| life.window.map_or_else(|| "no known window".to_owned(), grouped);
        changes.push(format!("the window shown is {}, before {}", window(is), window(was)));
    }
    changes.push(match (counts(was), counts(is)) {
        (one, other) if one == other => format!("{other}, as before"),
        (one, other) => format!("{other}, before {one}"),
    });
    format!("{now} instead of {before}: {}.", changes.join("; "))
}

/// What the file does not hold, or what is not shown as it was; empty if nothing.
pub fn gaps(life: &Life) -> String {
    let mut said = Vec::new();
    match life.known {
        Known::Tail => {
            said.push(
                "The file holds only a tail: it begins with a summary, and what came before is not known."
                    .to_owned(),
            );
        }
        Known::Restored if life.recorded.is_empty() => {
            said.push("What its own agent compacted is shown as it was before.".to_owned());
        }
        _ => {}
    }
    if life.pruned_before > 0 {
        let outputs = counted(u64::from(life.pruned_before), "output");
        said.push(format!("{outputs} had been pruned before and cannot be shown at full size."));
    }
    said.join(" ")
}

/// A description of the sawtooth for screen readers.
pub fn picture(life: &Life, policy: &str) -> String {
    let window = match (life.window, life.threshold) {
        (Some(window), Some(threshold)) => {
            format!(" The window is {}; it counts as full above {}.", grouped(window), grouped(threshold))
        }
        _ => String::new(),
    };
    format!(
        "The size of the context at each request, {} at most.{window} {}",
        grouped(life.peak()),
        whole(life, policy)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_life_is_told() {
        let (session, _) = crate::sample::opened();
        let mut said = Vec::new();
        for (profile, context) in
            [("ebbline@2", 200_000), ("ebbline@1", 60_000), ("pi@1.5", 64_000), ("pi@1.5", 400_000)]
        {
            let mut policy = ebbline::profiles::get(profile).unwrap();
            crate::knob::Knob::Context.set(&mut policy, context);
            let (life, opening) = session.open_life(&policy, false);
            said.push(format!("{profile} {context}: {}", whole(&life, profile)));
            said.push(opening.words.clone());
            said.push(spoken(&life, opening.request));
            said.push(picture(&life, profile));
            if let Some(request) = opening.request {
                said.push(spoken(&life, Some(request - 1)));
            }
        }
        insta::assert_snapshot!(said.join("\n"));
    }

    #[test]
    fn what_another_profile_changes_is_said() {
        use crate::question::{Answer, Request};
        let (session, _) = crate::sample::opened();
        let of = |name: &str| Box::new(ebbline::profiles::get(name).unwrap());
        let said = |policy: &str, before: &str| {
            let before = Some(of(before));
            let request = Request::Life { policy: of(policy), fit: true, before };
            let Answer::Life(_, opening) = session.answer(&request) else { panic!("no life") };
            opening.words
        };
        insta::assert_snapshot!(
            [
                said("pi@1.5", "ebbline@2"),
                said("ebbline@1", "ebbline@2"),
                said("opencode@2026-06", "opencode-v2@2026-06"),
                said("ebbline@2", "ebbline@2"),
            ]
            .join("\n")
        );
    }

    #[test]
    fn what_a_file_lacks_is_said() {
        let (session, _) = crate::sample::opened();
        let (mut life, _) = session.open_life(&ebbline::profiles::ALL[0].policy(), false);
        assert_eq!(gaps(&life), "");
        (life.known, life.pruned_before, life.beside) = (Known::Tail, 3, 8_000);
        life.recorded = vec![Event {
            request: 7,
            kind: EventKind::Summary,
            sizes: (90_000, 20_000),
            outputs: 0,
            messages: 0,
        }];
        insta::assert_snapshot!(format!(
            "{}\n{}\n{}",
            gaps(&life),
            whole(&life, "ebbline@2"),
            spoken(&life, Some(7))
        ));
    }
}
