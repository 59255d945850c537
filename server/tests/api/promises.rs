//! Checks that the Rust tests that `docs/security.md` and `docs/asvs.md` name exist; in the table of `asvs.md` also the
//! files, the web tests, the states and the sums.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Returns every Rust file in a folder and its subfolders.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns the text of a page in `docs`.
fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// Returns the texts that the page has between backticks.
fn quoted(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2)
}

#[test]
fn every_test_named_in_the_security_docs_exists() {
    let mut tests = HashSet::new();
    let folders = ["server/tests", "server/src", "core/src", "core/tests", "wasm/rules/src"];
    for path in folders.map(|folder| rust_files(&root().join(folder))).concat() {
        let text = std::fs::read_to_string(path).unwrap();
        let names = text.split("fn ").skip(1).filter_map(|rest| rest.split('(').next());
        tests.extend(names.map(str::to_owned));
    }
    for (name, minimum) in [("security.md", 80), ("asvs.md", 140)] {
        let page = page(name);
        // A quoted word with more than three underscores is the name of a test.
        let named = quoted(&page).filter(|word| word.matches('_').count() > 3 && !word.starts_with("FORECOURT_"));
        let named: HashSet<&str> = named.collect();
        assert!(named.len() > minimum, "{name} names {}", named.len());
        let missing: Vec<_> = named.iter().filter(|name| !tests.contains(**name)).collect();
        assert!(missing.is_empty(), "{name}: {missing:#?}");
    }
}

/// Returns the table rows of the standard: number, level, requirement, state and evidence.
fn read_asvs_rows(page: &str) -> Vec<[&str; 5]> {
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.as_bytes()[2].is_ascii_digit());
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        cells.try_into().unwrap_or_else(|_| panic!("{line}"))
    })
    .collect()
}

#[test]
fn every_asvs_requirement_has_a_state_and_the_sums_are_right() {
    let page = page("asvs.md");
    let lines = read_asvs_rows(&page);
    // The number of requirements per level in ASVS 5.0.0.
    for (level, all) in [("1", 70), ("2", 183)] {
        let of = |state: &str| lines.iter().filter(|line| line[1] == level && line[3] == state).count();
        let (holds, not, open) = (of("holds"), of("n/a"), of("**open**"));
        assert_eq!(holds + not + open, all, "level {level}");
        assert!(page.contains(&format!("| level {level} | {holds} | {not} | {open} | {all} |")), "level {level}");
    }
    let of = |state: &str| lines.iter().filter(|line| line[3] == state).count();
    let (holds, not, open) = (of("holds"), of("n/a"), of("**open**"));
    assert!(page.contains(&format!("| both | {holds} | {not} | {open} | {} |", lines.len())), "both levels");
    let numbers: Vec<Vec<u32>> =
        lines.iter().map(|line| line[0].split('.').map(|part| part.parse().unwrap()).collect()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "each number once, in order");
    assert!(lines.iter().all(|line| !line[4].is_empty()));
}

#[test]
fn every_file_and_web_test_named_in_the_asvs_table_exists() {
    let page = page("asvs.md");
    let folders = ["core/", "deploy/", "server/", "web/"];
    for line in read_asvs_rows(&page) {
        let evidence = line[4];
        for path in quoted(evidence).filter(|word| folders.iter().any(|folder| word.starts_with(folder))) {
            let text = std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
            let title = evidence.split(&format!("`{path}`, \"")).nth(1).and_then(|rest| rest.split('"').next());
            assert!(title.is_none_or(|title| text.contains(&format!("test('{title}'"))), "{path}: {title:?}");
        }
    }
}
