//! Members of a JSON object of options. A member that is `null` counts as missing.

use ebbline::Error;
use ebbline::json::{Document, Value};

use crate::error::invalid;

/// The options as a document, if all their names are known.
///
/// # Errors
///
/// `invalid_option` for a name that is none, `not_json`.
pub fn parsed<'j>(json: &'j str, names: &[&[&str]]) -> Result<Document<'j>, Error> {
    let document = Document::parse(json)?;
    known(document.root(), names)?;
    Ok(document)
}

/// Refuses what is no object, or has a member of another name.
///
/// # Errors
///
/// `invalid_option`.
pub fn known(given: Value<'_>, names: &[&[&str]]) -> Result<(), Error> {
    if !given.is_object() {
        return Err(invalid("the options must be an object"));
    }
    for (name, _) in given.members() {
        let name = name.decode();
        if !names.iter().flat_map(|names| names.iter()).any(|known| *known == name) {
            let all = names.iter().flat_map(|names| names.iter()).copied();
            let meant = ebbline::binding::nearest(&name, all);
            let meant = meant.map(|known| format!(": did you mean {known}?")).unwrap_or_default();
            return Err(invalid(format!("there is no option {name}{meant}")));
        }
    }
    Ok(())
}

/// A text among the options.
///
/// # Errors
///
/// `invalid_option`, as for the functions below.
pub fn text(given: Value<'_>, name: &str) -> Result<Option<String>, Error> {
    let read = |value: Value<'_>| {
        let text = value.text().ok_or_else(|| invalid(format!("the option {name} must be a string")))?;
        Ok(text.decode().into_owned())
    };
    given.present(name).map(read).transpose()
}

/// A yes or no among the options.
///
/// # Errors
///
/// `invalid_option`.
pub fn flag(given: Value<'_>, name: &str) -> Result<Option<bool>, Error> {
    let read = |value: Value<'_>| match value.source() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(invalid(format!("the option {name} must be true or false"))),
    };
    given.present(name).map(read).transpose()
}

/// A whole amount among the options.
///
/// # Errors
///
/// `invalid_option`.
pub fn amount(given: Value<'_>, name: &str) -> Result<Option<u64>, Error> {
    Ok(number(given, name)?.map(|number| number as u64))
}

/// An amount among the options.
///
/// # Errors
///
/// `invalid_option`.
pub fn number(given: Value<'_>, name: &str) -> Result<Option<f64>, Error> {
    let read = |value: Value<'_>| {
        let number = value.number().filter(|number| *number >= 0.0 && number.is_finite());
        number.ok_or_else(|| invalid(format!("the option {name} must be a number of 0 or more")))
    };
    given.present(name).map(read).transpose()
}

/// An object among the options.
///
/// # Errors
///
/// `invalid_option`.
pub fn object<'d>(given: Value<'d>, name: &str) -> Result<Option<Value<'d>>, Error> {
    match given.present(name) {
        Some(value) if !value.is_object() => Err(invalid(format!("the option {name} must be an object"))),
        value => Ok(value),
    }
}
