use std::fs;

use serde_json::Value as Json;

use super::*;

/// What `tests/stores/make.py` made with SQLite.
fn made(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores").join(name)
}

/// A folder for a test, with copies of the files of a database.
fn copied(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ebbline-database-{}-{test}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for name in ["opencode.db", "opencode.db-wal"] {
        fs::copy(made(name), folder.join(name)).unwrap();
    }
    folder
}

fn all(path: &Path) -> Result<Vec<Vec<u8>>, Refusal> {
    let sessions = Sessions::open(path)?;
    let ids = sessions.iter().flat_map(Sessions::ids).map(|(id, _)| id).collect::<Vec<_>>();
    sessions.iter().flat_map(|sessions| ids.iter().map(|id| sessions.export(id))).collect()
}

#[test]
fn sessions_come_out_as_sqlite_reads_them() {
    for name in ["opencode", "kilo"] {
        let sessions = Sessions::open(&made(&format!("{name}.db"))).unwrap().unwrap();
        let text = fs::read_to_string(made(&format!("{name}.expected.json"))).unwrap();
        let expected: serde_json::Map<String, Json> = serde_json::from_str(&text).unwrap();
        let ids: Vec<String> = sessions.ids().into_iter().map(|(id, _)| id).collect();
        assert!(expected.keys().all(|id| ids.contains(id)));
        assert!(ids.iter().all(|id| expected.contains_key(id) || id == "ses_newer"), "{ids:?}");
        for (id, session) in expected {
            let exported = sessions.export(&id).unwrap();
            assert_eq!(serde_json::from_slice::<Json>(&exported).unwrap(), session, "{id}");
            assert!(sessions.blamed(&id).is_none());
            ebbline::SessionText::read(std::str::from_utf8(&exported).unwrap()).unwrap();
        }
    }
    let sessions = Sessions::open(&made("opencode.db")).unwrap().unwrap();
    let newer = sessions.export("ses_newer").unwrap();
    let refused = ebbline::SessionText::read(std::str::from_utf8(&newer).unwrap()).unwrap_err();
    assert!(refused.to_string().contains("second core"), "{refused}");
    let missing = sessions.export("ses_none").unwrap_err();
    assert!(missing.reason().ends_with("opencode.db holds no session ses_none"), "{missing:?}");
}

#[test]
fn hermes_exports_a_session_and_openclaw_its_lines() {
    let sessions = Sessions::open(&made("hermes.db")).unwrap().unwrap();
    let text = fs::read_to_string(made("hermes.expected.json")).unwrap();
    let expected: serde_json::Map<String, Json> = serde_json::from_str(&text).unwrap();
    assert_eq!(sessions.ids().len(), expected.len());
    for (id, session) in expected {
        let exported = sessions.export(&id).unwrap();
        assert_eq!(serde_json::from_slice::<Json>(&exported).unwrap(), session, "{id}");
        let read = ebbline::SessionText::read(std::str::from_utf8(&exported).unwrap()).unwrap();
        assert_eq!(read.transcript().messages()[0].role, ebbline::transcript::Role::System);
    }
    let sessions = Sessions::open(&made("openclaw-agent.sqlite")).unwrap().unwrap();
    let exported = String::from_utf8(sessions.export("s-1").unwrap()).unwrap();
    assert_eq!(exported, fs::read_to_string(made("openclaw.expected.jsonl")).unwrap());
    let read = ebbline::SessionText::read(&*exported).unwrap();
    let active: Vec<bool> = read.transcript().messages().iter().map(|message| message.active).collect();
    assert_eq!(active, [false, true, true, true, false, true]);
}

#[test]
fn what_is_not_complete_in_the_log_does_not_count() {
    let folder = copied("log");
    let (path, log) = (folder.join("opencode.db"), folder.join("opencode.db-wal"));
    let whole = fs::read(&log).unwrap();
    let count = |length: usize| {
        fs::write(&log, &whole[..length]).unwrap();
        all(&path).unwrap().len()
    };
    // Without the log, the session is there that was removed later.
    assert_eq!(count(0), 3);
    assert_eq!(count(31), 3);
    let mut counts: Vec<usize> = (0..whole.len()).step_by(1_999).map(count).collect();
    counts.dedup();
    assert_eq!((counts.first(), count(whole.len())), (Some(&3), 3));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_database_is_an_error_and_nothing_else() {
    let folder = copied("damaged");
    let path = folder.join("opencode.db");
    let whole = fs::read(&path).unwrap();
    fs::remove_file(folder.join("opencode.db-wal")).unwrap();
    let (mut state, mut damaged) = (1_u32, 0);
    for round in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..=round % 7 {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            // What is in front of texts, mostly.
            let page = state as usize % (bytes.len() / 4_096) * 4_096;
            let at = page + (state >> 16) as usize % if round % 2 == 0 { 40 } else { 4_096 };
            bytes[at] = (state >> 8) as u8;
        }
        if round % 5 == 0 {
            bytes.truncate(state as usize % bytes.len());
        }
        fs::write(&path, bytes).unwrap();
        if let Err(failure) = all(&path) {
            damaged += 1;
            assert!(matches!(failure, Refusal::Damaged(_) | Refusal::Sentence(_)), "{failure:?}");
            assert!(failure.reason().contains("opencode.db"), "{failure:?}");
        }
    }
    assert!(damaged > 100, "{damaged}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_its_owner_changes_meanwhile_is_read_again() {
    let folder = copied("changed");
    let path = folder.join("opencode.db");
    let sessions = Sessions::open(&path).unwrap().unwrap();
    sessions.export("ses_1").unwrap();
    // As if the log had been moved into the database, and had begun anew.
    fs::copy(made("kilo.db"), &path).unwrap();
    fs::remove_file(folder.join("opencode.db-wal")).unwrap();
    let other = Sessions::open(&made("kilo.db")).unwrap().unwrap();
    for (id, _) in other.ids() {
        assert_eq!(sessions.export(&id).unwrap(), other.export(&id).unwrap());
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn cells_that_share_a_record_are_damage_and_not_read_over_and_over() {
    let folder = copied("shared");
    let path = folder.join("opencode.db");
    fs::remove_file(folder.join("opencode.db-wal")).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let mut pages =
        bytes.chunks_mut(4_096).skip(1).filter(|page| page[..3] == [13, 0, 0]).collect::<Vec<_>>();
    assert!(!pages.is_empty());
    for page in &mut pages {
        let cell = [page[8], page[9]];
        // What the cell itself says stays readable.
        let end = usize::from(u16::from_be_bytes(cell)).min(4_000);
        let count = end.saturating_sub(8) / 2;
        page[3..5].copy_from_slice(&u16::try_from(count).unwrap().to_be_bytes());
        page[8..8 + 2 * count].chunks_exact_mut(2).for_each(|place| place.copy_from_slice(&cell));
    }
    fs::write(&path, bytes).unwrap();
    let failure = all(&path).unwrap_err();
    assert!(failure.reason().contains("has rows that are longer than the database"), "{failure:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_session_has_a_name_whatever_its_id() {
    for (id, name) in [
        ("ses_1", "ses_1"),
        ("b/c", "b%2fc"),
        ("b%2fc", "b%252fc"),
        ("a:b", "a%3ab"),
        ("c\\d", "c%5cd"),
        ("..", "%2e%2e"),
        ("v1.2", "v1.2"),
        ("", "%"),
        ("x y", "x y"),
    ] {
        assert_eq!(file_name(id), name);
    }
}
