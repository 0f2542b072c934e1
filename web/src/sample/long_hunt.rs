//! The long sample: a day's hunt for orders that are charged twice, in a Codex rollout that holds all of it.

use super::code::Choice;
use super::digging::{Hands, Turn, dig, turn};
use super::items::Items;

const INSTRUCTIONS: &str = "You are a coding agent in the repository `harbour-shop`. Find out before you change. Say what you ran and what it printed. Money is in integer cents. Never push, never touch `migrations/` without being asked.";

/// The session, turn by turn.
const TURNS: [Turn; 21] = [
    turn(
        "Since the weekend about one order a day is charged twice. Finance sent three: 51877, 51902 and 52010. Find out why, before there are more.",
        &["charge", "gateway", "receipt"],
        16,
        "Both charges of 51877 were asked for by our own server, 2.1 seconds apart and with two request ids. So the gateway did not repeat anything: we asked twice. I have not found yet who asked the second time.",
    ),
    turn(
        "Could it be customers who click twice?",
        &["submit", "session", "idempotent"],
        13,
        "No. The button is disabled at the first click, and the second request has no session: it comes from a worker, not from a browser. 51902 and 52010 look the same.",
    ),
    turn(
        "Then look at the webhooks. The gateway sends one for every payment.",
        &["webhook", "signature", "event"],
        15,
        "The webhook handler never charges. It only marks a payment as captured, and it ignores events that it has seen. It is slow, though: 1.8 seconds at the 95th percentile, and the gateway repeats an event after 2 seconds.",
    ),
    turn(
        "What about the retries of the HTTP client?",
        &["retry", "timeout", "backoff"],
        14,
        "The client repeats a request after a timeout, but with the same idempotency key, and the gateway answers with the first charge. I tried it against its sandbox: three requests, one charge. So it is something that makes a new key.",
    ),
    turn(
        "Who makes the keys?",
        &["idempotencyKey", "attempt", "order"],
        15,
        "`chargeKey` in the payment module: order id, amount and attempt. The attempt comes from the job. When a job is delivered again, the attempt is counted up, and the key is another one. That is enough for a double charge, if a job is ever delivered again although it has charged.",
    ),
    turn(
        "Is it? Show me a job that was delivered twice.",
        &["stalled", "lockDuration", "job"],
        17,
        "Yes: job 88213 of order 51877. It was taken at 09:14:02, its lock ended at 09:14:32, and at 09:14:33 another worker took it. The first one was still waiting for the gateway, whose answer took 34 seconds. The lock lasts 30.",
    ),
    turn(
        "Why only since the weekend? The lock has been 30 seconds for two years.",
        &["deploy", "timeout", "lockDuration"],
        14,
        "SHOP-902 raised the client's timeout from 20 to 45 seconds on Friday. Before that, no request could outlive the lock. Both values are right by themselves; nothing says that one must be smaller than the other.",
    ),
    turn(
        "Reproduce it in a test before you fix it.",
        &["charge", "clock", "queue"],
        16,
        "`src/checkout/charge-twice.test.ts` does it in 40 ms with a fake clock: a gateway that answers after 34 seconds, two workers, one job. It fails with 2 charges instead of 1, as in production.",
    ),
    turn(
        "Good. Fix the key first.",
        &["chargeKey", "attempt", "refund"],
        14,
        "The key is now made of order id, amount and purpose. The attempt is not in it any more. The test passes. One suite fails: partial captures charge the same amount twice on purpose, and now only the first one goes through.",
    ),
    turn(
        "Partial captures need to work, of course.",
        &["capture", "partial", "shipment"],
        15,
        "They have the shipment's id in the key instead. Two shipments of the same amount are two charges; one shipment that is asked for twice is one. I added both as examples.",
    ),
    turn(
        "Are there other places that make a key from something that changes?",
        &["randomUUID", "Date.now", "nonce"],
        15,
        "Two. Refunds use a random key for each try: a refund could be paid twice in the same way. Vouchers use the time in milliseconds. I have changed neither yet; say which you want in this change.",
    ),
    turn(
        "Refunds yes, vouchers in a change of their own.",
        &["refund", "voucher", "key"],
        13,
        "Refunds use the id of the refund's row, which is written before the gateway is asked. The voucher is a note in docs/money.md and a ticket text for you to paste.",
    ),
    turn(
        "Now the lock. What do you suggest?",
        &["lockDuration", "extendLock", "heartbeat"],
        14,
        "The worker should renew its lock while it waits, every 10 seconds, and give up if it cannot. A longer lock would only move the limit. If a worker dies, its job is taken over after 30 seconds as today.",
    ),
    turn(
        "Do that.",
        &["renew", "lock", "worker"],
        17,
        "Done: `holdLock` renews and aborts the request if the lock is lost. An aborted request may still have charged, which is why the key had to be mended first. All 412 tests pass.",
    ),
    turn(
        "Let it run in staging with a slow gateway for a while.",
        &["staging", "gateway", "reconcile"],
        16,
        "1,200 orders with answers between 1 and 60 seconds: 1,200 charges. One order was left without a receipt: the worker was stopped by the deployment between the charge and the write.",
    ),
    turn(
        "That one bothers me. Can it lose a payment?",
        &["receipt", "shutdown", "drain"],
        16,
        "The payment is not lost, only unknown until the reconcile job finds it at night. I let the worker finish its job before it stops, for up to 50 seconds; and at its start it asks the gateway about charges without a receipt.",
    ),
    turn(
        "Find all orders that were charged twice since Friday.",
        &["payment", "duplicate", "order"],
        14,
        "Seven orders, 1,284.30 € in total: the three from finance and 51934, 51968, 52044, 52051. Two of them have already been refunded by hand. The list is in `tmp/charged-twice.csv`.",
    ),
    turn(
        "Prepare the refunds, but do not run them.",
        &["refund", "dryRun", "mail"],
        13,
        "`scripts/refund-twice.ts --dry-run` prints the five that are left. It refuses to run without `--yes`, skips what has a refund, and uses the new keys, so running it twice does no harm.",
    ),
    turn(
        "We need to notice this ourselves next time.",
        &["alert", "metric", "reconcile"],
        13,
        "The reconcile job now counts charges for each order and key, and alerts at two. I ran it over last week: it finds the seven orders and nothing else.",
    ),
    turn(
        "Review your whole change as a stranger would.",
        &["lock", "key", "test"],
        16,
        "Three remarks. The name `purpose` was vague: it is `kind` now. A test slept 50 ms: it uses the fake clock. And the relation of the two limits was still nowhere: the worker refuses to start if the timeout is longer than the time in which it must renew.",
    ),
    turn(
        "Write down what happened for the team.",
        &["incident", "timeline", "lesson"],
        9,
        "docs/incidents/charged-twice.md: what customers saw, the timeline, the cause (a key that changed when a job was delivered again), why it began on Friday, what has changed, and what is left: vouchers, and the five refunds that wait for you.",
    ),
];

/// The session.
pub(super) fn text() -> String {
    let mut items = Items::rollout("/work/harbour-shop", INSTRUCTIONS);
    let mut choice = Choice::new(51_877);
    for turn in &TURNS {
        dig(&mut items, turn, (Hands::Shell, &mut choice), |_| {});
    }
    items.finish()
}
