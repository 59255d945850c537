//! `docs/security.md` names the test that holds each promise.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Every Rust file below a folder.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    below.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

#[test]
fn every_test_that_the_promises_name_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut tests = HashSet::new();
    for path in ["server/tests", "server/src", "core/src"].map(|folder| sources(&root.join(folder))).concat() {
        let text = std::fs::read_to_string(path).unwrap();
        let names = text.split("fn ").skip(1).filter_map(|rest| rest.split('(').next());
        tests.extend(names.map(str::to_owned));
    }
    let promises = std::fs::read_to_string(root.join("docs/security.md")).unwrap();
    // What stands between backticks is every other piece; a test's name has many words.
    let named = promises.split('`').skip(1).step_by(2).filter(|word| word.matches('_').count() > 3);
    let named: Vec<&str> = named.filter(|word| !word.starts_with("FORECOURT_")).collect();
    assert!(named.len() > 80, "{} are named", named.len());
    let missing: Vec<_> = named.iter().filter(|name| !tests.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}
