//! Encodings of text files: detects one from a file's first bytes, and finds the first byte that is not UTF-8, near
//! which the encoding is guessed.

use super::detected_format::DetectedFormat;
use super::dialect::{is_binary, is_unexpected_control};
use simdutf8::compat::from_utf8;

/// The name of UTF-8, as WHATWG writes it.
#[cfg(feature = "readers")]
pub(super) const UTF_8: &str = "UTF-8";

/// Decodes a text piece by piece. As in browsers, invalid sequences become U+FFFD; a byte order mark is not removed.
#[cfg(feature = "readers")]
pub trait Decode {
    /// Returns the canonical name of the encoding.
    fn encoding_name(&self) -> &'static str;

    /// Decodes the next piece and replaces `text` by the result.
    fn push(&mut self, bytes: &[u8], last: bool, text: &mut String);
}

/// The encodings that users can choose. Names are those of WHATWG or of [`super::codepages`].
pub const ENCODINGS: [&str; 25] = [
    "UTF-8",
    "UTF-16LE",
    "UTF-16BE",
    "windows-1252",
    "ISO-8859-15",
    "macintosh",
    "IBM850",
    "IBM437",
    "IBM865",
    "windows-1250",
    "ISO-8859-2",
    "IBM852",
    "x-mac-ce",
    "windows-1257",
    "windows-1251",
    "ISO-8859-5",
    "KOI8-U",
    "windows-1253",
    "ISO-8859-7",
    "windows-1254",
    "Shift_JIS",
    "EUC-JP",
    "GBK",
    "Big5",
    "EUC-KR",
];

/// Detects the encoding of a text file from its beginning. `is_whole`: `head` is the whole file. Also returns whether it
/// is UTF-8 with invalid sequences. `None` if the bytes aren't text.
pub(super) fn detect_text(head: &[u8], is_whole: bool) -> Option<(DetectedFormat, bool)> {
    let Detected { encoding, is_certain, mark, is_damaged } = detect_encoding(head, is_whole);
    let bytes = &head[mark..];
    let odd = |units: &mut dyn Iterator<Item = u16>| {
        units.filter(|&unit| unit < 128 && is_unexpected_control(char::from(unit as u8))).count()
    };
    let pairs = bytes.as_chunks::<2>().0.iter();
    let (odd, count) = match encoding {
        Some("UTF-16LE") => (odd(&mut pairs.map(|&pair| u16::from_le_bytes(pair))), bytes.len() / 2),
        Some("UTF-16BE") => (odd(&mut pairs.map(|&pair| u16::from_be_bytes(pair))), bytes.len() / 2),
        _ => (odd(&mut bytes.iter().map(|&byte| u16::from(byte))), bytes.len()),
    };
    (!is_binary(odd, count)).then_some((DetectedFormat::Text { encoding, is_certain, mark }, is_damaged))
}

struct Detected {
    encoding: Option<&'static str>,
    is_certain: bool,
    /// The length of the byte order mark in bytes, 0 without one.
    mark: usize,
    /// Whether some bytes are invalid, if the encoding is UTF-8. Others are not checked.
    is_damaged: bool,
}

impl Detected {
    fn certain(encoding: &'static str, mark: usize, is_damaged: bool) -> Self {
        Detected { encoding: Some(encoding), is_certain: true, mark, is_damaged }
    }
}

fn detect_encoding(head: &[u8], is_whole: bool) -> Detected {
    if let Some(rest) = head.strip_prefix(b"\xEF\xBB\xBF") {
        return Detected::certain("UTF-8", 3, count_sequences(rest, is_whole).1 > 0);
    }
    match head {
        [0xFF, 0xFE, ..] => return Detected::certain("UTF-16LE", 2, false),
        [0xFE, 0xFF, ..] => return Detected::certain("UTF-16BE", 2, false),
        _ => {}
    }
    if let Some(encoding) = detect_utf16_without_bom(head) {
        return Detected::certain(encoding, 0, false);
    }
    // Bytes that are mostly valid UTF-8 are damaged UTF-8: valid multi-byte sequences don't occur by chance in other
    // encodings.
    match count_sequences(head, is_whole) {
        (_, 0) => Detected { encoding: Some("UTF-8"), is_certain: false, mark: 0, is_damaged: false },
        (valid, invalid) if valid > invalid => Detected::certain("UTF-8", 0, true),
        _ => Detected { encoding: None, is_certain: false, mark: 0, is_damaged: false },
    }
}

/// Counts the valid non-ASCII characters and the invalid sequences in `bytes`, read as UTF-8. A sequence that the end
/// of an incomplete `bytes` cuts off isn't invalid.
fn count_sequences(bytes: &[u8], is_whole: bool) -> (usize, usize) {
    let (mut valid, mut invalid) = (0, 0);
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        valid += chunk.valid().bytes().filter(|&byte| byte >= 0xC0).count();
        let is_cut = chunks.peek().is_none()
            && !is_whole
            && str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none());
        invalid += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    (valid, invalid)
}

/// Detects UTF-16 without a byte order mark: in Western text, every second byte is zero.
fn detect_utf16_without_bom(head: &[u8]) -> Option<&'static str> {
    let sample = &head[..head.len().min(4_096) & !1];
    let zeros = |offset: usize| sample.iter().skip(offset).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), sample.len() / 2);
    let mostly = |many: usize, few: usize| many * 2 > pairs && few * 20 <= pairs;
    match () {
        () if pairs == 0 => None,
        () if mostly(odd, even) => Some("UTF-16LE"),
        () if mostly(even, odd) => Some("UTF-16BE"),
        () => None,
    }
}

/// Finds the first byte of a file that isn't valid UTF-8. The encoding is then guessed from the bytes around it. The
/// result doesn't depend on how the file is split into pieces.
#[derive(Clone, Debug, Default)]
pub struct FirstInvalidUtf8 {
    /// The offset in the file of the first byte of `tail` or, if that is empty, of the next piece.
    offset: u64,
    /// The start of a character that the previous piece cut off.
    tail: Vec<u8>,
}

impl FirstInvalidUtf8 {
    /// How many bytes to read for guessing the encoding.
    pub const SAMPLE_BYTES: usize = 256 << 10;

    /// Scans the next piece of the file; `last` marks the final one. If it contains the first invalid byte, returns the
    /// offset in the file of the [`FirstInvalidUtf8::SAMPLE_BYTES`] bytes from which to guess the encoding.
    pub fn push(&mut self, mut bytes: &[u8], last: bool) -> Option<u64> {
        while let (false, Some((&first, rest))) = (self.tail.is_empty(), bytes.split_first()) {
            self.tail.push(first);
            bytes = rest;
            match str::from_utf8(&self.tail) {
                Ok(_) => {
                    self.offset += self.tail.len() as u64;
                    self.tail.clear();
                }
                Err(e) if e.error_len().is_some() => return Some(self.sample_offset()),
                Err(_) => {}
            }
        }
        if let Err(e) = from_utf8(bytes) {
            self.offset += e.valid_up_to() as u64;
            if e.error_len().is_some() {
                return Some(self.sample_offset());
            }
            self.tail.extend(&bytes[e.valid_up_to()..]);
        } else {
            self.offset += bytes.len() as u64;
        }
        (last && !self.tail.is_empty()).then(|| self.sample_offset())
    }

    /// Returns the offset of the 64 KiB block that contains the invalid byte.
    fn sample_offset(&self) -> u64 {
        self.offset & !0xFFFF
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::recognise::HEAD_BYTES;
    use proptest::prelude::*;

    fn detected(bytes: &[u8]) -> Option<DetectedFormat> {
        detect_text(&bytes[..bytes.len().min(HEAD_BYTES)], bytes.len() <= HEAD_BYTES).map(|(detected, _)| detected)
    }
    fn text(encoding: &'static str, is_certain: bool, mark: usize) -> Option<DetectedFormat> {
        Some(DetectedFormat::Text { encoding: Some(encoding), is_certain, mark })
    }

    #[test]
    fn detects_the_encoding_by_bom_zero_bytes_or_validity() {
        let utf16 =
            |bytes: fn(u16) -> [u8; 2]| "Namn;Ort\nÅsa;Malmö\n".encode_utf16().flat_map(bytes).collect::<Vec<_>>();
        assert_eq!(detected(b"Namn\nAsa\n"), text("UTF-8", false, 0));
        assert_eq!(detected("Namn\nÅsa\n".as_bytes()), text("UTF-8", false, 0));
        assert_eq!(detected(b"\xEF\xBB\xBFNamn\nAsa\n"), text("UTF-8", true, 3));
        assert_eq!(detected(&utf16(u16::to_le_bytes)), text("UTF-16LE", true, 0));
        assert_eq!(detected(&utf16(u16::to_be_bytes)), text("UTF-16BE", true, 0));
        let marked = [b"\xFE\xFF".to_vec(), utf16(u16::to_be_bytes)].concat();
        assert_eq!(detected(&marked), text("UTF-16BE", true, 2));
        assert_eq!(
            detected(b"Namn\n\xC5sa\n"),
            Some(DetectedFormat::Text { encoding: None, is_certain: false, mark: 0 })
        );
    }

    #[test]
    fn treats_mostly_valid_utf_8_as_damaged_utf_8() {
        let damaged = [b"\xC3;".to_vec(), "Åsa Öberg;Malmö\n".repeat(9).into_bytes()].concat();
        assert_eq!(detect_text(&damaged, true), text("UTF-8", true, 0).map(|detected| (detected, true)));
    }

    #[test]
    fn accepts_a_character_cut_off_by_the_end_of_the_sample() {
        let long = format!("{}å{}", "a".repeat(HEAD_BYTES - 1), "a".repeat(9)).into_bytes();
        assert_eq!(detected(&long), text("UTF-8", false, 0));
        // At the end of a file, an incomplete character is invalid.
        assert_eq!(
            detected(&long[..HEAD_BYTES]),
            Some(DetectedFormat::Text { encoding: None, is_certain: false, mark: 0 })
        );
        let invalid = [vec![b'a'; HEAD_BYTES - 1], b"\xFFaaaa".to_vec()].concat();
        assert_eq!(detected(&invalid), Some(DetectedFormat::Text { encoding: None, is_certain: false, mark: 0 }));
    }

    #[test]
    fn finds_the_block_of_the_first_invalid_byte_far_into_a_file() {
        let file = [vec![b'a'; 200_000], "å".repeat(50).into_bytes(), b"\xE9".to_vec(), vec![b'a'; 9]].concat();
        let mut first = FirstInvalidUtf8::default();
        assert_eq!(file.chunks(4_099).find_map(|piece| first.push(piece, false)), Some(3 << 16));
        assert_eq!(FirstInvalidUtf8::default().push("å".as_bytes(), true), None);
    }

    proptest! {
        #[test]
        fn first_invalid_byte_does_not_depend_on_the_pieces(
            bytes in proptest::collection::vec(prop_oneof![Just(b'a'), Just(0xC3), Just(0xA5), Just(0xE2), Just(0x82), Just(0xF0), Just(0x9F)], 0..40),
            cuts in proptest::collection::vec(1_usize..6, 0..40),
        ) {
            let mut first = FirstInvalidUtf8::default();
            let (mut rest, mut detected) = (&bytes[..], None);
            for cut in cuts.into_iter().chain([usize::MAX]) {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                rest = after;
                detected = first.push(piece, cut == usize::MAX);
                if detected.is_some() {
                    break;
                }
            }
            prop_assert_eq!(detected.is_some(), str::from_utf8(&bytes).is_err());
            let invalid = str::from_utf8(&bytes).err().map(|e| e.valid_up_to() as u64);
            prop_assert!(invalid.is_none_or(|invalid| invalid == first.offset));
        }
    }
}
