//! A substring search as both databases index it (trigrams): the person's text is data, never syntax.

use forecourt_core::text::fold;

/// The fewest characters that SQLite's index finds.
pub const SHORTEST: usize = 3;

/// What the `search` column holds: the folded fields.
pub fn text(fields: &[&str]) -> String {
    fold(&fields.join("\n"))
}

/// `%x%`, with the wildcards of the person's own text escaped by `\`.
pub fn like(text: &str) -> String {
    format!("%{}%", fold(text).replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_"))
}

/// The text as an FTS5 phrase, which a document of [trigrams](https://sqlite.org/fts5.html) holds exactly if it holds the
/// text.
pub fn phrase(text: &str) -> String {
    format!("\"{}\"", fold(text).replace('"', "\"\""))
}
