//! What the settings of a system are read from.

use crate::error::Error;
use crate::json::Value;

/// What a system's settings depend on besides the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surroundings<'s> {
    /// Environment flags by name. Flags that the system does not use are ignored.
    pub environment: Vec<(&'s str, &'s str)>,
    /// The model in use, as `provider/model`, for settings that apply to single models.
    pub model: Option<&'s str>,
}

impl<'s> Surroundings<'s> {
    pub(super) fn flag(&self, name: &str) -> Option<&'s str> {
        self.environment.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }
}

/// An object of the settings, and its path for error messages.
pub(super) struct Group<'d> {
    pub(super) path: String,
    pub(super) value: Option<Value<'d>>,
}

impl<'d> Group<'d> {
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(super) fn invalid(&self, key: &str, wanted: &str) -> Error {
        let path = self.path_of(key);
        Error::invalid_settings(format!("the setting {path} must be {wanted}"))
    }

    pub(super) fn present(&self, key: &str) -> Option<Value<'d>> {
        self.value.and_then(|value| value.present(key))
    }

    /// The object `key`; empty when it is missing.
    pub(super) fn group(&self, key: &str) -> Result<Self, Error> {
        let value = self.present(key);
        if value.is_some_and(|value| !value.is_object()) {
            return Err(self.invalid(key, "an object"));
        }
        Ok(Self { path: self.path_of(key), value })
    }

    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, Error> {
        let Some(value) = self.present(key) else { return Ok(None) };
        match value.source() {
            "true" => Ok(Some(true)),
            "false" => Ok(Some(false)),
            _ => Err(self.invalid(key, "true or false")),
        }
    }

    /// A whole number of tokens or turns that is not negative.
    pub(super) fn amount(&self, key: &str) -> Result<Option<u64>, Error> {
        let Some(value) = self.present(key) else { return Ok(None) };
        let number = value.number().filter(|number| number.fract() == 0.0 && (0.0..9e15).contains(number));
        number
            .map(|number| Some(number as u64))
            .ok_or_else(|| self.invalid(key, "a whole number of 0 or more"))
    }

    /// A reserve: as [`Group::amount`], but as a signed number.
    pub(super) fn reserve(&self, key: &str) -> Result<Option<i64>, Error> {
        Ok(self.amount(key)?.map(|amount| i64::try_from(amount).unwrap_or(i64::MAX)))
    }
}

/// Sets a knob to the value that was found, if there is one.
pub(super) fn put<T>(knob: &mut T, found: Option<T>) {
    if let Some(found) = found {
        *knob = found;
    }
}
