//! The pictures of README and documents in `docs/pictures`. The sawtooth is drawn here; the page is photographed by
//! `tests/e2e/looks.test.mjs`.

use std::fs;
use std::path::Path;

use ebbline::{ReadOptions, profiles};
use ebbline_charts::Sawtooth;
use ebbline_web::open_session::OpenSession;
use ebbline_web::sample;

use crate::figures::points;
use crate::page::File;

/// Their folder, in the project and on the site.
pub(crate) const FOLDER: &str = "docs/pictures/";
const WIDTH: u32 = 752;
const WINDOW: u64 = 200_000;

/// The life of the page's long sample under the default policy, for light and for dark pages.
pub(crate) fn files() -> Result<[File; 2], String> {
    let long = sample::find("long-hunt").ok_or("there is no long sample")?;
    let text = sample::text_of(long).into_bytes();
    let opened = OpenSession::open(text, long.name, &ReadOptions::default());
    let (session, _) = opened.map_err(|error| format!("the long sample: {}", error.sentence))?;
    let policy = profiles::get("ebbline@3").map_err(|error| error.to_string())?;
    let (life, _) = session.open_life(&policy, false);
    let saw = Sawtooth {
        title: "A day of work: 1.4 million tokens go through a window of 200,000".to_owned(),
        life: ("ebbline@3".to_owned(), points(&life)),
        window: WINDOW,
        ..Sawtooth::default()
    };
    let picture = saw.picture(WIDTH);
    let file =
        |name: &str, is_dark| File { path: format!("{FOLDER}{name}.svg"), text: picture.file(is_dark) };
    Ok([file("sawtooth-light", false), file("sawtooth-dark", true)])
}

/// Copies all pictures of the project into the site at `to`.
pub(crate) fn copy(project: &Path, to: &Path) -> Result<(), String> {
    let (from, to) = (project.join(FOLDER), to.join(FOLDER));
    let copied = fs::create_dir_all(&to).and_then(|()| {
        fs::read_dir(&from)?.try_for_each(|entry| {
            let entry = entry?;
            fs::copy(entry.path(), to.join(entry.file_name())).map(drop)
        })
    });
    copied.map_err(|error| format!("{} cannot be copied: {error}", from.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_are_what_is_drawn() {
        for File { path, text } in files().unwrap() {
            let found = fs::read_to_string(crate::project().join(&path)).unwrap_or_default();
            assert!(found == text, "{path} differs: cargo run -p ebbline-site -- pictures");
        }
    }
}
