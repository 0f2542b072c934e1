//! The words, the knobs and the policy as types of Python, so that an editor shows every one of them.

use std::fmt::Display;

use ebbline::binding::form::{Form, Member};
use ebbline::plan::VerdictReason;
use ebbline::policy::knob::{About, GROUPS, Kind};
use ebbline::replay::{Moments, UsageFrom};
use ebbline::transcript::Role;
use ebbline::validate::Rule;
use ebbline::{Fate, Format, Policy, Reason, Verdict, profiles};
use ebbline_json::words::Word;

use crate::prose::{NOTE, camel, plain};
use crate::reports;

/// The tool that gets a cleared output back, in each spelling.
pub(crate) fn recall_tools() -> String {
    let tools = ebbline_compactor::binding::recall_tools();
    let names = tools.each_ref().map(|(spelling, _)| format!("\"{spelling}\"")).join(", ");
    let tools = tools.map(|(spelling, json)| format!("    \"{spelling}\": '{json}',\n")).concat();
    format!(
        "\"\"\"{NOTE}\"\"\"\n\nfrom __future__ import annotations\n\nfrom typing import Literal\n\n\
         Spelling = Literal[{names}]\n\n\
         # The tool that gets a cleared output back as JSON, in each provider's spelling.\n\
         RECALL_TOOLS: dict[Spelling, str] = {{\n{tools}}}\n"
    )
}

/// The file.
pub(crate) fn knobs() -> String {
    let mut text = format!(
        "\"\"\"{NOTE}\"\"\"\n\nfrom __future__ import annotations\n\n\
         from collections.abc import Mapping, Sequence\nfrom typing import Any, Literal, TypedDict\n"
    );
    let formats: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
    let profiles: Vec<_> = profiles::ALL.iter().map(|profile| profile.name).collect();
    for (name, words) in [
        ("FormatName", &formats[..]),
        ("ProfileName", &profiles),
        ("RuleName", Rule::WORDS.words),
        ("UsageFrom", UsageFrom::WORDS.words),
        ("DecisionMoments", Moments::WORDS.words),
        ("Verdict", Verdict::WORDS.words),
        ("VerdictReason", VerdictReason::WORDS.words),
        ("Fate", Fate::WORDS.words),
        ("Reason", Reason::WORDS.words),
        ("Role", Role::WORDS.words),
    ] {
        text.push_str(&format!("\n{name} = {}\n", literal(words)));
    }
    for group in GROUPS {
        let knobs = group.knobs.iter().map(|knob| (name_of(knob), type_of(knob, false), plain(knob.about)));
        text.push_str(&class(group.name, &plain(group.about.about), knobs));
    }
    let groups = GROUPS.map(|group| (group.about.path, group.name.to_owned(), plain(group.about.about)));
    let others = [
        ("profile", "str".to_owned(), "The profile that it came from.".to_owned()),
        (
            "shares",
            "Mapping[str, str]".to_owned(),
            "Knobs given as a share of the context window.".to_owned(),
        ),
        ("models", "Mapping[str, Any]".to_owned(), "Partial policies for single models.".to_owned()),
    ];
    text.push_str(&class(
        "PolicyPart",
        "A policy, or any part of one, as it is stored.",
        groups.into_iter().chain(others),
    ));
    let knobs = GROUPS.iter().flat_map(|group| group.knobs);
    let knobs: String =
        knobs.map(|knob| format!("        \"{}\": {},\n", knob.path, type_of(knob, true))).collect();
    text.push_str(&format!(
        "\nKnobs = TypedDict(\n    \"Knobs\",\n    {{\n{knobs}    }},\n    total=False,\n)\n"
    ));
    text.push_str("\"\"\"Single knobs by their path. An amount of tokens may also be a share of the window, such as ``\\\"10%\\\"``.\"\"\"\n");
    text
}

/// The reports as they are in JSON.
pub(crate) fn reports() -> String {
    let mut text = format!(
        "\"\"\"{NOTE}\"\"\"\n\nfrom __future__ import annotations\n\nfrom typing import TYPE_CHECKING, Any, Literal, TypedDict\n\n\
         from ._knobs import RuleName, UsageFrom, VerdictReason\n\nif TYPE_CHECKING:\n    from typing_extensions import NotRequired\n"
    );
    // A class stands behind those that it names.
    for object in reports::objects().iter().rev() {
        let rows =
            reports::members(object).map(|member| (camel(member.name), form_of(&member), about_of(&member)));
        text.push_str(&class_of(object.name, "TypedDict", &plain(object.about), rows));
    }
    text
}

/// What is said of a member of a report.
fn about_of(member: &Member) -> String {
    let about = plain(member.about);
    if member.may_be_missing { about.replace("`None`", "Missing") } else { about }
}

/// What a member of a report holds.
fn form_of(member: &Member) -> String {
    let written = match member.form {
        Form::Amount | Form::MaybeAmount | Form::Place if member.may_be_missing => "int".to_owned(),
        Form::Amount => "int".to_owned(),
        Form::MaybeAmount | Form::Place => "int | None".to_owned(),
        Form::Number => "float".to_owned(),
        Form::MaybeNumber => "float | None".to_owned(),
        Form::Flag => "bool".to_owned(),
        Form::MaybeText if !member.may_be_missing => "str | None".to_owned(),
        Form::Text | Form::MaybeText => "str".to_owned(),
        Form::Always(text) => literal(&[text]),
        Form::Word(words) => match words.name {
            "Rule" => "RuleName".to_owned(),
            "UsageFrom" | "VerdictReason" => words.name.to_owned(),
            _ => literal(words.words),
        },
        Form::Object(object) | Form::Optional(object) => object.name.to_owned(),
        Form::Maybe(object) => format!("{} | None", object.name),
        Form::List(object) => format!("list[{}]", object.name),
        Form::Amounts | Form::Range => "list[int]".to_owned(),
        Form::Texts => "list[str]".to_owned(),
        Form::Settings => "dict[str, Any]".to_owned(),
        Form::Inside(_) | Form::Apart => String::new(),
    };
    let is_missing = member.may_be_missing || matches!(member.form, Form::Optional(_));
    if is_missing { format!("NotRequired[{written}]") } else { written }
}

fn class<'r>(name: &str, about: &str, rows: impl Iterator<Item = (&'r str, String, String)>) -> String {
    class_of(name, "TypedDict, total=False", about, rows)
}

fn class_of<N: Display>(
    name: &str,
    base: &str,
    about: &str,
    rows: impl Iterator<Item = (N, String, String)>,
) -> String {
    let rows: String = rows
        .map(|(name, kind, about)| format!("    {name}: {kind}\n    \"\"\"{}\"\"\"\n", quoted(&about)))
        .collect();
    format!("\n\nclass {name}({base}):\n    \"\"\"{}\"\"\"\n\n{rows}", quoted(about))
}

/// Documentation in Python marks code twice.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('`', "``")
}

fn literal(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
    format!("Literal[{}]", words.join(", "))
}

fn name_of(knob: &About) -> &'static str {
    knob.path.split_once('.').map_or(knob.path, |(_, name)| name)
}

/// A knob's type. Where it is `set`, an amount may be a share, and names may stand in one text.
fn type_of(knob: &About, is_set: bool) -> String {
    let of = Policy::knob(knob.path);
    let share = if is_set && of.is_some_and(|knob| knob.may_be_share) { " | str" } else { "" };
    match (of.map(|knob| knob.kind), knob.words) {
        (_, Some(words)) => literal(words.words),
        (Some(Kind::Switch), _) => "bool".to_owned(),
        (Some(Kind::Number { or_null, .. }), _) => {
            format!("int{}{share}", if or_null { " | None" } else { "" })
        }
        (Some(Kind::Share), _) => "str | None".to_owned(),
        (Some(Kind::Texts), _) => format!("Sequence[str]{}", if is_set { " | str" } else { "" }),
        _ => "str".to_owned(),
    }
}
