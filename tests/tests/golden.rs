//! The vectors beside the project, if they exist: all with an adapter must be equal.

use ebbline_tests::{golden, shared};

#[test]
#[cfg_attr(not(has_golden_vectors), ignore = "there is no ../shared/golden")]
fn covered_vectors_are_equal() {
    let folder = shared("golden");
    let mut cases = 0;
    for file in golden::files(&folder).unwrap() {
        let report = golden::run(&file).unwrap();
        assert!(report.failures.is_empty(), "{}: {:#?}", report.file, report.failures);
        cases += if report.known { report.cases } else { 0 };
    }
    assert!(cases > 0, "no vector file has an adapter");
}
