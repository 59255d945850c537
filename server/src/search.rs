//! A substring search as both databases index it (trigrams): the person's text is data, never syntax.

use forecourt_core::text::fold;

/// What the `search` column holds: the folded fields.
pub fn text(fields: &[&str]) -> String {
    fold(&fields.join("\n"))
}

/// `%x%`, with the wildcards of the person's own text escaped by `\`.
pub fn like(text: &str) -> String {
    format!("%{}%", fold(text).replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_"))
}
