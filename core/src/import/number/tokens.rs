//! A tokenizer of number format codes.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Literal text: quoted, or escaped by a backslash.
    Text(&'a str),
    /// A gap as wide as a character, which the code names after `_`.
    Gap,
    /// The content of square brackets: a colour, condition, currency, locale or unit of elapsed time.
    Bracket(&'a str),
    /// The keyword `General`, a number without a format.
    General,
    Symbol(char),
    Separator,
}

/// Tokenizes a code. An unterminated quote or bracket extends to the end.
pub(super) struct Tokens<'a>(pub &'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        const GENERAL: &str = "general";
        loop {
            if self.0.get(..GENERAL.len()).is_some_and(|start| start.eq_ignore_ascii_case(GENERAL)) {
                self.0 = &self.0[GENERAL.len()..];
                return Some(Token::General);
            }
            let first = self.character()?.chars().next()?;
            return Some(match first {
                '"' => Token::Text(self.until('"')),
                '\\' => Token::Text(self.character().unwrap_or_default()),
                '[' => Token::Bracket(self.until(']')),
                ';' => Token::Separator,
                '_' => {
                    self.character();
                    Token::Gap
                }
                // `*` repeats the next character to fill the width of a cell, which changes nothing in the value.
                '*' => {
                    self.character();
                    continue;
                }
                symbol => Token::Symbol(symbol),
            });
        }
    }
}

impl<'a> Tokens<'a> {
    fn character(&mut self) -> Option<&'a str> {
        let length = self.0.chars().next()?.len_utf8();
        let (character, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(character)
    }

    fn until(&mut self, end: char) -> &'a str {
        let (inside, rest) = self.0.split_once(end).unwrap_or((self.0, ""));
        self.0 = rest;
        inside
    }
}
