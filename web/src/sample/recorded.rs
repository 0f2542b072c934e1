//! The sample with recorded compactions: a queue moves from Redis to `PostgreSQL`, as Claude Code stores it.

use super::claude_code::ClaudeCode;
use super::code::Choice;
use super::digging::{Hands, Turn, dig, turn};

/// From this size the agent clears old outputs, once; from this one it summarizes.
const CLEARS: u64 = 120_000;
const SUMMARIZES: u64 = 152_000;
/// How many outputs stay when the agent clears.
const KEPT: usize = 6;

const TURNS: [Turn; 11] = [
    turn(
        "We want to get rid of Redis. The only thing left in it is the job queue. Can PostgreSQL do it? Look at how the queue is used before you answer.",
        &["Queue", "Worker", "redis"],
        15,
        "Yes. There are six kinds of jobs, at most 40 a second, and all of them are started by something that writes to PostgreSQL anyway. `FOR UPDATE SKIP LOCKED` on one table is enough; and a job can then be written in the transaction of what starts it, which closes a gap that we have today.",
    ),
    turn(
        "Which gap?",
        &["enqueue", "transaction", "commit"],
        11,
        "An order is committed, and the server stops before the job is in Redis: nobody sends the mail. The reconcile job finds about two of them a month.",
    ),
    turn(
        "Write the table and the queue, with tests. The interface should stay what it is.",
        &["jobs", "claim", "visible_at"],
        18,
        "`src/queue/postgres-queue.ts` has the same interface as the old one, with `enqueue(job, tx)` as the only new argument. 31 tests, among them two workers that claim from the same table 10,000 times: no job is done twice, none is left.",
    ),
    turn(
        "Delayed jobs and retries?",
        &["delay", "retry", "backoff"],
        13,
        "Both are a time in `visible_at`. Retries double from 5 seconds up to an hour, at most 12 times; then a job is kept as failed with its last error. Redis dropped them after 7 days; here they stay until somebody decides.",
    ),
    turn(
        "Move the mails first.",
        &["mail", "template", "worker"],
        14,
        "Mails go through PostgreSQL if `QUEUE_MAIL=postgres`. Both workers run, so nothing that is already in Redis gets lost. All mail tests pass with either.",
    ),
    turn(
        "How does it behave under load?",
        &["claim", "index", "vacuum"],
        15,
        "300 jobs a second with four workers, at 3 ms for a claim; we need 40. Without the partial index on open jobs it was 41 ms after an hour, because done jobs stay in the table. They are deleted after a day now.",
    ),
    turn(
        "Move the rest.",
        &["webhook", "export", "invoice"],
        17,
        "All six kinds can be switched one by one. Exports needed a longer claim: they take up to 8 minutes, so their worker renews it every minute.",
    ),
    turn(
        "The staging deployment fails, see the log.",
        &["migration", "lock", "deploy"],
        12,
        "The migration waits for a lock that the old worker holds while it polls. Polling takes no lock on the table any more, and the migration has a lock timeout of 5 seconds and tries again.",
    ),
    turn(
        "What is left of Redis?",
        &["redis", "ioredis", "cache"],
        12,
        "Two files and a dependency: the old queue, which should stay until all switches are on for a week, and a cache of shipping zones that nothing reads since SHOP-871. I removed the cache.",
    ),
    turn(
        "Write the steps for the switch, one kind at a time, and how to go back.",
        &["switch", "rollback", "runbook"],
        10,
        "docs/queue.md: order of the kinds, what to watch for an hour after each, and how to go back: set the switch, let the new worker drain, nothing is lost in either direction. Step 7 removes the old queue.",
    ),
    turn(
        "Last look over everything, then I open the pull request.",
        &["Queue", "test", "flag"],
        11,
        "Ready. 2,140 lines added, 380 removed, 74 new tests. One thing to say in the pull request: failed jobs are kept now, so somebody has to look at them; the admin page lists them.",
    ),
];

/// What the agent wrote at each compaction.
const SUMMARIES: [&str; 4] = [
    "1. Request: replace the Redis job queue of harbour-shop by PostgreSQL; the interface of `Queue` stays.\n2. Findings: six kinds of jobs (mail, webhook, export, invoice, reconcile, stock), at most 40 a second, each started by a write to PostgreSQL. Gap today: commit without enqueue, about two a month.\n3. Decisions: one table `jobs`, `FOR UPDATE SKIP LOCKED`, `enqueue(job, tx)` inside the caller's transaction.\n4. Files: src/queue/queue.ts (interface), src/queue/redis-queue.ts (old), src/queue/postgres-queue.ts (new, in work), src/queue/postgres-queue.test.ts.\n5. Next: finish claim and its tests with two workers; then delays and retries.",
    "1. Request: as before; all kinds of jobs shall move, one by one, with a switch for each (`QUEUE_MAIL=postgres`).\n2. Done: src/queue/postgres-queue.ts with claim, delays (`visible_at`), retries (5 s doubling to 1 h, 12 times, then kept as failed); mails moved; all tests pass with either queue.\n3. Measured: 300 jobs a second with four workers; claim 3 ms with the partial index, 41 ms without after an hour.\n4. Open: done jobs are deleted after a day (job `sweep`), exports run up to 8 minutes and need a renewed claim.\n5. Next: move webhook, export, invoice, reconcile, stock.",
    "1. All six kinds can be switched; exports renew their claim every minute.\n2. Staging failed: the migration waited for a lock that the old worker held while polling. Fix: no lock on the table while polling, `lock_timeout` 5 s in the migration, three tries.\n3. The user never wants `migrations/` edited after they were merged: write a new one.\n4. Next: list what is left of Redis, then the runbook docs/queue.md, then a last review for the pull request.",
    "1. Everything is done but the review. docs/queue.md has the order of switches and the way back.\n2. Removed: cache of shipping zones (unused since SHOP-871). Kept until all switches are on for a week: src/queue/redis-queue.ts, ioredis.\n3. For the pull request: failed jobs are kept now; the admin page lists them.",
];

/// The session.
pub(super) fn text() -> String {
    let mut session = ClaudeCode::new();
    let mut choice = Choice::new(871);
    let summaries = std::cell::RefCell::new(SUMMARIES.iter());
    let cleared = std::cell::Cell::new(false);
    let full = |session: &mut ClaudeCode| {
        let tokens = session.tokens();
        if tokens > SUMMARIZES {
            if let Some(summary) = summaries.borrow_mut().next() {
                session.compact("auto", summary);
            }
        } else if tokens > CLEARS && !cleared.replace(true) {
            session.clear(KEPT);
        }
    };
    for turn in &TURNS {
        dig(&mut session, turn, (Hands::Tools, &mut choice), full);
    }
    session.finish()
}
