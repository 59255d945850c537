//! Code pages that WHATWG doesn't define: four of DOS, which old dealer and accounting programs still write, and Mac
//! Central European. The tables are from Unicode (Public/MAPPINGS/VENDORS).

/// An 8-bit code page whose bytes 0 to 127 are ASCII.
pub struct CodePage {
    /// The name at IANA, or the usual name for Apple's, which IANA doesn't list.
    pub name: &'static str,
    /// The characters of the bytes 128 to 255.
    pub characters: &'static str,
}

#[rustfmt::skip]
const CODE_PAGES: [CodePage; 5] = [
    CodePage { name: "IBM437", characters: concat!(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ",
        "áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
        "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀",
        "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ) },
    CodePage { name: "IBM850", characters: concat!(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ",
        "áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐",
        "└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀",
        "ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    ) },
    CodePage { name: "IBM852", characters: concat!(
        "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×č",
        "áíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐",
        "└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀",
        "ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
    ) },
    CodePage { name: "IBM865", characters: concat!(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒ",
        "áíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
        "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀",
        "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ) },
    CodePage { name: "x-mac-ce", characters: concat!(
        "ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü",
        "†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅ",
        "ņŃ¬√ńŇ∆«»…\u{a0}ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖ",
        "ŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ",
    ) },
];

/// Returns the code page with this name, ignoring case.
pub fn code_page(name: &str) -> Option<&'static CodePage> {
    CODE_PAGES.iter().find(|page| page.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::encoding::ENCODINGS;

    #[test]
    fn every_code_page_has_a_character_for_each_byte_and_can_be_chosen() {
        for page in &CODE_PAGES {
            assert_eq!(page.characters.chars().count(), 128, "{}", page.name);
            assert!(page.characters.chars().all(|c| !c.is_ascii() && !c.is_control()), "{}", page.name);
            assert!(ENCODINGS.contains(&page.name), "{}", page.name);
        }
    }

    #[test]
    fn a_code_page_is_found_in_any_case() {
        assert_eq!(code_page("ibm850").map(|page| page.name), Some("IBM850"));
        assert!(code_page("IBM999").is_none());
    }
}
