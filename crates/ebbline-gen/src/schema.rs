//! The JSON schemas of plan and policy.

use ebbline::Policy;
use ebbline::binding::form::{Form, Member, Object};
use ebbline::policy::Comparison;
use ebbline::policy::knob::{About, GROUPS, Kind};
use ebbline_json::words::{Word, Words};

use crate::ordered::{Node, list, object};
use crate::prose::plain;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Named members, in their order.
type Members = Vec<(String, Node)>;

/// The schema of a plan.
pub(crate) fn plan() -> String {
    let mut definitions = Members::new();
    let members = ebbline::binding::form::plan();
    let properties =
        members.iter().map(|member| (member.name.to_owned(), member_of(member, &mut definitions)));
    let properties = Node::Object(properties.collect());
    let schema = object([
        ("$schema", DIALECT.into()),
        ("$id", "urn:ebbline:plan:1".into()),
        ("title", "ebbline plan, version 1".into()),
        (
            "description",
            "What is to be done with a session, message by message, and why. Tokens are estimates by the policy's \
             estimator. A change that a reader of this version could misread gives `schema` a new number; new fields do \
             not."
                .into(),
        ),
        ("type", "object".into()),
        ("properties", properties),
        ("required", list(members.iter().map(|member| member.name))),
        ("additionalProperties", false.into()),
        ("$defs", Node::Object(definitions)),
    ]);
    schema.written("") + "\n"
}

fn member_of(member: &Member, definitions: &mut Members) -> Node {
    let schema = match member.form {
        Form::Amount => object([("type", "integer".into()), ("minimum", 0_i64.into())]),
        Form::Flag => of_type("boolean"),
        Form::Text => of_type("string"),
        Form::Always(text) => object([("const", text.into())]),
        Form::Word(words) => {
            if definitions.iter().all(|(name, _)| name != words.name) {
                definitions.push((words.name.to_owned(), choice(words)));
            }
            refer(words.name)
        }
        Form::Place | Form::MaybeAmount => {
            object([("type", list(["integer", "null"])), ("minimum", 0_i64.into())])
        }
        Form::Object(object) | Form::Optional(object) => refer_to(object, definitions),
        Form::Maybe(maybe) => object([("anyOf", list([refer_to(maybe, definitions), of_type("null")]))]),
        Form::List(of) => object([("type", "array".into()), ("items", refer_to(of, definitions))]),
        form => unreachable!("no plan has {form:?}"),
    };
    described(member.about, schema)
}

/// A reference to an object, which is put among the definitions.
fn refer_to(object: &'static Object, definitions: &mut Members) -> Node {
    if definitions.iter().all(|(name, _)| name != object.name) {
        let members = object.members.iter();
        let properties =
            members.map(|member| (member.name.to_owned(), member_of(member, definitions))).collect();
        let needed = object.members.iter().filter(|member| !matches!(member.form, Form::Optional(_)));
        let required = list(needed.map(|member| member.name));
        definitions.push((object.name.to_owned(), object_of(object.about, properties, required)));
    }
    refer(object.name)
}

/// The schema of a policy.
pub(crate) fn policy() -> String {
    let about = "The profile it came from, with `*` appended once a knob has been turned.";
    let mut properties = vec![("profile".to_owned(), described(about, of_type("string")))];
    for group in GROUPS {
        let knobs = || group.knobs.iter().filter_map(|about| Some((about, Policy::knob(about.path)?)));
        let members = knobs()
            .map(|(about, knob)| (name(about).to_owned(), knob_of(about, knob.kind, knob.may_be_missing)));
        let required = list(knobs().filter(|(_, knob)| !knob.may_be_missing).map(|(about, _)| name(about)));
        properties
            .push((group.about.path.to_owned(), object_of(group.about.about, members.collect(), required)));
    }
    let shared = list(Policy::knobs().filter(|knob| knob.may_be_share).map(|knob| knob.path));
    let about = "Knobs given as a share of the context window, by their path: they take the place of the figure there.";
    let by_path = object([
        ("type", "object".into()),
        ("propertyNames", object([("enum", shared)])),
        ("additionalProperties", refer("Share")),
    ]);
    properties.push(("shares".to_owned(), described(about, by_path)));
    let about = "What is laid over the policy for a model, by `provider/model`: partial policies.";
    let models = object([("type", "object".into()), ("additionalProperties", of_type("object"))]);
    properties.push(("models".to_owned(), described(about, models)));
    let share = object([
        ("description", "A share, such as `12.5%`.".into()),
        ("type", "string".into()),
        ("pattern", r"^(100(\.0{1,2})?|[0-9]{1,2}(\.[0-9]{1,2})?)%$".into()),
    ]);
    let schema = object([
        ("$schema", DIALECT.into()),
        ("$id", "urn:ebbline:policy".into()),
        ("title", "ebbline policy".into()),
        ("description", "Every knob of a decision. Amounts are tokens unless they say otherwise.".into()),
        ("type", "object".into()),
        ("properties", Node::Object(properties)),
        ("required", list(["profile"].into_iter().chain(GROUPS.map(|group| group.about.path)))),
        ("additionalProperties", false.into()),
        ("$defs", object([(Comparison::WORDS.name, choice(Comparison::WORDS)), ("Share", share)])),
    ]);
    schema.written("") + "\n"
}

fn name(about: &About) -> &'static str {
    about.path.split_once('.').map_or(about.path, |(_, name)| name)
}

fn knob_of(about: &About, kind: Kind, may_be_missing: bool) -> Node {
    let schema = match (kind, about.words) {
        (_, Some(words)) if words.name == Comparison::WORDS.name => refer(words.name),
        (_, Some(words)) => choice(words),
        (Kind::Switch, _) => of_type("boolean"),
        (Kind::Number { least, most, or_null }, _) => {
            let kind = if or_null { list(["integer", "null"]) } else { "integer".into() };
            object([("type", kind), ("minimum", least.into()), ("maximum", most.into())])
        }
        (Kind::Share, _) => object([("oneOf", list([refer("Share"), of_type("null")]))]),
        (Kind::Choice(words), _) => object([("enum", list(words.iter().copied()))]),
        (Kind::Text, _) => of_type("string"),
        (Kind::Texts, _) => object([("type", "array".into()), ("items", of_type("string"))]),
        (kind, None) => unreachable!("the schema has no words for {kind:?}"),
    };
    let mut schema = described(about.about, schema);
    if let (Node::Object(members), true) = (&mut schema, may_be_missing) {
        let missing = match kind {
            Kind::Switch => false.into(),
            Kind::Number { or_null: false, .. } => 0_i64.into(),
            _ => Node::Null,
        };
        members.push(("default".to_owned(), missing));
    }
    schema
}

fn object_of(about: &str, properties: Members, required: Node) -> Node {
    object([
        ("description", plain(about).into()),
        ("type", "object".into()),
        ("properties", Node::Object(properties)),
        ("required", required),
        ("additionalProperties", false.into()),
    ])
}

fn choice(words: Words) -> Node {
    let alternatives = words
        .words
        .iter()
        .zip(words.meanings)
        .map(|(word, about)| object([("const", (*word).into()), ("description", plain(about).into())]));
    object([("description", plain(words.about).into()), ("oneOf", list(alternatives))])
}

/// The schema with its description in front; what is said where a set is used is said instead of what the set says.
fn described(about: &str, schema: Node) -> Node {
    let mut members = vec![("description".to_owned(), plain(about).into())];
    if let Node::Object(rest) = schema {
        members.extend(rest.into_iter().filter(|(name, _)| name != "description"));
    }
    Node::Object(members)
}

fn of_type(name: &str) -> Node {
    object([("type", name.into())])
}

fn refer(name: &str) -> Node {
    object([("$ref", format!("#/$defs/{name}").into())])
}
