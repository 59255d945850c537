//! How a text is cut into cells, as far as its beginning tells.

use super::ReadOptions;
use super::mapping::is_column_word;

/// The delimiters that are looked for; of equals the first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// A delimiter of few files, which stands in times and web addresses too: it counts only where no other cuts the text.
const COLON: u8 = b':';
/// How many records the delimiter is guessed from.
const LOOK_RECORDS: usize = 50;

/// How a text file is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// One ASCII character.
    pub delimiter: u8,
    /// The first line is `sep=…`, which spreadsheet programs read and don't show.
    pub separator_line: bool,
}

/// The shape of a text by its decoded beginning, whose last character may be cut off. `None` when it is no text, as when
/// it was read in a wrong encoding.
pub fn shape(text: &str, options: &ReadOptions) -> Option<Shape> {
    let odd = text.chars().filter(|&c| is_odd(c)).count();
    if is_no_text(odd, text.chars().count()) {
        return None;
    }
    let named = separator_line(text);
    let chosen = options.delimiter.and_then(|c| u8::try_from(c).ok()).filter(|&byte| can_delimit(byte));
    let delimiter = chosen.or(named).unwrap_or_else(|| delimiter_of(text));
    Some(Shape { delimiter, separator_line: named.is_some() })
}

/// A control character that no text has.
pub(super) fn is_odd(c: char) -> bool {
    (c < ' ' && !matches!(c, '\t' | '\n' | '\r' | '\x0B' | '\x0C')) || c == '\x7F'
}

/// A few stray control characters happen in exports, also in short ones; one in fifty is no text.
pub(super) fn is_no_text(odd: usize, characters: usize) -> bool {
    odd * 50 > characters && (odd > 2 || odd * 8 > characters)
}

fn can_delimit(byte: u8) -> bool {
    (byte.is_ascii_punctuation() && byte != b'"') || byte == b'\t' || byte == b' '
}

/// The delimiter that a first line `sep=…` names.
fn separator_line(text: &str) -> Option<u8> {
    let line = text.split(['\r', '\n']).next()?.trim_matches('"');
    let delimiter = line.get(..4).filter(|start| start.eq_ignore_ascii_case("sep=")).and(line.get(4..))?;
    match delimiter.as_bytes() {
        &[byte] if can_delimit(byte) => Some(byte),
        _ => None,
    }
}

/// The delimiter that cuts the first records into the same number of cells, and best into many. Where none does, there is
/// one column, and the rarest delimiter leaves it whole; unless there is nothing but delimiters.
fn delimiter_of(text: &str) -> u8 {
    let blank = |delimiter: &u8| text.bytes().all(|b| b.is_ascii_whitespace() || b == b'"' || b == *delimiter);
    let times = |delimiter: &u8| text.bytes().filter(|b| b == delimiter).count();
    let none = DELIMITERS.into_iter().find(blank).or(DELIMITERS.into_iter().min_by_key(times));
    let mut best = (0.0, none.unwrap_or(DELIMITERS[0]));
    for delimiter in DELIMITERS {
        let score = consistency(&records_by(text.as_bytes(), delimiter)) * under_title(text, delimiter);
        if score > best.0 {
            best = (score, delimiter);
        }
    }
    if best.0 == 0.0 && is_cut_by_colons(text) {
        return COLON;
    }
    best.1
}

/// How much the score of a delimiter is worth where a line of one cell stands above the others: 1 where none does or
/// several columns follow. Above two columns that line is a title if the columns' names follow it; else it names the one
/// column itself, and "Berg, Eva" below "Name" is one cell with a comma in it.
fn under_title(text: &str, delimiter: u8) -> f64 {
    let mut rows = text.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty());
    let cells =
        |line: &str| line.split(char::from(delimiter)).map(|cell| cell.trim_matches(['"', ' ']).to_owned()).collect();
    let Some(first) = rows.next().filter(|line| !line.contains(char::from(delimiter))) else { return 1.0 };
    let Some(names) = rows.find(|line| line.contains(char::from(delimiter))) else { return 1.0 };
    let (is_title, names): (bool, Vec<String>) = (!is_column_word(first.trim_matches('"')), cells(names));
    if names.len() > 2 || (is_title && names.iter().all(|name| is_column_word(name))) { 1.0 } else { 0.0 }
}

/// Does every record have the same number of cells by colons, none of which belongs to a time, a web address or a sentence?
fn is_cut_by_colons(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_part = bytes.windows(3).any(|around| {
        let &[before, byte, after] = around else { return false };
        byte == COLON && (after == b'/' || after == b' ' || (before.is_ascii_digit() && after.is_ascii_digit()))
    });
    let records = records_by(bytes, COLON);
    let width = records.first().map_or(0, |&(cells, _)| cells);
    !is_part && records.len() > 1 && width > 1 && records.iter().all(|&(cells, stray)| cells == width && !stray)
}

/// Where a record's reading is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before a cell's first character.
    Start,
    /// In a cell that isn't quoted, or behind what was.
    Bare,
    Quoted,
    /// Behind a quotation mark inside of quotes: it ends them, or it is the first of two.
    Mark,
}

/// How many cells each of the first records has that aren't blank, and whether a quotation mark stands in it that neither
/// opens nor closes a cell.
fn records_by(text: &[u8], delimiter: u8) -> Vec<(usize, bool)> {
    let mut records = Vec::new();
    let (mut place, mut cells, mut blank, mut stray) = (Place::Start, 1, true, false);
    // A line break at the end closes the last record.
    for &byte in text.iter().chain(b"\n") {
        match (place, byte) {
            (Place::Quoted, b'"') => place = Place::Mark,
            (Place::Mark, b'"') => place = Place::Quoted,
            (Place::Quoted, _) => blank &= byte.is_ascii_whitespace(),
            (_, b'\r' | b'\n') => {
                if !blank {
                    records.push((cells, stray));
                    if records.len() == LOOK_RECORDS {
                        break;
                    }
                }
                (place, cells, blank, stray) = (Place::Start, 1, true, false);
            }
            (_, byte) if byte == delimiter => {
                cells += 1;
                place = Place::Start;
            }
            (Place::Start, b'"') => place = Place::Quoted,
            (..) => {
                stray |= byte == b'"';
                blank &= byte.is_ascii_whitespace();
                place = Place::Bare;
            }
        }
    }
    records
}

/// Between 0 and 1: the share of records that have the usual number of cells; less when that is few, when the first
/// record, which names the columns, has another number, and when quotation marks are left over, since a wrong delimiter
/// cuts through what is quoted.
fn consistency(records: &[(usize, bool)]) -> f64 {
    let times = |n: usize| records.iter().filter(|&&(cells, _)| cells == n).count();
    let most = records.iter().map(|&(cells, _)| cells).max_by_key(|&n| (times(n), n));
    let Some(usual) = most.filter(|&n| n > 1) else { return 0.0 };
    let share = |count: usize| count as f64 / records.len() as f64;
    let alike = share(times(usual));
    let quotes = share(records.iter().filter(|(_, quote)| *quote).count());
    let header = match records.first() {
        Some(&(first, _)) if first == usual => 1.0,
        // A title may stand above.
        Some((1, _)) | None => 0.1,
        Some(_) => 0.5,
    };
    alike * alike * (1.0 - 1.0 / usual as f64) * (1.0 - 0.8 * quotes) * header
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Shape> {
        shape(text, &ReadOptions::default())
    }
    fn delimiter(text: &str) -> char {
        of(text).map_or('?', |shape| char::from(shape.delimiter))
    }

    #[test]
    fn the_delimiter_is_the_one_that_cuts_every_record_alike() {
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
    fn a_title_may_stand_above_a_table_of_any_width() {
        assert_eq!(delimiter("Kundlista 2024\nNamn;E-post\nÅsa;asa@example.se\nBo;bo@example.se\n"), ';');
        assert_eq!(delimiter("Customers of May\n\nName,Phone\n\"Byron, Ada\",123\nBo,456\n"), ',');
        assert_eq!(delimiter("Export\nName\tTown\nÅsa\tLund\n"), '\t');
    }

    #[test]
    fn a_colon_cuts_where_nothing_else_does_and_it_is_no_part_of_a_cell() {
        assert_eq!(delimiter("Namn:E-post:Ort\nÅsa:asa@example.se:Lund\nBo::Ystad\n"), ':');
        assert_ne!(delimiter("https://a.example\nhttps://b.example\n"), ':');
        assert_ne!(delimiter("Tid\n08:30\n09:15\n"), ':');
        assert_ne!(delimiter("Note\nÅsa: ring\nBo: skriv\n"), ':');
        assert_eq!(delimiter("Namn;Tid\nÅsa;08:30\nBo;09:15\n"), ';');
    }

    #[test]
    fn what_is_quoted_is_one_cell_whatever_is_in_it() {
        assert_eq!(records_by(b"a,\"b,\"\"c\r\nd\"\r\n\r\n,\n1,2\"x", b','), [(2, false), (2, true)]);
        assert_eq!(records_by(b"\"a;b\";\"c\"", b','), [(1, true)]);
        assert_eq!(records_by(b"\"a;b\";\"c\"", b';'), [(2, false)]);
        assert_eq!(delimiter("Name;Note\n\"A\";\"one, two\n, three\"\n\"B\";\"\"\n"), ';');
    }

    #[test]
    fn a_first_line_may_name_the_delimiter() {
        let named = |delimiter| Some(Shape { delimiter, separator_line: true });
        assert_eq!(of("sep=|\na;b\n1;2\n"), named(b'|'));
        assert_eq!(of("\"SEP=\t\"\r\na;b\n"), named(b'\t'));
        assert!(of("sep=\na;b\n").is_some_and(|shape| !shape.separator_line));
        assert!(of("separator;b\n1;2\n").is_some_and(|shape| !shape.separator_line));
    }

    #[test]
    fn a_chosen_delimiter_goes_before_and_one_that_can_be_none_is_passed_over() {
        let choose = |delimiter, text: &str| {
            let options = ReadOptions { delimiter: Some(delimiter), ..ReadOptions::default() };
            shape(text, &options).map(|shape| (char::from(shape.delimiter), shape.separator_line))
        };
        assert_eq!(choose(',', "a;b\n1;2\n"), Some((',', false)));
        assert_eq!(choose(',', "sep=;\na;b\n1;2\n"), Some((',', true)));
        for none in ['"', '\n', '\0', 'a', '→'] {
            assert_eq!(choose(none, "a;b\n1;2\n"), Some((';', false)), "{none:?}");
        }
    }

    #[test]
    fn what_is_full_of_control_characters_is_no_text() {
        assert_eq!(of("a\0b\0,\0c\0"), None);
        assert_eq!(of("\u{1}\u{2}\u{3}"), None);
        assert!(of("Namn;Ort\nÅsa\0;Malmö\n").is_some());
        assert!(of(&format!("{}\u{1}", "a,b\n".repeat(20))).is_some());
        assert!(of("").is_some());
    }
}
