//! Tool outputs that look like those of real sessions, around the few lines that matter.

use std::fmt::Write as _;

use super::code::{Choice, NOUNS, function, line, path};
use super::script::Output;

/// The output; each `seed` always gives the same one.
pub(super) fn of(output: Output, seed: u64) -> String {
    let mut choice = Choice::new(seed);
    match output {
        Output::File { path, lines, core } => file(path, lines, core, &mut choice),
        Output::Grep { word, hits } => grep(word, hits, &mut choice),
        Output::Tests { suites, failed } => tests(suites, failed, &mut choice),
        Output::Diff { files, core } => diff(files, core, &mut choice),
        Output::Log { lines, core } => log(lines, core, &mut choice),
        Output::Rows { columns, rows } => table(columns, rows, &mut choice),
        Output::Tree { files } => tree(files, &mut choice),
        Output::Text(text) => text.to_owned(),
    }
}

pub(super) fn file(path: &str, lines: u32, core: &str, choice: &mut Choice) -> String {
    let mut body = format!("// {path}\nimport type {{ Cents, Line, Order, VatRate }} from \"../types\";\n");
    let mut placed = false;
    while body.lines().count() < lines as usize {
        body.push('\n');
        if !placed && body.lines().count() * 5 > lines as usize * 2 {
            placed = true;
            body.push_str(core);
        } else {
            body.push_str(&function(choice));
        }
        body.push('\n');
    }
    let mut numbered = String::with_capacity(body.len() * 5 / 4);
    for (number, line) in (1..).zip(body.lines()) {
        let _ = writeln!(numbered, "{number:>5}\t{line}");
    }
    numbered
}

pub(super) fn grep(word: &str, hits: u32, choice: &mut Choice) -> String {
    let mut found = String::new();
    let mut left = hits;
    while left > 0 {
        let path = path(choice);
        let mut number = 3 + choice.below(40);
        for _ in 0..(1 + choice.below(6) as u32).min(left) {
            let _ = writeln!(found, "{path}:{number}:  {}", line(choice, word));
            number += 1 + choice.below(60);
            left -= 1;
        }
    }
    found
}

pub(super) fn tests(suites: u32, failed: &str, choice: &mut Choice) -> String {
    let mut log =
        String::from("\n> harbour-shop@4.12.0 test\n> vitest run\n\n RUN  v3.1.4 /work/harbour-shop\n\n");
    let mut count = 0;
    for suite in 0..suites {
        let tests = 2 + choice.below(9);
        count += tests;
        let _ = writeln!(log, " ✓ {} ({tests} tests) {}ms", path(choice), 4 + choice.below(900));
        if choice.below(3) == 0 {
            for _ in 0..tests {
                let (what, then) = (choice.of(&NOUNS), choice.of(&NOUNS));
                let _ = writeln!(
                    log,
                    "   ✓ {what} > keeps its {then} when the {} changes {}ms",
                    choice.of(&NOUNS),
                    choice.below(40)
                );
            }
        }
        if suite == suites / 2 && !failed.is_empty() {
            let _ = writeln!(log, "\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n{failed}\n");
        }
    }
    let failures = u64::from(!failed.is_empty());
    let _ = writeln!(
        log,
        "\n Test Files  {failures} failed | {} passed ({suites})\n      Tests  {failures} failed | {} passed ({count})\n   Duration  {}.{:02}s",
        u64::from(suites) - failures,
        count - failures,
        4 + choice.below(30),
        choice.below(100)
    );
    log
}

pub(super) fn diff(files: u32, core: &str, choice: &mut Choice) -> String {
    let mut text = String::new();
    for number in 0..files {
        let path = path(choice);
        let _ = write!(
            text,
            "diff --git a/{path} b/{path}\nindex {:07x}..{:07x} 100644\n--- a/{path}\n+++ b/{path}\n",
            choice.below(1 << 28),
            choice.below(1 << 28)
        );
        for _ in 0..=choice.below(3) {
            let at = 10 + choice.below(200);
            let _ = writeln!(text, "@@ -{at},14 +{at},16 @@");
            for (index, line) in function(choice).lines().enumerate() {
                let mark = ['+', '-', ' ', ' '].get((index + number as usize) % 4).copied().unwrap_or(' ');
                let _ = writeln!(text, "{mark}{line}");
            }
        }
        if number == files / 2 {
            let _ = writeln!(text, "@@ -31,9 +31,18 @@\n{core}");
        }
    }
    text
}

pub(super) fn log(lines: u32, core: &str, choice: &mut Choice) -> String {
    let mut text = String::new();
    let mut seconds = 8 * 3600 + choice.below(3600);
    for number in 0..lines {
        seconds += choice.below(9);
        let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        let order = 48_000 + choice.below(400);
        let _ = match choice.below(5) {
            0 => writeln!(
                text,
                "2025-05-27T{clock}Z info  reconcile: order={order} charged={0} invoiced={0} ok",
                900 + choice.below(20_000)
            ),
            1 => writeln!(
                text,
                "2025-05-27T{clock}Z debug queue: job={order} attempt=1 waited={}ms",
                choice.below(4_000)
            ),
            2 => writeln!(
                text,
                "2025-05-27T{clock}Z info  http: POST /api/{}s/{order} 200 {}ms req={:08x}",
                choice.of(&NOUNS),
                choice.below(300),
                choice.below(1 << 32)
            ),
            3 => writeln!(
                text,
                "2025-05-27T{clock}Z warn  gateway: slow answer {}ms, order={order}, will be retried",
                1_000 + choice.below(5_000)
            ),
            _ => writeln!(
                text,
                "2025-05-27T{clock}Z debug cache: {} hit={} size={}",
                choice.of(&NOUNS),
                choice.below(2) == 1,
                choice.below(5_000)
            ),
        };
        if number == lines * 3 / 4 {
            let _ = writeln!(text, "{core}");
        }
    }
    text
}

pub(super) fn table(columns: &str, rows: u32, choice: &mut Choice) -> String {
    let columns: Vec<&str> = columns.split('|').collect();
    let wide: Vec<usize> = columns.iter().map(|name| name.len().max(10)).collect();
    let mut text = String::new();
    for (name, width) in columns.iter().zip(&wide) {
        let _ = write!(text, " {name:<width$} |");
    }
    text.push('\n');
    for width in &wide {
        let _ = write!(text, "{:-<1$}+", "", width + 2);
    }
    text.push('\n');
    for row in 0..rows {
        for (index, width) in wide.iter().enumerate() {
            let cell = match index {
                0 => (47_000 + u64::from(row) * 11 + choice.below(11)).to_string(),
                1 => format!("2025-0{}-{:02}", 3 + choice.below(3), 1 + choice.below(28)),
                2 | 3 => (900 + choice.below(30_000)).to_string(),
                4 => (choice.below(8) as i64 - 3).to_string(),
                _ => choice.of(&["5", "10", "12.5", "15", "20", "33.33"]).to_owned(),
            };
            let _ = write!(text, " {cell:<width$} |");
        }
        text.push('\n');
    }
    let _ = writeln!(text, "({rows} rows)");
    text
}

fn tree(files: u32, choice: &mut Choice) -> String {
    let mut paths: Vec<String> = (0..files).map(|_| path(choice)).collect();
    paths.extend(
        ["README.md", "package.json", "docs/money.md", "src/types.ts", "plugins/theme/src/price-tag.ts"]
            .map(str::to_owned),
    );
    ebbline_json::order::sort_by(&mut paths, &|one, other| one.cmp(other));
    paths.dedup();
    paths.join("\n")
}
