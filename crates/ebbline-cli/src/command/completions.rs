//! `completions`: what makes a shell complete commands and options.

use clap_complete::Shell;

use crate::described;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::run::Run;

const SHELLS: [(&str, Shell); 5] = [
    ("bash", Shell::Bash),
    ("elvish", Shell::Elvish),
    ("fish", Shell::Fish),
    ("powershell", Shell::PowerShell),
    ("zsh", Shell::Zsh),
];

/// The names of the shells.
pub(crate) fn shells() -> Vec<&'static str> {
    SHELLS.map(|(name, _)| name).to_vec()
}

/// Prints the script for a shell.
pub(crate) fn run(run: &mut Run) -> Result<Exit, Failure> {
    let there_are = shells().join(", ");
    let [name] = &*run.given.files else {
        return Err(Failure::Usage(format!("completions needs a SHELL: {there_are}")));
    };
    let name = name.given();
    let Some((_, shell)) = SHELLS.iter().find(|(known, _)| *known == name) else {
        return Err(Failure::Usage(format!("there is no shell {name}; there are {there_are}")));
    };
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut described::whole(), "ebbline", &mut script);
    run.out.write(script)?;
    Ok(Exit::Ok)
}
