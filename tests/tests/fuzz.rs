//! Damaged sessions: no text may make the engine panic, hang, lose bytes or use unlimited memory.
//!
//! The cases are the same ones every time. To try more, or others:
//! `PROPTEST_CASES=1000000 PROPTEST_RNG_SEED=2 cargo test --release -p ebbline-tests --test fuzz`. `EBBLINE_FUZZ_TARGET` is `parse`,
//! a format's name or `every_format`; `EBBLINE_FUZZ_SEEDS` is a folder with more sessions to damage.
//!
//! Cases run on one thread with a stack as large as that of WebAssembly, and all their allocations are counted, so this file
//! has one test.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on has failed; figures")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use ebbline_tests::cases;
use ebbline_tests::fuzz::choices::Choices;
use ebbline_tests::fuzz::oracle::{Seen, Target};
use ebbline_tests::fuzz::seeds::{self, Seed};
use ebbline_tests::fuzz::{CHOICES, damage};
use peak_alloc::PeakAlloc;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The stack of a WebAssembly module, as set by the Rust linker.
const STACK: usize = 1 << 20;
/// Over all targets: what half a minute is enough for.
const CASES: u32 = 50_000;

/// The text of the case that runs, and when it began.
type Case = Arc<Mutex<(Instant, String)>>;

#[test]
fn damaged_sessions_do_no_harm() {
    let seeds = Arc::new(seeds::all(env::var_os("EBBLINE_FUZZ_SEEDS").map(PathBuf::from).as_deref()));
    let wanted = env::var("EBBLINE_FUZZ_TARGET").ok();
    let mut targets = Target::every();
    targets.retain(|target| wanted.as_deref().is_none_or(|wanted| target.name() == wanted));
    assert!(!targets.is_empty(), "there is no target {wanted:?}");
    let share = cases(CASES).div_ceil(targets.len() as u32);
    for target in targets {
        let case: Case = Arc::new(Mutex::new((Instant::now(), String::new())));
        let (seeds, shown) = (Arc::clone(&seeds), Arc::clone(&case));
        let worker = thread::Builder::new().stack_size(STACK);
        let worker = worker.spawn(move || check(target, &seeds, share, &shown)).unwrap();
        while !worker.is_finished() {
            thread::sleep(Duration::from_millis(50));
            end_if_hung(&case.lock().unwrap(), target);
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

fn check(target: Target, seeds: &Arc<Vec<Seed>>, cases: u32, shown: &Case) {
    let config = ProptestConfig::default();
    let mut runner = TestRunner::new(ProptestConfig {
        cases,
        rng_seed: if config.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { config.rng_seed },
        failure_persistence: None,
        max_shrink_iters: 2_000,
        ..config
    });
    let started = Instant::now();
    let figures = Mutex::new((0_u32, 0_f64));
    let result = runner.run(&damaged(target, seeds), |case| {
        let text = case.text;
        *shown.lock().unwrap() = (Instant::now(), text.clone());
        let began = Instant::now();
        let Seen { is_session, memory } = target.check(&text).map_err(TestCaseError::fail)?;
        prop_assert!(began.elapsed() < limit(&text), "slow: {:?} for {} bytes", began.elapsed(), text.len());
        let mut figures = figures.lock().unwrap();
        *figures = (figures.0 + u32::from(is_session), figures.1.max(memory));
        Ok(())
    });
    let (sessions, memory) = *figures.lock().unwrap();
    let (name, took) = (target.name(), started.elapsed().as_secs_f64());
    println!(
        "{name}: {cases} cases in {took:.1} s, {sessions} sessions, memory up to {memory:.1} times the text"
    );
    result.unwrap_or_else(|why| panic!("{name}: {why}"));
}

/// A seed and the mutations that it went through. To simplify a case is to leave mutations out, and to choose what comes first.
#[derive(Clone, Debug)]
struct Damaged {
    #[expect(dead_code, reason = "for the report of a failure")]
    seed: String,
    text: String,
}

fn damaged(target: Target, all: &Arc<Vec<Seed>>) -> impl Strategy<Value = Damaged> {
    let own: Vec<usize> = seeds::of(all, target)
        .iter()
        .filter_map(|one| all.iter().position(|seed| std::ptr::eq(*one, seed)))
        .collect();
    let all = Arc::clone(all);
    let mutations = vec(vec(any::<u32>(), CHOICES), 1..8);
    (0..own.len(), mutations).prop_map(move |(at, mutations)| {
        let own: Vec<&Seed> = own.iter().filter_map(|at| all.get(*at)).collect();
        let seed = own.get(at).unwrap();
        let mut text = seed.text.clone();
        for numbers in mutations {
            damage(&mut text, &own, &all, &mut Choices::new(&numbers));
        }
        Damaged { seed: seed.name.clone(), text }
    })
}

/// How long a case may take: five seconds, and one more per 20 kB. That is a thousand times the usual time, because the machine
/// may be busy.
fn limit(text: &str) -> Duration {
    Duration::from_secs(5) + Duration::from_micros(50 * text.len() as u64)
}

/// Ends the program if a case takes far too long, because a hang cannot be caught.
fn end_if_hung((began, text): &(Instant, String), target: Target) {
    if began.elapsed() > 10 * limit(text) {
        let path = env::temp_dir().join(format!("ebbline-{}-hung.txt", target.name()));
        fs::write(&path, text).unwrap();
        println!("a case does not come to an end; its text is in {}", path.display());
        std::process::exit(3);
    }
}
