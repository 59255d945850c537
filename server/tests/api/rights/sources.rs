//! Reads the program's sources for handlers that write without their user's rights being read again.

use crate::promises::sources;
use std::collections::BTreeSet;
use std::path::Path;

/// Functions with a signed-in user that write on behalf of a job, and why they may.
const ON_BEHALF_OF_A_JOB: &[(&str, &str)] = &[
    ("features/auth/admin.rs insert", "a command in the terminal makes the first Super Admin"),
    (
        "features/corporations/manage.rs delete",
        "decided in a transaction of its own, and then takes as long as it takes",
    ),
    ("features/import/mod.rs take_in", "takes back what it made itself"),
    ("features/import/store.rs scope_of", "the row of an import says whose it is"),
    ("access/actor.rs scope_of_job", "makes such a scope"),
];

/// What names a signed-in user in a function's signature.
const WITNESSES: [&str; 5] = ["May<", "Signed", "Administrator", "Manager", "Scope"];

/// What a write without a user looks like, without its white space.
const WRITES: [&str; 6] =
    ["app.db.begin(", "app.db.sql(\"INSERT", "app.db.sql(\"UPDATE", "app.db.sql(\"DELETE", "scope_of_job(", ".as_job("];

#[test]
fn v3_handlers_write_only_through_the_scope_of_their_user() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeSet::new();
    for path in sources(&root) {
        let source = std::fs::read_to_string(&path).unwrap();
        let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        let file = path.strip_prefix(&root).unwrap().display();
        for function in code.split("fn ").skip(1) {
            let name = function.split(['(', '<']).next().unwrap_or_default();
            let text: String = function.split_whitespace().collect();
            // Only tests unwrap.
            let is_test = text.contains(".unwrap()");
            let has_user = WITNESSES.iter().any(|witness| text.contains(witness));
            if !is_test && has_user && WRITES.iter().any(|write| text.contains(write)) {
                found.insert(format!("{file} {name}"));
            }
        }
    }
    let known: BTreeSet<String> = ON_BEHALF_OF_A_JOB.iter().map(|(place, _)| (*place).to_owned()).collect();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "write through the scope's db() (docs/adding-a-feature.md): {new:#?}");
    let unused: Vec<_> = known.difference(&found).collect();
    assert!(unused.is_empty(), "needless exceptions: {unused:?}");
}
