//! `tokenx`, an estimator for JavaScript, called through Node.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::texts::Text;

/// Gets the estimate of `tokenx` for every text; returns whether it is available.
pub fn ask(texts: &mut [Text]) -> bool {
    let Some(answers) = answers(texts).filter(|answers| answers.len() == texts.len()) else { return false };
    for (text, answer) in texts.iter_mut().zip(answers) {
        text.tokenx = Some(answer);
    }
    true
}

fn answers(texts: &[Text]) -> Option<Vec<f64>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("texts/tokenx.mjs");
    let question = serde_json::to_vec(&texts.iter().map(|text| &text.text).collect::<Vec<_>>()).ok()?;
    let mut node = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    node.stdin.take()?.write_all(&question).ok()?;
    let output = node.wait_with_output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}
