//! The encoding of a text, as far as its first bytes tell.

use super::recognise::Found;
use super::shape::{is_no_text, is_odd};
use simdutf8::compat::from_utf8;

/// The encodings that a person can choose from, by their WHATWG names or those of [`super::codepages`], and what they are
/// called.
pub const ENCODINGS: [(&str, &str); 25] = [
    ("UTF-8", "Unicode (UTF-8)"),
    ("UTF-16LE", "Unicode (UTF-16)"),
    ("UTF-16BE", "Unicode (UTF-16, big-endian)"),
    ("windows-1252", "Western European (Windows)"),
    ("ISO-8859-15", "Western European (ISO)"),
    ("macintosh", "Western European (Macintosh)"),
    ("IBM850", "Western European (DOS)"),
    ("IBM437", "Western European (DOS, United States)"),
    ("IBM865", "Nordic (DOS)"),
    ("windows-1250", "Central European (Windows)"),
    ("ISO-8859-2", "Central European (ISO)"),
    ("IBM852", "Central European (DOS)"),
    ("x-mac-ce", "Central European (Macintosh)"),
    ("windows-1257", "Baltic (Windows)"),
    ("windows-1251", "Cyrillic (Windows)"),
    ("ISO-8859-5", "Cyrillic (ISO)"),
    ("KOI8-U", "Cyrillic (KOI8)"),
    ("windows-1253", "Greek (Windows)"),
    ("ISO-8859-7", "Greek (ISO)"),
    ("windows-1254", "Turkish (Windows)"),
    ("Shift_JIS", "Japanese (Shift JIS)"),
    ("EUC-JP", "Japanese (EUC)"),
    ("GBK", "Chinese, simplified (GBK)"),
    ("Big5", "Chinese, traditional (Big5)"),
    ("EUC-KR", "Korean (EUC)"),
];

/// The encoding of a text, and whether some of its characters are damaged. `None` when it is no text.
pub(super) fn of_text(head: &[u8], is_whole: bool) -> Option<(Found, bool)> {
    let (encoding, sure, mark, damaged) = encoding_of(head, is_whole);
    let bytes = &head[mark..];
    let odd = |units: &mut dyn Iterator<Item = u16>| {
        units.filter(|&unit| unit < 128 && is_odd(char::from(unit as u8))).count()
    };
    let pairs = bytes.as_chunks::<2>().0.iter();
    let (odd, count) = match encoding {
        Some("UTF-16LE") => (odd(&mut pairs.map(|&pair| u16::from_le_bytes(pair))), bytes.len() / 2),
        Some("UTF-16BE") => (odd(&mut pairs.map(|&pair| u16::from_be_bytes(pair))), bytes.len() / 2),
        _ => (odd(&mut bytes.iter().map(|&byte| u16::from(byte))), bytes.len()),
    };
    (!is_no_text(odd, count)).then_some((Found::Text { encoding, sure, mark }, damaged))
}

/// The encoding, whether it is sure, the length of a byte order mark, and whether some bytes don't hold in it.
fn encoding_of(head: &[u8], is_whole: bool) -> (Option<&'static str>, bool, usize, bool) {
    if let Some(rest) = head.strip_prefix(b"\xEF\xBB\xBF") {
        return (Some("UTF-8"), true, 3, sequences(rest, is_whole).1 > 0);
    }
    match head {
        [0xFF, 0xFE, ..] => return (Some("UTF-16LE"), true, 2, false),
        [0xFE, 0xFF, ..] => return (Some("UTF-16BE"), true, 2, false),
        _ => {}
    }
    if let Some(encoding) = unmarked_utf16(head) {
        return (Some(encoding), true, 0, false);
    }
    // Mostly right UTF-8 with a few wrong bytes is damaged UTF-8: in no other encoding does that come about by chance.
    match sequences(head, is_whole) {
        (_, 0) => (Some("UTF-8"), false, 0, false),
        (right, wrong) if right > wrong => (Some("UTF-8"), true, 0, true),
        _ => (None, false, 0, false),
    }
}

/// How many characters beyond ASCII there are, read as UTF-8, and how many wrong places. What the end of the look cuts
/// off isn't wrong.
fn sequences(bytes: &[u8], is_whole: bool) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        right += chunk.valid().bytes().filter(|&byte| byte >= 0xC0).count();
        let is_cut = chunks.peek().is_none()
            && !is_whole
            && str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none());
        wrong += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    (right, wrong)
}

/// UTF-16 without a mark: every second byte of Western text is zero.
fn unmarked_utf16(head: &[u8]) -> Option<&'static str> {
    let look = &head[..head.len().min(4_096) & !1];
    let zeros = |offset: usize| look.iter().skip(offset).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), look.len() / 2);
    let mostly = |many: usize, few: usize| many * 2 > pairs && few * 20 <= pairs;
    match () {
        () if pairs == 0 => None,
        () if mostly(odd, even) => Some("UTF-16LE"),
        () if mostly(even, odd) => Some("UTF-16BE"),
        () => None,
    }
}

/// Where a file stops being UTF-8: from there on its encoding is guessed, wherever and in whatever pieces it is read.
#[derive(Clone, Debug, Default)]
pub struct FirstWrong {
    /// The place of the first byte of `tail`, or of what comes next.
    at: u64,
    /// The beginning of a character that the last piece cut off.
    tail: Vec<u8>,
}

impl FirstWrong {
    /// How many bytes are looked at to guess the encoding.
    pub const LOOK: usize = 256 << 10;

    /// Looks at the next piece of the file; gives the place from which [`FirstWrong::LOOK`] bytes are to be looked at once
    /// it is known. `last` is the file's end.
    pub fn push(&mut self, mut bytes: &[u8], last: bool) -> Option<u64> {
        while let (false, Some((&first, rest))) = (self.tail.is_empty(), bytes.split_first()) {
            self.tail.push(first);
            bytes = rest;
            match str::from_utf8(&self.tail) {
                Ok(_) => {
                    self.at += self.tail.len() as u64;
                    self.tail.clear();
                }
                Err(e) if e.error_len().is_some() => return Some(self.place()),
                Err(_) => {}
            }
        }
        if let Err(e) = from_utf8(bytes) {
            self.at += e.valid_up_to() as u64;
            if e.error_len().is_some() {
                return Some(self.place());
            }
            self.tail.extend(&bytes[e.valid_up_to()..]);
        } else {
            self.at += bytes.len() as u64;
        }
        (last && !self.tail.is_empty()).then(|| self.place())
    }

    /// A little before the wrong byte, at a round place.
    fn place(&self) -> u64 {
        self.at & !0xFFFF
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::recognise::HEAD;
    use proptest::prelude::*;

    fn found(bytes: &[u8]) -> Option<Found> {
        of_text(&bytes[..bytes.len().min(HEAD)], bytes.len() <= HEAD).map(|(found, _)| found)
    }
    fn text(encoding: &'static str, sure: bool, mark: usize) -> Option<Found> {
        Some(Found::Text { encoding: Some(encoding), sure, mark })
    }

    #[test]
    fn the_encoding_is_told_by_mark_zeros_or_validity() {
        let utf16 =
            |bytes: fn(u16) -> [u8; 2]| "Namn;Ort\nÅsa;Malmö\n".encode_utf16().flat_map(bytes).collect::<Vec<_>>();
        assert_eq!(found(b"Namn\nAsa\n"), text("UTF-8", false, 0));
        assert_eq!(found("Namn\nÅsa\n".as_bytes()), text("UTF-8", false, 0));
        assert_eq!(found(b"\xEF\xBB\xBFNamn\nAsa\n"), text("UTF-8", true, 3));
        assert_eq!(found(&utf16(u16::to_le_bytes)), text("UTF-16LE", true, 0));
        assert_eq!(found(&utf16(u16::to_be_bytes)), text("UTF-16BE", true, 0));
        let marked = [b"\xFE\xFF".to_vec(), utf16(u16::to_be_bytes)].concat();
        assert_eq!(found(&marked), text("UTF-16BE", true, 2));
        assert_eq!(found(b"Namn\n\xC5sa\n"), Some(Found::Text { encoding: None, sure: false, mark: 0 }));
    }

    #[test]
    fn mostly_right_utf_8_is_damaged_rather_than_of_another_encoding() {
        let damaged = [b"\xC3;".to_vec(), "Åsa Öberg;Malmö\n".repeat(9).into_bytes()].concat();
        assert_eq!(of_text(&damaged, true), text("UTF-8", true, 0).map(|found| (found, true)));
    }

    #[test]
    fn a_character_that_the_look_cuts_in_two_is_not_wrong() {
        let long = format!("{}å{}", "a".repeat(HEAD - 1), "a".repeat(9)).into_bytes();
        assert_eq!(found(&long), text("UTF-8", false, 0));
        // At the file's end it is.
        assert_eq!(found(&long[..HEAD]), Some(Found::Text { encoding: None, sure: false, mark: 0 }));
        let wrong = [vec![b'a'; HEAD - 1], b"\xFFaaaa".to_vec()].concat();
        assert_eq!(found(&wrong), Some(Found::Text { encoding: None, sure: false, mark: 0 }));
    }

    #[test]
    fn the_first_wrong_byte_is_found_far_into_a_file() {
        let file = [vec![b'a'; 200_000], "å".repeat(50).into_bytes(), b"\xE9".to_vec(), vec![b'a'; 9]].concat();
        let mut first = FirstWrong::default();
        assert_eq!(file.chunks(4_099).find_map(|piece| first.push(piece, false)), Some(3 << 16));
        assert_eq!(FirstWrong::default().push("å".as_bytes(), true), None);
    }

    proptest! {
        #[test]
        fn the_first_wrong_byte_is_the_same_however_the_file_is_cut(
            bytes in proptest::collection::vec(prop_oneof![Just(b'a'), Just(0xC3), Just(0xA5), Just(0xE2), Just(0x82), Just(0xF0), Just(0x9F)], 0..40),
            cuts in proptest::collection::vec(1_usize..6, 0..40),
        ) {
            let mut first = FirstWrong::default();
            let (mut rest, mut found) = (&bytes[..], None);
            for cut in cuts.into_iter().chain([usize::MAX]) {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                rest = after;
                found = first.push(piece, cut == usize::MAX);
                if found.is_some() {
                    break;
                }
            }
            prop_assert_eq!(found.is_some(), str::from_utf8(&bytes).is_err());
            let wrong = str::from_utf8(&bytes).err().map(|e| e.valid_up_to() as u64);
            prop_assert!(wrong.is_none_or(|wrong| wrong == first.at));
        }
    }
}
