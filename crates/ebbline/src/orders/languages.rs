//! What is said in orders, language by language. Phrases are in lower case and without accents; of Chinese and Japanese
//! they are characters in a row.

/// What a language has for each part of an order.
pub(super) struct Language {
    /// What makes a sentence an order that lasts, wherever it stands.
    pub(super) lasting: &'static [&'static str],
    /// Always and never: they make an order that lasts of a sentence that does not tell of a thing.
    pub(super) always: &'static [&'static str],
    /// First words of sentences that tell.
    pub(super) tells: &'static [&'static str],
    /// What makes an order where a clause begins; a phrase that ends in an apostrophe is the beginning of a word.
    pub(super) begins: &'static [&'static str],
    /// What states a wish, wherever it stands.
    pub(super) wishes: &'static [&'static str],
    /// What limits an amount.
    pub(super) bounds: &'static [&'static str],
    /// What forbids.
    pub(super) bans: &'static [&'static str],
    /// What binds a sentence to the task at hand.
    pub(super) once: &'static [&'static str],
    /// What says that the user meant something else.
    pub(super) meant: &'static [&'static str],
    /// What takes back an order without another in its place.
    pub(super) revokes: &'static [&'static str],
    /// What says that something is right, and what says that it was not before.
    pub(super) fine: &'static [&'static str],
    pub(super) reverses: &'static [&'static str],
    /// What a list of rules is called.
    pub(super) rules: &'static [&'static str],
    /// Beginnings of requests for work.
    pub(super) requests: &'static [&'static str],
    /// Last words of questions.
    pub(super) asks: &'static [&'static str],
}

pub(super) const LANGUAGES: &[Language] = &[ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE, JAPANESE];

/// English has rules of its own (`signs`), which look at more than phrases.
#[rustfmt::skip]
const ENGLISH: Language = Language {
    lasting: &[
        "from now on", "form now on", "from now one", "going forward", "from here on", "from this point on",
        "from today on", "rest of the session", "rest of this session", "rest of the conversation",
        "rest of this conversation", "rest of the project", "rest of our", "until further notice",
        "until i say", "until i tell", "whenever you", "every time you", "each time you", "any time you",
        "before every", "before each", "after every", "after each", "ask me before", "ask before",
        "asked before", "asking me before", "check with me before", "checked with me before", "with me before",
        "tell me before", "let me know before", "wait for my", "without asking", "without my", "stop and ask",
        "stop and tell", "under no circumstances", "on no account", "in no case", "at no point",
        "at all times", "no matter what", "not allowed", "is forbidden", "are forbidden", "is not permitted",
        "are not permitted", "off limits", "off-limits", "i always want", "i never want", "we always use",
        "we never use", "we never want", "as a rule", "you may only", "don't forget to always",
        "you should always", "you should never", "never ever",
    ],
    always: &[],
    tells: &[],
    begins: &[],
    wishes: &[
        "i'd rather you", "i would rather you", "i'd prefer it if", "i would prefer it if",
        "i'd appreciate it if", "i would appreciate it if", "i'd love it if you", "it would be great if you",
        "it'd be great if you", "it would be nice if you", "it'd be nice if you", "would be nice if you",
        "i don't like it when", "i do not like it when", "i hate it when", "i hate", "i can't stand",
        "i'm not a fan of", "not a fan of", "i'm allergic to", "it bothers me when", "it annoys me when",
        "i get nervous when", "we don't do", "we don't use", "we do not use", "in this repo we",
        "in this project we", "in this codebase we", "our convention is", "our policy is", "the house rule is",
        "our rule is", "we have a rule", "i expect you to", "it is important to me that",
        "it's important to me that", "i don't want you to", "don't want to see", "i don't want any",
        "i do not want any", "i want all", "i want every", "you don't need to ask", "no need to ask",
    ],
    bounds: &[],
    bans: &[],
    once: &[
        "for this task", "for this one", "for this pr", "for this commit", "for this change", "for this step",
        "for this fix", "for this feature", "this task only", "this time", "for now", "this once",
        "for the moment", "right now", "at the moment", "for today", "just for this", "in this pr",
        "in this commit", "in this change", "in this task", "in this case", "just yet", "as a first step",
        "in this step",
    ],
    meant: &["i meant", "i mean", "not what i meant", "make that", "typo", "i misspoke", "correction"],
    revokes: &[
        "scratch that", "forget what i said", "forget that i said", "forget everything i said",
        "ignore what i said", "ignore my earlier", "ignore my previous", "ignore my last", "forget my",
        "forget about", "forget the rule", "forget the earlier rule", "drop the rule", "drop that rule",
        "drop the", "lift the", "never mind the", "never mind what i said", "nevermind the",
        "nevermind what i said", "disregard", "no longer need to", "you don't have to", "you do not have to",
        "don't have to", "no longer applies", "no longer necessary", "not necessary anymore",
        "not needed anymore", "no need to", "i take back", "i take that back", "doesn't matter anymore",
        "you can stop", "doesn't apply anymore",
    ],
    fine: &[
        "is fine", "are fine", "actually fine", "fine after all", "ok after all", "okay after all",
        "fine again", "ok again", "okay again", "allowed again", "allowed after all", "is ok", "are ok",
        "is okay", "are okay", "is allowed", "are allowed", "is good", "is all right", "are all right",
        "works for me", "you can use", "you can", "go ahead and", "i don't mind", "i'm fine with",
        "i'm ok with", "i'm okay with", "we can use", "we can", "fine by me", "ok to", "okay to", "fine to",
    ],
    reverses: &[
        "actually", "after all", "again", "on second thought", "on second thoughts", "i changed my mind",
        "changed my mind", "on reflection", "from now on", "anyway", "in fact",
    ],
    rules: &[
        "rules", "rule", "ground rules", "conventions", "guidelines", "preferences", "principles",
        "constraints", "house rules", "do's", "don'ts", "no-gos", "standing orders", "ways of working",
        "keep in mind", "remember", "follow these", "stick to these", "stick to the following",
        "keep to these", "keep to the following", "follow the following", "from now on", "at all times",
        "rest of the session", "rest of this session", "going forward",
    ],
    requests: &[
        "fix", "add", "implement", "write", "create", "build", "update", "refactor", "remove", "move", "make",
        "change", "investigate", "review", "look", "run", "test", "check", "find", "mend", "improve", "rename",
        "convert", "migrate", "delete", "debug", "explain", "show", "tell", "help", "try", "set", "install",
        "configure", "clean", "replace", "extract", "generate", "port", "handle", "read", "open", "deploy",
        "commit", "push", "merge", "split", "analyze", "analyse", "describe", "put", "give", "can you",
        "could you", "would you", "let's", "lets", "i want", "i need", "i'd like", "we need", "we should",
        "start", "do the", "work on", "next",
    ],
    asks: &[],
};

#[rustfmt::skip]
const GERMAN: Language = Language {
    lasting: &[
        "ab jetzt", "von nun an", "ab sofort", "in zukunft", "kunftig", "zukunftig", "ab heute",
        "fur den rest", "bis auf weiteres", "vor jedem", "nach jedem", "vor jeder", "nach jeder", "bei jedem",
        "bei jeder", "jedes mal wenn", "immer wenn du", "bitte nie", "bitte immer", "vergiss nicht",
        "auf keinen fall", "unter keinen umstanden", "nicht erlaubt", "ist verboten", "sind verboten",
        "nur noch", "frag mich bevor", "frag mich vor", "frage mich vor", "frag mich immer", "ohne zu fragen",
        "ohne ruckfrage", "ohne meine", "stelle sicher", "stell sicher", "grundsatzlich", "stets",
    ],
    always: &["immer", "niemals", "nie"],
    tells: &[
        "es", "das", "er", "sie", "der", "die", "ich", "wie", "wenn", "weil", "wir", "dies", "dieser", "diese",
        "hier", "warum", "ist", "sind", "noch", "dass",
    ],
    begins: &[
        "halte dich", "antworte kurz", "antworte knapp", "antworte mit", "antworte nur", "nenne mich", "keine",
        "kein", "keinen", "vermeide", "verzichte auf", "bitte nicht", "bitte kein", "bitte keine",
        "lass die finger von", "schreib nie", "nur auf", "sprich mit mir", "duze mich", "benutze keine",
        "benutze kein", "benutze nicht", "verwende keine", "verwende kein", "verwende nicht", "nutze keine",
        "nutze kein", "schreibe keine", "schreib keine", "fuge keine", "losche keine", "losche nicht",
        "andere nicht", "andere keine", "pushe nicht", "committe nicht", "installiere keine", "mach keine",
        "mache keine", "halte die", "halte antworten", "halte deine", "fass dich", "fasse dich",
    ],
    wishes: &[
        "ich mag", "lieber", "ich bevorzuge", "am liebsten", "mir ware lieber", "mir ware es lieber",
        "ich hatte gern", "ich hatte gerne", "es ware schon wenn du", "es ware gut wenn du", "ich will keine",
        "ich mochte keine", "ich mochte nicht", "wir benutzen", "wir verwenden", "wir nutzen", "statt",
        "anstatt", "anstelle von",
    ],
    bounds: &["hochstens", "maximal", "nicht mehr als", "nicht langer als", "unter"],
    bans: &[
        "nie", "niemals", "nicht", "kein", "keine", "keinen", "keinerlei", "vermeide", "verboten", "ohne",
        "verzichte",
    ],
    once: &[
        "nur fur diese aufgabe", "fur diese aufgabe", "diesmal", "dieses mal", "furs erste", "vorerst",
        "im moment", "gerade", "nur heute", "ausnahmsweise", "in diesem pr", "in diesem commit",
        "bei dieser aufgabe", "erstmal", "erst mal", "noch nicht",
    ],
    meant: &["ich meinte", "ich meine", "doch lieber", "doch nicht", "korrektur", "nein lieber"],
    revokes: &[
        "vergiss was ich", "vergiss die", "vergiss das mit", "vergiss den", "vergiss meine",
        "ignoriere was ich", "du musst nicht mehr", "musst nicht mehr", "brauchst nicht mehr",
        "nicht mehr notig", "gilt nicht mehr", "nehme ich zuruck", "hat sich erledigt", "streich das",
        "streiche das",
    ],
    fine: &[
        "ist ok", "ist okay", "in ordnung", "doch ok", "doch okay", "doch erlaubt", "ist in ordnung",
        "sind ok", "sind okay", "sind in ordnung", "ist erlaubt", "passt", "geht", "gehen", "darfst du",
        "du darfst", "kannst du", "du kannst",
    ],
    reverses: &["doch", "eigentlich", "wieder", "jetzt", "nun doch", "meinung geandert"],
    rules: &[
        "regeln", "grundregeln", "spielregeln", "konventionen", "vorgaben", "ab jetzt gilt", "ab sofort gilt",
        "bitte beachte", "es gilt",
    ],
    requests: &[
        "behebe", "repariere", "fuge", "schreibe", "schreib", "erstelle", "baue", "andere", "aktualisiere",
        "entferne", "prufe", "teste", "zeig", "zeige", "mach", "mache", "schau", "lies", "kannst du",
        "konntest du", "ich brauche", "ich mochte", "wir mussen", "als nachstes", "losche", "verschiebe",
        "implementiere", "fuhre",
    ],
    asks: &[],
};

#[rustfmt::skip]
const SPANISH: Language = Language {
    lasting: &[
        "a partir de ahora", "de ahora en adelante", "desde ahora", "de aqui en adelante", "en adelante",
        "a partir de este momento", "cada vez que", "siempre que", "antes de cada", "despues de cada",
        "el resto de la sesion", "por el resto", "bajo ningun concepto", "en ningun caso",
        "bajo ninguna circunstancia", "sin preguntar", "sin preguntarme", "sin mi permiso", "preguntame antes",
        "pregunta antes", "esta prohibido", "consultame antes", "avisame antes",
    ],
    always: &["siempre", "nunca", "jamas"],
    tells: &[
        "el", "la", "los", "las", "esto", "eso", "se", "es", "yo", "ella", "porque", "este", "esta", "falla",
        "casi", "ya",
    ],
    begins: &[
        "evita", "responde", "responde solo", "contesta", "no toques", "no uses", "no utilices",
        "no modifiques", "no borres", "no elimines", "no hagas", "no subas", "no anadas", "no agregues",
        "no cambies", "no instales", "no escribas", "no ejecutes", "no respondas", "no metas", "no pongas",
        "no crees", "no edites", "no mezcles", "usa solo", "solo usa", "usa unicamente", "utiliza solo",
        "recuerda", "manten", "respeta", "preguntame", "hablame", "nada de", "ningun", "ninguna", "limitate",
        "sin",
    ],
    wishes: &[
        "prefiero", "preferiria", "me gusta", "me gustaria que", "en lugar de", "en vez de", "no quiero que",
        "no quiero", "quiero que siempre", "te agradeceria que", "seria mejor que", "no me gusta", "odio",
        "usamos",
    ],
    bounds: &["como maximo", "maximo", "no mas de", "menos de", "a lo sumo"],
    bans: &["no", "nunca", "jamas", "evita", "sin", "ningun", "ninguna", "nada de", "prohibido"],
    once: &[
        "solo por esta vez", "por esta vez", "esta vez", "por ahora", "de momento", "por el momento",
        "para esta tarea", "en esta tarea", "solo por hoy", "solo hoy", "en este commit", "en este pr",
        "todavia",
    ],
    meant: &["queria decir", "quise decir", "me referia a", "me equivoque", "mejor", "correccion"],
    revokes: &[
        "olvida lo que dije", "olvida lo que te dije", "olvida lo de", "olvida eso", "olvida la regla",
        "olvidate de", "ignora lo que dije", "ya no hace falta", "ya no es necesario", "no hace falta que",
        "ya no tienes que", "retiro lo dicho", "ya no aplica",
    ],
    fine: &[
        "esta bien", "estan bien", "esta permitido", "puedes", "vale", "se puede", "me parece bien",
        "no me importa", "no hay problema",
    ],
    reverses: &[
        "al final", "en realidad", "despues de todo", "pensandolo bien", "ya", "de nuevo", "otra vez",
        "cambie de opinion", "ahora",
    ],
    rules: &["reglas", "normas", "convenciones", "pautas", "ten en cuenta", "a partir de ahora"],
    requests: &[
        "arregla", "corrige", "anade", "agrega", "implementa", "escribe", "crea", "construye", "actualiza",
        "elimina", "borra", "mueve", "haz", "cambia", "revisa", "mira", "ejecuta", "prueba", "busca",
        "explica", "muestra", "puedes", "podrias", "necesito", "quiero", "ahora", "vamos",
    ],
    asks: &[],
};

#[rustfmt::skip]
const FRENCH: Language = Language {
    lasting: &[
        "a partir de maintenant", "des maintenant", "desormais", "dorenavant", "a l'avenir",
        "a chaque fois que", "chaque fois que", "avant chaque", "apres chaque", "pour le reste de",
        "jusqu'a nouvel ordre", "en aucun cas", "sous aucun pretexte", "sans me demander", "sans mon accord",
        "demande-moi avant", "demande moi avant", "demande-moi toujours", "previens-moi avant", "est interdit",
        "sont interdits", "systematiquement", "il ne faut jamais", "il faut toujours",
    ],
    always: &["toujours", "jamais"],
    tells: &[
        "je", "il", "elle", "ca", "c'est", "on", "le", "la", "les", "ce", "cela", "cette", "ils", "pourquoi",
        "j'ai", "toujours pas", "presque", "parce",
    ],
    begins: &[
        "ne", "n'", "evite", "evitez", "reponds", "repondez", "pas de", "pas d'", "aucun", "aucune",
        "uniquement", "utilise uniquement", "utilise seulement", "respecte", "n'oublie pas", "souviens-toi",
        "parle-moi", "tutoie-moi", "limite-toi", "garde", "arrete de", "arrete d'",
    ],
    wishes: &[
        "je prefere", "je prefererais", "j'aimerais que", "j'aimerais mieux", "plutot que", "au lieu de",
        "j'aime", "je n'aime pas", "je ne veux pas", "je ne veux plus", "je deteste", "ce serait bien que",
        "on utilise", "nous utilisons",
    ],
    bounds: &["au maximum", "maximum", "pas plus de", "moins de", "au plus"],
    bans: &[
        "ne", "n'", "pas", "jamais", "plus", "aucun", "aucune", "evite", "evitez", "sans", "interdit",
        "arrete",
    ],
    once: &[
        "pour cette fois", "cette fois", "pour l'instant", "pour le moment", "pour cette tache",
        "dans cette tache", "juste aujourd'hui", "dans ce commit", "dans cette pr", "pas encore",
    ],
    meant: &["je voulais dire", "je veux dire", "je me suis trompe", "correction"],
    revokes: &[
        "oublie ce que j'ai dit", "oublie ce que je t'ai dit", "oublie la regle", "oublie l'histoire",
        "oublie cette", "oublie le", "oublie les", "ignore ce que j'ai dit", "plus besoin de",
        "plus la peine de", "tu n'as plus besoin", "ce n'est plus necessaire", "je retire ce que",
    ],
    fine: &[
        "c'est bon", "c'est ok", "c'est d'accord", "est ok", "sont ok", "est permis", "ca va", "tu peux",
        "me va", "me convient", "est autorise", "convient",
    ],
    reverses: &[
        "finalement", "en fait", "apres tout", "a nouveau", "de nouveau", "tout compte fait", "maintenant",
        "desormais", "j'ai change d'avis",
    ],
    rules: &[
        "regles", "consignes", "conventions", "principes", "merci de respecter", "a partir de maintenant",
        "desormais",
    ],
    requests: &[
        "corrige", "repare", "ajoute", "implemente", "ecris", "cree", "construis", "mets", "supprime",
        "deplace", "fais", "change", "verifie", "regarde", "lance", "teste", "cherche", "explique", "montre",
        "peux-tu", "tu peux", "pourrais-tu", "j'ai besoin", "je veux", "maintenant", "renomme", "remplace",
    ],
    asks: &[],
};

#[rustfmt::skip]
const CHINESE: Language = Language {
    lasting: &[
        "从现在开始", "从现在起", "从今以后", "从今往后", "今后", "以后都", "以后请", "以后不", "以后别", "以后只", "以后用", "往后", "每次", "每当",
        "始终", "永远", "总是", "务必", "一律", "绝对不", "绝不", "千万不", "千万别", "任何时候", "任何情况下", "无论如何都", "必须先", "先问我", "未经我",
        "没有我的", "经我同意", "征得我", "接下来都",
    ],
    always: &[],
    tells: &[],
    begins: &[
        "不要", "别", "勿", "禁止", "不准", "不得", "不许", "切勿", "严禁", "避免", "只用", "只能", "只使用", "只允许", "必须", "记住", "记得",
        "保持",
    ],
    wishes: &[
        "我更喜欢", "我喜欢", "我偏好", "我倾向", "我希望你", "我不喜欢", "我讨厌", "优先使用", "优先用", "尽量", "最好", "而不是", "都用", "都要",
        "都必须", "所有", "不允许", "我们用", "我们只用", "我们不用", "代替",
    ],
    bounds: &["不超过", "不要超过", "最多", "不多于", "控制在", "以内", "以下"],
    bans: &["不要", "别", "勿", "禁止", "不准", "不得", "不许", "不允许", "绝不", "绝对不", "避免", "不用", "严禁", "不喜欢", "讨厌"],
    once: &["这次", "本次", "暂时", "先不", "先别", "这个任务", "目前", "这一次", "今天", "此次", "这个提交", "还不"],
    meant: &["我是说", "我的意思是", "我说错了", "说错了", "应该是", "不对", "更正", "改成", "改为"],
    revokes: &[
        "忘掉", "忘记我", "忘了我", "忘记之前", "忘记刚才", "忽略我", "忽略之前", "忽略刚才", "取消之前", "取消刚才", "取消关于", "取消这", "当我没说",
        "不算数", "不算了", "作废", "收回", "不用再", "不需要再", "不必再", "不用管",
    ],
    fine: &["也可以", "可以用", "也行", "可以了", "没问题", "没关系", "也没事", "是可以的", "都行", "允许", "就行"],
    reverses: &["其实", "算了", "还是", "现在", "又", "改主意", "重新", "了"],
    rules: &["规则", "规范", "约定", "原则", "注意事项", "要求如下", "以下几点", "请遵守", "从现在开始", "从现在起"],
    requests: &[
        "帮我", "请帮", "修复", "实现", "添加", "增加", "写", "创建", "修改", "更新", "删除", "重构", "优化", "检查", "看一下", "看看", "分析",
        "把", "给", "请修", "运行", "现在", "解释", "接下来",
    ],
    asks: &["吗", "呢", "么"],
};

#[rustfmt::skip]
const JAPANESE: Language = Language {
    lasting: &[
        "今後", "これから", "これからは", "今から", "以降", "常に", "必ず", "いつも", "毎回", "絶対", "決して", "二度と", "たびに", "度に", "ずっと",
        "する前に", "際は必ず", "ときは必ず", "許可なく", "確認なしに", "聞かずに", "聞いてから", "確認してから",
    ],
    always: &[],
    tells: &[],
    begins: &[],
    wishes: &[
        "ないでください", "ないで下さい", "ないでほしい", "しないで", "ないようにして", "してはいけ", "てはいけな", "ではいけな", "てはならな", "は禁止", "しないこと",
        "使わないこと", "するな", "ほうがいい", "方がいい", "方が好き", "ほうが好き", "好きです", "好みです", "優先", "ではなく", "じゃなくて", "代わりに",
        "てほしいです", "てもらえると", "嫌いです", "苦手です", "だけ使", "のみ使", "するようにして", "ようにしてください", "統一し", "すべて", "全て",
    ],
    bounds: &["以内", "以下", "まで", "最大", "超えない", "未満"],
    bans: &[
        "ないで", "しない", "てはいけ", "ではいけ", "てはなら", "禁止", "するな", "使わない", "ないこと", "ないように", "嫌い", "苦手", "二度と", "決して",
    ],
    once: &["今回は", "今回だけ", "とりあえず", "この作業", "このタスク", "今は", "一旦", "いったん", "今日は", "今のところ", "まだ"],
    meant: &["間違い", "という意味", "のつもり", "訂正", "間違え", "いや"],
    revokes: &[
        "忘れて", "取り消", "なかったことに", "撤回", "は無視して", "もう必要", "必要はもう", "しなくていい", "なくていい", "なくても", "気にしないで", "は不要",
    ],
    fine: &["でいい", "でも大丈夫", "でも構", "てもいい", "で大丈夫", "問題な", "で構", "もオーケー", "使っていい", "でok"],
    reverses: &["やっぱり", "やはり", "やっぱ", "もう", "実は", "考え直", "また"],
    rules: &["ルール", "規則", "決まり", "方針", "注意事項", "お願い", "約束", "規約", "以下を守", "次のことを", "今後は"],
    requests: &[
        "直して", "修正して", "追加して", "作って", "作成して", "実装して", "調べて", "確認して", "見て", "削除して", "更新して", "リファクタ", "教えて",
        "説明して", "変更して", "実行して", "次は", "お願い",
    ],
    asks: &["か", "ですか", "ますか"],
};
