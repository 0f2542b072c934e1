//! The maximum error of the estimate of `ebbline@1`: in each class of text, and in predicting reported sizes.

use ebbline::length::Unit;
use ebbline::profiles;
use ebbline_tests::estimator::calls::{self, Arguments, Call, OF_EACH, SIZES, Shape, calls};
use ebbline_tests::estimator::corpus::Class;
use ebbline_tests::estimator::document::{insert, median_of_medians, sizes};
use ebbline_tests::estimator::prediction::{Prediction, Way, reported};
use ebbline_tests::estimator::quantile;
use ebbline_tests::estimator::texts::{Estimator, Text, committed, error, of_sessions, tokenizer};
use ebbline_tests::shared;

#[test]
fn every_class_of_text_is_near_its_true_count() {
    let texts = committed(&tokenizer().unwrap());
    // For the sum of all texts of the class, and for the median of single texts.
    let bounds = [
        (Class::Prose, 0.05, 0.08),
        (Class::Code, 0.07, 0.11),
        (Class::Json, 0.05, 0.08),
        (Class::Digits, 0.11, 0.11),
        (Class::Cjk, 0.05, 0.06),
        (Class::Base64, 0.05, 0.06),
        (Class::Emoji, 0.07, 0.08),
        (Class::Logs, 0.08, 0.08),
        (Class::Languages, 0.05, 0.14),
    ];
    assert_eq!(bounds.map(|(class, ..)| class), Class::ALL);
    for (class, most_of_all, most_of_one) in bounds {
        let of_class: Vec<&Text> = texts.iter().filter(|text| text.group == class.name()).collect();
        let off = error(&of_class, Estimator::Classes).unwrap();
        assert!(off.sum.abs() < most_of_all && off.median < most_of_one, "{}: {off:?}", class.name());
    }
    let all: Vec<&Text> = texts.iter().collect();
    let [ours, quarter] = [Estimator::Classes, Estimator::Quarter].map(|by| error(&all, by).unwrap());
    assert!(ours.sum.abs() < 0.03 && ours.median * 5.0 < quarter.median, "{ours:?} {quarter:?}");
}

#[test]
fn arguments_of_every_kind_and_size_are_near_what_is_billed_in_every_shape() {
    assert_eq!(profiles::get("ebbline@2").unwrap().estimator.unit, Unit::ClassesOfJson);
    let all = calls(&tokenizer().unwrap());
    assert_eq!(all.len(), Arguments::ALL.len() * SIZES.len() * OF_EACH as usize);
    for (kind, size) in Arguments::ALL.into_iter().flat_map(|kind| SIZES.map(|size| (kind, size))) {
        let of: Vec<&Call> = all.iter().filter(|call| call.kind == kind && call.size == size).collect();
        let tokens = of.iter().map(|call| call.tokens).sum::<u64>() as f64 / OF_EACH as f64;
        for shape in Shape::ALL {
            let [of_all, of_one] = calls::error(&of, shape, Unit::ClassesOfJson).unwrap();
            let what = format!("{} of {tokens}, {shape:?}: {of_all:+.3}, {of_one:+.3}", kind.name());
            // A difference of a few tokens is a large share of a small call.
            assert!(of_all.abs() < 0.08 || of_all.abs() * tokens < 6.0, "{what}");
            // Languages differ from each other: Polish costs more than is estimated, Hindi less.
            assert!(of_one.abs() < if kind == Arguments::Languages { 0.2 } else { 0.12 }, "{what}");
        }
        let objects = [Shape::Anthropic, Shape::AiSdk]
            .map(|shape| of.iter().map(|call| shape.length(&call.arguments)).collect::<Vec<_>>());
        assert_eq!(objects[0], objects[1]);
    }
}

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn arguments_in_real_sessions_are_nearer_to_what_is_billed_than_before() {
    let all = calls::recorded(&shared("sessions"), &tokenizer().unwrap());
    let [before, now] = [Unit::Classes, Unit::ClassesOfJson]
        .map(|unit| calls::error_of_recorded(&all.iter().collect::<Vec<_>>(), unit));
    assert!(now.abs() < 0.04 && before < -0.1, "{before:+.3} {now:+.3}");
}

#[test]
fn the_made_texts_are_always_the_same() {
    let tokenizer = tokenizer().unwrap();
    let sizes = |texts: Vec<Text>| texts.iter().map(|text| text.tokens).collect::<Vec<_>>();
    assert_eq!(sizes(committed(&tokenizer)), sizes(committed(&tokenizer)));
}

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn the_texts_of_real_sessions_are_near_their_true_counts() {
    let folder = shared("sessions");
    let texts = of_sessions(&folder, &tokenizer().unwrap());
    let off = error(&texts.iter().collect::<Vec<_>>(), Estimator::Classes).unwrap();
    assert!(off.sum.abs() < 0.05 && off.median < 0.08, "{off:?}");
}

#[test]
#[cfg_attr(not(has_real_sessions), ignore = "there is no ../shared/sessions")]
fn reported_sizes_are_predicted_within_five_in_a_hundred() {
    let folder = shared("sessions");
    let sessions = reported(&folder);
    for ahead in [1, 4, 16] {
        let each: Vec<Vec<Prediction>> = sessions.iter().map(|session| session.predictions(ahead)).collect();
        let all: Vec<Prediction> = each.iter().flatten().copied().collect();
        let median = |way| quantile(&sizes(&all, way), 0.5).unwrap();
        assert!(median(Way::Calibrated) < 0.05, "{ahead} ahead");
        assert!(median(Way::Calibrated) < median(Way::Uncalibrated), "{ahead} ahead");
        // Sixteen requests ahead there are only four sessions, which is too few.
        if ahead < 16 {
            assert!(median_of_medians(&each, Way::Calibrated).unwrap() < 0.05, "{ahead} ahead, by session");
        }
    }
}

#[test]
fn a_table_takes_its_place_in_the_document() {
    let document = "One.\n<!-- each: begin -->\nold\n<!-- each: end -->\nTwo.\n<!-- sessions: begin -->\n";
    let tables = [("each", "| new |\n".to_owned()), ("sessions", "no end".to_owned())].into();
    let expected =
        "One.\n<!-- each: begin -->\n\n| new |\n\n<!-- each: end -->\nTwo.\n<!-- sessions: begin -->\n";
    assert_eq!(insert(document, &tables), expected);
}
