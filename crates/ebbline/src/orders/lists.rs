//! Lists of rules: an item needs no word of an order if what opens the list says what it is.

use super::signs::{self, Sign};
use super::{OrderKind, Said, joined};

/// An item with more words is no rule.
const LONGEST: usize = 40;

/// Gives each item of a list of rules its sign. A list is one of rules if the sentence in front of it says so, or if at
/// least half of its items are orders by themselves.
pub(super) fn rules(said: &mut [Said<'_>]) {
    let mut at = 0;
    while at < said.len() {
        let Some(list) = said.get(at).and_then(|said| said.sentence.list) else {
            at += 1;
            continue;
        };
        let (before, rest) = said.split_at_mut(at);
        let length = rest.iter().take_while(|said| said.sentence.list == Some(list)).count();
        at += length;
        let Some(items) = rest.get_mut(..length) else { continue };
        let opening = before.last_mut();
        let opens = opening.as_ref().and_then(|said| signs::opens_rules(&said.words, said.sentence.text));
        let orders = items.iter().filter(|item| item.sign.is_some()).count();
        if opens.is_none() && (length < 2 || orders * 2 < length) {
            continue;
        }
        let lead = opening.filter(|_| opens.is_some()).map(|opening| {
            opening.sign = None;
            opening.requests = false;
            joined(opening.sentence.text)
        });
        for item in items.iter_mut() {
            item.requests = false;
            if item.words.len() > LONGEST || !signs::may_be_rule(&item.words, item.sentence.text) {
                continue;
            }
            item.is_rule = opens.is_some();
            item.turn = None;
            let lasts = opens.is_some();
            let kind = item.sign.map_or(OrderKind::Rule, |sign| sign.kind);
            let is_general = lasts || item.sign.is_some_and(|sign| sign.is_general);
            let lasts = lasts || item.sign.is_some_and(|sign| sign.lasts);
            item.sign = Some(Sign { kind, lasts, is_general });
            if let Some(lead) = lead.as_ref().filter(|_| opens == Some(true)) {
                item.text = format!("{lead} {}", item.text);
                item.words.splice(..0, super::words(lead));
            }
        }
    }
}
