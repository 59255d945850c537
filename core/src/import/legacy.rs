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
            text.reserve(self.0.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len()).clamp(16, 4 << 20));
            let (result, read, _) = self.0.decode_to_string(bytes, text, last);
            bytes = bytes.get(read..).unwrap_or_default();
            if result == CoderResult::InputEmpty {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, guess};
    use encoding_rs::{
        EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_2, ISO_8859_5, KOI8_U, MACINTOSH, SHIFT_JIS, WINDOWS_1250,
        WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254,
    };

    const SWEDISH: &str = "Namn;E-post;Ort\nÅsa Öberg;asa@example.se;Malmö\nBjörn Åkesson;bjorn@example.se;Örebro\nMärta Sjögren;;Växjö\n";
    const GERMAN: &str = "Name;Straße;Ort\nJörg Weiß;Hauptstraße 1;Köln\nÄnne Müller;Königsallee 5;Düsseldorf\n";
    const FRENCH: &str = "Nom;Ville\nChloé Lefèvre;Orléans\nFrançois Noël;Besançon\nHélène Côté;Nîmes\n";
    const POLISH: &str = "Imię;Miasto\nŁukasz Wiśniewski;Gdańsk\nMałgorzata Zając;Łódź\nStanisław Żółć;Częstochowa\n";
    const RUSSIAN: &str = "Имя;Город\nИван Петров;Москва\nСветлана Иванова;Санкт-Петербург\n";
    const GREEK: &str = "Όνομα;Πόλη\nΑλέξης Παππάς;Αθήνα\nΜαρία Γεωργίου;Θεσσαλονίκη\n";
    const TURKISH: &str = "Adı;Şehir\nAyşe Yılmaz;İstanbul\nGökhan Çağlar;Eskişehir\nİbrahim Şahin;Ağrı\n";
    const JAPANESE: &str = "名前;住所\n山田太郎;東京都千代田区\n鈴木花子;大阪府大阪市\n";
    const CHINESE: &str = "姓名;城市;地址\n王小明;北京;朝阳区建国路一号\n李芳;上海;浦东新区世纪大道\n";
    const KOREAN: &str = "이름;도시\n김철수;서울특별시\n이영희;부산광역시\n";

    #[test]
    fn an_encoding_is_guessed_by_what_its_language_writes() {
        for (text, encoding) in [
            (SWEDISH, WINDOWS_1252),
            (GERMAN, WINDOWS_1252),
            (FRENCH, WINDOWS_1252),
            (POLISH, WINDOWS_1250),
            (POLISH, ISO_8859_2),
            (RUSSIAN, WINDOWS_1251),
            (RUSSIAN, KOI8_U),
            (RUSSIAN, ISO_8859_5),
            (GREEK, WINDOWS_1253),
            (TURKISH, WINDOWS_1254),
            (JAPANESE, SHIFT_JIS),
            (JAPANESE, EUC_JP),
            (CHINESE, GBK),
            (KOREAN, EUC_KR),
        ] {
            let (bytes, _, lost) = encoding.encode(text);
            assert!(!lost, "{text}");
            assert_eq!(guess(&bytes), encoding.name(), "{text}");
        }
    }

    /// What Macintosh programs write; the encoder of browsers has no such encoding.
    fn macintosh(text: &str) -> Vec<u8> {
        let bytes: Vec<u8> = (0..=255).collect();
        let (letters, _, _) = MACINTOSH.decode(&bytes);
        let letters: Vec<char> = letters.chars().collect();
        text.chars().filter_map(|c| letters.iter().position(|&letter| letter == c)).map(|at| at as u8).collect()
    }

    #[test]
    fn what_excel_for_macintosh_writes_is_told_from_windows() {
        for text in [SWEDISH, GERMAN, FRENCH] {
            assert_eq!(guess(&macintosh(text)), "macintosh", "{text}");
        }
        let quotes = "Note\nDon’t call – he’s “away”…\nCafé Krämer™\n";
        assert_eq!(guess(&WINDOWS_1252.encode(quotes).0), "windows-1252");
        assert_eq!(
            guess(&WINDOWS_1250.encode("Jméno\nŠimon Dvořák\nŽofie Nováková\nTomáš Růžička\n").0),
            "windows-1250"
        );
    }

    #[test]
    fn a_text_is_decoded_the_same_however_it_is_cut() {
        for (name, text) in [("shift_jis", JAPANESE), ("UTF-16LE", GREEK), ("windows-1252", SWEDISH), ("utf8", TURKISH)]
        {
            let bytes = match name {
                "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                _ => Encoding::for_label(name.as_bytes()).unwrap().encode(text).0.into_owned(),
            };
            for size in [1, 3, 1_000] {
                let (mut decoder, mut piece, mut whole) = (Decoder::new(name).unwrap(), String::new(), String::new());
                for bytes in bytes.chunks(size) {
                    decoder.push(bytes, false, &mut piece);
                    whole.push_str(&piece);
                }
                decoder.push(&[], true, &mut piece);
                assert_eq!(whole + &piece, text, "{name} {size}");
            }
        }
        // One that becomes longer than is made room for at once.
        let (mut decoder, mut text) = (Decoder::new("windows-1252").unwrap(), String::new());
        decoder.push(&vec![0xE5; 3 << 20], true, &mut text);
        assert!(text == "å".repeat(3 << 20));
        assert!(Decoder::new("utf-7").is_none());
    }
}
