//! The exchange with programs that run other libraries over recorded sessions: what they read, what they answer, and how it is judged.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use ebbline::economics::{Cache, Grid, Rates, SummaryContent};
use ebbline::{SessionText, profiles};
use ebbline_tests::peers::{Field, Life, Row};

const NAME: &str = "session.json";
const CONTENTS: [SummaryContent; 3] =
    [SummaryContent::Nothing, SummaryContent::ByRule, SummaryContent::Names(1_800)];

fn read(name: &str) -> String {
    let fixture: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts/peers/fixture").join(name);
    std::fs::read_to_string(fixture).unwrap()
}

/// The table without its head, a row a line, over the fixture with `ebbline@3` beside the peers.
fn table(rows: &str) -> Result<Vec<String>, String> {
    let texts = [(NAME.to_owned(), read(&format!("sessions/{NAME}")))];
    let points = Grid::over(profiles::get("ebbline@3").unwrap()).windows([2_000]).points().unwrap();
    let (rates, cache) = (Rates::default(), Cache::default());
    let field = Field { rates, cache, window: 2_000, overhead: 0, contents: &CONTENTS };
    let table = field.table(&texts, &Row::read(rows)?, &points)?;
    Ok(table
        .lines()
        .skip(2)
        .filter(|line| !line.is_empty())
        .map(|line| line.replace("**", "").replace("\\*", ""))
        .collect())
}

/// The line of a request.
fn row(request: usize, context: &str) -> String {
    format!(r#"{{"peer":"a peer","window":2000,"session":"{NAME}","request":{request},"context":{context}}}"#)
}

#[test]
fn a_life_is_the_line_that_other_programs_read() {
    let text = read(&format!("sessions/{NAME}"));
    let session = SessionText::read(text.as_str()).unwrap();
    let life = Life::of(NAME, &session, &profiles::get("ebbline@3").unwrap(), 0);
    assert_eq!(life.line(), read("lives.jsonl").trim_end());
}

#[test]
fn who_changes_nothing_costs_what_never_compacting_costs() {
    let rows = table(&row(0, "[[0,1]]")).unwrap();
    let [_, peer] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!(peer, "| a peer | +0 % | 0.0 | 0.0 | 0.0 | 0 / 0 | 9 | 0 | 0 |");
}

#[test]
fn every_fault_of_a_context_is_counted() {
    // Parts 2 and 3 are the first call and its result; request 2 is the first that sends both and the next call with its result.
    let all = "[4,6]";
    for (context, expected) in [
        (format!("[[0,3],{all}]"), "0 | 0"),
        (format!("[[0,2],{all}]"), "14 | 0"),
        (format!("[[0,1],[3,3],{all}]"), "14 | 0"),
        (format!("[[0,0],[2,3],{all}]"), "0 | 14"),
        ("[]".to_owned(), "1 | 13"),
        (format!(r#"[{{"role":"user","text":"so far"}},{all}]"#), "0 | 0"),
        (format!(r#"[[0,2],{{"part":3,"text":"gone"}},{all}]"#), "0 | 0"),
    ] {
        let rows = table(&format!("{}\n{}", row(0, "[[0,1]]"), row(2, &context))).unwrap();
        assert!(rows.last().unwrap().ends_with(&format!("| {expected} |")), "{context}: {rows:?}");
    }
}

#[test]
fn rows_that_do_not_fit_a_life_are_named() {
    let whole = row(0, "[[0,1]]");
    for (rows, expected) in [
        (row(1, "[[0,3]]"), "session.json: the first request has no row".to_owned()),
        (format!("{whole}\n{}", row(99, "[]")), "a peer, session.json: there is no request 99".to_owned()),
        (row(0, "[[0,5]]"), "a peer, session.json, request 0: part 5 is not there yet".to_owned()),
        (
            row(0, r#"[{"role":"nobody","text":""}]"#),
            "a peer, session.json, request 0: there is no role \"nobody\"".to_owned(),
        ),
        (
            format!("{whole}\n{}", whole.replace("a peer", "b").replace(NAME, "x")),
            "b has no rows of session.json".to_owned(),
        ),
    ] {
        assert_eq!(table(&rows).unwrap_err(), expected);
    }
}

#[test]
fn the_rows_of_real_libraries_are_judged() {
    let expected = "\
| ebbline@3 | -9 % | 0.0 | 0.0 | 0.0 | 3 / 0 | 0 | 0 | 0 |\n\
| @langchain/core 1.4.0, trimMessages to 85 %, startOn human | -9 % | 6.2 | 6.2 | 6.2 | 1 / 0 | 4 | 0 | 0 |\n\
| ai 7.0.173, pruneMessages, every request, before-last-20-messages | +141 % | 6.2 | 6.2 | 6.2 | 5 / 0 | 9 | 0 | 0 |\n\
| ai 7.0.173, pruneMessages, when half full, kept | +141 % | 6.2 | 6.2 | 6.2 | 5 / 0 | 9 | 0 | 0 |\n\
| langchain 1.5.14, ClearToolUsesEdit at 50 %, keep 3 | +47 % | 0.0 | 0.0 | 0.0 | 9 / 0 | 0 | 0 | 0 |\n\
| langchain 1.5.14, summarizationMiddleware at 85 %, keep 10 % | +46 % | 6.2 | 6.2 | 0.0 | 0 / 1 | 4 | 0 | 0 |";
    assert_eq!(table(&read("rows.jsonl")).unwrap().join("\n"), expected);
}
