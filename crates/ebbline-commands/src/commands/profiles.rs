//! `profiles`: the policies there are.

use ebbline::json::{Document, quote};
use ebbline::notation::javascript::stringify;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;

/// Lists the profiles, the default first.
pub(crate) async fn run(run: &mut Run) -> Result<Exit, Failure> {
    let style = run.style();
    for profile in ebbline::profiles::ALL {
        if run.is_json() {
            let policy = profile.policy().to_json();
            let policy = stringify(Document::parse(&policy)?.root()).to_text();
            let (name, about) = (quote(profile.name), quote(profile.about));
            run.out.write(format!("{{\"name\":{name},\"about\":{about},\"policy\":{policy}}}\n")).await?;
        } else {
            run.out.write(format!("{}\n  {}\n", style.strong(profile.name), profile.about)).await?;
        }
    }
    Ok(Exit::Ok)
}
