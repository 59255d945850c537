//! A substring search as both databases index it (trigrams): the person's text is data, never syntax.

use forecourt_core::text::fold;
use uuid::Uuid;

/// What the `search` column holds: the folded fields, led by the tenant's [`tag`].
pub fn text(corp: Uuid, fields: &[&str]) -> String {
    format!("{}\n{}", tag(corp), fold(&fields.join("\n")))
}

/// Three private-use characters, one trigram, that stand for the tenant: they keep SQLite's one index from walking
/// through other tenants' rows. Two tenants may share a tag; rows are always filtered by `corp_id` too.
fn tag(corp: Uuid) -> String {
    let b = corp.as_bytes();
    [b[13], b[14], b[15]].into_iter().filter_map(|b| char::from_u32(0xE000 + u32::from(b))).collect()
}

/// `%x%`, with the wildcards of the person's own text escaped by `\`.
pub fn like(text: &str) -> String {
    format!("%{}%", fold(text).replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_"))
}

/// An FTS5 question for this tenant's rows that hold this text; none if it is too short for a trigram.
pub fn fts(corp: Uuid, text: &str) -> Option<String> {
    let text = fold(text);
    (text.chars().count() >= 3).then(|| format!("\"{}\" AND \"{}\"", tag(corp), text.replace('"', "\"\"")))
}
