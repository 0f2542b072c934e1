//! The tables of a database, and where their columns are.

use super::record::{Value, column};
use super::{Database, Fault};

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// The page on which its tree begins.
    pub(crate) root: u32,
    columns: Vec<String>,
}

impl Table {
    /// The names of its columns.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The place of a column in a record.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
    }
}

impl Database {
    /// The tables of some names; `None` for one that there is not.
    pub(crate) fn tables<const N: usize>(&self, names: [&str; N]) -> Result<[Option<Table>; N], Fault> {
        let mut tables = [const { None }; N];
        self.rows(1, &mut |row| {
            let record = self.whole(row)?;
            let at = |place: usize| column(&record, place).unwrap_or(Value::Null);
            let Some(name) = at(1).text().filter(|_| at(0).text() == Some("table")) else { return Ok(()) };
            let Some(place) = names.iter().position(|wanted| *wanted == name) else { return Ok(()) };
            let root = at(3).integer().and_then(|root| u32::try_from(root).ok());
            if let (Some(root), Some(sql), Some(table)) = (root, at(4).text(), tables.get_mut(place)) {
                let sql = without_comments(sql);
                // Such a table is an index: its rows have no numbers.
                let has_rows =
                    !sql.rsplit(')').next().unwrap_or_default().to_ascii_lowercase().contains("rowid");
                *table = has_rows.then(|| Table { root, columns: columns(&sql) });
            }
            Ok(())
        })?;
        Ok(tables)
    }
}

/// The names of the columns in `CREATE TABLE name (column type …, …)`.
fn columns(sql: &str) -> Vec<String> {
    let mut columns = Vec::new();
    let mut depth = 0;
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let is_name = first.is_alphanumeric() || first == '_' || "\"'`[".contains(first);
        if is_name {
            let (name, behind) = name(rest);
            // Behind the name of a column stand its type and its rules; a rule of the table stands behind all columns.
            let next = if depth == 1 { to_comma(behind) } else { behind };
            let definition = behind.get(..behind.len() - next.len()).unwrap_or_default();
            if depth == 1 && !is_rule(name, rest) && !is_virtual(definition) {
                columns.push(name.to_owned());
            }
            rest = next;
            continue;
        }
        match first {
            '(' => depth += 1,
            ')' if depth == 1 => break,
            _ => {}
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    columns
}

/// Whether a word begins a rule of the table: it is none if it is quoted.
fn is_rule(name: &str, written: &str) -> bool {
    let rules = ["constraint", "primary", "unique", "check", "foreign"];
    written.starts_with(name) && rules.iter().any(|rule| name.eq_ignore_ascii_case(rule))
}

/// Whether a column is computed when it is read: it has no place in a record.
fn is_virtual(definition: &str) -> bool {
    let words = definition.to_ascii_lowercase();
    words.replace('(', " (").split_whitespace().any(|word| word == "as") && !words.contains("stored")
}

/// The statement without its comments.
fn without_comments(sql: &str) -> String {
    let (mut bare, mut rest) = (String::with_capacity(sql.len()), sql);
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let closing = if first == '[' { ']' } else { first };
            let behind =
                if "\"'`[".contains(first) { rest.get(1..).unwrap_or_default().find(closing) } else { None };
            let length = behind.map_or(first.len_utf8(), |end| end + 2);
            bare.push_str(rest.get(..length).unwrap_or_default());
            length
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    bare
}

/// A name, with or without quotes, and what follows it.
fn name(text: &str) -> (&str, &str) {
    let closing = match text.chars().next() {
        Some('[') => ']',
        Some(quote @ ('"' | '\'' | '`')) => quote,
        _ => {
            let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            return text.split_at(end.unwrap_or(text.len()));
        }
    };
    let inside = text.get(1..).unwrap_or_default();
    inside.split_once(closing).unwrap_or((inside, ""))
}

/// What follows the next comma that is in no brackets and no quotes; the closing bracket of the table if there is none.
fn to_comma(text: &str) -> &str {
    let (mut depth, mut quote) = (0, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), letter) => quote = if open == letter { None } else { quote },
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return text.get(at..).unwrap_or_default(),
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => return text.get(at + 1..).unwrap_or_default(),
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_in_every_spelling() {
        let cases: [(&str, &[&str]); 7] = [
            (
                "CREATE TABLE `part` (\n\t`id` text PRIMARY KEY,\n\t`message_id` text NOT NULL, `data` text DEFAULT '(,)' NOT NULL,\n\tCONSTRAINT `fk` FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE\n)",
                &["id", "message_id", "data"],
            ),
            ("CREATE TABLE a(\"x, y\" INTEGER, [z] NUMERIC(10, 2), w)", &["x, y", "z", "w"]),
            ("CREATE TABLE a (id TEXT, primary key (id)) WITHOUT ROWID", &["id"]),
            ("CREATE TABLE \"a(b\" (id TEXT CHECK (id > 0), b)", &["id", "b"]),
            ("CREATE TABLE", &[]),
            (
                "CREATE TABLE a (id TEXT, -- the id, of course\n/* and (more) */ b TEXT DEFAULT '--', c)",
                &["id", "b", "c"],
            ),
            (
                "CREATE TABLE a (id TEXT, v TEXT GENERATED ALWAYS AS (id || 'x') VIRTUAL, w AS(id), s AS (id) STORED, b)",
                &["id", "s", "b"],
            ),
        ];
        for (sql, expected) in cases {
            assert_eq!(columns(&without_comments(sql)), expected, "{sql}");
        }
    }
}
