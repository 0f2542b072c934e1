//! Words that carry an amount or a meaning in one of the languages, and words that carry none.

/// Numbers in words.
#[rustfmt::skip]
pub(super) const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty",
    "thirty", "fifty", "hundred", "thousand", "zwei", "drei", "vier", "funf", "sechs", "sieben", "acht",
    "neun", "zehn", "zwanzig", "hundert", "tausend",
];

/// Days and times that a deadline names.
#[rustfmt::skip]
pub(super) const DAYS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today", "tonight",
    "tomorrow", "noon", "midnight", "eod", "eow", "montag", "dienstag", "mittwoch", "donnerstag", "freitag",
    "samstag", "sonntag", "heute", "morgen", "mittag", "mitternacht",
];

/// Languages in which one answers or writes, with what six languages call them.
pub(super) const LANGUAGES: &[(&str, &[&str])] = &[
    ("english", &["english", "englisch", "ingles", "anglais", "英文", "英语", "英語"]),
    ("german", &["german", "deutsch", "aleman", "allemand", "德文", "德语", "ドイツ語"]),
    ("french", &["french", "franzosisch", "frances", "francais", "法文", "法语", "フランス語"]),
    ("spanish", &["spanish", "spanisch", "espanol", "espagnol", "西班牙语", "スペイン語"]),
    ("chinese", &["chinese", "chinesisch", "chino", "chinois", "中文", "汉语", "中国語"]),
    ("japanese", &["japanese", "japanisch", "japones", "japonais", "日文", "日语", "日本語"]),
    ("italian", &["italian", "italienisch", "italiano", "italien"]),
    ("portuguese", &["portuguese", "portugiesisch", "portugues", "portugais"]),
    ("dutch", &["dutch", "niederlandisch"]),
    ("polish", &["polish", "polnisch"]),
    ("russian", &["russian", "russisch", "ruso", "russe", "俄语"]),
    ("korean", &["korean", "koreanisch", "coreano", "coreen", "韩语", "韓国語"]),
    ("arabic", &["arabic", "arabisch"]),
    ("turkish", &["turkish", "turkisch"]),
    ("swedish", &["swedish", "schwedisch"]),
];

/// What several languages call by words of their own and users order in each of them.
pub(super) const CONCEPTS: &[(&str, &[&str])] = &[
    (
        "answer",
        &[
            "answer", "answers", "reply", "replies", "respond", "responses", "speak", "talk", "antworte",
            "antworten", "antwortest", "antwort", "sprich", "schreib mir", "responde", "responder",
            "respuestas", "contesta", "habla", "reponds", "repondre", "repondez", "reponses", "parle",
            "回答", "回复", "答复", "答え", "返答", "返事", "回答",
        ],
    ),
    ("commit", &["commit", "commits", "committing", "committe", "committen", "提交", "コミット"]),
    ("test", &["test", "tests", "testing", "pruebas", "测试", "テスト"]),
    (
        "comment",
        &[
            "comment", "comments", "kommentar", "kommentare", "comentarios", "commentaires", "注释",
            "コメント",
        ],
    ),
];

/// Words that say nothing about the subject of an order.
#[rustfmt::skip]
pub(super) const STOP: &[&str] = &[
    "a", "about", "actually", "again", "all", "also", "always", "an", "and", "any", "are", "as", "at", "avoid",
    "be", "before", "but", "by", "can", "could", "do", "does", "don't", "dont", "every", "for", "from",
    "going", "have", "i", "i'd", "i'll", "i'm", "if", "in", "instead", "into", "is", "it", "it's", "its",
    "just", "keep", "least", "less", "like", "make", "may", "me", "more", "most", "must", "my", "never", "no",
    "not", "now", "of", "ok", "on", "only", "or", "other", "please", "prefer", "rather", "should", "so",
    "stop", "sure", "than", "that", "the", "them", "then", "there", "these", "they", "this", "those", "to",
    "under", "until", "up", "us", "use", "using", "want", "we", "when", "whenever", "will", "with", "without",
    "would", "you", "your", "ab", "aber", "auch", "auf", "bis", "bitte", "das", "dem", "den", "der", "die",
    "ein", "eine", "einen", "es", "fur", "ich", "im", "immer", "ist", "jetzt", "kein", "keine", "keinen",
    "lieber", "mehr", "mit", "muss", "nicht", "nie", "niemals", "nur", "oder", "sie", "statt", "und", "von",
    "wir", "zu", "zum", "sofort", "nun", "mir", "mich", "doch", "wieder", "de", "el", "la", "los", "las", "un",
    "una", "en", "y", "que", "no", "nunca", "siempre", "ahora", "partir", "por", "favor", "con", "para", "lo",
    "mas", "tu", "me", "del", "al", "sin", "le", "les", "des", "une", "et", "ne", "pas", "jamais", "toujours",
    "maintenant", "dans", "du", "au", "aux", "avec", "pour", "sur", "plus", "desormais", "plait", "vous", "je",
    "dorenavant",
];

/// What the content of a sentence that takes back has besides what it is about.
#[rustfmt::skip]
pub(super) const TAKING_BACK: &[&str] = &[
    "forget", "said", "say", "fin", "okay", "scratch", "ignor", "rul", "drop", "lift", "allow", "need",
    "longer", "tak", "back", "mind", "chang", "mean", "meant", "after", "earlier", "previou", "sorry",
    "anymor", "work", "go", "ahead", "mat", "disregard", "nevermind", "appli", "vergis", "habe", "gesagt",
    "darf", "kann", "musst", "ordnung", "geht", "brauchst", "olvida", "dije", "bien", "esta", "final",
    "realidad", "pued", "oubli", "dit", "finalement", "peux", "bon", "besoin", "good", "right", "thing",
    "whatever", "correction", "typo", "eigentlich", "regla", "regl", "regel", "decir", "queria", "其实", "可以",
    "忘掉", "我说", "说过", "忘れ", "やっ", "っぱ", "大丈", "丈夫", "それ", "前言", "没问", "问题",
];

/// Characters that say nothing about the subject of an order, of Chinese and Japanese.
pub(super) const UNSPACED_STOP: &str = "的了是在请請都把用不要别从起开始现后今必须每次只能得我你一はをにがでとものなしてくだささいるですまけ常今後時";
