//! The reports of the engine, and what they are made of.

use ebbline::binding::form::{Form, Member, Object, REPORTS};

/// All objects of reports, each in front of those inside it.
pub(crate) fn objects() -> Vec<Object> {
    let mut found: Vec<Object> = Vec::new();
    for report in &REPORTS {
        add(report, &mut found);
    }
    found
}

fn add(object: &Object, found: &mut Vec<Object>) {
    // An object that others have as well stands in front of the last that has it, and so behind all of them.
    found.retain(|known| known.name != object.name);
    found.push(*object);
    for member in members(object) {
        if let Some(inner) = inner(member.form) {
            add(inner, found);
        }
    }
}

/// The object that a member holds.
pub(crate) fn inner(form: Form) -> Option<&'static Object> {
    match form {
        Form::Object(inner) | Form::Maybe(inner) | Form::List(inner) | Form::Optional(inner) => Some(inner),
        _ => None,
    }
}

/// The members of an object in JSON: those of an object inside stand among them.
pub(crate) fn members(object: &Object) -> impl Iterator<Item = Member> {
    object.members.iter().flat_map(|member| match member.form {
        Form::Inside(inner) => members(inner).collect(),
        Form::Apart => Vec::new(),
        _ => vec![*member],
    })
}
