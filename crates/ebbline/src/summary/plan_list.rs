//! The agent's own plan: the newest to-do list that it wrote, whichever tool or text it wrote it with.
//!
//! Agents keep such lists outside their context or in the last call of a tool. Either way a summary by a model paraphrases it,
//! and the agent loses count of what is open. So it stands behind a summary as it is.

use serde::Serialize;

use crate::json::{Document, Value};
use crate::words;

/// The most characters of a list and of an item of it.
const MOST: usize = 3_000;
const LONGEST: usize = 200;
/// A name that says so is that of a tool for plans, and this argument is one of any tool.
const NAMES: &[&str] = &["todo", "plan", "task", "checklist"];
const ANYWHERE: &str = "task_progress";
/// The arguments that hold a list, the members that say what is to be done, and those that say how far it is.
const LISTS: &[&str] = &[
    "todos", "plan", "items", "tasks", "todo_list", "todoList", "task_list", "taskList", "entries", "steps",
    "checklist", "todo", ANYWHERE,
];
const TEXTS: &[&str] =
    &["content", "step", "title", "subject", "description", "text", "task", "name", "todo", "label"];
const STATES: &[&str] = &["status", "state", "completed", "done", "checked"];
const IDS: &[&str] = &["id", "taskId", "task_id"];
/// Words for items that are finished or given up, and for those that are being worked on.
const FINISHED: &[&str] = &[
    "completed", "complete", "done", "finished", "cancelled", "canceled", "skipped", "deleted", "true", "x",
];
const RUNNING: &[&str] =
    &["in_progress", "in-progress", "inprogress", "in progress", "doing", "active", "running"];
/// Signs in front of an item, in text.
const MARKS: &[(&str, PlanState)] = &[
    ("[ ]", PlanState::Open),
    ("[]", PlanState::Open),
    ("[x]", PlanState::Finished),
    ("[X]", PlanState::Finished),
    ("[✓]", PlanState::Finished),
    ("[-]", PlanState::Finished),
    ("[~]", PlanState::Running),
    ("[>]", PlanState::Running),
    ("[•]", PlanState::Running),
    ("☐", PlanState::Open),
    ("⬜", PlanState::Open),
    ("☑", PlanState::Finished),
    ("☒", PlanState::Finished),
    ("✅", PlanState::Finished),
    ("✔", PlanState::Finished),
];

words! {
    /// How far an item of an agent's plan is.
    pub enum PlanState [non_exhaustive] {
        /// Nothing is done yet.
        Open "open",
        /// It is being worked on.
        Running "running",
        /// It is finished, or given up.
        Finished "finished",
    }
}

/// An item of an agent's plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PlanItem {
    /// What is to be done, on one line.
    pub text: String,
    /// How far it is.
    pub state: PlanState,
}

/// The newest list, as calls and texts come by.
#[derive(Debug, Default)]
pub(super) struct PlanList {
    items: Vec<Listed>,
    /// How many items were added one by one: agents number them so.
    added: usize,
}

#[derive(Debug)]
struct Listed {
    id: Option<String>,
    item: PlanItem,
}

impl PlanList {
    /// Takes a call. Returns whether it says something about the plan.
    pub(super) fn call(&mut self, tool: &str, arguments: &str) -> bool {
        let name = tool.to_ascii_lowercase();
        let is_named = NAMES.iter().any(|known| name.contains(known));
        if !is_named && !arguments.contains(ANYWHERE) {
            return false;
        }
        let Ok(document) = Document::parse(arguments) else { return false };
        let root = document.root();
        if let Some(text) = root.text() {
            return self.call(tool, &text.decode());
        }
        let keys = LISTS.iter().filter(|key| is_named || **key == ANYWHERE);
        for key in keys {
            let Some(value) = root.present(key) else { continue };
            let list = match value.text() {
                Some(text) => in_text(&text.decode(), name.contains("plan")),
                None => in_array(value),
            };
            if let Some(list) = list {
                let is_merged = root.get("merge").is_some_and(|merge| merge.source() == "true");
                self.replace(list, is_merged);
                return true;
            }
        }
        is_named && self.step(&name, root)
    }

    /// Takes what the agent wrote: only a list with boxes to tick is a plan.
    pub(super) fn say(&mut self, text: &str) -> bool {
        in_text(text, false).map(|list| self.replace(list, false)).is_some()
    }

    /// Takes a list over as it is.
    pub(super) fn take(&mut self, items: Vec<PlanItem>) {
        self.added = items.len();
        self.items = items.into_iter().map(|item| Listed { id: None, item }).collect();
    }

    /// The list; empty if nothing in it is open.
    pub(super) fn done(self) -> Vec<PlanItem> {
        let items: Vec<PlanItem> = self.items.into_iter().map(|listed| listed.item).collect();
        if items.iter().all(|item| item.state == PlanState::Finished) {
            return Vec::new();
        }
        let size = |item: &PlanItem| item.text.chars().count();
        let mut spare = items.iter().map(size).sum::<usize>().saturating_sub(MOST);
        // What is finished leaves first, the oldest of it before; then what comes last.
        let mut kept = Vec::with_capacity(items.len());
        for item in items {
            if spare > 0 && item.state == PlanState::Finished {
                spare = spare.saturating_sub(size(&item));
            } else {
                kept.push(item);
            }
        }
        while spare > 0
            && let Some(item) = kept.pop()
        {
            spare = spare.saturating_sub(size(&item));
        }
        kept
    }

    fn replace(&mut self, list: Vec<Listed>, is_merged: bool) {
        self.added = list.len();
        if !is_merged {
            self.items = list;
            return;
        }
        for new in list {
            match self.items.iter_mut().find(|there| there.id.is_some() && there.id == new.id) {
                Some(there) => *there = new,
                None => self.items.push(new),
            }
        }
    }

    /// A tool that adds or changes one item: its number is that of the order in which items were added.
    fn step(&mut self, name: &str, root: Value<'_>) -> bool {
        let id = IDS.iter().find_map(|key| text_of(root, key));
        let state = STATES.iter().find_map(|key| state_of(root, key));
        let text = TEXTS.iter().find_map(|key| text_of(root, key));
        match (id, text) {
            (Some(id), text) => {
                let there = self.items.iter_mut().find(|listed| listed.id.as_deref() == Some(id.as_str()));
                let at = id.trim_start_matches('#').parse::<usize>().ok().and_then(|at| at.checked_sub(1));
                let there = match there {
                    Some(there) => Some(there),
                    None => at.and_then(|at| self.items.get_mut(at)),
                };
                let Some(there) = there else { return false };
                there.item.state = state.unwrap_or(there.item.state);
                if let Some(text) = text.as_deref().and_then(one_line) {
                    there.item.text = text;
                }
                true
            }
            // A server's tool of such a name keeps the tasks of a team.
            (None, Some(text)) if is_adding(name) && !name.contains("mcp") => {
                let Some(text) = one_line(&text) else { return false };
                self.added += 1;
                let item = PlanItem { text, state: state.unwrap_or(PlanState::Open) };
                self.items.push(Listed { id: Some(self.added.to_string()), item });
                true
            }
            _ => false,
        }
    }
}

fn is_adding(name: &str) -> bool {
    name.contains("create") || name.contains("add")
}

/// A list of objects that say what is to be done and how far it is; `None` if it is another list. An empty list is a plan
/// that was taken back.
fn in_array(value: Value<'_>) -> Option<Vec<Listed>> {
    if !value.is_array() {
        return None;
    }
    let mut list = Vec::new();
    for element in value.elements() {
        let text = match element.text() {
            Some(text) => Some(text.decode().into_owned()),
            None => TEXTS.iter().find_map(|key| text_of(element, key)),
        };
        let said = text.as_deref().and_then(one_line)?;
        let (marked, rest) = marked(&said).unwrap_or((PlanState::Open, &said));
        let state = STATES.iter().find_map(|key| state_of(element, key)).unwrap_or(marked);
        let id = IDS.iter().find_map(|key| text_of(element, key));
        list.push(Listed { id, item: PlanItem { text: rest.to_owned(), state } });
    }
    Some(list)
}

/// The items of a text that lists them: at least two with boxes to tick, or, of a plan, with any sign of a list.
fn in_text(text: &str, is_plan: bool) -> Option<Vec<Listed>> {
    let boxes = || text.lines().filter_map(|line| marked(without_bullet(line)));
    let listed = |(state, said): (PlanState, &str)| {
        Some(Listed { id: None, item: PlanItem { text: one_line(said)?, state } })
    };
    if boxes().count() > 1 {
        return Some(boxes().filter_map(listed).collect());
    }
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines = || text.lines().filter(|line| is_plan && bulleted(line).is_some());
    let least = lines().map(depth).min()?;
    let items: Vec<Listed> = lines()
        .filter(|line| depth(line) == least)
        .filter_map(|line| listed((PlanState::Open, bulleted(line)?)))
        .collect();
    (items.len() > 1).then_some(items)
}

/// A line without the sign of a list in front of it; a box needs none.
fn without_bullet(line: &str) -> &str {
    bulleted(line).unwrap_or_else(|| line.trim())
}

/// What stands behind the sign of a list: `- `, `* `, `1. `.
fn bulleted(line: &str) -> Option<&str> {
    let line = line.trim();
    let behind = line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        (rest.len() < line.len()).then_some(rest)?.strip_prefix(['.', ')'])
    })?;
    behind.starts_with(' ').then(|| behind.trim())
}

/// What a box in front of a text says, and the text.
fn marked(text: &str) -> Option<(PlanState, &str)> {
    MARKS.iter().find_map(|(mark, state)| {
        let rest = text.strip_prefix(mark)?.trim();
        (!rest.is_empty()).then_some((*state, rest))
    })
}

fn text_of(value: Value<'_>, key: &str) -> Option<String> {
    let found = value.present(key)?;
    let text = found.text().map(|text| text.decode().into_owned());
    text.or_else(|| (!found.is_object() && !found.is_array()).then(|| found.source().to_owned()))
}

fn state_of(value: Value<'_>, key: &str) -> Option<PlanState> {
    let word = text_of(value, key)?.to_lowercase();
    Some(if FINISHED.contains(&word.as_str()) {
        PlanState::Finished
    } else if RUNNING.contains(&word.as_str()) {
        PlanState::Running
    } else {
        PlanState::Open
    })
}

/// A text on one line; `None` if it says nothing.
fn one_line(text: &str) -> Option<String> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = words.chars().take(LONGEST).filter(|letter| !letter.is_control()).collect();
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(calls: &[(&str, &str)]) -> Vec<(String, PlanState)> {
        let mut list = PlanList::default();
        for (tool, arguments) in calls {
            list.call(tool, arguments);
        }
        list.done().into_iter().map(|item| (item.text, item.state)).collect()
    }

    #[test]
    fn the_lists_of_many_agents_are_read() {
        let wanted = [
            ("Find it".to_owned(), PlanState::Finished),
            ("Mend it".to_owned(), PlanState::Running),
            ("Test it".to_owned(), PlanState::Open),
        ];
        for (tool, arguments) in [
            (
                "TodoWrite",
                r#"{"todos":[{"content":"Find it","status":"completed"},{"content":"Mend it","status":"in_progress"},{"content":"Test it","status":"pending"}]}"#,
            ),
            (
                "update_plan",
                r#"{"explanation":"x","plan":[{"step":"Find it","status":"completed"},{"step":"Mend it","status":"in_progress"},{"step":"Test it","status":"pending"}]}"#,
            ),
            (
                "functions.write_todos",
                r#""{\"todos\":[{\"description\":\"Find it\",\"status\":\"done\"},{\"description\":\"Mend it\",\"status\":\"doing\"},{\"description\":\"Test it\",\"status\":\"todo\"}]}""#,
            ),
            (
                "manage_todo_list",
                r#"{"operation":"write","todoList":[{"id":1,"title":"Find it","status":"completed"},{"id":2,"title":"Mend it","status":"in-progress"},{"id":3,"title":"Test it","status":"not-started"}]}"#,
            ),
            (
                "task_tracker",
                r#"{"command":"plan","task_list":[{"title":"Find it","status":"done"},{"title":"Mend it","status":"in_progress"},{"title":"Test it","status":"todo"}]}"#,
            ),
            ("update_todo_list", r#"{"todos":"[x] Find it\n[-] given up\n[~] Mend it\n[ ] Test it"}"#),
            (
                "execute_command",
                r#"{"command":"ls","task_progress":"- [x] Find it\n- [~] Mend it\n- [ ] Test it"}"#,
            ),
        ] {
            let mut found = of(&[(tool, arguments)]);
            found.retain(|(text, _)| text != "given up");
            assert_eq!(found, wanted, "{tool}");
        }
        let steps = [
            ("TaskCreate", r#"{"subject":"Find it","description":"in the log"}"#),
            ("TaskCreate", r#"{"subject":"Mend it"}"#),
            ("TaskUpdate", r#"{"taskId":"1","status":"completed"}"#),
            ("TaskUpdate", r#"{"taskId":"2","status":"in_progress"}"#),
            ("TaskCreate", r#"{"subject":"Test it"}"#),
        ];
        assert_eq!(of(&steps), wanted);
        let plan = [("ExitPlanMode", r###"{"plan":"## Plan\n1. Find it\n   - in the log\n2. Test it"}"###)];
        assert_eq!(
            of(&plan).iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(),
            ["Find it", "Test it"]
        );
    }

    #[test]
    fn a_newer_list_replaces_an_older_one_and_a_finished_one_is_none() {
        let first = (
            "TodoWrite",
            r#"{"todos":[{"id":"a","content":"One","status":"pending"},{"id":"b","content":"Two","status":"pending"}]}"#,
        );
        let merged =
            ("todo_write", r#"{"merge":true,"todos":[{"id":"b","content":"Two","status":"completed"}]}"#);
        assert_eq!(
            of(&[first, merged]),
            [("One".to_owned(), PlanState::Open), ("Two".to_owned(), PlanState::Finished)]
        );
        let finished = ("TodoWrite", r#"{"todos":[{"content":"One","status":"completed"}]}"#);
        assert_eq!(of(&[first, finished]), []);
        assert_eq!(of(&[first, ("TodoWrite", r#"{"todos":[]}"#)]), []);
        for (tool, arguments) in [
            ("search", r#"{"todos":[{"content":"x","status":"pending"}]}"#),
            ("Task", r#"{"description":"Look","prompt":"Find the plan"}"#),
            ("todo_read", "{}"),
            ("TodoWrite", "[1"),
        ] {
            assert_eq!(of(&[first, (tool, arguments)]).len(), 2, "{tool}");
        }
    }

    #[test]
    fn an_agent_may_tick_boxes_in_its_text() {
        let mut list = PlanList::default();
        assert!(!list.say("I ticked - [x] one box.\n- [ ] alone") && !list.say("1. a\n2. b"));
        assert!(list.say("My plan:\n1. [x] Find it\n2. [ ] Mend it\n☐ Test it"));
        assert_eq!(list.done().len(), 3);
    }
}
