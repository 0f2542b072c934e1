//! What the samples tell, before a format's scribe writes it down.

/// A call of a tool and what it returned.
#[derive(Clone, Debug)]
pub(super) struct ToolCall {
    pub(super) tool: &'static str,
    /// The arguments as a JSON object.
    pub(super) arguments: String,
    pub(super) output: String,
}

impl ToolCall {
    pub(super) fn new(tool: &'static str, arguments: &[(&str, &str)], output: String) -> Self {
        Self { tool, arguments: object(arguments), output }
    }
}

/// Writes a session in the format of an agent or provider.
pub(super) trait Scribe {
    /// The user says something.
    fn user(&mut self, text: &str);
    /// The agent says something, which may be empty, and calls tools.
    fn step(&mut self, say: &str, calls: &[ToolCall]);
    /// The agent answers.
    fn answer(&mut self, text: &str);
}

/// A JSON object of texts.
pub(super) fn object(members: &[(&str, &str)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{}:{}", quoted(name), quoted(value))).collect();
    format!("{{{}}}", members.join(","))
}

/// A moment of a working day, `seconds` after it began, as ISO 8601.
pub(super) fn moment(day: &str, seconds: u64) -> String {
    let seconds = seconds + 8 * 3_600;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!("{day}T{:02}:{minutes:02}:{:02}.{:03}Z", hours % 24, seconds % 60, seconds * 37 % 1_000)
}

/// `text` as a JSON string.
#[inline(never)]
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 16);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            _ if character < ' ' => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
