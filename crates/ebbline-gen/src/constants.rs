//! The JavaScript that has to agree with the engine to the bit: the layout of records, and the reader of decisions.

use ebbline::Format;
use ebbline::binding::form::{Described, Form, Member};
use ebbline::binding::records::layout;
use ebbline::binding::{FINDINGS, MOST_POLICIES};
use ebbline::controller::Notice;
use ebbline::economics::Rates;
use ebbline::plan::{Decision, SCHEMA};
use ebbline::transcript::{Output, PartKind, Role, Turn};
use ebbline::validate::Rule;
use ebbline_compactor::binding::{SUMMARIZES_ALL, recall_tools as tools};
use ebbline_json::words::Words;

use crate::prose::{NOTE, camel, comment};

/// The bits of records.
pub(crate) fn records() -> String {
    let mut text = format!("// {NOTE}\n// The layout is documented in crates/ebbline/src/packed.rs.\n\n");
    for (name, value) in layout::NUMBERS {
        text.push_str(&format!("export const {name} = {value};\n"));
    }
    let shifted = |words: &[&str], shift: u32, strip: &str| -> String {
        let word = |word: &&str| word.strip_prefix(strip).unwrap_or(word).to_uppercase();
        words
            .iter()
            .zip(0_u32..)
            .map(|(text, number)| format!("  {}: {},\n", word(text), number << shift))
            .collect()
    };
    let names = |words: &[Role]| words.iter().map(|word| word.as_str()).collect::<Vec<_>>();
    let turns: Vec<_> = Turn::ALL.iter().map(|word| word.as_str()).collect();
    let kinds: Vec<_> = PartKind::ALL.iter().map(|word| word.as_str()).collect();
    let flags: String =
        layout::FLAGS.iter().map(|(name, bit)| format!("  {name}: {},\n", 1_u32 << bit)).collect();
    let outputs: String = Output::ALL
        .iter()
        .map(|output| format!("  {}: {},\n", output.as_str().to_uppercase(), layout::output_bits(*output)))
        .collect();
    for (name, about, members) in [
        ("Role", "Who speaks.", shifted(&names(Role::ALL), 0, "")),
        ("Turn", "Whether a message begins a turn.", shifted(&turns, layout::SECOND_FIELD, "")),
        ("Flag", "What else is said of a message.", format!("  NONE: 0,\n{flags}")),
        ("Kind", "What a part is.", shifted(&kinds, 0, "tool_")),
        ("Output", "What may be done with a result.", outputs),
    ] {
        let about = comment(about, "");
        text.push_str(&format!("\n{about}export const {name} = Object.freeze({{\n{members}}});\n"));
    }
    text
}

/// The formats that a list of live messages may show, the most specific first. The module of a live one is called like it.
pub(crate) fn formats() -> String {
    let formats = Format::of_lists();
    let import = |format: Format| {
        let file = if format.is_live() { format.name().replace('_', "-") } else { "recognized".to_owned() };
        format!("import {{ {} }} from '../formats/{file}.js';\n", camel(format.name()))
    };
    let imports: String = formats.iter().map(|format| import(*format)).collect();
    let rows: String = filled(formats.iter().map(|format| camel(format.name())));
    format!(
        "// {NOTE}\n\nimport type {{ Format }} from '../formats/format.js';\n{imports}\n\
         /** The most specific format first: if formats share a trait, the order decides. */\n\
         export const FORMATS: readonly Format[] = [\n{rows}];\n"
    )
}

/// What a model sees of a message.
pub(crate) fn identity() -> String {
    let list = |(name, about, words): (&str, &str, Vec<&str>)| {
        let words = filled(words.into_iter().map(quoted));
        format!("\n{}export const {name} = [\n{words}] as const;\n", comment(about, ""))
    };
    format!("// {NOTE}\n{}", ebbline::binding::seen::lists().map(list).concat())
}

/// What agents write into messages of the user.
pub(crate) fn injected() -> String {
    let [tags, notes, lines] = ebbline::binding::injected();
    let list = |words: &[&str]| filled(words.iter().map(|word| quoted(word)));
    let (tags, notes, lines) = (list(tags), list(notes), list(lines));
    format!(
        "// {NOTE}\n// crates/ebbline/src/injection.rs says which agent writes what.\n\n\
         /** Tags of blocks. */\nexport const TAGS = [\n{tags}];\n\n\
         /** How texts begin. */\nexport const NOTES = [\n{notes}];\n\n\
         /** How lines behind a block begin. */\nexport const LINES = [\n{lines}];\n"
    )
}

/// The tool that gets a cleared output back, in each spelling.
pub(crate) fn recall_tools() -> String {
    let tools = tools().map(|(spelling, json)| format!("  {spelling}:\n    '{json}',\n")).concat();
    format!(
        "// {NOTE}\n\n/** The tool that gets a cleared output back as JSON, in each provider's spelling. */\nexport const RECALL_TOOLS = {{\n{tools}}};\n"
    )
}

/// The reader of a decision's figures.
pub(crate) fn decision() -> String {
    let mut reader = Reader { sets: Vec::new(), figure: 0 };
    let body: String = Decision::OBJECT.members.iter().map(|member| reader.member(member, "    ")).collect();
    let sets: String = reader
        .sets
        .iter()
        .map(|words| {
            let list = filled(words.words.iter().map(|word| quoted(word)));
            format!("const {} = [\n{list}] as const;\n", words.name)
        })
        .collect();
    format!(
        "// {NOTE}\n\nimport type {{ Decision }} from '../session-options.js';\n\n{sets}\n\
         /**\n * What the figures from number `at` on say, as the members of a plan that say nothing of single messages.\n */\n\
         export function decisionOf(figures: Float64Array, at: number, profile: string): Decision {{\n  return {{\n    schema: '{SCHEMA}',\n    profile,\n{body}  }};\n}}\n\n\
         function placeIn(figure: number): number | null {{\n  return figure < 0 ? null : figure;\n}}\n"
    )
}

/// The names that a caller of JavaScript may give.
pub(crate) fn names() -> String {
    let formats: String = Format::ALL
        .iter()
        .map(|format| {
            let reported = format.reported_input().map(|reported| quoted(reported.as_str()));
            let reported = reported.map_or_else(String::new, |word| format!(", reportedInput: {word}"));
            format!("  {}: {{ title: {}{reported} }},\n", format.name(), quoted(format.title()))
        })
        .collect();
    let notices: String =
        Notice::ALL.iter().map(|word| format!("  {word}: {},\n", quoted(word.sentence()))).collect();
    let Rates { cached, written, output, .. } = Rates::default();
    let summarizing: String = SUMMARIZES_ALL
        .iter()
        .map(|(path, json)| format!("  '{path}': {},\n", json.replace('"', "'")))
        .collect();
    let rules = filled(Rule::ALL.iter().map(|rule| quoted(rule.name())));
    format!(
        "// {NOTE}\n\n\
         import type {{ PolicyOptions }} from '../policy-options.js';\n\
         import type {{ Report }} from '../session-report.js';\n\
         import type {{ FormatName }} from './words.js';\n\n\
         /**\n * The formats that are read, and what the usage that they report includes.\n */\n\
         export const FORMATS: Record<FormatName, {{ title: string; reportedInput?: Report['reportedInput'] }}> = {{\n{formats}}};\n\n\
         /** The rules that a session can break. */\nexport const RULES = [\n{rules}] as const;\n\n\
         /** What is most likely a mistake of the caller; figures stand in braces. */\nexport const NOTICES = {{\n{notices}}};\n\n\
         /** What tokens cost when the caller says nothing, as multiples of one fresh input token. */\n\
         export const RATES = {{ cached: {cached}, written: {written}, output: {output} }};\n\n\
         /** How many policies are compared at once. */\nexport const MOST_POLICIES = {MOST_POLICIES};\n\n\
         /** How many findings a report lists. */\nexport const FINDINGS = {FINDINGS};\n\n\
         /** A boundary in front of the newest message, wherever the policy would put it. */\nexport const SUMMARIZES_ALL: PolicyOptions['set'] = {{\n{summarizing}}};\n"
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

struct Reader {
    sets: Vec<Words>,
    figure: usize,
}

impl Reader {
    fn member(&mut self, member: &Member, indent: &str) -> String {
        format!("{indent}{}: {},\n", member.name, self.value(member.form, indent))
    }

    fn value(&mut self, form: Form, indent: &str) -> String {
        match form {
            Form::Flag => format!("{} === 1", self.next()),
            Form::Place | Form::MaybeAmount => format!("placeIn({})", self.next()),
            Form::Word(words) => {
                if self.sets.iter().all(|known| known.name != words.name) {
                    self.sets.push(words);
                }
                format!("{}[{}]", words.name, self.next())
            }
            Form::Object(object) => {
                let inner = format!("{indent}  ");
                let members: String =
                    object.members.iter().map(|member| self.member(member, &inner)).collect();
                format!("{{\n{members}{indent}}}")
            }
            Form::Maybe(object) => {
                let first = self.at();
                let members: Vec<_> = object
                    .members
                    .iter()
                    .map(|member| format!("{}: {}", member.name, self.value(member.form, indent)))
                    .collect();
                format!("{first} < 0 ? null : {{ {} }}", members.join(", "))
            }
            // No other form crosses as figures: the engine would not compile.
            _ => self.next(),
        }
    }

    fn at(&self) -> String {
        if self.figure == 0 { "figures[at]".to_owned() } else { format!("figures[at + {}]", self.figure) }
    }

    fn next(&mut self) -> String {
        let place = self.at();
        self.figure += 1;
        place
    }
}

/// The lines of a list, as many words on each as fit.
fn filled(words: impl Iterator<Item = String>) -> String {
    const WIDTH: usize = 120;
    let mut lines = vec![String::new()];
    for word in words {
        match lines.last_mut() {
            Some(line) if line.is_empty() || line.len() + word.len() + 2 <= WIDTH => {
                line.push_str(&format!(" {word},"));
            }
            _ => lines.push(format!(" {word},")),
        }
    }
    lines.iter().map(|line| format!(" {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reader_takes_every_figure() {
        let mut reader = Reader { sets: Vec::new(), figure: 0 };
        reader.value(Form::Object(&Decision::OBJECT), "");
        assert_eq!(reader.figure, ebbline::binding::FIGURES);
    }
}
