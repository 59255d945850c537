//! Searches the sources for fields with a secret value that is not a `Secret`.

use crate::promises::rust_files;
use std::path::Path;

/// A field whose name contains one of these words has a secret value.
const NAMES: [&str; 8] =
    ["password", "token", "otp", "social_security_number", "personal_number", "nonce", "verifier", "client_secret"];

/// Returns the names of the fields in a source that contain a secret value as plain text.
fn plain_secrets(source: &str) -> Vec<&str> {
    let fields = source.lines().filter_map(|line| line.trim().strip_suffix(',')?.split_once(": "));
    let plain = fields.filter(|(_, kind)| matches!(*kind, "String" | "Option<String>" | "Vec<u8>" | "[u8; 32]"));
    let names = plain.map(|(name, _)| name.rsplit(' ').next().unwrap_or(name));
    names.filter(|name| NAMES.iter().any(|part| name.contains(part)) && !name.ends_with("_hash")).collect()
}

#[test]
fn fields_with_secret_values_have_a_secret_type() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for path in [root.join("src"), root.join("../core/src")].iter().flat_map(|folder| rust_files(folder)) {
        // This file decrypts workbooks with Excel's default password, which is public.
        if path.ends_with("import/unlock/agile.rs") {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        found.extend(plain_secrets(&source).into_iter().map(|name| format!("{}: {name}", path.display())));
    }
    assert!(found.is_empty(), "use `Secret<…>`: {found:#?}");
    let source = "pub password: String,\npub(super) new_token: Option<String>,\npub token_hash: Vec<u8>,\n\
                  pub password: Secret<String>,\npub name: String,";
    assert_eq!(plain_secrets(source), ["password", "new_token"]);
}
