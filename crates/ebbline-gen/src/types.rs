//! The TypeScript declarations of words, plan, policy and reports.

use std::collections::BTreeSet;

use ebbline::binding::form::{Described, Form, Member, Object};
use ebbline::controller::Obstacle;
use ebbline::format::{MarkerKind, ReportedInput};
use ebbline::loss::LossKind;
use ebbline::plan::{Boundary, BoundaryLimit, Decision, MessagePlan, Position, Source, VerdictReason};
use ebbline::policy::Comparison;
use ebbline::policy::knob::{About, GROUPS, Kind};
use ebbline::replay::{Known, Moments, UsageFrom};
use ebbline::transcript::{Output, PartKind, Role, Turn};
use ebbline::validate::Rule;
use ebbline::{ErrorCode, Fate, Format, Policy, Reason, Verdict, profiles};
use ebbline_json::words::{Word, Words};

use crate::javascript::JavaScriptCode;
use crate::prose::{NOTE, camel, comment, plain};
use crate::reports;

/// The sets of words that are types of their own in the plan, in the order in which they are declared.
const OF_PLAN: [Words; 7] = [
    Verdict::WORDS,
    VerdictReason::WORDS,
    BoundaryLimit::WORDS,
    Fate::WORDS,
    Reason::WORDS,
    Role::WORDS,
    PartKind::WORDS,
];

/// Names of errors, formats, profiles and rules.
pub(crate) fn words() -> String {
    let mut text = head("");
    let codes =
        |words: Words| words.words.iter().zip(words.meanings).map(|(word, about)| (*word, plain(about)));
    let errors: Vec<_> =
        codes(ErrorCode::WORDS).chain(codes(JavaScriptCode::WORDS)).chain(codes(Obstacle::WORDS)).collect();
    text.push_str(&union("ErrorCode", "What went wrong.", &errors));
    let formats: Vec<_> =
        Format::ALL.iter().map(|format| (format.name(), format!("{}.", format.title()))).collect();
    text.push_str(&union("FormatName", "A format's name.", &formats));
    let live: Vec<_> = Format::ALL
        .iter()
        .filter(|format| format.is_live())
        .map(|format| (format.name(), format!("{}.", format.title())))
        .collect();
    let about = "The name of a format whose messages are accepted as live arrays, not only as texts.";
    text.push_str(&union("LiveFormatName", about, &live));
    let profiles: Vec<_> =
        profiles::ALL.iter().map(|profile| (profile.name, profile.about.to_owned())).collect();
    text.push_str(&union("ProfileName", "A profile's name.", &profiles));
    let rules: Vec<_> = codes(Rule::WORDS).collect();
    let about = "A rule that a session can break. Each format has its own set; those that are in none can be asked for by `also`.";
    text.push_str(&union("RuleName", about, &rules));
    let outputs: Vec<_> = codes(Output::WORDS).collect();
    text.push_str(&union("PartOutput", &plain(Output::WORDS.about), &outputs));
    let known: Vec<_> = codes(Known::WORDS).collect();
    text.push_str(&union("KnownHistory", &plain(Known::WORDS.about), &known));
    let usage: Vec<_> = codes(UsageFrom::WORDS).collect();
    text.push_str(&union("UsageFrom", &plain(UsageFrom::WORDS.about), &usage));
    let moments: Vec<_> = codes(Moments::WORDS).collect();
    text.push_str(&union("DecisionMoments", &plain(Moments::WORDS.about), &moments));
    text
}

/// The plan and all it is made of.
pub(crate) fn plan() -> String {
    let mut text = head("\n");
    text.push_str(
        "/** What is to be done with a session. As JSON it is described by the schema `docs/plan.schema.json`. */\n\
         export interface Plan {\n",
    );
    for member in ebbline::binding::form::plan() {
        text.push_str(&member_of(&member));
    }
    text.push_str("}\n");
    for object in [&Position::OBJECT, &Boundary::OBJECT]
        .into_iter()
        .chain(objects(&Decision::OBJECT))
        .chain([&MessagePlan::OBJECT])
    {
        text.push_str(&interface(object));
    }
    for part in objects(&MessagePlan::OBJECT) {
        text.extend([part].into_iter().chain(objects(part)).map(interface));
    }
    for words in OF_PLAN {
        let about = plain(words.about);
        let described: Vec<_> =
            words.words.iter().zip(words.meanings).map(|(word, about)| (*word, plain(about))).collect();
        text.push_str(&union(words.name, &about, &described));
    }
    text
}

/// The reports that the package gives as they are, or with what it adds.
pub(crate) fn reports() -> String {
    let of_plan: Vec<&str> = objects(&Decision::OBJECT)
        .chain([&Position::OBJECT, &Boundary::OBJECT])
        .map(|object| object.name)
        .collect();
    let mut objects = reports::objects();
    objects.retain(|object| !of_plan.contains(&object.name));
    let mut imports = [("plan", BTreeSet::new()), ("words", BTreeSet::new())];
    let [(_, plan), (_, words)] = &mut imports;
    for member in objects.iter().flat_map(reports::members) {
        match member.form {
            Form::Word(set) if is_inline(set) => {}
            Form::Word(set) if OF_PLAN.iter().any(|of_plan| of_plan.name == set.name) => {
                plan.insert(set.name);
            }
            Form::Word(set) => {
                words.insert(name_of(set));
            }
            form => plan
                .extend(reports::inner(form).map(|inner| inner.name).filter(|name| of_plan.contains(name))),
        }
    }
    let import = |(file, names): &(&str, BTreeSet<&str>)| {
        let names: Vec<&str> = names.iter().copied().collect();
        format!("import type {{ {} }} from './{file}.js';\n", names.join(", "))
    };
    let imports: String = imports.iter().map(import).collect();
    head(&format!("\n{imports}")) + &objects.iter().map(interface).collect::<String>()
}

/// Whether the words of a set stand where it is used.
fn is_inline(words: Words) -> bool {
    let inline = [Source::WORDS, LossKind::WORDS, Turn::WORDS, MarkerKind::WORDS, ReportedInput::WORDS];
    inline.iter().any(|inline| inline.name == words.name)
}

/// The objects inside an object.
fn objects(object: &Object) -> impl Iterator<Item = &'static Object> {
    object.members.iter().filter_map(|member| match member.form {
        Form::Object(object) | Form::List(object) | Form::Optional(object) => Some(object),
        _ => None,
    })
}

fn interface(object: &Object) -> String {
    let members: String = reports::members(object).map(|member| member_of(&member)).collect();
    format!("\n{}export interface {} {{\n{members}}}\n", comment(&plain(object.about), ""), object.name)
}

fn member_of(member: &Member) -> String {
    let written = match member.form {
        Form::Amount | Form::Number => "number".to_owned(),
        Form::Flag => "boolean".to_owned(),
        Form::MaybeText if !member.may_be_missing => "string | null".to_owned(),
        Form::Text | Form::MaybeText => "string".to_owned(),
        Form::Always(text) => format!("{text:?}"),
        Form::Word(words) if is_inline(words) => choice(words),
        Form::Word(words) => name_of(words).to_owned(),
        Form::Place | Form::MaybeAmount | Form::MaybeNumber if member.may_be_missing => "number".to_owned(),
        Form::Place | Form::MaybeAmount | Form::MaybeNumber => "number | null".to_owned(),
        Form::Object(object) | Form::Optional(object) => object.name.to_owned(),
        Form::Maybe(object) => format!("{} | null", object.name),
        Form::List(object) => format!("{}[]", object.name),
        Form::Amounts => "number[]".to_owned(),
        Form::Texts => "string[]".to_owned(),
        Form::Range => "[start: number, end: number]".to_owned(),
        Form::Settings => "Record<string, unknown>".to_owned(),
        Form::Inside(_) | Form::Apart => return String::new(),
    };
    let missing = if member.may_be_missing || matches!(member.form, Form::Optional(_)) { "?" } else { "" };
    let nothing = if member.may_be_missing { "Missing" } else { "`null`" };
    let about = comment(&plain(member.about).replace("`None`", nothing), "  ");
    format!("{about}  {}{missing}:{};\n", camel(member.name), spaced(&written))
}

/// The policy and its knobs.
pub(crate) fn policy() -> String {
    let mut text = head("\nimport type { DeepPartial, Share } from '../policy-options.js';\n\n");
    text.push_str("/** Every knob of a decision. Amounts are tokens unless they say otherwise. */\nexport interface Policy {\n");
    text.push_str(&comment("The profile it came from, with `*` appended once a knob has been turned.", "  "));
    text.push_str("  profile: string;\n");
    for group in GROUPS {
        text.push_str(&comment(&plain(group.about.about), "  "));
        text.push_str(&format!("  {}: {};\n", group.about.path, group.name));
    }
    text.push_str(
        "  /** Knobs given as a share of the context window, by their path: they take the place of the figure there. */\n  \
         shares?: { [K in SharedKnob]?: Share };\n  \
         /** What is laid over the policy for a model, by `provider/model`: see {@link PolicyOptions.model}. */\n  \
         models?: Record<string, DeepPartial<Policy>>;\n}\n",
    );
    let shared: Vec<_> =
        Policy::knobs().filter(|knob| knob.may_be_share).map(|knob| (knob.path, String::new())).collect();
    text.push_str(&union(
        "SharedKnob",
        "The path of a knob that may be given as a share of the context window.",
        &shared,
    ));
    for group in GROUPS {
        let knobs: String = group.knobs.iter().map(knob_of).collect();
        let about = comment(&plain(group.about.about), "");
        text.push_str(&format!("\n{about}export interface {} {{\n{knobs}}}\n", group.name));
    }
    let about = plain(Comparison::WORDS.about);
    let described =
        Comparison::ALL.iter().map(|word| (word.as_str(), plain(&word.about()))).collect::<Vec<_>>();
    text.push_str(&union(Comparison::WORDS.name, &about, &described));
    text
}

fn knob_of(about: &About) -> String {
    let (_, name) = about.path.split_once('.').unwrap_or_default();
    let kind = Policy::knob(about.path).map(|knob| knob.kind);
    let written = match (kind, about.words) {
        (_, Some(words)) if words.name == Comparison::WORDS.name => words.name.to_owned(),
        (_, Some(words)) => choice(words),
        (Some(Kind::Switch), _) => "boolean".to_owned(),
        (Some(Kind::Number { or_null, .. }), _) => {
            if or_null { "number | null" } else { "number" }.to_owned()
        }
        (Some(Kind::Share), _) => "Share | null".to_owned(),
        (Some(Kind::Texts), _) => "string[]".to_owned(),
        _ => "string".to_owned(),
    };
    format!("{}  {name}:{};\n", comment(&plain(about.about), "  "), spaced(&written))
}

/// The name of a set of words that is a type of its own; one of the engine's may be too short outside its module.
fn name_of(words: Words) -> &'static str {
    match words.name {
        "Known" => "KnownHistory",
        "Output" => "PartOutput",
        "Rule" => "RuleName",
        name => name,
    }
}

/// A type behind its colon; one of several lines begins on a line of its own.
fn spaced(written: &str) -> String {
    if written.starts_with('\n') { written.to_owned() } else { format!(" {written}") }
}

/// The words of a set where they are not a type of their own.
fn choice(words: Words) -> String {
    let described = words.words.iter().zip(words.meanings);
    described.map(|(word, about)| format!("\n{}    | {word:?}", comment(&plain(about), "    "))).collect()
}

fn union(name: &str, about: &str, words: &[(&str, String)]) -> String {
    let alternatives: Vec<_> = words
        .iter()
        .map(|(word, about)| {
            let about = if about.is_empty() { String::new() } else { comment(about, "  ") };
            format!("\n{about}  | {word:?}")
        })
        .collect();
    format!("\n{}export type {name} ={};\n", comment(about, ""), alternatives.concat())
}

/// The beginning of a file, with what it imports.
fn head(imports: &str) -> String {
    format!("// {NOTE}\n{imports}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    /// The codes of the errors that a folder's JavaScript makes.
    fn codes_in(folder: &Path, codes: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                // The tokenizers have errors of their own.
                if !path.ends_with("tokenizers") {
                    codes_in(&path, codes);
                }
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let made = text.split("EbblineError('").skip(1);
            codes.extend(made.filter_map(|rest| Some(rest.split_once('\'')?.0.to_owned())));
        }
    }

    #[test]
    fn javascript_throws_no_code_that_is_not_declared() {
        let mut codes = Vec::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../npm/src");
        codes_in(&source, &mut codes);
        let known: Vec<_> = [ErrorCode::WORDS, JavaScriptCode::WORDS, Obstacle::WORDS]
            .iter()
            .flat_map(|set| set.words)
            .collect();
        let unknown: Vec<_> = codes.iter().filter(|code| known.iter().all(|known| *known != code)).collect();
        assert!(!codes.is_empty() && unknown.is_empty(), "{unknown:?}");
    }
}
