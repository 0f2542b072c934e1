//! The research sample: what a town can do about heavy rain, in an Anthropic request with whole web pages. The towns,
//! the studies and their figures are made up.

use super::blocks::Blocks;
use super::code::Choice;
use super::grammar::{Rules, fill, fill_up, filled};
use super::scribe::{Scribe, ToolCall};

const SYSTEM: &str = "You research questions for a town council. Search, read the sources themselves, and compare what they say. Every figure in an answer has a source. Say what is not known. Answer in plain words, at most 200 of them unless asked for more.";
const TOOLS: &str = r#"[{"name":"web_search","description":"Search the web.","input_schema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}},{"name":"web_fetch","description":"Read a page as text.","input_schema":{"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}}]"#;

/// What pages are made of.
const RULES: Rules = &[
    (
        "town",
        &[
            "Ambry", "Coldwater Bay", "Halvern", "Oststrand", "Velden Marsh", "Port Ellis", "Skarby",
            "Tarn Hill", "Lower Wick", "Rosenau",
        ],
    ),
    (
        "measure",
        &[
            "green roofs", "permeable paving", "rain gardens", "swales along streets",
            "tree pits with storage", "cisterns", "retention basins", "separate storm sewers",
            "unsealed schoolyards", "flood-proof parks",
        ],
    ),
    (
        "surface",
        &[
            "car parks", "schoolyards", "flat roofs", "side streets", "industrial yards", "market squares",
            "tram tracks",
        ],
    ),
    (
        "body",
        &[
            "the water board", "the public works office", "a group of three universities",
            "the regional auditor", "the housing association", "an engineering office",
            "the citizens' panel",
        ],
    ),
    (
        "found",
        &[
            "fell by <4-62> %",
            "was <1-9>.<0-9> mm lower in a design storm",
            "did not change outside the summer months",
            "fell by <8-45> % in the first year and by <3-20> % in the third",
            "came <6-55> minutes later",
            "was halved where the soil lets water through",
        ],
    ),
    (
        "what",
        &[
            "runoff", "the peak flow", "overflow into the river", "the number of flooded cellars",
            "the load of zinc", "the cost of pumping",
        ],
    ),
    (
        "but",
        &[
            "but only as long as the inlets are kept clear",
            "although two of the <9-40> gauges failed in the second winter",
            "which the authors call a lower bound",
            "if snow is not piled on them",
            "while the control site showed no change",
            "with large differences between streets",
        ],
    ),
    (
        "cost",
        &[
            "<18-240> per square metre",
            "<2-9>.<0-9> million in total",
            "<3-38> per resident and year",
            "about <4-30> % more than asphalt",
            "<140-900> per cubic metre of storage",
        ],
    ),
    (
        "upkeep",
        &[
            "cleaned twice a year",
            "mown by the neighbors",
            "flushed every <2-6> years",
            "inspected after each storm above <20-45> mm",
            "replanted after <6-14> years",
        ],
    ),
    (
        "study",
        &[
            "In <town>, <body> measured <what> at <6-90> sites between 20<08-14> and 20<15-24>",
            "<town> fitted <12-900> <surface> with <measure> from 20<06-19> on",
            "A survey of <40-700> owners in <town> asked about <measure>",
            "Models for <town> compare <measure> with <measure>",
        ],
    ),
    (
        "sentence",
        &[
            "<study>; <what> <found>, <but>.",
            "In <town>, <measure> cost <cost> and have to be <upkeep>.",
            "After the storm of <1-28> July 20<09-24> (<38-122> mm in <2-9> hours), <what> <found> where there were <measure>.",
            "According to <body>, <measure> suit <surface>, <but>.",
            "Where <measure> were built on <surface>, <what> <found>.",
            "The council of <town> decided <9-30> to <2-8> for <measure> at <cost>.",
            "Compared with <measure>, <measure> need less room but cost <cost>.",
            "It is not known whether this holds for soils with less than <2-9> mm an hour, <but>.",
        ],
    ),
    (
        "heading",
        &[
            "Results for <surface>", "What <measure> cost", "Upkeep of <measure>", "Experience in <town>",
            "Methods", "Limits of this study", "Recommendations", "Questions from residents",
        ],
    ),
    (
        "menu",
        &[
            "Home", "Services", "Building and planning", "Waste", "Council papers", "News from <town>",
            "Press", "Contact", "Accessibility", "Easy language", "Jobs", "Tenders",
        ],
    ),
    ("row", &["| <town> | <measure> | 20<06-24> | <1-94>.<0-9> | <cost> | <upkeep> |"]),
    (
        "source",
        &[
            "<town>, <body>: Report on <measure>, 20<06-24>, pp. <3-90>-<91-160>.",
            "<town> council paper 20<10-24>/<100-999>: <what> and <surface>.",
        ],
    ),
];

/// A request of the user: what is searched for, how large the pages are that are read, in kilobytes, and the answer.
struct Turn {
    user: &'static str,
    queries: &'static [&'static str],
    pages: &'static [usize],
    answer: &'static str,
}

const fn turn(
    user: &'static str,
    queries: &'static [&'static str],
    pages: &'static [usize],
    answer: &'static str,
) -> Turn {
    Turn { user, queries, pages, answer }
}

const TURNS: [Turn; 8] = [
    turn(
        "Our town has 40,000 people, old combined sewers and two floods in three years. What have towns of our size done about heavy rain, and did it help?",
        &[
            "town heavy rain measures results combined sewer",
            "storm water retention small towns evaluation",
            "sponge town experience 40,000 residents",
        ],
        &[62, 38, 90, 30, 48],
        "Three things come up again and again: keeping water on roofs and yards, letting it seep away along streets, and holding it back in one or two basins. Of eleven towns with measurements, nine report less overflow; none got rid of it. The best results come from several small measures in the same catchment. Sources 1 to 5 are listed with page numbers.",
    ),
    turn(
        "What does it cost for each cubic metre that is kept back?",
        &["cost per cubic metre storm water retention", "green roof cost retention comparison"],
        &[84, 26, 140],
        "Between 140 and 900 for each cubic metre. Basins are cheapest if the town owns the land; roofs are dearest, but the owners pay most of it. The 140-page report of the regional auditor is the only source that adds upkeep for thirty years; in it, swales and basins change places.",
    ),
    turn(
        "Two of your sources disagree about roofs in winter. Which one is right?",
        &["green roof winter runoff measurement", "frozen substrate retention"],
        &[55, 172],
        "Both. One measured all precipitation, the other only rain. Snow on a roof counts as kept back in the first and is left out in the second. For our floods, which came in July, the second is the one to use: about a third is kept back in a design storm.",
    ),
    turn(
        "Who keeps all of this clean, and what happens if nobody does?",
        &["permeable paving clogging maintenance interval", "rain garden upkeep residents agreement"],
        &[44, 36, 70],
        "After four years without cleaning, permeable paving lets through a tenth of what it did. Twice a year with a sweeper that the town already has is enough. Rain gardens fail at their inlets; towns in which neighbors look after them report fewer failures than those with a contract.",
    ),
    turn(
        "May a town charge a fee for sealed ground?",
        &["storm water fee sealed surface legal basis", "split waste water fee introduction"],
        &[58, 96],
        "It depends on the state's law on municipal fees; in the sources it was allowed where the fee follows the sealed area and there is a way to contest the measurement. Six towns brought it in; in four the total of all fees stayed the same. I am no lawyer: have this checked.",
    ),
    turn(
        "What do people who live there say about it?",
        &["residents survey rain gardens acceptance", "parking spaces lost swales complaints"],
        &[40, 33, 52],
        "Before it is built, parking is the main worry; a year later it is mosquitoes, which were found in cisterns and not in swales. Approval rose in all four surveys that asked twice. Two of them asked fewer than a hundred people.",
    ),
    turn(
        "Make a table for the council: measure, cost, effect, upkeep, what speaks against it. One line each.",
        &["comparison table storm water measures towns"],
        &[118],
        "| Measure | Cost per m³ | Less overflow | Upkeep | Against it |\n|---|---|---|---|---|\n| Basin | 140 to 300 | 20 to 45 % | yearly | land |\n| Swales | 180 to 420 | 15 to 38 % | twice a year | parking |\n| Paving | 250 to 600 | 8 to 25 % | twice a year | clogs |\n| Roofs | 500 to 900 | a third in summer | owners | slow |\n| Cisterns | 300 to 700 | small | owners | must be empty before rain |",
    ),
    turn(
        "And one page that says what you would do first, with sources.",
        &["first steps storm water program town"],
        &[47, 61],
        "First measure: six gauges for a year cost less than one wrong basin. Second: whenever a street is opened anyway, build the swale. Third: a basin at the old goods yard, the only large area that lies low enough and belongs to the town. Roofs by a fee that rewards them. What I do not know: how well our soil lets water through; all figures above depend on it. Sources 1 to 21.",
    ),
];

/// The session.
pub(super) fn text() -> String {
    let mut request = Blocks::new(SYSTEM, TOOLS);
    let mut choice = Choice::new(40);
    for turn in &TURNS {
        request.user(turn.user);
        let searches: Vec<ToolCall> = turn.queries.iter().map(|query| search(query, &mut choice)).collect();
        request.step("I'll look for sources first.", &searches);
        for kilobytes in turn.pages {
            let town = filled(RULES, "<town>", &mut choice);
            let say =
                filled(RULES, &format!("The report on {town} has measurements; I'll read it."), &mut choice);
            let say = if choice.below(2) == 0 { say } else { String::new() };
            request.step(&say, &[fetch(&town, *kilobytes, &mut choice)]);
        }
        request.answer(turn.answer);
    }
    request.finish()
}

fn address(town: &str, choice: &mut Choice) -> String {
    let town = town.to_ascii_lowercase().replace(' ', "-");
    filled(RULES, &format!("https://www.{town}.example/water/<2008-2024>/report-<100-999>"), choice)
}

fn search(query: &str, choice: &mut Choice) -> ToolCall {
    let mut output = String::new();
    for number in 1..=12 {
        let town = filled(RULES, "<town>", choice);
        let address = address(&town, choice);
        output.push_str(&format!("{number}. {address}\n"));
        fill(RULES, "   <heading>\n   <sentence> <sentence>\n\n", choice, &mut output);
    }
    ToolCall::new("web_search", &[("query", query)], output)
}

fn fetch(town: &str, kilobytes: usize, choice: &mut Choice) -> ToolCall {
    let address = address(town, choice);
    let mut page =
        format!("# {town}: water and heavy rain\n\nThis site uses cookies. [Accept] [Settings]\n\n");
    fill_up(RULES, ("* <menu>", "\n"), 260, choice, &mut page);
    while page.len() < kilobytes * 1_000 {
        fill(RULES, "\n## <heading>\n\n", choice, &mut page);
        for _ in 0..2 + choice.below(4) {
            fill_up(RULES, ("<sentence>", " "), 500 + choice.below(500) as usize, choice, &mut page);
            page.push_str("\n\n");
        }
        if choice.below(3) == 0 {
            page.push_str(
                "| Town | Measure | Year | Less runoff in % | Cost | Upkeep |\n|---|---|---|---|---|---|\n",
            );
            fill_up(RULES, ("<row>", "\n"), 1_500, choice, &mut page);
        }
    }
    page.push_str("\n## Sources\n\n");
    fill_up(RULES, ("* <source>", "\n"), kilobytes * 30, choice, &mut page);
    fill_up(RULES, ("[<menu>]", " "), 160, choice, &mut page);
    ToolCall::new("web_fetch", &[("url", &address)], page)
}
