//! Searches for secrets in any encoding.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use forecourt::platform::db::Db;
use std::collections::HashSet;
use std::fmt::Write;

/// Returns the encodings in which a secret may be written: plain, percent-encoded, in hexadecimal digits, as a list of
/// bytes, and in base64 at any offset of a longer text.
pub fn encodings(secret: &str) -> Vec<String> {
    let mut hex = String::new();
    for byte in secret.bytes() {
        write!(hex, "{byte:02x}").unwrap();
    }
    let list = format!("{:?}", secret.as_bytes());
    let percent: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let mut encodings =
        vec![secret.to_owned(), percent, hex.to_uppercase(), hex, list.trim_matches(['[', ']']).to_owned()];
    for before in 0..3 {
        let bytes = [&vec![0; before], secret.as_bytes()].concat();
        // Only the base64 characters whose bits all come from the secret.
        let (from, to) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
        encodings.extend([&STANDARD, &URL_SAFE].map(|engine| engine.encode(&bytes)[from..to].to_owned()));
    }
    encodings
}

/// Returns the six-digit numbers in a text, without fractions of a second, and without parts of longer numbers and
/// names.
pub fn find_codes(text: &str) -> HashSet<&str> {
    let bytes = text.as_bytes();
    let is_part = |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric());
    let is_code = |at: &usize| {
        let is_alone = (*at == 0 || !is_part(*at - 1)) && !is_part(*at + 6);
        let is_fraction = *at > 0 && bytes[*at - 1] == b'.' && bytes.get(*at + 6) == Some(&b'Z');
        bytes[*at..*at + 6].iter().all(u8::is_ascii_digit) && is_alone && !is_fraction
    };
    (0..bytes.len().saturating_sub(5)).filter(is_code).map(|at| &text[at..at + 6]).collect()
}

/// Returns the first line of the text that contains `found`; an empty text if there is none.
pub fn line_with<'a>(text: &'a str, found: &str) -> &'a str {
    text.lines().find(|line| line.contains(found)).unwrap_or_default()
}

/// Returns every value in the database with its table and column.
pub async fn read_all_columns(db: &Db) -> Vec<(String, String)> {
    let sql = |text: String| db.sql(Box::leak(text.into_boxed_str()));
    let names: Vec<(String, String, bool)> = sql(db
        .pick(
            "SELECT t.name, c.name, c.type = 'BLOB' FROM sqlite_schema t, pragma_table_info(t.name) c \
             WHERE t.type = 'table'",
            "SELECT CAST(table_name AS text), CAST(column_name AS text), data_type = 'bytea' \
             FROM information_schema.columns WHERE table_schema = 'public'",
        )
        .to_owned())
    .all()
    .await
    .unwrap();
    let mut found = Vec::new();
    for (table, column, is_bytes) in names {
        let text = match db.pick(true, is_bytes) {
            true => format!("CAST(\"{column}\" AS {})", db.pick("BLOB", "bytea")),
            false => format!("convert_to(CAST(\"{column}\" AS text), 'UTF8')"),
        };
        let rows: Vec<(Vec<u8>,)> =
            sql(format!("SELECT {text} FROM \"{table}\" WHERE \"{column}\" IS NOT NULL")).all().await.unwrap();
        let place = format!("{table}.{column}");
        found.extend(rows.iter().map(|(bytes,)| (place.clone(), String::from_utf8_lossy(bytes).into_owned())));
    }
    found
}

#[test]
fn a_secret_is_found_in_every_encoding() {
    let secret = "canary-é-0123456789+/";
    for (i, text) in ["", "a", "ab", "abc"].iter().map(|before| format!("{before}{secret}; and more")).enumerate() {
        let encoded_texts = [
            text.clone(),
            format!("{:?}", text.as_bytes()),
            STANDARD.encode(&text),
            URL_SAFE.encode(&text),
            url::form_urlencoded::byte_serialize(text.as_bytes()).collect(),
            text.bytes().map(|b| format!("{b:02X}")).collect(),
        ];
        for encoded in encoded_texts {
            assert!(encodings(secret).iter().any(|form| encoded.contains(form)), "{i}: {encoded}");
        }
    }
    assert!(encodings(secret).iter().all(|form| !"canary-e-0123456789".contains(form)));
    let text = "code=012345, 2026-11-21T13:37:49.123456Z 1234567 a654321 (111111)\n222222";
    assert_eq!(find_codes(text), HashSet::from(["012345", "111111", "222222"]));
}
