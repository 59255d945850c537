//! Numbers as they are typed, with separators between groups of three digits.

/// The blanks that separate groups of digits, as in `18 995`: the usual one, the one that does not break a line, and
/// its narrow form.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// Returns a number without the separators between its groups of three digits: `18995` for `18 995` and, if `mark` is a
/// comma, for `18,995`. `None` if a group has another length, or if the first begins with 0, as in `0,500`, which could
/// mean a half. Does not check that the groups are digits.
pub(crate) fn without_separators(text: &str, mark: char) -> Option<String> {
    let is_separator = |c: &char| *c == mark || BLANKS.contains(c);
    let Some(separator) = text.chars().find(is_separator) else { return Some(text.to_owned()) };
    let mut groups = text.split(separator);
    let is_first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && !first.starts_with('0'));
    (is_first && groups.all(|group| group.len() == 3)).then(|| text.replace(separator, ""))
}

/// Parses a whole number, with or without separators between its groups of three digits: `18 995`, `18,995`.
pub(crate) fn parse_whole(text: &str) -> Option<i64> {
    without_separators(text, ',')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::without_separators;

    #[test]
    fn separators_are_between_groups_of_three_digits() {
        for text in ["1234567", "1 234 567", "1,234,567", "1\u{a0}234\u{a0}567", "1\u{202f}234\u{202f}567"] {
            assert_eq!(without_separators(text, ',').as_deref(), Some("1234567"), "{text}");
        }
        for text in ["12 34", "1234 567", "1,234 567", " 123", "123 ", "1,,234", ",", "0,500", "0 500", "012,345"] {
            assert_eq!(without_separators(text, ','), None, "{text}");
        }
        assert_eq!(without_separators("1.234", '.').as_deref(), Some("1234"));
        assert_eq!(without_separators("1.234", ',').as_deref(), Some("1.234"));
    }
}
