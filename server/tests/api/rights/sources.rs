//! Searches the server's sources for functions that write for a signed-in user without checking permissions again.

use crate::promises::rust_files;
use std::collections::BTreeSet;
use std::path::Path;

/// The functions that may write for a signed-in user without checking permissions again, each with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("app/demo/corporations.rs insert", "the demo fills its database before it serves"),
    ("features/auth/admin.rs insert", "a command creates the first Super Admin"),
    (
        "features/corporations/management.rs delete",
        "authorizes in a transaction of its own, and then deletes in another, which may take long",
    ),
    ("features/import/submission.rs create_job", "removes what it has just inserted"),
    ("features/import/store.rs scope_of", "the row of an import names its user"),
    ("access/actor.rs scope_of_job", "creates this scope"),
];

/// Parts of the source of a function that has a signed-in user, without white space.
const WITNESSES: [&str; 6] = ["May<", ":Signed,", ":Signed)", "Administrator", "Manager", "Scope"];

/// Source code, without white space, that writes without checking permissions again, or gets the scope of a job.
const WRITES: [&str; 6] =
    ["app.db.begin(", "app.db.sql(\"INSERT", "app.db.sql(\"UPDATE", "app.db.sql(\"DELETE", "scope_of_job(", ".as_job("];

#[test]
fn v3_handlers_write_only_through_the_scope_of_their_user() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    for path in rust_files(&root) {
        let source = std::fs::read_to_string(&path).unwrap();
        let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        let file = path.strip_prefix(&root).unwrap().display();
        for function in code.split("fn ").skip(1) {
            let name = function.split(['(', '<']).next().unwrap_or_default();
            let text: String = function.split_whitespace().collect();
            // A function that calls `unwrap` is a test.
            let is_test = text.contains(".unwrap()");
            let has_user = WITNESSES.iter().any(|witness| text.contains(witness));
            if !is_test && has_user && WRITES.iter().any(|write| text.contains(write)) {
                found.insert(format!("{file} {name}"));
            }
        }
    }
    let known: BTreeSet<String> = EXCEPTIONS.iter().map(|(place, _)| (*place).to_owned()).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "write through the scope's db() (docs/adding-a-feature.md): {new:#?}");
    let unused: Vec<_> = known.difference(&found).collect();
    assert!(unused.is_empty(), "needless exceptions: {unused:?}");
}
