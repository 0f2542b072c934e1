//! The rules that `--also` and `--except` name.

use ebbline::binding::nearest;
use ebbline::validate::{Rule, Rules};
use ebbline::{Error, ErrorCode, Format};

use crate::values::Values;

/// What is checked besides the rules of a format, and what is not.
#[derive(Clone, Debug, Default)]
pub(crate) struct RulesOptions {
    also: Vec<Rule>,
    except: Vec<Rule>,
}

impl RulesOptions {
    /// The rules that options name.
    pub(crate) fn of(values: &Values) -> Result<Self, Error> {
        let of = |option: &str| values.texts(option).map(rule).collect::<Result<Vec<_>, _>>();
        Ok(Self { also: of("also")?, except: of("except")? })
    }

    /// The rules of a format with them.
    pub(crate) fn rules(&self, format: Format) -> Rules {
        Rules::of(format).also(&self.also).except(&self.except)
    }
}

fn rule(name: &str) -> Result<Rule, Error> {
    Rule::from_name(name).map_err(|_| {
        let names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
        let there_are = match nearest(name, names.iter().copied()) {
            Some(meant) => format!("did you mean \"{meant}\"? There are"),
            None => "there are".to_owned(),
        };
        let sentence = format!("there is no rule \"{name}\"; {there_are} {}", names.join(", "));
        Error::new(ErrorCode::InvalidOption, sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_rule_is_answered_with_the_nearest() {
        let values = Values::new(vec![("also", Some("last_rol".to_owned()))]);
        let error = RulesOptions::of(&values).unwrap_err();
        assert!(
            error
                .message()
                .starts_with("there is no rule \"last_rol\"; did you mean \"last_role\"? There are")
        );
        assert_eq!(error.kind(), ErrorCode::InvalidOption);
    }
}
