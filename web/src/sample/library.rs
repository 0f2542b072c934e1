//! The sample in Japanese and Chinese: a library's catalog finds one author under two spellings. In a language
//! without spaces a token is a character or two, not four. Books and readers are made up.

use super::chat::Chat;
use super::code::Choice;
use super::grammar::{Rules, fill, fill_up, filled};
use super::scribe::{Scribe, ToolCall};

const SYSTEM: &str = "あなたは市立図書館の蔵書検索システムを担当する開発エージェントです。変更する前に必ずコードと記録を読んでください。実行したコマンドと結果を報告してください。利用者の個人情報は出力しないでください。回答は簡潔に、日本語で書いてください。";

const RULES: Rules = &[
    (
        "family",
        &[
            "佐藤", "鈴木", "高橋", "田中", "渡辺", "伊藤", "山本", "中村", "小林", "加藤", "斎藤", "齋藤",
            "国木", "國木", "澤田", "沢田",
        ],
    ),
    ("given", &["一郎", "花子", "健太", "美咲", "直樹", "由美子", "大輔", "千尋", "誠", "恵"]),
    (
        "topic",
        &[
            "海辺の町", "雨の日", "古い時計", "山の郵便局", "銀河の図書室", "猫と庭", "冬の手紙", "町の歴史",
            "水の文化", "小さな台所", "鉄道の旅", "夜の学校",
        ],
    ),
    ("kind", &["物語", "記録", "入門", "研究", "随筆集", "絵本", "資料集", "年表"]),
    ("title", &["<topic>の<kind>", "<topic>と<topic>", "新版 <topic>", "はじめての<kind>"]),
    ("branch", &["中央館", "北分館", "港分館", "駅前分館", "移動図書館"]),
    (
        "chinese",
        &["海边小镇", "雨天的信", "山间邮局", "银河图书馆", "猫与庭院", "城市的历史", "水的文化", "铁路旅行"],
    ),
    ("press", &["东方出版社", "海河文艺", "青山书局", "臺灣文創", "南風出版"]),
    (
        "query",
        &[
            "<family> <given>", "<family><given>", "<family>　<given>", "<topic>", "<chinese>",
            "２０<10-24>年 <topic>", "20<10-24>年　<topic>",
        ],
    ),
    (
        "log",
        &[
            "<08-19>:<00-59>:<00-59> 検索 語「<query>」 件数=<0-480> 時間=<3-900>ms 館=<branch>",
            "<08-19>:<00-59>:<00-59> 索引 資料番号=<100000-999999> 題名「<title>」を正規化しました",
            "<08-19>:<00-59>:<00-59> 警告 読みが登録されていません: <family><given>『<title>』",
            "<08-19>:<00-59>:<00-59> 検索 語「<query>」 件数=0 候補「<query>」を表示しました",
        ],
    ),
    (
        "record",
        &[
            "<100000-999999>,<title>,<family> <given>,<branch>,<1958-2024>,貸出可",
            "<100000-999999>,<title>,<family><given>,<branch>,<1958-2024>,貸出中",
            "<100000-999999>,<chinese>,<press>,<branch>,<1988-2024>,可外借",
        ],
    ),
    (
        "note",
        &[
            "検索語の空白を取り除いてから比べる",
            "全角の英数字を半角にそろえる",
            "旧字体と新字体を同じ文字として扱う",
            "読みがなければ題名から推定する",
            "件数が零のときは候補を出す",
            "簡体字を繁体字に直してから索引に入れる",
            "分館ごとの並び順を保つ",
        ],
    ),
    (
        "name",
        &[
            "normalize", "tokenize", "build_index", "lookup", "suggest", "fold_width", "merge_readings",
            "rank",
        ],
    ),
    ("step", &["Width", "Space", "Variant", "Reading", "Script"]),
    (
        "code",
        &[
            "def <name>_<name>(text: str) -> str:\n    \"\"\"<note>。\"\"\"\n    # <note>。ただし「<title>」のような題名は例外。\n    return table.get(text, <name>(text))\n",
            "class <step>Step:\n    \"\"\"<note>。\n\n    例: 「<query>」→「<query>」\n    \"\"\"\n\n    def run(self, record):\n        # <note>\n        if record.branch == \"<branch>\":\n            return self.<name>(record.title)\n        return <name>(record.author)\n",
            "# <note>\nCASES_<10-99> = [\n    (\"<query>\", \"<query>\"),\n    (\"<title>\", \"<title>\"),\n    (\"<chinese>\", \"<chinese>\"),\n]\n",
        ],
    ),
    (
        "hit",
        &[
            "search/<name>.py:<3-240>: # <note>",
            "search/<name>.py:<3-240>: log.warning(\"<note>\")",
            "tests/test_<name>.py:<3-240>: assert find(\"<query>\") == find(\"<query>\")",
        ],
    ),
    (
        "test",
        &[
            "tests/test_<name>.py::test_<note> [<query>] PASSED",
            "tests/test_<name>.py::test_<note> [<title>] PASSED",
        ],
    ),
];

/// A request of the user, the tools that the agent uses (f file, g search, l log, r records, t tests), and its answer.
const TURNS: [(&str, &str, &str); 9] = [
    (
        "蔵書検索で「夏目漱石」と「夏目 漱石」の件数が違うという問い合わせが続いています。原因を調べてください。",
        "gffllrf",
        "原因は空白の扱いです。索引を作るときは著者名の空白を取り除いていますが、検索語からは取り除いていません。そのため空白のある検索語は、空白のまま登録された古い資料だけに当たります。先月の記録では、検索の一割強に空白がありました。",
    ),
    (
        "全角の空白と全角の数字も同じ問題ですか。",
        "gfflrf",
        "半分は同じです。全角の数字は索引でも検索でも半角にそろえています。全角の空白はどちらでもそろえていませんでした。",
    ),
    (
        "旧字体はどうなっていますか。「國木」と「国木」、「齋藤」と「斎藤」などです。",
        "gffrlff",
        "対応表はありますが、索引を作るときだけ使われていて、四十二字しかありません。名前でよく使う「澤」「邊」「髙」がありません。検索の側では使われていないので、旧字体で探すと見つかりません。",
    ),
    (
        "中国語の資料が出てこないという報告もあります。",
        "gfrrlff",
        "簡体字の題名は、日本語の漢字に直す処理で一部の字が失われています。「书」や「铁」は表にないため空文字になり、題名が短くなって順位が下がります。繁体字の資料は問題ありません。失われた字のある資料は一万二千件のうち三千百件です。",
    ),
    (
        "修正して、試験も足してください。検索と索引で同じ処理を使うようにしてください。",
        "ffgftfttf",
        "索引と検索の両方が search/normalize.py を使うようにしました。順序は、字の幅、空白、異体字、簡体字です。表にない字はそのまま残します。試験は二百十件を足し、すべて通りました。",
    ),
    (
        "先月の検索記録で、結果の変わるものを一覧にしてください。",
        "llrlrrf",
        "八万四千件のうち九千三百件で件数が増え、減ったものは十七件です。減った十七件は、空文字になった題名に偶然当たっていたものでした。",
    ),
    (
        "索引の作り直しにはどのくらいかかりますか。開館中にできますか。",
        "lfltf",
        "試験機では四十一分でした。新しい索引を別名で作り、終わってから切り替えるので、開館中でも検索は止まりません。切り戻しは名前を戻すだけです。",
    ),
    (
        "候補の表示も見てください。件数が零のときに関係のない題名が出るそうです。",
        "gfllffrt",
        "候補は読みの近さで選んでいますが、読みのない資料は題名の先頭二字で比べていました。中国語の資料には読みがないので、無関係な候補になります。読みがない場合は、共通する字の数で選ぶようにしました。",
    ),
    (
        "利用者へのお知らせを、日本語と中国語で書いてください。",
        "rf",
        "【蔵書検索が変わります】姓と名の間の空白や、旧字体・新字体の違いにかかわらず、同じ資料が見つかるようになります。中国語の資料も、簡体字・繁体字のどちらでも探せます。\n\n【馆藏检索更新】检索作者时，姓与名之间有无空格、新旧字形的差别不再影响结果。中文资料可以用简体字或繁体字检索。如有问题，请向各分馆咨询。",
    ),
];

const SAYS: [&str; 6] = [
    "まず関係する箇所を確認します。",
    "",
    "ここは索引の側です。検索の側も読みます。",
    "記録で裏付けを取ります。",
    "",
    "例外がないか、実際の資料で確かめます。",
];

/// The session.
pub(super) fn text() -> String {
    let mut chat = Chat::new(SYSTEM);
    let mut choice = Choice::new(1_905);
    for (user, tools, answer) in TURNS {
        chat.user(user);
        for tool in tools.chars() {
            let call = called(tool, &mut choice);
            chat.step(choice.of(&SAYS), &[call]);
        }
        chat.answer(answer);
    }
    chat.finish()
}

fn called(tool: char, choice: &mut Choice) -> ToolCall {
    let choice = &mut *choice;
    let name = filled(RULES, "<name>", choice);
    let (template, bytes) = match tool {
        'f' => ("<code>\n", 13_000),
        'g' => ("<hit>\n", 7_000),
        'l' => ("<log>\n", 15_000),
        'r' => ("<record>\n", 12_000),
        _ => ("<test>\n", 9_000),
    };
    let mut output = String::new();
    fill_up(RULES, (template, ""), bytes, choice, &mut output);
    match tool {
        'f' => ToolCall::new("read_file", &[("path", &format!("search/{name}.py"))], output),
        'g' => {
            fill(RULES, "（<40-90>件中、先頭だけを表示しました）\n", choice, &mut output);
            ToolCall::new(
                "search",
                &[("pattern", &filled(RULES, "<query>", choice)), ("path", "search")],
                output,
            )
        }
        'l' => ToolCall::new("run", &[("command", "grep -h 検索 logs/opac-*.log | tail -n 200")], output),
        'r' => ToolCall::new("run", &[("command", "python -m tools.dump --csv --limit 250")], output),
        _ => ToolCall::new("run", &[("command", &format!("pytest -q tests/test_{name}.py"))], output),
    }
}
