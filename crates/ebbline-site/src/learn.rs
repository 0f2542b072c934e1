//! The lesson as one page, to be read, shown or printed.

use ebbline_charts::escaped;
use ebbline_web::lesson::stage::filled;
use ebbline_web::lesson::{STEPS, Step, link};

use crate::address::relative;
use crate::figures::{self, Shot, Sign};
use crate::page::{File, PLAYGROUND, Page};

/// Where the lesson is.
const PATH: &str = "learn/index.html";
const TITLE: &str = "How an agent makes room for what comes next";

/// The page of the lesson.
pub(crate) fn file() -> Result<File, String> {
    let shots = figures::all()?;
    let steps = STEPS.iter().zip(&shots).enumerate();
    let sections: String = steps.map(|(number, (step, shot))| section(number + 1, step, shot)).collect();
    let playground = relative(PATH, PLAYGROUND);
    let main = format!(
        "<h1>{TITLE}</h1>\n\
         <p class=\"lead\">An agent that works for a long time is told more than its model can take in at once. So it has to forget \
         something, again and again, without losing its task. This is called compaction.</p>\n\
         <p>Every figure is computed: it shows what the engine decides for a session in which an agent looks for a bug in a small \
         web shop.</p>\n{sections}\
         <h2>Now on your own session</h2>\n<p><a class=\"go\" href=\"{playground}\">Open the playground</a></p>\n\
         <p>Nothing leaves your computer.</p>\n"
    );
    let page = Page {
        path: PATH.to_owned(),
        title: TITLE.to_owned(),
        description: "A lesson on one page: what fills the context of an AI agent, how old tool outputs and messages give way, and \
                      what it costs."
            .to_owned(),
        part: "learn/",
        main,
        beside: contents(),
        script: None,
    };
    Ok(File { path: page.path.clone(), text: page.html() })
}

/// The list of the steps.
fn contents() -> String {
    let items =
        STEPS.iter().map(|step| format!("<li><a href=\"#{}\">{}</a></li>\n", step.name, escaped(step.title)));
    format!("<p class=\"group\">The lesson</p>\n<ol>\n{}</ol>\n", items.collect::<String>())
}

fn section(number: usize, step: &Step, shot: &Shot) -> String {
    let guess = step.guess.map_or_else(String::new, |guess| {
        let answers = guess.answers.iter().enumerate().map(|(at, answer)| {
            let verdict = if at == guess.right { "Right." } else { "Not quite." };
            format!(
                "<details name=\"{}\"><summary>{}</summary>\n<p><strong>{verdict}</strong> {}</p>\n</details>\n",
                step.name,
                escaped(answer),
                escaped(guess.because)
            )
        });
        format!(
            "<div class=\"predict\">\n<h3>{}</h3>\n{}</div>\n",
            escaped(guess.question),
            answers.collect::<String>()
        )
    });
    let playground = relative(PATH, PLAYGROUND) + &link(number);
    let figure = &shot.figure;
    format!(
        "<section class=\"step\" id=\"{name}\" aria-labelledby=\"{name}-title\">\n<p class=\"where\">Step {number} of {}</p>\n\
         <h2 id=\"{name}-title\">{}</h2>\n<p>{}</p>\n\
         <figure>\n<div class=\"desk\">{}</div>\n<div class=\"phone\">{}</div>\n{}<figcaption>{}</figcaption>\n</figure>\n{}{guess}\
         <p class=\"try\"><a href=\"{playground}\">Try it: {}</a></p>\n</section>\n",
        STEPS.len(),
        escaped(step.title),
        escaped(&filled(step.text, &shot.figures)),
        figure.wide.inline(&format!("{}-desk", step.name)),
        figure.narrow.inline(&format!("{}-phone", step.name)),
        legend(&figure.legend),
        escaped(&figure.caption),
        rules(&shot.rules),
        escaped(step.action),
        name = step.name,
    )
}

/// The rules of several agents as a table.
fn rules(rules: &[[String; 4]]) -> String {
    if rules.is_empty() {
        return String::new();
    }
    let rows = rules.iter().map(|cells| {
        let cells = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    });
    format!(
        "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th>Agent</th><th>Full above</th><th>Does</th><th>Then</th></tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
        rows.collect::<String>()
    )
}

fn legend(signs: &[Sign]) -> String {
    if signs.is_empty() {
        return String::new();
    }
    let items = signs.iter().map(|Sign { kind, fate, word }| {
        let shape = if *fate == "summarized" { "y=\"7.5\" height=\"5\"" } else { "y=\"1.5\" height=\"11\"" };
        let hatch = if *fate == "pruned" {
            format!("<path class=\"kind-{kind} hatch\" d=\"M1.5,8.5L8.5,1.5M1.5,12.5L12.5,1.5M5.500,12.5L12.5,5.5\"/>")
        } else {
            String::new()
        };
        format!(
            "<li><svg class=\"picture\" width=\"14\" height=\"14\" viewBox=\"0 0 14 14\" aria-hidden=\"true\">\
             <rect class=\"kind-{kind} {fate}\" x=\"1.5\" width=\"11\" {shape}/>{hatch}</svg>{word}</li>\n"
        )
    });
    format!("<ul class=\"legend\">\n{}</ul>\n", items.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_has_every_step_with_a_figure_and_a_way_to_try_it() {
        let text = file().unwrap().text;
        for (number, step) in STEPS.iter().enumerate() {
            let title = format!("<h2 id=\"{}-title\">{}</h2>", step.name, escaped(step.title));
            assert!(text.contains(&title), "{title}");
            assert!(text.contains(&format!("href=\"../#lesson={}\"", number + 1)), "{}", step.name);
        }
        assert_eq!(text.matches("<figure>").count(), STEPS.len());
        let guesses = STEPS.iter().filter(|step| step.guess.is_some()).count();
        assert_eq!(text.matches("<strong>Right.</strong>").count(), guesses);
        assert!(!text.contains("{before}"), "every figure is filled in");
    }
}
