//! Substring search with the trigram indexes of both databases. The user's text is data, never query syntax.

use forecourt_core::text::fold;

/// The shortest text, in characters, that SQLite's trigram index can find.
pub const MIN_TRIGRAM_CHARS: usize = 3;

/// Returns the `LIKE` pattern `%text%`, with wildcards in `text` escaped by `\`.
pub fn like_pattern(text: &str) -> String {
    format!("%{}%", fold(text).replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_"))
}

/// Returns the text as an FTS5 phrase. With the [trigram tokenizer](https://sqlite.org/fts5.html) a document matches it if
/// and only if it contains the text.
pub fn fts_phrase(text: &str) -> String {
    format!("\"{}\"", fold(text).replace('"', "\"\""))
}
