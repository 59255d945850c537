//! Text of before Unicode: which of the many encodings it is in, and what it says.

use super::recognise::FirstWrong;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Encoding, MACINTOSH};

/// Guesses the encoding of a text that isn't UTF-8, by [`FirstWrong::LOOK`] bytes from the place that [`FirstWrong`] finds;
/// gives its WHATWG name.
pub fn guess(bytes: &[u8]) -> &'static str {
    let bytes = &bytes[..bytes.len().min(FirstWrong::LOOK)];
    if is_macintosh(bytes) {
        return MACINTOSH.name();
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    // Not the last piece: a character that the look cuts in two is no mistake.
    detector.feed(bytes, false);
    detector.guess(None, Utf8Detection::Deny).name()
}

/// Excel for Macintosh still writes its old encoding, which the detector doesn't know. There, letters with accents are
/// bytes that stand for signs elsewhere, and those never stand inside of words.
fn is_macintosh(bytes: &[u8]) -> bool {
    // What windows-1252 has as signs or not at all, and Macintosh as letters: à â ä å ç é è ê ë ö ô û ü ß and so on, but
    // not what stands for quotes, dashes and dots there.
    const LETTERS: [u8; 17] =
        [0x81, 0x83, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8C, 0x8D, 0x8E, 0x8F, 0x90, 0x98, 0x9A, 0x9D, 0x9E, 0x9F];
    let (mut here, mut elsewhere) = (0, 0);
    for around in bytes.windows(3) {
        let [before, byte, after] = *around else { continue };
        if before.is_ascii_alphabetic() || after.is_ascii_alphabetic() {
            here += usize::from(LETTERS.contains(&byte));
            elsewhere += usize::from(byte >= 0xC0);
        } else if byte >= 0x80 {
            // Words of such bytes alone belong to other scripts.
            elsewhere += usize::from(before >= 0x80 && after >= 0x80);
        }
    }
    here > elsewhere * 4
}

/// Decodes a text piece by piece, as browsers do: what doesn't hold becomes U+FFFD, and a byte order mark isn't looked for.
pub struct Decoder(encoding_rs::Decoder);

impl Decoder {
    /// A decoder of the encoding of this name, in any of the ways that the WHATWG knows to write it.
    pub fn new(encoding: &str) -> Option<Decoder> {
        Some(Decoder(Encoding::for_label(encoding.as_bytes())?.new_decoder_without_bom_handling()))
    }

    /// The encoding's own name.
    pub fn name(&self) -> &'static str {
        self.0.encoding().name()
    }

    /// Decodes the next piece into `text`, instead of what is in it.
    pub fn push(&mut self, mut bytes: &[u8], last: bool, text: &mut String) {
        text.clear();
        loop {
            text.reserve(self.0.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len()).min(4 << 20).max(16));
            let (result, read, _) = self.0.decode_to_string(bytes, text, last);
            bytes = bytes.get(read..).unwrap_or_default();
            if result == CoderResult::InputEmpty {
                return;
            }
        }
    }
}
