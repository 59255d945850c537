//! Guesses the encoding of text that isn't Unicode, and decodes it.

use super::codepages::{CodePage, code_page};
pub use super::encoding::Decode;
use super::plausibility::{Family, score};
use super::recognise::FirstInvalidUtf8;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Encoding};

/// The encodings that `chardetng` doesn't detect, from the most to the least frequent, each with the margin by which it
/// must be more plausible than `chardetng`'s guess. It does detect windows-1252, but mistakes a lone sign for a letter
/// of another encoding.
const UNDETECTED: [(&str, Family, i64); 7] = [
    ("windows-1252", Family::Western, 2),
    ("macintosh", Family::Western, 4),
    ("IBM850", Family::Western, 4),
    ("IBM437", Family::Western, 4),
    ("IBM865", Family::Western, 4),
    ("IBM852", Family::Central, 4),
    ("x-mac-ce", Family::Central, 4),
];

/// Guesses the encoding of a text that isn't UTF-8 and returns its name. `bytes` are the
/// [`FirstInvalidUtf8::SAMPLE_BYTES`] bytes at the offset that [`FirstInvalidUtf8`] returns.
pub fn guess(bytes: &[u8]) -> &'static str {
    let bytes = &bytes[..bytes.len().min(FirstInvalidUtf8::SAMPLE_BYTES)];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    // Not marked as the last piece, because the end of the sample may split a character.
    detector.feed(bytes, false);
    let guessed = detector.guess(None, Utf8Detection::Deny).name();
    let family = match guessed {
        "windows-1252" | "ISO-8859-15" => Family::Western,
        "windows-1250" | "ISO-8859-2" => Family::Central,
        _ => Family::Other,
    };
    let plausibility = |name: &str, family| {
        let mut text = String::new();
        if let Some(mut decoder) = Decoder::new(name) {
            decoder.push(bytes, false, &mut text);
        }
        score(&text, family)
    };
    let baseline = plausibility(guessed, family);
    let mut best = (0, guessed);
    for (name, family, margin) in UNDETECTED {
        let gain = plausibility(name, family) - baseline;
        if gain >= margin && gain > best.0 {
            best = (gain, name);
        }
    }
    best.1
}

/// A decoder of any encoding.
pub enum Decoder {
    Whatwg(encoding_rs::Decoder),
    CodePage(&'static CodePage, Vec<char>),
}

impl Decoder {
    /// Creates a decoder by the name of a code page or any WHATWG label. `None` for unknown names.
    pub fn new(encoding: &str) -> Option<Decoder> {
        if let Some(page) = code_page(encoding) {
            return Some(Decoder::CodePage(page, page.characters.chars().collect()));
        }
        Some(Decoder::Whatwg(Encoding::for_label(encoding.as_bytes())?.new_decoder_without_bom_handling()))
    }
}

impl Decode for Decoder {
    fn encoding_name(&self) -> &'static str {
        match self {
            Decoder::Whatwg(decoder) => decoder.encoding().name(),
            Decoder::CodePage(page, _) => page.name,
        }
    }

    fn push(&mut self, mut bytes: &[u8], last: bool, text: &mut String) {
        text.clear();
        match self {
            Decoder::CodePage(_, characters) => {
                let character = |&byte: &u8| match usize::from(byte).checked_sub(128) {
                    Some(index) => characters.get(index).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
                    None => char::from(byte),
                };
                text.extend(bytes.iter().map(character));
            }
            Decoder::Whatwg(decoder) => loop {
                text.reserve(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len()).clamp(16, 4 << 20));
                let (result, read, _) = decoder.decode_to_string(bytes, text, last);
                bytes = bytes.get(read..).unwrap_or_default();
                if result == CoderResult::InputEmpty {
                    return;
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Decode, Decoder, guess};
    use encoding_rs::{
        EUC_JP, EUC_KR, Encoding, GBK, ISO_8859_2, ISO_8859_5, KOI8_U, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251,
        WINDOWS_1252, WINDOWS_1253, WINDOWS_1254,
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
    fn guesses_the_encoding_of_each_language() {
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

    /// Encodes a text in an 8-bit encoding, including those without an encoder.
    fn encode(text: &str, encoding: &str) -> Vec<u8> {
        let (mut decoder, mut characters) = (Decoder::new(encoding).unwrap(), String::new());
        decoder.push(&(0..=255).collect::<Vec<u8>>(), true, &mut characters);
        let byte = |c: char| characters.chars().position(|other| other == c).map(|at| at as u8);
        text.chars().map(|c| byte(c).unwrap_or_else(|| panic!("{encoding} has no {c}"))).collect()
    }

    const DANISH: &str = "Navn;By\nSøren Åkjær;København\nBjørn Sørensen;Ærøskøbing\nPåske Møller;Århus\n";
    const SPANISH: &str = "Nombre;Ciudad\nJosé Núñez;Málaga\nMaría Ibáñez;Córdoba\n";
    const CZECH: &str = "Jméno;Město\nŠimon Dvořák;Plzeň\nŽofie Nováková;Ústí\nTomáš Růžička;Děčín\n";

    #[test]
    fn distinguishes_macintosh_and_dos_from_windows_encodings() {
        for (text, encoding) in [
            (SWEDISH, "macintosh"),
            (GERMAN, "macintosh"),
            (FRENCH, "macintosh"),
            (DANISH, "macintosh"),
            (SPANISH, "macintosh"),
            (SWEDISH, "IBM850"),
            (GERMAN, "IBM850"),
            (FRENCH, "IBM850"),
            (DANISH, "IBM850"),
            (SPANISH, "IBM850"),
            (POLISH, "IBM852"),
            (CZECH, "IBM852"),
            (POLISH, "x-mac-ce"),
            (CZECH, "x-mac-ce"),
            (CZECH, "windows-1250"),
            (DANISH, "windows-1252"),
            (SPANISH, "windows-1252"),
            ("Namn;Ort\nÅsa;Malmö\n", "macintosh"),
            ("Namn;Ort\nÅsa;Malmö\n", "IBM850"),
            ("Namn;Ort\nÅsa;Malmö\n", "windows-1252"),
        ] {
            assert_eq!(guess(&encode(text, encoding)), encoding, "{text}");
        }
        // All three encode these letters in the same bytes, so any of them is a correct guess.
        for encoding in ["IBM437", "IBM865"] {
            assert!(["IBM437", "IBM850", "IBM865"].contains(&guess(&encode(SWEDISH, encoding))));
        }
        let quotes = "Note\nDon’t call – he’s “away”…\nCafé Krämer™\n";
        assert_eq!(guess(&WINDOWS_1252.encode(quotes).0), "windows-1252");
    }

    #[test]
    fn guesses_windows_1252_for_a_lone_sign() {
        for text in
            ["Name;Note\nAda;© 2024\n", "Name;Note\nAda;Acme® Ltd\nBo;20° C\n", "Name;Price\nAda;£12\n", "Firma©\nA\n"]
        {
            assert_eq!(guess(&WINDOWS_1252.encode(text).0), "windows-1252", "{text}");
        }
    }

    #[test]
    fn decoding_does_not_depend_on_the_pieces() {
        for (name, text) in [
            ("shift_jis", JAPANESE),
            ("UTF-16LE", GREEK),
            ("windows-1252", SWEDISH),
            ("utf8", TURKISH),
            ("IBM850", SWEDISH),
        ] {
            let bytes = match name {
                "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                "IBM850" => encode(text, name),
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
        // This piece is larger than the initial capacity of the text.
        let (mut decoder, mut text) = (Decoder::new("windows-1252").unwrap(), String::new());
        decoder.push(&vec![0xE5; 3 << 20], true, &mut text);
        assert!(text == "å".repeat(3 << 20));
        assert!(Decoder::new("utf-7").is_none());
    }
}
