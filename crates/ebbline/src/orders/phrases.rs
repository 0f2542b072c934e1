//! The words and phrases by which orders are found, in English and German.

/// Beginnings of clauses that make a rule that lasts.
#[rustfmt::skip]
pub(super) const BEGINS_LASTING: &[&str] = &[
    "in future", "in the future", "remember to", "call me", "be brief", "be concise", "be terse", "be polite",
    "answer in", "reply in", "respond in", "answer only", "reply only", "respond only", "only answer",
    "only reply", "only respond", "stick to", "stick with", "adhere to", "if in doubt", "when in doubt",
];
/// Verbs and things of every task: an order about them is not of one.
#[rustfmt::skip]
pub(super) const CONDUCT: &[&str] = &[
    "touch", "push", "commit", "commits", "merge", "deploy", "install", "rebase", "amend", "mock", "mocks",
    "ask", "dependencies", "dependency", "packages", "libraries", "comments", "emojis", "emoji", "main",
    "master", "branch", "branches", "secrets", "network", "production", "prod", "migrations", "api", "legacy",
    "vendor", "generated", "npm", "yarn", "pnpm", "tabs", "spaces", "answers", "answer", "abhangigkeiten",
    "kommentare", "emoticons", "dependencias", "comentarios", "dependances", "commentaires", "linter", "force",
    "delete",
];
/// Of these, what may be of one task all the same, if the user asks for it in the same message.
pub(super) const OF_A_TASK: &[&str] =
    &["touch", "delete", "mock", "mocks", "ask", "api", "answer", "comments", "linter"];
/// Words in front of a thing at hand.
pub(super) const DETERMINERS: &[&str] =
    &["the", "a", "an", "this", "that", "it", "these", "those", "its", "their", "them", "just"];
/// What lasts longer than a task.
pub(super) const SCOPES: &[&str] =
    &["session", "project", "repo", "repository", "conversation", "chat", "codebase", "team"];
/// What an agent's work is made of.
#[rustfmt::skip]
pub(super) const SHAPED: &[&str] = &[
    "answers", "answer", "replies", "responses", "messages", "commits", "prs", "functions", "files",
    "comments", "explanations", "diffs", "summaries", "names", "tests", "methods", "modules", "dependencies",
    "output", "lines",
];
/// Last words in front of a list that each item needs to be understood.
#[rustfmt::skip]
pub(super) const FORBIDDING: &[&str] = &[
    "never", "don't", "do not", "avoid", "always", "please don't", "no", "nie", "niemals", "vermeide", "immer",
    "nunca", "siempre", "evita", "jamais", "toujours", "evite", "must not", "you must", "should not", "don'ts",
];
/// Beginnings of clauses that make a rule.
#[rustfmt::skip]
pub(super) const BEGINS_RULE: &[&str] = &[
    "only use", "only touch", "only edit", "only change", "only modify", "only write", "only read",
    "only commit", "only run", "only work", "work only", "use only", "write only", "commit only",
    "refrain from", "don't use", "do not use", "avoid",
];
/// Words between the beginning of a clause and its order.
#[rustfmt::skip]
pub(super) const LEADS: &[&str] = &[
    "please", "now", "ok", "okay", "great", "thanks", "yes", "perfect", "jetzt", "ahora", "maintenant",
    "kindly", "por", "favor", "s'il", "te", "plait", "merci", "de", "et", "y", "也", "请", "請", "就", "都", "还",
    "并", "但", "and", "but", "also", "so", "then", "just", "or", "again", "bitte", "und", "aber", "auch",
    "dann", "should", "must", "shall", "to", "let's",
];
/// Words after "don't" that order nothing.
#[rustfmt::skip]
pub(super) const NO_BAN: &[&str] = &[
    "worry", "know", "think", "see", "understand", "get", "remember", "you", "we", "i", "they", "have", "mean",
    "believe", "hesitate", "care", "mind", "seem", "need", "forget", "feel", "give", "be", "look", "even",
    "really",
];
/// Words after "no" at the beginning of a sentence that forbid nothing.
#[rustfmt::skip]
pub(super) const NO_PROHIBITION: &[&str] = &[
    "problem", "problems", "worries", "worry", "need", "idea", "thanks", "thank", "wait", "that", "that's",
    "this", "it", "it's", "its", "i", "i'm", "you", "we", "way", "one", "not", "longer", "matter", "reason",
    "error", "errors", "issue", "issues", "luck", "doubt", "but", "just", "don't", "do", "the", "there",
    "there's", "so", "please", "actually", "such", "changes", "results", "output", "because", "if", "what",
    "use", "tests", "clue", "shit", "offense",
];
/// Words of sentences with "no" that tell.
#[rustfmt::skip]
pub(super) const NO_ORDER: &[&str] = &[
    "because", "found", "here", "yet", "risk", "needed", "anymore", "exists", "is", "are", "was", "has",
    "right", "think",
];
/// Subjects of descriptions.
pub(super) const THINGS: &[&str] =
    &["it", "there", "that", "this", "they", "he", "she", "something", "which", "es", "das", "er"];
/// Words that limit an amount by themselves.
#[rustfmt::skip]
pub(super) const BOUNDS: &[&str] = &[
    "at most", "no more than", "not more than", "maximum of", "a maximum", "max", "maximum", "limit", "budget",
    "not exceed", "hochstens", "maximal", "nicht mehr als",
];
/// Words that limit an amount in a sentence that forbids.
#[rustfmt::skip]
pub(super) const EXCESS: &[&str] = &[
    "more than", "longer than", "larger than", "over", "above", "beyond",
];
/// Words that limit an amount in a sentence that orders.
#[rustfmt::skip]
pub(super) const WEAK_BOUNDS: &[&str] = &[
    "under", "below", "less than", "fewer than", "within", "up to", "at least", "minimum", "mindestens",
    "unter",
];
/// Words of sentences that order.
pub(super) const ORDERING: &[&str] =
    &["keep", "stay", "must", "should", "make", "limit", "halte", "muss", "bleib"];
/// Words in front of a date that is a deadline.
#[rustfmt::skip]
pub(super) const UNTIL: &[&str] = &[
    "by", "before", "until", "bis", "vor",
];
#[rustfmt::skip]
pub(super) const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
    "december", "januar", "februar", "marz", "mai", "juni", "juli", "oktober", "dezember",
];
#[rustfmt::skip]
pub(super) const PREFERENCES: &[&str] = &[
    "i prefer", "i like", "i'd rather", "we'd rather", "we would rather", "i favor", "i favour", "we like",
    "ich mag", "ich mochte", "lieber", "i'd prefer", "i would prefer", "we prefer", "i would rather",
    "preferably", "my preference", "ich bevorzuge", "am liebsten", "mir ware lieber",
];
/// Adverbs between a person and what the person prefers.
#[rustfmt::skip]
pub(super) const ADVERBS: &[&str] = &[
    "actually", "also", "always", "clearly", "definitely", "generally", "honestly", "much", "normally",
    "personally", "really", "still", "strongly", "usually",
];
/// Verbs of a place or a form, behind what a convention is about: "commit messages go in imperative mood".
#[rustfmt::skip]
pub(super) const GOES: &[&str] = &[
    "go", "goes", "belong", "belongs",
];
#[rustfmt::skip]
pub(super) const INTO: &[&str] = &[
    "in", "into", "under",
];
/// Words of a form in which something is written.
#[rustfmt::skip]
pub(super) const FORMS: &[&str] = &[
    "imperative", "indicative", "tense", "case", "style", "alphabetical", "chronological", "lowercase",
    "uppercase", "caps", "snake_case", "camelcase", "pascalcase", "kebab-case", "markdown",
];
/// Words in front of one certain thing.
pub(super) const CERTAIN: &[&str] =
    &["the", "this", "that", "these", "those", "my", "your", "its", "their", "some", "both"];
/// Beginnings of sentences that are about no thing in general.
#[rustfmt::skip]
pub(super) const NO_SUBJECTS: &[&str] = &[
    "i", "you", "we", "what", "who", "which", "where", "when", "how", "why", "if", "because", "here", "while",
    "as", "please",
];
/// Beginnings of clauses that make a preference.
#[rustfmt::skip]
pub(super) const BEGINS_PREFERENCE: &[&str] = &[
    "prefer", "favor", "favour", "bevorzuge",
];
#[rustfmt::skip]
pub(super) const INSTEAD_BEGINS: &[&str] = &[
    "instead of", "rather than", "anstatt", "statt",
];
/// Verbs that make a rule of what they say of everything.
#[rustfmt::skip]
pub(super) const SHAPING: &[&str] = &[
    "use", "write", "name", "format", "document", "prefix", "cite", "indent", "verwende", "benutze",
    "schreibe", "schreib",
];
/// Words that say of everything.
#[rustfmt::skip]
pub(super) const EVERYTHING: &[&str] = &[
    "todo", "todos", "todas", "tous", "toutes", "tout", "all", "every", "each", "any", "everything",
    "everywhere", "throughout", "alle", "jede", "jeden", "uberall",
];
/// Verbs of a choice between two things.
#[rustfmt::skip]
pub(super) const CHOICES: &[&str] = &[
    "use", "prefer", "favor", "favour", "write", "take", "choose", "verwende", "benutze", "nimm", "bevorzuge",
    "nutze",
];
pub(super) const INSTEAD: &[&str] =
    &["instead of", "rather than", "over", "not", "statt", "anstatt", "nicht"];
/// Beginnings of sentences that correct what was said.
#[rustfmt::skip]
pub(super) const CORRECTS: &[&str] = &[
    "no", "nope", "actually", "wait", "correction", "sorry", "scratch that", "on second thought", "nein",
    "doch", "eigentlich", "moment",
];
/// Phrases that make any sentence a correction.
#[rustfmt::skip]
pub(super) const CORRECTIONS: &[&str] = &[
    "changed my mind", "forget the earlier", "forget the previous", "forget the old", "ignore the earlier",
    "ignore the previous", "ignore the old", "has changed to", "have changed to", "meinung geandert",
];
/// Phrases that take back what was ordered before.
#[rustfmt::skip]
pub(super) const TAKES_BACK: &[&str] = &[
    "you may now", "you can now", "may now", "it's ok to", "it's okay to", "it is ok to", "it's fine to",
    "it is fine to", "feel free to", "you are allowed to", "du darfst jetzt", "du darfst wieder",
];
/// Words that forbid.
#[rustfmt::skip]
pub(super) const BANS: &[&str] = &[
    "never", "don't", "dont", "do not", "must not", "mustn't", "shouldn't", "should not", "no", "avoid",
    "stop", "without", "nie", "niemals", "nicht", "kein", "keine", "keinen", "vermeide",
];
