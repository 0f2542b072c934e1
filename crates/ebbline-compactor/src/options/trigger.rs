//! The caller's own trigger: `{"messages": 200}`, joined by `all` and `any`.

use ebbline::controller::Trigger;
use ebbline::json::{Document, Value};
use ebbline::{Error, binding};

use crate::error::invalid;

/// What a trigger may test, in the order of the engine's figures.
const TESTS: [&str; 6] = ["tokens", "share", "reserve", "messages", "turns", "idle"];
const ALL: f64 = 6.0;
const ANY: f64 = 7.0;
const DEEPEST: usize = 16;
/// The most figures of a trigger, two for each test.
const LONGEST: usize = 2_000;

/// Reads a trigger that is JSON.
///
/// # Errors
///
/// `not_json`, `invalid_option`.
pub fn trigger_of(when: &str) -> Result<Trigger, Error> {
    trigger(Document::parse(when)?.root())
}

/// Reads a trigger.
///
/// # Errors
///
/// `invalid_option`.
pub(crate) fn trigger(when: Value<'_>) -> Result<Trigger, Error> {
    let mut figures = Vec::new();
    add(&mut figures, when, 0)?;
    Trigger::of_figures(&figures).ok_or_else(|| refused("it is none"))
}

fn add(figures: &mut Vec<f64>, when: Value<'_>, depth: usize) -> Result<(), Error> {
    let mut count = 0;
    if depth > DEEPEST {
        return Err(refused("it is nested too deeply"));
    }
    for (name, value) in when.members() {
        match &*name.decode() {
            name @ ("all" | "any") => add_joined(figures, name, value, depth)?,
            name => add_test(figures, name, value)?,
        }
        if figures.len() > LONGEST {
            return Err(refused("it has too many tests"));
        }
        count += 1;
    }
    match count {
        0 => return Err(refused("it must be an object with a test")),
        1 => {}
        _ => figures.extend([ALL, f64::from(count)]),
    }
    Ok(())
}

fn add_joined(figures: &mut Vec<f64>, name: &str, list: Value<'_>, depth: usize) -> Result<(), Error> {
    let mut count = 0;
    for one in list.elements() {
        add(figures, one, depth + 1)?;
        count += 1;
    }
    if count == 0 {
        return Err(refused(&format!("{name} must be a list of triggers")));
    }
    figures.extend([if name == "all" { ALL } else { ANY }, f64::from(count)]);
    Ok(())
}

fn add_test(figures: &mut Vec<f64>, name: &str, value: Value<'_>) -> Result<(), Error> {
    let Some(test) = TESTS.iter().position(|known| *known == name) else {
        let meant = binding::nearest(name, TESTS);
        let meant = meant.map(|known| format!("; did you mean {known}?")).unwrap_or_default();
        return Err(refused(&format!("it has no test {name}{meant}")));
    };
    let is_share = name == "share";
    let amount = value.number().filter(|amount| *amount >= 0.0 && (!is_share || *amount <= 1.0));
    let wanted = if is_share { "a share from 0 to 1" } else { "a number of 0 or more" };
    let amount = amount.ok_or_else(|| refused(&format!("{name} must be {wanted}")))?;
    figures.extend([test as f64, amount]);
    Ok(())
}

fn refused(why: &str) -> Error {
    invalid(format!(
        "the option when does not fit: {why}. It tests tokens, share, reserve, messages, turns or idle, and joins tests by all and any"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebbline::controller::Facts;

    fn of(when: &str) -> Result<Trigger, Error> {
        trigger_of(when)
    }

    #[test]
    fn tests_are_joined() {
        let mut facts = Facts::default();
        (facts.tokens, facts.window) = (60_000, Some(100_000));
        (facts.messages, facts.turns) = (40, 3);
        for (when, holds) in [
            (r#"{"messages":40}"#, true),
            (r#"{"messages":41}"#, false),
            (r#"{"share":0.6}"#, true),
            (r#"{"messages":40,"turns":4}"#, false),
            (r#"{"any":[{"messages":41},{"turns":3}]}"#, true),
            (r#"{"all":[{"messages":40},{"any":[{"tokens":70000},{"reserve":40000}]}]}"#, true),
            (r#"{"idle":0}"#, false),
        ] {
            assert_eq!(of(when).unwrap().holds(&facts), holds, "{when}");
        }
    }

    #[test]
    fn what_is_no_trigger_is_refused() {
        let deep = format!("{}{}", r#"{"all":["#.repeat(20), "]}".repeat(20));
        for when in [
            "7", "{}", "[]", r#"{"share":2}"#, r#"{"tokens":-1}"#, r#"{"mesages":1}"#, r#"{"all":[]}"#, &deep,
        ] {
            assert_eq!(of(when).unwrap_err().code(), "invalid_option", "{when}");
        }
        let error = of(r#"{"mesages":1}"#).unwrap_err();
        assert!(error.message().contains("did you mean messages?"), "{}", error.message());
    }
}
