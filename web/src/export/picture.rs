//! What is on screen as pictures: the session's life, and the context before and after.

use ebbline::Policy;
use serde::{Deserialize, Serialize};

use ebbline_charts::{Event, Point, Sawtooth};

use super::Exported;
use crate::bars::{Bars, Row, after, before};
use crate::drawn_plan::DrawnPlan;
use crate::life::{EventKind, Life};
use crate::readable::stem;
use ebbline::numbers::grouped;

/// The width of a picture in CSS pixels.
const WIDTH: u32 = 960;

/// The ground of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// A light ground.
    Light,
    /// A dark ground.
    Dark,
}

/// The life under `policy` as an SVG.
pub(crate) fn life(life: &Life, policy: &Policy, name: &str, theme: Theme) -> Exported {
    let mut points: Vec<Point> = life
        .found
        .iter()
        .zip(&life.sent)
        .map(|(found, sent)| Point { before: u64::from(*found), sent: u64::from(*sent), event: None })
        .collect();
    for event in &life.events {
        if let Some(point) = points.get_mut(event.request as usize) {
            point.event = Some(match event.kind {
                EventKind::Prune => Event::Prune,
                EventKind::Summary => Event::Summary,
            });
        }
    }
    let saw = Sawtooth {
        title: format!("The life of a session under {}", policy.profile),
        life: (policy.profile.clone(), points),
        other: None,
        window: life.window.unwrap_or(0),
        fires: life.threshold.unwrap_or(0),
    };
    svg(name, "life", &saw.picture(WIDTH), theme)
}

/// The context before and after the plan as an SVG. `request` is the request before which it is, from 0.
pub(crate) fn context(
    planned: &DrawnPlan,
    policy: &Policy,
    request: Option<u32>,
    name: &str,
    theme: Theme,
) -> Exported {
    let place = request.map_or_else(
        || "a session".to_owned(),
        |request| format!("the context at request {}", grouped(u64::from(request) + 1)),
    );
    let rows = vec![
        Row { label: "Before".to_owned(), pieces: before(planned), spans: Vec::new() },
        Row { label: "After".to_owned(), pieces: after(planned), spans: Vec::new() },
    ];
    let bars = Bars {
        title: format!("What {} does to {place}", policy.profile),
        rows,
        window: policy.model.context.map_or(0, |window| window.get()),
        fires: planned.figures.trigger.threshold,
    };
    svg(name, "context", &bars.picture(WIDTH), theme)
}

fn svg(name: &str, what: &str, picture: &ebbline_charts::Picture, theme: Theme) -> Exported {
    let text = picture.file(theme == Theme::Dark);
    Exported::of_text(format!("{}.{what}.svg", stem(name)), text)
        .with_note("It shows kinds and sizes, and no text of the session.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::ExportKind;
    use crate::export::tests::text;
    use crate::question::{Answer, Request};
    use crate::view::At;

    #[test]
    fn pictures_are_of_the_moment_on_screen() {
        let (session, _) = crate::sample::opened();
        let policy = ebbline::profiles::get("ebbline@1").unwrap();
        let (lived, opening) = session.open_life(&policy, false);
        let request = opening.request.unwrap();
        let at = Some(Box::new(At { history: policy.clone(), request }));
        for (wanted, theme, at, words) in [
            (ExportKind::Life, Theme::Light, at.clone(), format!("ebbline@1: {} requests", lived.len())),
            (ExportKind::Life, Theme::Dark, None, "The window holds 200,000 tokens".to_owned()),
            (ExportKind::Context, Theme::Dark, at, format!("the context at request {}", request + 1)),
            (ExportKind::Context, Theme::Light, None, "What ebbline@1 does to a session".to_owned()),
        ] {
            let request = Request::Export {
                wanted,
                policy: Box::new(policy.clone()),
                window: None,
                force: false,
                summary: String::new(),
                free_bytes: false,
                at,
                theme,
            };
            let Answer::Exported(Ok(exported)) = session.answer(&request) else { panic!("no picture") };
            let svg = text(exported);
            assert!(
                svg.contains("<title id=") && svg.contains("<desc id=") && svg.contains(&words),
                "{words}"
            );
            let ground = if theme == Theme::Dark { "--surface:#171d24" } else { "--surface:#ffffff" };
            assert!(svg.contains(ground) && !svg.contains("prefers-color-scheme"));
        }
    }
}
