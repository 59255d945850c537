//! Makes search terms for the trigram indexes of both databases, which find a text anywhere in a longer one. What
//! the user typed is searched for literally: no character of it is query syntax.

use forecourt_core::text::fold;

/// The shortest text, in characters, that SQLite's trigram index can find.
pub const MIN_TRIGRAM_CHARS: usize = 3;

/// Returns the words of a text, folded, of which a row must contain each. A text with a word that is shorter than
/// [`MIN_TRIGRAM_CHARS`] is searched for as a whole, because an index would not find that word.
pub fn search_words(text: &str) -> Vec<String> {
    let text = fold(text);
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let is_found = |word: &String| word.chars().count() >= MIN_TRIGRAM_CHARS;
    if !words.is_empty() && words.iter().all(is_found) { words } else { vec![text] }
}

/// Returns the `LIKE` pattern `%text%` for a column of folded texts: folds `text`, and escapes its wildcards with `\`.
pub fn like_pattern(text: &str) -> String {
    format!("%{}%", fold(text).replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_"))
}

/// Returns the text, folded, as a phrase of SQLite's FTS5. With its [trigram tokenizer](https://sqlite.org/fts5.html),
/// a row matches the phrase if and only if it contains the text.
pub fn fts_phrase(text: &str) -> String {
    format!("\"{}\"", fold(text).replace('"', "\"\""))
}
