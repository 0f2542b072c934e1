//! The lesson as pages: one for each step, and one that says what it is.

use ebbline_charts::escaped;
use ebbline_web::lesson::{STEPS, Step, link};

use crate::address::relative;
use crate::figures::{self, Figure, Sign};
use crate::page::{File, PLAYGROUND, Page};

/// The page that says what the lesson is.
const INDEX: &str = "learn/index.html";
const TITLE: &str = "How an agent makes room for what comes next";

/// The pages of the lesson.
pub(crate) fn files() -> Result<Vec<File>, String> {
    let figures = figures::all()?;
    let mut files = vec![index()];
    for (number, (step, figure)) in STEPS.iter().zip(&figures).enumerate() {
        let page = Page {
            path: path_of(step),
            title: step.title.to_owned(),
            description: step.text.to_owned(),
            part: "learn/",
            main: main_of(number, step, figure),
            beside: steps(&path_of(step)),
            script: None,
        };
        files.push(File { path: page.path.clone(), text: page.html() });
    }
    Ok(files)
}

fn path_of(step: &Step) -> String {
    format!("learn/{}.html", step.name)
}

/// The list of the steps, as the page at `path` shows it.
fn steps(path: &str) -> String {
    let items = STEPS.iter().map(|step| {
        let to = path_of(step);
        let current = if to == path { " aria-current=\"page\"" } else { "" };
        format!("<li><a href=\"{}\"{current}>{}</a></li>\n", relative(path, &to), escaped(step.title))
    });
    format!("<p class=\"group\">The lesson</p>\n<ol>\n{}</ol>\n", items.collect::<String>())
}

fn index() -> File {
    let items = STEPS.iter().map(|step| {
        format!("<li><a href=\"{}\">{}</a></li>\n", relative(INDEX, &path_of(step)), escaped(step.title))
    });
    let first = STEPS.first().map(path_of).unwrap_or_default();
    let main = format!(
        "<h1>{TITLE}</h1>\n\
         <p class=\"lead\">An agent that works for a long time says, reads and is told more than its model can take in at once. So \
         it has to forget something, again and again, without losing its task. This is called compaction.</p>\n\
         <p>The lesson shows in {} short steps how it works. You need to know nothing about language models. Every figure is \
         computed, not sketched: it shows what the engine decides for a session in which an agent looks for a bug in a small web \
         shop. Each step asks you to predict something and tells you whether you were right.</p>\n\
         <ol class=\"steps\">\n{}</ol>\n\
         <p><a class=\"go\" href=\"{}\">Begin with the first step</a></p>\n\
         <p>You would rather try than read? <a href=\"{}\">The playground</a> shows the same session, and opens your own. \
         Nothing leaves your computer.</p>\n",
        number_word(STEPS.len()),
        items.collect::<String>(),
        relative(INDEX, &first),
        relative(INDEX, PLAYGROUND),
    );
    let page = Page {
        path: INDEX.to_owned(),
        title: TITLE.to_owned(),
        description: "A lesson in eight short steps: what fills the context of an AI agent, how old tool outputs and messages give \
                      way, and what it costs."
            .to_owned(),
        part: "learn/",
        main,
        beside: String::new(),
        script: None,
    };
    File { path: page.path.clone(), text: page.html() }
}

fn number_word(number: usize) -> String {
    if number == 8 { "eight".to_owned() } else { number.to_string() }
}

fn main_of(number: usize, step: &Step, figure: &Figure) -> String {
    let path = path_of(step);
    let answers = step.answers.iter().map(|answer| {
        let verdict = if answer.right { "Right." } else { "No." };
        format!(
            "<details name=\"answer\"><summary>{}</summary>\n<p><strong>{verdict}</strong> {}</p>\n</details>\n",
            escaped(answer.text),
            escaped(answer.feedback)
        )
    });
    let turn = |class: &str, word: &str, step: Option<&Step>| {
        step.map_or_else(String::new, |step| {
            let to = relative(&path, &path_of(step));
            format!("<a class=\"{class}\" href=\"{to}\"><span>{word}</span> {}</a>\n", escaped(step.title))
        })
    };
    let before = number.checked_sub(1).and_then(|before| STEPS.get(before));
    let playground = relative(&path, PLAYGROUND) + &link(number + 1);
    format!(
        "<p class=\"where\">Step {} of {}</p>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n\
         <figure>\n<div class=\"desk\">{}</div>\n<div class=\"phone\">{}</div>\n{}<figcaption>{}</figcaption>\n</figure>\n\
         <section class=\"predict\" aria-labelledby=\"predict\">\n<h2 id=\"predict\">What do you think?</h2>\n<p>{}</p>\n{}</section>\n\
         <p><a class=\"go\" href=\"{playground}\">Try it in the playground, with the same session</a></p>\n\
         <nav class=\"turn\" aria-label=\"Steps\">\n{}{}</nav>\n",
        number + 1,
        STEPS.len(),
        escaped(step.title),
        escaped(step.text),
        figure.wide.inline("desk"),
        figure.narrow.inline("phone"),
        legend(&figure.legend),
        escaped(&figure.caption),
        escaped(step.question),
        answers.collect::<String>(),
        turn("back", "Back", before),
        turn("next", "Next", STEPS.get(number + 1)),
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
    fn every_step_is_a_page_with_a_figure_a_question_and_a_way_on() {
        let files = files().unwrap();
        assert_eq!(files.len(), STEPS.len() + 1);
        for (number, (file, step)) in files.iter().skip(1).zip(STEPS).enumerate() {
            assert_eq!(file.path, format!("learn/{}.html", step.name));
            for part in [step.text, step.question, "<figcaption>"] {
                assert!(
                    file.text.contains(&escaped(part)) || file.text.contains(part),
                    "{}: {part}",
                    step.name
                );
            }
            assert_eq!(file.text.matches("<details name=\"answer\">").count(), step.answers.len());
            assert_eq!(file.text.matches("<strong>Right.</strong>").count(), 1, "{}", step.name);
            assert!(file.text.contains(&format!("href=\"../#lesson={}\"", number + 1)), "{}", step.name);
            assert_eq!(file.text.contains("class=\"next\""), number + 1 < STEPS.len(), "{}", step.name);
        }
    }
}
