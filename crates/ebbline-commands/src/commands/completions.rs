//! `completions`: what makes a shell complete commands and options.

use crate::description::SHELLS;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;

/// Prints the script for a shell.
pub(crate) async fn run(run: &mut Run) -> Result<Exit, Failure> {
    let there_are = SHELLS.join(", ");
    let [name] = &*run.given.files else {
        return Err(Failure::Usage(format!("completions needs a SHELL: {there_are}")));
    };
    let name = name.given();
    if !SHELLS.contains(&&*name) {
        return Err(Failure::Usage(format!("there is no shell {name}; there are {there_are}")));
    }
    let script = run.io.completions(&name).await.map_err(|refusal| Failure::File(refusal.reason()))?;
    run.out.write(script).await?;
    Ok(Exit::Ok)
}
