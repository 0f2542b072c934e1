//! Text from templates: `<word>` in a template stands for one of the texts of the rule `word`, `<3-40>` for a number of
//! that range, and `<03-40>` for one with leading zeros. Anything else stays as it is.

use super::code::Choice;

/// Rules by name, each with the texts from which it chooses.
pub(super) type Rules = &'static [(&'static str, &'static [&'static str])];

/// The text of `template`.
pub(super) fn filled(rules: Rules, template: &str, choice: &mut Choice) -> String {
    let mut text = String::new();
    fill(rules, template, choice, &mut text);
    text
}

/// Appends the text of `template` to `out`.
pub(super) fn fill(rules: Rules, template: &str, choice: &mut Choice, out: &mut String) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let Some((slot, behind)) = after.split_once('>') else {
            out.push('<');
            rest = after;
            continue;
        };
        if let Some((_, texts)) = rules.iter().find(|(name, _)| *name == slot) {
            fill(rules, choice.of(texts), choice, out);
        } else if let Some(number) = number(slot, choice) {
            out.push_str(&number);
        } else {
            out.extend(["<", slot, ">"]);
        }
        rest = behind;
    }
    out.push_str(rest);
}

/// Appends texts of the rule `name`, each followed by `between`, until `out` has grown by `bytes`.
pub(super) fn fill_up(
    rules: Rules,
    (template, between): (&str, &str),
    bytes: usize,
    choice: &mut Choice,
    out: &mut String,
) {
    let until = out.len() + bytes;
    while out.len() < until {
        fill(rules, template, choice, out);
        out.push_str(between);
    }
}

fn number(slot: &str, choice: &mut Choice) -> Option<String> {
    let (from, to) = slot.split_once('-')?;
    let width = if from.starts_with('0') { from.len() } else { 0 };
    let (from, to) = (from.parse::<u64>().ok()?, to.parse::<u64>().ok()?);
    let number = from + choice.below(to.saturating_sub(from) + 1);
    Some(format!("{number:0width$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let rules: Rules = &[("fruit", &["<color> apple"]), ("color", &["red"])];
        let choice = &mut Choice::new(7);
        assert_eq!(filled(rules, "a <fruit>, <b>, 1 < 2", choice), "a red apple, <b>, 1 < 2");
        assert_eq!(filled(rules, "<4-4>:<07-7> <x-y>", choice), "4:07 <x-y>");
        let mut text = String::new();
        fill_up(rules, ("<fruit>", "\n"), 12, choice, &mut text);
        assert_eq!(text, "red apple\nred apple\n");
    }
}
