//! What fills the context: its tokens by kind, by tool, by file and by message, the largest first.

use std::collections::HashMap;

use ebbline::transcript::PartKind;

use crate::content::Content;
use crate::drawn_plan::DrawnPlan;
use crate::kind::{Kind, Shown};
use crate::overview::Rows;
use crate::view::EARLIER_SUMMARY;

/// How many rows of a group are shown at most.
const ROWS: usize = 12;

/// A row: what fills the context, with how much, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fill {
    /// What it is.
    pub name: String,
    /// Its tokens in the context.
    pub tokens: u64,
    /// The messages it stands in, in the order of the session.
    pub messages: Vec<u32>,
}

/// The files that calls name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Their paths.
    pub names: Vec<String>,
    /// By message one more than the index of the file with which it has to do; 0 for none.
    pub of: Vec<u32>,
}

impl Files {
    /// The files of a session: a call belongs to the first file that it names, and so does its result.
    pub fn of(content: &impl Content) -> Self {
        let transcript = content.transcript();
        let (mut files, mut numbers) = (Self::default(), HashMap::new());
        let mut of_calls: HashMap<u32, u32> = HashMap::new();
        for message in 0..transcript.messages().len() {
            let mut of_message = 0;
            for (at, part) in transcript.part_range(message).zip(transcript.parts_of(message)) {
                let file = match part.kind {
                    PartKind::ToolCall => content.files_of(at).into_iter().next().map(|name| {
                        let name = name.strip_prefix("./").map_or(name.clone(), str::to_owned);
                        *numbers.entry(name).or_insert_with_key(|name| {
                            files.names.push(name.clone());
                            files.names.len() as u32
                        })
                    }),
                    PartKind::ToolResult => part.call.and_then(|call| of_calls.get(&call).copied()),
                    _ => None,
                };
                if let (PartKind::ToolCall, Some(call)) = (part.kind, part.call) {
                    // An id that is used again stands for the newest call.
                    match file {
                        Some(file) => of_calls.insert(call, file),
                        None => of_calls.remove(&call),
                    };
                }
                of_message = file.filter(|_| of_message == 0).unwrap_or(of_message);
            }
            files.of.push(of_message);
        }
        files.joined()
    }

    /// The same with one file for `/work/shop/src/total.ts` and `src/total.ts`, unless several end so.
    fn joined(mut self) -> Self {
        let numbers: HashMap<&str, usize> = self.names.iter().map(String::as_str).zip(1..).collect();
        // By a name's number: the whole path that ends so, or 0 if several do.
        let mut whole: HashMap<usize, u32> = HashMap::new();
        for (number, name) in (1_u32..).zip(&self.names).filter(|(_, name)| name.starts_with('/')) {
            let ends = name.match_indices('/').filter_map(|(at, _)| numbers.get(name.get(at + 1..)?));
            for end in ends {
                whole.entry(*end).and_modify(|known| *known = 0).or_insert(number);
            }
        }
        for of in &mut self.of {
            *of = whole.get(&(*of as usize)).copied().filter(|whole| *whole > 0).unwrap_or(*of);
        }
        self
    }
}

/// What fills the context of `planned`, in four groups: by kind, outputs by tool, by file, by message.
pub fn groups(planned: &DrawnPlan, rows: (&Rows, &[String]), files: &Files) -> [Vec<Fill>; 4] {
    [by_kind(planned), by_tool(planned, rows), by_file(planned, files), by_message(planned, rows)]
}

/// Adds up tokens by name.
#[derive(Default)]
struct Sums(Vec<Fill>, HashMap<u64, usize>);

impl Sums {
    fn add(&mut self, key: u64, name: impl FnOnce() -> String, message: u32, tokens: u64) {
        let at = *self.1.entry(key).or_insert(self.0.len());
        if at == self.0.len() {
            self.0.push(Fill { name: name(), tokens: 0, messages: Vec::new() });
        }
        if let Some(fill) = self.0.get_mut(at) {
            fill.tokens = fill.tokens.saturating_add(tokens);
            if message != EARLIER_SUMMARY && fill.messages.last() != Some(&message) {
                fill.messages.push(message);
            }
        }
    }

    fn largest(self) -> Vec<Fill> {
        let mut fills: Vec<Fill> = self.0.into_iter().filter(|fill| fill.tokens > 0).collect();
        fills.sort_by_key(|fill| std::cmp::Reverse(fill.tokens));
        fills.truncate(ROWS);
        fills
    }
}

/// By kind of content.
fn by_kind(planned: &DrawnPlan) -> Vec<Fill> {
    let mut sums = Sums::default();
    for (message, kind, _, tokens) in planned.segments.befores() {
        sums.add(u64::from(kind), || Kind::from_code(kind).word().to_owned(), message, u64::from(tokens));
    }
    sums.largest()
}

/// The messages in the context, with their tokens.
fn in_context(planned: &DrawnPlan) -> impl Iterator<Item = (u32, u64)> + '_ {
    let columns = planned.fates.fate.iter().zip(&planned.fates.before);
    (0_u32..)
        .zip(columns)
        .filter(|(_, (code, _))| Shown::from_code(**code).is_in_context())
        .map(|(message, (_, tokens))| (message, u64::from(*tokens)))
}

/// Outputs by the tool that made them.
fn by_tool(planned: &DrawnPlan, (rows, tools): (&Rows, &[String])) -> Vec<Fill> {
    let mut sums = Sums::default();
    for (message, tokens) in in_context(planned) {
        if let Some((Kind::Tool, tool)) = rows.kind_and_tool(tools, message as usize) {
            let key = rows.tool.get(message as usize).copied().unwrap_or(0);
            let name = || if tool.is_empty() { "a tool without a name".to_owned() } else { tool };
            sums.add(u64::from(key), name, message, tokens);
        }
    }
    sums.largest()
}

/// Calls and outputs by the file that the call names.
fn by_file(planned: &DrawnPlan, files: &Files) -> Vec<Fill> {
    let mut sums = Sums::default();
    for (message, tokens) in in_context(planned) {
        let file = files.of.get(message as usize).copied().unwrap_or(0);
        if let Some(name) = (file as usize).checked_sub(1).and_then(|at| files.names.get(at)) {
            sums.add(u64::from(file), || name.clone(), message, tokens);
        }
    }
    sums.largest()
}

/// The largest messages.
fn by_message(planned: &DrawnPlan, (rows, tools): (&Rows, &[String])) -> Vec<Fill> {
    let mut sums = Sums::default();
    for (message, tokens) in in_context(planned) {
        let name = || {
            let (kind, tool) =
                rows.kind_and_tool(tools, message as usize).unwrap_or((Kind::System, String::new()));
            let who = if kind == Kind::Tool && !tool.is_empty() { tool } else { kind.word().to_owned() };
            format!("#{} {who}", ebbline::numbers::grouped(u64::from(message) + 1))
        };
        sums.add(u64::from(message), name, message, tokens);
    }
    sums.largest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::At;

    #[test]
    fn a_file_has_one_row_whether_its_path_is_whole_or_not() {
        let names =
            ["src/a.ts", "/work/src/a.ts", "b.ts", "/one/b.ts", "/two/b.ts", "c.ts"].map(str::to_owned);
        let files = Files { names: names.to_vec(), of: (0..=6).collect() }.joined();
        assert_eq!(files.of, [0, 2, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn the_rows_add_up_and_lead_to_their_messages() {
        let (session, overview) = crate::sample::opened();
        let policy = ebbline::profiles::ALL[0].policy();
        let at = At { history: policy.clone(), request: 39 };
        let files = Files::of(session.content());
        for at in [None, Some(&at)] {
            let planned = session.plan_at(&policy, false, at);
            let groups = session.fills(&policy, at);
            assert_eq!(
                groups,
                super::groups(&planned, (&overview.rows, &overview.about.tools), &files),
                "what the worker answers"
            );
            let sum = |fills: &[Fill]| fills.iter().map(|fill| fill.tokens).sum::<u64>();
            assert_eq!(sum(&groups[0]), planned.figures.before);
            assert_eq!(groups[0][0].name, "tool output");
            assert_eq!(sum(&groups[1]), groups[0][0].tokens, "every output has a tool");
            for fills in groups {
                assert!(!fills.is_empty() && fills.len() <= ROWS);
                assert!(fills.windows(2).all(|pair| pair[0].tokens >= pair[1].tokens));
                for fill in fills {
                    assert!(!fill.messages.is_empty() && fill.messages.is_sorted(), "{}", fill.name);
                }
            }
        }
        assert!(files.names.iter().any(|name| name == "src/pricing/total.ts"), "{:?}", files.names);
        let read = files.names.iter().position(|name| name == "src/pricing/total.ts").unwrap() as u32 + 1;
        let with_file = files.of.iter().filter(|file| **file == read).count();
        assert!(with_file >= 2, "the call and its output");
    }
}
