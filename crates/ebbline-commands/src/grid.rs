//! The grid of a sweep: from the command line, or from a file of JSON.

use ebbline::economics::Grid;
use ebbline::json::{Document, quote};
use ebbline::notation::javascript::members;
use ebbline::{Error, ErrorCode};

use crate::engine_options::{EngineOptions, knob};
use crate::failure::Failure;
use crate::io::Io;
use crate::name::Name;
use crate::policy_options;
use crate::values::{Values, amount_of};

const MEMBERS: [&str; 4] = ["policy", "set", "windows", "policies"];

/// A grid as JSON.
#[derive(Clone, Debug)]
pub(crate) struct GridDescription(String);

impl GridDescription {
    /// What the command line describes. A grid that names nothing at all consists of every profile.
    pub(crate) async fn of(values: &Values, io: &Io) -> Result<Self, Failure> {
        match Self::of_options(values)? {
            (described, None) => Ok(described),
            (_, Some(name)) => Self::of_text(io.read_text(&name).await?, &name),
        }
    }

    /// What options describe, or the file that they name instead.
    fn of_options(values: &Values) -> Result<(Self, Option<Name>), Failure> {
        let mut members = members_of(values)?;
        if let Some(name) = values.text("grid").map(Name::from) {
            if members.is_empty() {
                return Ok((Self(String::new()), Some(name)));
            }
            let sentence = "--grid FILE is a whole grid: nothing else of a grid can be given beside it";
            return Err(Failure::Usage(sentence.to_owned()));
        }
        let names_none = members.iter().all(|(member, _)| *member == "windows");
        if names_none || values.text("policies") == Some("all") {
            let all = ebbline::profiles::ALL.iter().map(|profile| quote(profile.name));
            members.retain(|(member, _)| *member != "policies");
            members.push(("policies", list(all)));
        }
        let members = members.iter().map(|(member, value)| format!("\"{member}\":{value}"));
        Ok((Self(format!("{{{}}}", members.collect::<Vec<_>>().join(","))), None))
    }

    fn of_text(text: String, name: &Name) -> Result<Self, Failure> {
        match Document::parse(&text) {
            Ok(_) => Ok(Self(text)),
            Err(error) => Err(Failure::File(format!("{} holds no grid: {error}", name.said()))),
        }
    }

    /// A grid that was described before.
    pub(crate) fn again(json: &str) -> Self {
        Self(json.to_owned())
    }

    /// It as JSON.
    pub(crate) fn json(&self) -> &str {
        &self.0
    }

    /// The grid of the engine; `options` hold the model's limits.
    pub(crate) fn grid(&self, options: &EngineOptions) -> Result<Grid, Error> {
        let document = Document::parse(&self.0)?;
        let root = document.root();
        if !root.is_object() {
            return Err(invalid("a grid must be an object"));
        }
        for (name, _) in members(root) {
            if !MEMBERS.iter().any(|member| name.is(member)) {
                let (name, members) = (name.decode(), MEMBERS.join(", "));
                return Err(invalid(format!("a grid has no member {name}: it has {members}")));
            }
        }
        Grid::described(root, |given| policy_options::policy(given, options))
    }

    /// Whether a window is given.
    pub(crate) fn has_window(&self) -> bool {
        Document::parse(&self.0).is_ok_and(|document| {
            let root = document.root();
            let axis = root.get("set").and_then(|set| set.get("model.context"));
            root.get("windows").or(axis).is_some()
        })
    }

    /// The name of the policy over which the values are laid; `None` if it has none.
    pub(crate) fn profile(&self) -> Option<String> {
        let document = Document::parse(&self.0).ok()?;
        Some(document.root().text_of("policy")?.decode().into_owned())
    }
}

/// The members that options name.
fn members_of(values: &Values) -> Result<Vec<(&'static str, String)>, Failure> {
    let policy = one_of(values, "policy", "profile")?;
    let windows = one_of(values, "window", "context")?;
    let mut axes: Vec<(String, String)> = Vec::new();
    for setting in values.texts("set") {
        let (path, values) = axis(setting)?;
        match axes.iter_mut().find(|(known, _)| *known == path) {
            Some(known) => known.1 = values,
            None => axes.push((path, values)),
        }
    }
    let mut members = Vec::new();
    members.extend(policy.map(|name| ("policy", quote(name))));
    if !axes.is_empty() {
        let axes = axes.iter().map(|(path, values)| format!("{}:{values}", quote(path)));
        members.push(("set", format!("{{{}}}", axes.collect::<Vec<_>>().join(","))));
    }
    members.extend(values.text("policies").map(|names| ("policies", list(names.split(',').map(quote)))));
    if let Some(windows) = windows {
        let windows = windows.split(',').map(|window| amount_of("window", window, "a number of tokens"));
        let windows = windows.collect::<Result<Vec<u64>, _>>()?;
        members.push(("windows", list(windows.iter().map(u64::to_string))));
    }
    Ok(members)
}

fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(","))
}

/// Of two names for the same, the one that is given.
fn one_of<'v>(values: &'v Values, name: &str, other: &str) -> Result<Option<&'v str>, Failure> {
    if values.has(name) && values.has(other) {
        return Err(Failure::Usage(format!("--{name} and --{other} are the same: give one")));
    }
    Ok(values.text(name).or_else(|| values.text(other)))
}

/// `path=value,value`: each value is JSON, or else a text. A list in JSON is a list of values.
fn axis(setting: &str) -> Result<(String, String), Failure> {
    let (path, json) = knob(setting)?;
    // What the engine refuses to read, it refuses as a value.
    let Ok(document) = Document::parse(&json) else { return Ok((path, list([json].into_iter()))) };
    let root = document.root();
    let values = match root.text() {
        _ if root.is_array() => json.clone(),
        None => list([json.clone()].into_iter()),
        Some(text) => {
            let text = text.decode();
            let values = text.split(',').map(|value| Ok(knob(&format!("{path}={value}"))?.1));
            list(values.collect::<Result<Vec<_>, Failure>>()?.into_iter())
        }
    };
    Ok((path, values))
}

fn invalid(sentence: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidOption, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(given: &[(&'static str, &str)]) -> Result<GridDescription, String> {
        let given = given.iter().map(|(name, value)| (*name, Some((*value).to_owned()))).collect();
        let described = GridDescription::of_options(&Values::new(given));
        described.map(|(described, _)| described).map_err(|failure| failure.message())
    }

    #[test]
    fn values_are_json_or_texts_and_a_list_in_json_is_a_list_of_values() {
        let given = [
            ("policy", "pi@1.5"),
            ("set", "prune.enabled=true,false"),
            ("set", "a=1"),
            ("set", "prune.protectedTools=[[\"skill\"],[\"skill\",\"task\"]]"),
            ("set", "a=x, 2 ,\"y\",1e999"),
            ("context", "200_000,32000"),
        ];
        assert_eq!(
            described(&given).unwrap().0,
            "{\"policy\":\"pi@1.5\",\"set\":{\"prune.enabled\":[true,false],\"a\":[\"x\",2,\"y\",\"1e999\"],\
             \"prune.protectedTools\":[[\"skill\"],[\"skill\",\"task\"]]},\"windows\":[200000,32000]}"
        );
    }

    #[test]
    fn a_grid_that_names_nothing_is_every_profile() {
        let count = ebbline::profiles::ALL.len();
        let options = EngineOptions::default();
        let points = |given: &[(&'static str, &str)]| {
            described(given).unwrap().grid(&options).unwrap().points().unwrap().len()
        };
        assert_eq!(points(&[]), count);
        assert_eq!(points(&[("window", "1000,2000")]), 2 * count);
        assert_eq!(points(&[("policy", "pi@1.5"), ("policies", "all")]), 1 + count);
        assert_eq!(points(&[("policies", "pi@1.5")]), 1);
        assert_eq!(described(&[]).unwrap().profile(), None);
        let named = described(&[("policy", "pi@1.5")]).unwrap();
        assert_eq!((named.profile().as_deref(), named.has_window()), (Some("pi@1.5"), false));
        for given in [("window", "9000"), ("set", "model.context=9000")] {
            assert!(described(&[given]).unwrap().has_window());
        }
    }

    #[test]
    fn what_is_no_grid_is_refused_with_a_sentence() {
        for (json, sentence) in [
            ("[]", "a grid must be an object"),
            (r#"{"window":1}"#, "a grid has no member window: it has policy, set, windows, policies"),
            (r#"{"windows":[0]}"#, "a grid's windows must be whole numbers of 1 or more, in tokens"),
            (r#"{"windows":[1.5]}"#, "a grid's windows must be whole numbers of 1 or more, in tokens"),
            (r#"{"windows":1}"#, "a grid's windows must be a list"),
            (r#"{"set":{"prune.protect":3}}"#, "a grid's set[\"prune.protect\"] must be a list"),
            (r#"{"set":null}"#, "a grid's set must be an object"),
            (r#"{"policies":[null]}"#, "the options must be an object"),
        ] {
            let error = GridDescription(json.to_owned()).grid(&EngineOptions::default()).unwrap_err();
            assert_eq!(error.message(), sentence, "{json}");
        }
        for given in [&[("policy", "a"), ("profile", "b")][..], &[("window", "1"), ("context", "2")]] {
            assert!(described(given).unwrap_err().ends_with("are the same: give one"));
        }
        assert_eq!(
            described(&[("window", "1,x")]).unwrap_err(),
            "--window must be a number of tokens, not x"
        );
    }
}
