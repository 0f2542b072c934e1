//! What statements are about, and what they say of it, in the words of six languages. Phrases are in lower case and without
//! accents, as [`super::speech::words`] gives them.

/// What is called by several words, and which.
#[rustfmt::skip]
pub(super) const SUBJECTS: &[(&str, &[&str])] = &[
    ("money", &[
        "budget", "budgets", "spend", "spending", "spent", "expense", "expenses", "cost", "costs", "ceiling", "cap", "capped", "price",
        "kosten", "ausgaben", "presupuesto", "gasto", "gastos", "coste", "costes", "depense", "depenses", "cout", "couts",
        "预算", "费用", "花费", "予算", "費用",
    ]),
    ("date", &[
        "deadline", "due", "date", "timing", "schedule", "scheduled", "termin", "frist", "stichtag", "datum", "fecha", "plazo",
        "echeance", "delai", "截止", "日期", "期限", "締め切り", "日程",
    ]),
    ("release", &["release", "releases", "ship", "ships", "shipping", "veroffentlichung", "lanzamiento", "sortie", "发布", "リリース"]),
    ("zone", &[
        "time", "times", "timestamp", "timestamps", "clock", "clocks", "timezone", "time zone", "uhrzeit", "uhrzeiten", "zeiten",
        "zeitzone", "hora", "horas", "huso", "heure", "heures", "fuseau", "时间", "时区", "時刻", "タイムゾーン",
    ]),
    ("duty", &[
        "on-call", "oncall", "on call", "pager", "duty", "escalation", "bereitschaft", "rufbereitschaft", "guardia", "astreinte",
        "值班", "当番",
    ]),
    ("branch", &["branch", "rebased", "branched", "zweig", "rama", "branche", "分支", "ブランチ"]),
    ("name", &[
        "codename", "label", "called", "calling", "call", "designated", "named", "name", "heisst", "nennen", "nombre", "llama",
        "llamamos", "nom", "appelle", "appelons", "代号", "名称", "名前", "コードネーム",
    ]),
    ("share", &[
        "disclose", "disclosed", "reveal", "revealed", "share", "shared", "leak", "leaked", "verraten", "weitergeben", "revelar",
        "compartir", "divulguer", "partager", "泄露", "漏ら",
    ]),
    ("unit", &["unit", "units", "measurement", "measurements", "einheiten", "unidades", "unites", "单位", "単位"]),
];

/// Subjects of which there is one at a time: whatever is said last of them holds.
pub(super) const SINGLE: &[&str] = &["zone", "answer", "unit"];

/// What an answer is like.
#[rustfmt::skip]
pub(super) const STYLES: &[&str] = &[
    "terse", "concise", "brief", "short", "succinct", "verbose", "detailed", "long", "playful", "warm", "formal", "informal",
    "casual", "friendly", "dry", "light", "serious", "knapp", "kurz", "ausfuhrlich", "locker", "formell", "breve", "conciso", "corto",
    "detallado", "largo", "bref", "concis", "detaille", "chaleureux", "简洁", "简短", "详细", "簡潔", "詳しく",
];
pub(super) const UNITS: &[&str] =
    &["metric", "imperial", "metrisch", "metrico", "metrique", "公制", "英制", "メートル法"];
#[rustfmt::skip]
pub(super) const ZONES: &[&str] = &[
    "utc", "gmt", "pst", "pdt", "est", "edt", "cst", "cet", "cest", "bst", "ist", "jst", "pacific", "eastern", "mountain",
];
pub(super) const CURRENCIES: &[&str] =
    &["dollars", "dollar", "euros", "euro", "pounds", "usd", "eur", "美元", "欧元", "ドル"];

/// What says that something is otherwise than before.
#[rustfmt::skip]
pub(super) const UPDATES: &[&str] = &[
    "now", "from now on", "update", "updated", "changed", "moved", "new", "rotated", "rotation", "switched", "instead", "no longer",
    "anymore", "rebased", "replaced", "retired", "correction", "actually", "jetzt", "ab sofort", "neu", "neue", "neuer", "neues",
    "geandert", "verschoben", "stattdessen", "nicht mehr", "ahora", "nuevo", "nueva", "cambio", "cambiado", "ya no", "maintenant",
    "desormais", "nouveau", "nouvelle", "change", "deplace", "ne plus", "现在", "改成", "改为", "新的", "不再", "今は", "変更", "新しい",
];

/// Words that say nothing about the subject of a statement.
#[rustfmt::skip]
pub(super) const GENERIC: &[&str] = &[
    "total", "put", "show", "get", "giv", "let", "us", "user", "users", "them", "quick", "new", "old", "now", "update", "updat", "chang",
    "mov", "previou", "curr", "current", "set", "any", "below", "above", "report", "reported", "entir", "explicit", "zu", "neu",
    "onto", "approval", "switch", "switched", "rotat", "replac", "work", "working",
];

/// What makes a sentence a rule for things, wherever it stands.
#[rustfmt::skip]
pub(super) const BINDING: &[&str] = &[
    "must", "must not", "may not", "never", "not allowed", "required", "requires", "at all times", "under no circumstances", "ever",
    "nobody else", "no one else", "forbidden", "mandatory", "do not", "don't", "has to", "have to", "without approval", "stop and",
    "away from", "before pushing", "before you push", "before release", "before releasing", "before merging", "before committing",
    "before deploying", "muss", "mussen", "darf nicht", "durfen nicht", "niemals", "verboten", "pflicht", "debe", "deben", "nunca",
    "prohibido", "obligatorio", "doit", "doivent", "jamais", "interdit", "obligatoire", "必须", "不能", "不得", "禁止", "只能", "必ず",
    "いけない", "のみ",
];

/// What states a preference.
#[rustfmt::skip]
pub(super) const PREFERRING: &[&str] = &[
    "prefer", "prefers", "preferred", "preference", "would rather", "i'd rather", "favourite", "favorite", "i like", "likes", "i want",
    "wants", "we want", "bevorzuge", "bevorzugt", "bevorzugen", "lieber", "hatte gern", "ich mochte", "prefiero", "prefiere",
    "preferimos", "me gusta", "quiero", "quiere", "prefere", "preferons", "j'aime", "je veux", "喜欢", "希望", "偏好", "更愿意", "好み",
    "ほしい", "好き",
];
/// What makes of a wish a request for work.
pub(super) const ASKING: &[&str] = &[
    "want you", "want to", "like to", "like you", "wants to", "wants you", "mochte dass", "quiero que",
    "veux que", "希望你", "してほしい",
];

/// What says how far the work is, or what was decided.
#[rustfmt::skip]
pub(super) const STANDING: &[&str] = &[
    "next step", "next steps", "next up", "next is", "current task", "current branch", "open question", "awaiting", "waiting for",
    "is failing", "are failing", "still failing", "blocked on", "we decided", "i decided", "we agreed", "we settled", "we chose",
    "i chose", "we picked", "decision is", "we are in phase", "is at phase", "progress", "nachster schritt", "nachste schritt",
    "offene frage", "wartet auf", "wir haben beschlossen", "haben entschieden", "siguiente paso", "proximo paso", "pendiente",
    "decidimos", "hemos decidido", "prochaine etape", "en attente", "question ouverte", "on a decide", "nous avons decide", "下一步",
    "待定", "决定", "次は", "次のステップ", "保留", "決めた", "決定",
];
