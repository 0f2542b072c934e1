//! A summary that shows nothing never replaces history. `tests/npm/summary.test.mjs` checks the npm package with the
//! same table.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(clippy::indexing_slicing, reason = "an index that is out of range is a failure to see")]

use ebbline::policy::Estimator;
use ebbline::summary::{Answer, FileLists, SummaryContext, finish, is_blank};
use ebbline::{EditOptions, PlanOptions, SessionText};

fn table(name: &str) -> Vec<String> {
    let table: serde_json::Value = serde_json::from_str(include_str!("../blank-summaries.json")).unwrap();
    serde_json::from_value(table[name].clone()).unwrap()
}

#[test]
fn a_blank_summary_replaces_nothing_and_a_word_does() {
    let text = r#"[{"role":"user","content":"Hello?"},{"role":"assistant","content":"Hello."},
        {"role":"user","content":"And now?"},{"role":"assistant","content":"Now this."}]"#;
    let session = SessionText::read(text).unwrap();
    let mut policy = ebbline::profiles::get("pi@1.5").unwrap();
    policy.set("retain.keep", "1").unwrap();
    let plan = session.plan_with(&policy, PlanOptions::new().force(true));
    assert!(plan.decision.retain.applied);
    let compacted = |summary: &str| {
        let options = EditOptions::new().summary(summary);
        session.compact(&plan, &options).unwrap()
    };
    for blank in table("blank") {
        assert!(is_blank(&blank), "{blank:?}");
        assert_eq!(compacted(&blank), text, "{blank:?}");
    }
    for words in table("words") {
        assert!(!is_blank(&words), "{words:?}");
        assert_ne!(compacted(&words), text, "{words:?}");
    }
}

#[test]
fn a_blank_answer_is_no_summary() {
    let context = SummaryContext::new(FileLists::default(), 1_000, Estimator::default());
    for blank in table("blank") {
        let refused = |text: &str| finish(&context, Answer::new(text, false)).map_err(|error| error.code());
        assert_eq!(refused(&blank), Err("empty_summary"), "{blank:?}");
        assert_eq!(refused(&format!("## Goal\n{blank}")), Err("empty_summary"), "{blank:?}");
    }
}
