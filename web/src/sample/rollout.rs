//! The sample that thrashes: an agent watches a rollout. Its runbook alone takes much of a small window, and every look
//! at the services brings a large table. An `OpenAI` Responses request.

use super::code::Choice;
use super::grammar::{Rules, fill_up};
use super::items::Items;
use super::scribe::{Scribe, ToolCall};

const RULES: Rules = &[
    (
        "service",
        &[
            "cart", "checkout", "search", "stock", "mailer", "invoice", "gateway", "session", "images",
            "pricing", "export", "zones",
        ],
    ),
    ("region", &["north-1", "north-2", "east-1", "west-1", "west-3", "south-1"]),
    ("person", &["Ines", "Bela", "Tomasz", "Aiko", "Ruth", "the night shift"]),
    (
        "sign",
        &[
            "more than <2-9> restarts in ten minutes",
            "a p99 above <300-900> ms",
            "an error rate above <1-4>.<0-9> %",
            "a queue longer than <2-40>,000",
            "memory above <70-95> % for five minutes",
        ],
    ),
    (
        "act",
        &[
            "pause the rollout and ask <person>",
            "roll back <service> in that region only",
            "drain the node before anything else",
            "wait two more looks, it often recovers",
            "raise the limit once, by a quarter, and write it down",
            "do nothing: <person> knows about it",
        ],
    ),
    (
        "rule",
        &[
            "### <service> in <region>\nOwner: <person>. On <sign>: <act>. On <sign>: <act>. Never restart it while <service> migrates.\n",
        ],
    ),
    ("state", &["ready", "ready", "ready", "ready", "starting", "restarting", "draining"]),
    (
        "pod",
        &[
            "<service>-<1000-9999>-<10-99>   <region>  <state>   v4.<12-13>.<0-9>   cpu <2-98>%   mem <120-980>Mi   p99 <20-900>ms   err <0-3>.<00-99>%   restarts <0-6>   age <1-59>m",
        ],
    ),
];

const INTRODUCTION: &str = "You watch the rollout of version 4.13 of harbour-shop. Look at all services after each step, compare with the runbook, and decide: go on, wait, pause or roll back. Write one sentence after each look. The runbook follows; it must be obeyed to the letter.\n\n# Runbook\n\n";

/// What the user says, how often the agent looks, and what it says at the end.
const TURNS: [(&str, u32, &str); 9] = [
    (
        "Start with 5 % in north-1.",
        6,
        "5 % in north-1 for ten minutes: two restarts of `search`, both within the limits. Ready for the next step.",
    ),
    (
        "Go on to 25 %, north-1 and north-2.",
        7,
        "25 % in both. `stock` was slow for three looks and recovered by itself, as the runbook says it does.",
    ),
    (
        "East as well, 25 %.",
        6,
        "East runs. Its error rate was above the limit once, for `gateway`; two looks later it was 0.2 %.",
    ),
    (
        "50 % everywhere except south-1.",
        9,
        "50 %. I paused once: `checkout` in west-3 restarted four times. Ruth raised its memory limit by a quarter; since then no restart.",
    ),
    ("Is the pause in the log?", 2, "Yes, with the time, the reason and who decided."),
    (
        "Then 100 % in the north.",
        8,
        "North is complete. All pods have the new version, the old ones are drained.",
    ),
    (
        "What about the queue of the mailer?",
        5,
        "It grew to 31,000 while `mailer` was drained and is empty again. No mail was sent twice.",
    ),
    (
        "100 % everywhere, south-1 last.",
        11,
        "Everything runs on 4.13. South-1 took longest: its images are pulled over the slow line, which the runbook knows.",
    ),
    (
        "Watch it for another while and then write the report.",
        8,
        "Rollout of 4.13: 3 hours 20 minutes, one pause, no roll back. Two things to change: the memory limit of `checkout`, and images for south-1 should be there before the rollout starts.",
    ),
];

const SAYS: [&str; 6] = [
    "One restart more than before, still within the limits. I'll look again.",
    "",
    "Slower than a minute ago. The runbook says to wait two more looks.",
    "The new pods are ready; the old ones are draining.",
    "No limit is exceeded.",
    "I compare with the look before.",
];

/// The session.
pub(super) fn text() -> String {
    let mut choice = Choice::new(413);
    let mut runbook = INTRODUCTION.to_owned();
    fill_up(RULES, ("<rule>", "\n"), 30_000, &mut choice, &mut runbook);
    let mut request = Items::request("You are a careful operator.");
    request.user(&runbook);
    request.answer("I have read the runbook. Tell me when to start.");
    for (user, looks, answer) in TURNS {
        request.user(user);
        for _ in 0..looks {
            let mut table = String::new();
            let bytes = 15_000 + choice.below(4_000) as usize;
            fill_up(RULES, ("<pod>", "\n"), bytes, &mut choice, &mut table);
            let call = ToolCall::new("look", &[("detail", "pods"), ("sort", "none")], table);
            request.step(choice.of(&SAYS), &[call]);
        }
        request.answer(answer);
    }
    request.finish()
}
