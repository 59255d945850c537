//! Detects the dialect of a delimited text (its delimiter and a `sep=` line) from its beginning.

use super::ReadOptions;
use super::mapping::is_column_name;

/// The delimiters that are tried. If two split a text equally well, the earlier one here is chosen.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// A rare delimiter that also occurs in times and web addresses. It counts only if no other delimiter splits the text.
const COLON: u8 = b':';
const SAMPLE_RECORDS: usize = 50;

/// How a text file is split into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// One ASCII character.
    pub delimiter: u8,
    /// The first line is `sep=…`, which spreadsheet programs read but don't show.
    pub has_separator_line: bool,
}

/// Detects the dialect from the beginning of a text, whose last character may be cut off. `None` if the decoded
/// characters are not those of a text, for example because the encoding is wrong.
pub fn detect_dialect(text: &str, options: &ReadOptions) -> Option<Dialect> {
    let unexpected = text.chars().filter(|&c| is_unexpected_control(c)).count();
    if is_binary(unexpected, text.chars().count()) {
        return None;
    }
    let named = parse_separator_line(text);
    let chosen = options.delimiter.and_then(|c| u8::try_from(c).ok()).filter(|&byte| is_possible_delimiter(byte));
    let delimiter = chosen.or(named).unwrap_or_else(|| guess_delimiter(text));
    Some(Dialect { delimiter, has_separator_line: named.is_some() })
}

/// Returns whether this is a control character that doesn't occur in text.
pub(super) fn is_unexpected_control(c: char) -> bool {
    (c < ' ' && !matches!(c, '\t' | '\n' | '\r' | '\x0B' | '\x0C')) || c == '\x7F'
}

/// Returns whether so many unexpected control characters mean that it isn't a text. Exported texts may have a few: at
/// most one in fifty characters, or at most two altogether if these are at most one in eight.
pub(super) fn is_binary(unexpected: usize, characters: usize) -> bool {
    unexpected * 50 > characters && (unexpected > 2 || unexpected * 8 > characters)
}

fn is_possible_delimiter(byte: u8) -> bool {
    (byte.is_ascii_punctuation() && byte != b'"') || byte == b'\t' || byte == b' '
}

/// Returns the delimiter that a first line `sep=…` names.
fn parse_separator_line(text: &str) -> Option<u8> {
    let line = text.split(['\r', '\n']).next()?.trim_matches('"');
    let delimiter = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep=")).and(line.get(4..))?;
    match delimiter.as_bytes() {
        &[byte] if is_possible_delimiter(byte) => Some(byte),
        _ => None,
    }
}

/// Returns the delimiter that splits the first records most consistently ([`consistency`]), preferably into many cells.
/// If none does, and the colon splits all records into two cells or more, returns the colon. Otherwise the text has one
/// column: returns the delimiter that occurs least or, in a text that consists of one delimiter only, that one.
fn guess_delimiter(text: &str) -> u8 {
    let blank = |delimiter: &u8| text.bytes().all(|b| b.is_ascii_whitespace() || b == b'"' || b == *delimiter);
    let times = |delimiter: &u8| text.bytes().filter(|b| b == delimiter).count();
    let none = DELIMITERS.into_iter().find(blank).or(DELIMITERS.into_iter().min_by_key(times));
    let mut best = (0.0, none.unwrap_or(DELIMITERS[0]));
    for delimiter in DELIMITERS {
        let score = consistency(&count_cells(text.as_bytes(), delimiter)) * title_factor(text, delimiter);
        if score > best.0 {
            best = (score, delimiter);
        }
    }
    if best.0 == 0.0 && is_split_by_colons(text) {
        return COLON;
    }
    best.1
}

/// Returns 0 if the first line shows that this isn't the delimiter, otherwise 1. It shows this if it doesn't contain
/// the delimiter, the next line that does has two cells, and the two lines are not a title above column names. Then the
/// first line names a single column: "Berg, Eva" below "Name" is one cell that contains a comma.
fn title_factor(text: &str, delimiter: u8) -> f64 {
    let mut rows = text.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty());
    let cells =
        |line: &str| line.split(char::from(delimiter)).map(|cell| cell.trim_matches(['"', ' ']).to_owned()).collect();
    let Some(first) = rows.next().filter(|line| !line.contains(char::from(delimiter))) else { return 1.0 };
    let Some(names) = rows.find(|line| line.contains(char::from(delimiter))) else { return 1.0 };
    let (is_title, names): (bool, Vec<String>) = (!is_column_name(first.trim_matches('"')), cells(names));
    if names.len() > 2 || (is_title && names.iter().all(|name| is_column_name(name))) { 1.0 } else { 0.0 }
}

/// Returns whether a colon splits every record into the same number of cells, without belonging to a time, a web
/// address or a sentence.
fn is_split_by_colons(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_part = bytes.windows(3).any(|around| {
        let &[before, byte, after] = around else { return false };
        byte == COLON && (after == b'/' || after == b' ' || (before.is_ascii_digit() && after.is_ascii_digit()))
    });
    let records = count_cells(bytes, COLON);
    let width = records.first().map_or(0, |&(cells, _)| cells);
    !is_part && records.len() > 1 && width > 1 && records.iter().all(|&(cells, stray)| cells == width && !stray)
}

/// The parser's position in a record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// Before the first character of a cell.
    Start,
    /// In an unquoted cell, or after the closing quote.
    Unquoted,
    Quoted,
    /// After a quote inside of a quoted cell. The quote closes the cell, or is the first of a doubled quote.
    QuoteInQuotes,
}

/// Returns for each of the first records that isn't blank its number of cells, and whether it contains a stray quote
/// that neither opens nor closes a cell.
fn count_cells(text: &[u8], delimiter: u8) -> Vec<(usize, bool)> {
    let mut records = Vec::new();
    let (mut position, mut cells, mut blank, mut stray) = (Position::Start, 1, true, false);
    // The additional line break closes the last record.
    for &byte in text.iter().chain(b"\n") {
        match (position, byte) {
            (Position::Quoted, b'"') => position = Position::QuoteInQuotes,
            (Position::QuoteInQuotes, b'"') => position = Position::Quoted,
            (Position::Quoted, _) => blank &= byte.is_ascii_whitespace(),
            (_, b'\r' | b'\n') => {
                if !blank {
                    records.push((cells, stray));
                    if records.len() == SAMPLE_RECORDS {
                        break;
                    }
                }
                (position, cells, blank, stray) = (Position::Start, 1, true, false);
            }
            (_, byte) if byte == delimiter => {
                cells += 1;
                position = Position::Start;
            }
            (Position::Start, b'"') => position = Position::Quoted,
            (..) => {
                stray |= byte == b'"';
                blank &= byte.is_ascii_whitespace();
                position = Position::Unquoted;
            }
        }
    }
    records
}

/// Returns a score between 0 and 1: the share of records with the most frequent number of cells. It is lower if that
/// number is small, if the first record (the header) has another number, and if there are stray quotes, because a wrong
/// delimiter splits quoted cells.
fn consistency(records: &[(usize, bool)]) -> f64 {
    let times = |n: usize| records.iter().filter(|&&(cells, _)| cells == n).count();
    let max = records.iter().map(|&(cells, _)| cells).max_by_key(|&n| (times(n), n));
    let Some(most_frequent) = max.filter(|&n| n > 1) else { return 0.0 };
    let share = |count: usize| count as f64 / records.len() as f64;
    let alike = share(times(most_frequent));
    let quotes = share(records.iter().filter(|(_, quote)| *quote).count());
    let header = match records.first() {
        Some(&(first, _)) if first == most_frequent => 1.0,
        // Either a title above the header, or the header of a single column whose cells contain the delimiter. The
        // second is more likely, so the score is low.
        Some((1, _)) | None => 0.1,
        Some(_) => 0.5,
    };
    alike * alike * (1.0 - 1.0 / most_frequent as f64) * (1.0 - 0.8 * quotes) * header
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Dialect> {
        detect_dialect(text, &ReadOptions::default())
    }
    fn delimiter(text: &str) -> char {
        of(text).map_or('?', |dialect| char::from(dialect.delimiter))
    }

    #[test]
    fn guesses_the_delimiter_that_splits_records_alike() {
        assert_eq!(delimiter("Namn;Ort\nÅsa;Malmö, Skåne\nBo;Lund, Skåne\n"), ';');
        assert_eq!(delimiter("Name\tPreis\nA\t1,50\nB\t2,50\n"), '\t');
        assert_eq!(delimiter("a|b|c\n1|2;2|3\n"), '|');
        assert_eq!(delimiter("a,\"b;c;d\"\n1,\"x;y;z\"\n"), ',');
        assert_eq!(delimiter("Kundlista 2024\nNamn;Ort;Land\nÅsa;Lund;SE\n"), ';');
        assert_eq!(delimiter("Namn\nBerg, Eva\nEk, Bo\n"), ';');
        assert_eq!(delimiter("Deltagare\nBerg, Eva\nEk, Bo\n"), ';');
        assert_eq!(delimiter(";;;\n;;\n"), ';');
    }

    #[test]
    fn ignores_a_title_above_the_table() {
        assert_eq!(delimiter("Kundlista 2024\nNamn;E-post\nÅsa;asa@example.se\nBo;bo@example.se\n"), ';');
        assert_eq!(delimiter("Customers of May\n\nName,Phone\n\"Byron, Ada\",123\nBo,456\n"), ',');
        assert_eq!(delimiter("Export\nName\tTown\nÅsa\tLund\n"), '\t');
    }

    #[test]
    fn uses_a_colon_only_if_nothing_else_splits_the_text() {
        assert_eq!(delimiter("Namn:E-post:Ort\nÅsa:asa@example.se:Lund\nBo::Ystad\n"), ':');
        assert_ne!(delimiter("https://a.example\nhttps://b.example\n"), ':');
        assert_ne!(delimiter("Tid\n08:30\n09:15\n"), ':');
        assert_ne!(delimiter("Note\nÅsa: ring\nBo: skriv\n"), ':');
        assert_eq!(delimiter("Namn;Tid\nÅsa;08:30\nBo;09:15\n"), ';');
    }

    #[test]
    fn a_quoted_cell_may_contain_delimiters_and_line_breaks() {
        assert_eq!(count_cells(b"a,\"b,\"\"c\r\nd\"\r\n\r\n,\n1,2\"x", b','), [(2, false), (2, true)]);
        assert_eq!(count_cells(b"\"a;b\";\"c\"", b','), [(1, true)]);
        assert_eq!(count_cells(b"\"a;b\";\"c\"", b';'), [(2, false)]);
        assert_eq!(delimiter("Name;Note\n\"A\";\"one, two\n, three\"\n\"B\";\"\"\n"), ';');
    }

    #[test]
    fn reads_the_delimiter_from_a_separator_line() {
        let named = |delimiter| Some(Dialect { delimiter, has_separator_line: true });
        assert_eq!(of("sep=|\na;b\n1;2\n"), named(b'|'));
        assert_eq!(of("\"SEP=\t\"\r\na;b\n"), named(b'\t'));
        assert!(of("sep=\na;b\n").is_some_and(|dialect| !dialect.has_separator_line));
        assert!(of("separator;b\n1;2\n").is_some_and(|dialect| !dialect.has_separator_line));
    }

    #[test]
    fn uses_a_chosen_delimiter_unless_it_is_impossible() {
        let choose = |delimiter, text: &str| {
            let options = ReadOptions { delimiter: Some(delimiter), ..ReadOptions::default() };
            detect_dialect(text, &options).map(|dialect| (char::from(dialect.delimiter), dialect.has_separator_line))
        };
        assert_eq!(choose(',', "a;b\n1;2\n"), Some((',', false)));
        assert_eq!(choose(',', "sep=;\na;b\n1;2\n"), Some((',', true)));
        for none in ['"', '\n', '\0', 'a', '→'] {
            assert_eq!(choose(none, "a;b\n1;2\n"), Some((';', false)), "{none:?}");
        }
    }

    #[test]
    fn rejects_text_full_of_control_characters() {
        assert_eq!(of("a\0b\0,\0c\0"), None);
        assert_eq!(of("\u{1}\u{2}\u{3}"), None);
        assert!(of("Namn;Ort\nÅsa\0;Malmö\n").is_some());
        assert!(of(&format!("{}\u{1}", "a,b\n".repeat(20))).is_some());
        assert!(of("").is_some());
    }
}
