//! A command line, as far as how it ended and what it was for depend on it.

/// Programs that show what is there. What they print says nothing about themselves.
const READERS: &[&str] = &[
    "cat", "sed", "head", "tail", "less", "more", "grep", "egrep", "fgrep", "rg", "ag", "ack", "awk", "gawk",
    "ls", "dir", "tree", "find", "fd", "echo", "printf", "nl", "wc", "sort", "uniq", "cut", "tr", "tee",
    "bat", "xxd", "hexdump", "strings", "jq", "yq", "column", "diff", "cmp", "stat", "file", "which", "pwd",
    "date", "true", "env", "printenv", "ps", "df", "du", "basename", "dirname", "realpath", "xargs", "test",
    "[", "pgrep", "type", "get-content", "select-string", "get-childitem", "findstr",
];
const GIT_READERS: &[&str] = &[
    "show", "log", "diff", "blame", "grep", "status", "ls-files", "rev-parse", "branch", "cat-file", "remote",
];
/// Programs that end with 1 where they find nothing, or a difference.
const SEARCHES: &[&str] = &[
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "cmp", "test", "[", "pgrep", "which", "findstr",
    "type",
];
/// Words in front of a program, and programs that prepare the shell for the next one.
const FRONTS: &[&str] = &[
    "sudo", "time", "nohup", "exec", "command", "nice", "env", "xvfb-run", "stdbuf", "if", "then", "!", "(",
];
const PREPARES: &[&str] = &[
    "cd", "export", "source", ".", "set", "pushd", "popd", "sleep", "wait", "umask", "fi", "done", "true",
    ":",
];
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "fish", "pwsh", "powershell"];
/// Programs of which the next word says what they do, words behind which the next one does, and programs that only start one.
const GROUPS: &[&str] = &[
    "cargo", "go", "npm", "pnpm", "yarn", "bun", "git", "make", "just", "docker", "kubectl", "dotnet", "mvn",
    "gradle", "gradlew", "rake", "mix", "deno", "node", "terraform", "helm", "gh", "pip", "pip3", "uv",
    "poetry", "bundle", "conda", "turbo", "nx", "python", "python3", "composer", "php", "ruby", "swift",
    "zig", "bazel",
];
const RUNS: &[&str] = &["run", "exec", "x", "tool", "compose"];
const STARTERS: &[&[&str]] = &[
    &["npx"],
    &["bunx"],
    &["pnpx"],
    &["uvx"],
    &["python", "-m"],
    &["python3", "-m"],
    &["uv", "run"],
    &["poetry", "run"],
    &["pipenv", "run"],
    &["hatch", "run"],
    &["bundle", "exec"],
    &["pnpm", "exec"],
    &["npm", "exec"],
    &["yarn", "exec"],
];
/// Words that mean everything.
const EVERYTHING: &[&str] = &[".", "./", "./...", "...", "*", "all", "--all", "--workspace", "**"];
/// Longer command lines are scripts; so many words of one are looked at.
const MOST_WORDS: usize = 400;

/// A command line: the words of each program.
#[derive(Debug)]
pub(super) struct Command {
    programs: Vec<Vec<String>>,
}

/// What a command is for: what it does, and to what.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Purpose {
    key: Vec<String>,
    scope: Vec<String>,
}

impl Command {
    pub(super) fn of(line: &str) -> Self {
        let mut programs: Vec<Vec<String>> = Vec::new();
        for words in programs_of(line) {
            // A shell's own argument is the command line.
            let is_shell = words.first().is_some_and(|name| SHELLS.contains(&base(name)));
            let inner = words.iter().position(|word| word.starts_with('-') && word.ends_with('c'));
            match inner.filter(|_| is_shell).and_then(|at| words.get(at + 1)) {
                Some(inner) => programs.extend(programs_of(inner)),
                None => programs.push(words),
            }
        }
        programs.retain(|words| words.first().is_some_and(|name| !PREPARES.contains(&name.as_str())));
        Self { programs }
    }

    /// Whether it only shows what is there.
    pub(super) fn reads(&self) -> bool {
        self.worker().is_none()
    }

    /// Whether its last program looks for something.
    pub(super) fn searches(&self) -> bool {
        self.programs.last().is_some_and(|words| {
            let name = words.first().map_or("", |name| base(name));
            let is_git = name == "git" && words.iter().any(|word| word == "grep" || word == "diff");
            SEARCHES.contains(&name) || is_git
        })
    }

    /// Whether it ends as another program than the one that does the work.
    pub(super) fn hides_its_end(&self) -> bool {
        self.worker().is_some_and(|at| at + 1 < self.programs.len())
    }

    /// The names of its programs.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().filter_map(|words| words.first()).map(|name| base(name))
    }

    /// What it is for; `None` if it only shows what is there.
    pub(super) fn purpose(&self) -> Option<Purpose> {
        let words = self.programs.get(self.worker()?)?;
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        for starter in STARTERS {
            let starts = words.len() > starter.len()
                && words.iter().zip(*starter).all(|(word, known)| base(word) == *known);
            if starts {
                words.drain(..starter.len());
            }
        }
        let mut rest = words.iter().filter(|word| !word.starts_with('-') || word.contains('='));
        let first = base(rest.next()?);
        let mut key = vec![first.to_owned()];
        if GROUPS.contains(&first)
            && let Some(next) = rest.next()
        {
            // `npm run test` is `npm test`.
            if RUNS.contains(next)
                && let Some(what) = rest.next()
            {
                key.push((*what).to_owned());
            } else {
                key.push((*next).to_owned());
            }
        }
        Some(Purpose { key, scope: rest.map(|word| (*word).to_owned()).collect() })
    }

    /// The program that does the work: the last one that does more than showing what is there.
    fn worker(&self) -> Option<usize> {
        self.programs.iter().rposition(|words| {
            let name = words.first().map_or("", |name| base(name));
            let writes = name == "sed" && words.iter().any(|word| word.starts_with("-i"));
            let is_git =
                name == "git" && words.get(1).is_some_and(|what| GIT_READERS.contains(&what.as_str()));
            writes || !is_git && !READERS.contains(&name.to_ascii_lowercase().as_str())
        })
    }
}

impl Purpose {
    /// Whether it did what `other` was for, and perhaps more.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let is_within = |word: &String| {
            let folder = word.trim_end_matches(['/', '.', '*']);
            EVERYTHING.contains(&word.as_str())
                || other.scope.iter().any(|one| one == word || !folder.is_empty() && one.starts_with(folder))
        };
        self.key == other.key && self.scope.iter().all(is_within)
    }
}

/// The name of a program without its folder.
fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The words of each program of a line, without redirections, assignments and what only stands in front.
fn programs_of(line: &str) -> Vec<Vec<String>> {
    let mut programs = vec![Vec::new()];
    let mut word = String::new();
    let mut quote = None;
    let mut letters = line.chars().peekable();
    let mut count = 0;
    let mut end = |word: &mut String, programs: &mut Vec<Vec<String>>| {
        count += 1;
        let word = std::mem::take(word);
        if let Some(words) = programs.last_mut()
            && count < MOST_WORDS
            && is_word(&word, words)
        {
            words.push(word);
        }
    };
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(mark), _) if letter == mark => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '\\') => word.extend(letters.next().filter(|next| *next != '\n')),
            (None, '|' | ';' | '\n') => {
                end(&mut word, &mut programs);
                programs.push(Vec::new());
            }
            (None, '&') if letters.peek() == Some(&'&') => {
                letters.next();
                end(&mut word, &mut programs);
                programs.push(Vec::new());
            }
            (None, _) if letter.is_whitespace() => end(&mut word, &mut programs),
            _ => word.push(letter),
        }
    }
    end(&mut word, &mut programs);
    programs.retain(|words| !words.is_empty());
    programs
}

/// Whether a word is one of a program's, of which `before` are known.
fn is_word(word: &str, before: &[String]) -> bool {
    let redirects = word.contains(['<', '>']) && !word.contains("=>");
    let assigns = before.is_empty()
        && word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        });
    let is_front = before.is_empty()
        && (FRONTS.contains(&word)
            || word == "timeout"
            || word.starts_with(|digit: char| digit.is_ascii_digit()));
    !word.is_empty() && !redirects && !assigns && !is_front
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_only_shows_something_is_told_from_one_that_works() {
        for (line, reads, searches, hides) in [
            ("sed -n '1,4p' src/a.ts", true, false, false),
            ("cd x && cat a | head -3", true, false, false),
            ("git log --oneline | grep fix", true, true, false),
            ("grep -rn 'a && b' src", true, true, false),
            ("sed -i s/a/b/ x", false, false, false),
            ("go test ./auth 2>&1 | tail -80", false, false, true),
            ("npm run check | grep \"error TS\"", false, true, true),
            ("bash -lc 'cargo test'", false, false, false),
            ("make || true", false, false, false),
            ("make; echo done", false, false, true),
        ] {
            let command = Command::of(line);
            assert_eq!(
                (command.reads(), command.searches(), command.hides_its_end()),
                (reads, searches, hides),
                "{line}"
            );
        }
    }

    #[test]
    fn a_wider_command_of_the_same_kind_covers_a_narrower_one() {
        let purpose = |line: &str| Command::of(line).purpose();
        for (later, earlier, covers) in [
            ("go test ./... 2>&1 | tail", "go test ./auth", true),
            ("go test ./web", "go test ./auth", false),
            ("cargo test", "CI=1 cargo test -q login", true),
            ("cargo build", "cargo test", false),
            ("npm test", "npm run test -- login", true),
            ("python -m pytest tests", "pytest tests/test_a.py", true),
            ("timeout 60 uv run pytest", "pytest tests/test_a.py", true),
            ("npx jest a", "npx jest b", false),
        ] {
            let (later, earlier) = (purpose(later).unwrap(), purpose(earlier).unwrap());
            assert_eq!(later.covers(&earlier), covers, "{later:?} {earlier:?}");
        }
        assert_eq!(purpose("cat a | head"), None);
    }
}
