//! An amount that may not be known: `None` in Rust, so that it takes part in no arithmetic by mistake; 0 in JSON and in
//! JavaScript, as the systems' own settings have it.

use std::num::NonZeroU64;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The amount as JSON has it.
pub(crate) fn or_zero(amount: Option<NonZeroU64>) -> u64 {
    amount.map_or(0, NonZeroU64::get)
}

#[expect(clippy::ref_option, reason = "serde passes a reference")]
#[allow(clippy::trivially_copy_pass_by_ref, reason = "likewise; only where pointers have 64 bits")]
pub(crate) fn serialize<S: Serializer>(amount: &Option<NonZeroU64>, to: S) -> Result<S::Ok, S::Error> {
    or_zero(*amount).serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<NonZeroU64>, D::Error> {
    u64::deserialize(from).map(NonZeroU64::new)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use crate::policy::{Model, Policy};
    use crate::profiles;

    #[test]
    fn what_is_not_known_is_0_in_json_and_none_in_rust() {
        for (model, json) in [
            (Model::new(0), r#"{"context":0,"output":0,"input":0,"cacheLives":0}"#),
            (Model::new(200_000), r#"{"context":200000,"output":0,"input":0,"cacheLives":0}"#),
            (
                Model::new(8).output(4).input(6).cache_lives(2),
                r#"{"context":8,"output":4,"input":6,"cacheLives":2}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&model).unwrap(), json);
            assert_eq!(serde_json::from_str::<Model>(json).unwrap(), model);
            let policy = Policy { model, ..profiles::get("pi@1.5").unwrap() };
            assert_eq!(Policy::from_json(&policy.to_json()).unwrap(), policy);
            let written: serde_json::Value = serde_json::from_str(&policy.to_json()).unwrap();
            assert_eq!(written["model"], serde_json::from_str::<serde_json::Value>(json).unwrap());
        }
    }

    #[test]
    fn nothing_but_0_is_written_for_what_is_not_known() {
        let mut policy = profiles::get("pi@1.5").unwrap();
        for (value, context) in [("0", None), ("7", NonZeroU64::new(7)), ("0", None)] {
            policy.set("model.context", value).unwrap();
            assert_eq!(policy.model.context, context);
            assert_eq!(policy.figure("model.context"), Some(context.map_or(0, |known| known.get().into())));
        }
        for value in ["null", "-1", "1.5", "\"\""] {
            let error = policy.set("model.context", value).unwrap_err();
            assert!(
                error.message().ends_with("it must be a whole number of 0 or more"),
                "{}",
                error.message()
            );
        }
    }

    #[test]
    fn a_plan_reports_a_window_that_is_not_known_as_0() {
        let session = crate::SessionText::read(r#"[{"role": "user", "content": "hello"}]"#).unwrap();
        let mut policy = profiles::get("ebbline@1").unwrap();
        policy.model.context = None;
        let plan = session.plan(&policy);
        assert_eq!(plan.decision.trigger.context, None);
        assert!(plan.to_json().contains(r#""trigger":{"context":0,"#));
        let by_serde = serde_json::to_value(&plan).unwrap();
        assert_eq!(by_serde.pointer("/trigger/context"), Some(&serde_json::json!(0)));
    }
}
