//! What the readers of binary workbooks share: the record types of BIFF files (.xls), named as in \[MS-XLS\], and the
//! decoding of numbers, texts and error codes.

/// FORMULA of Excel 5 and later, and of Excel 3 and 4, which some programs write into newer workbooks.
const FORMULA: u16 = 0x0006;
const FORMULA_3: u16 = 0x0206;
const FORMULA_4: u16 = 0x0406;
pub(super) const EOF: u16 = 0x000A;
pub(super) const DATE_1904: u16 = 0x0022;
pub(super) const FILE_PASS: u16 = 0x002F;
pub(super) const CONTINUE: u16 = 0x003C;
pub(super) const CODE_PAGE: u16 = 0x0042;
pub(super) const BOUND_SHEET: u16 = 0x0085;
pub(super) const MULRK: u16 = 0x00BD;
pub(super) const RSTRING: u16 = 0x00D6;
pub(super) const XF: u16 = 0x00E0;
pub(super) const SST: u16 = 0x00FC;
pub(super) const LABEL_SST: u16 = 0x00FD;
pub(super) const NUMBER: u16 = 0x0203;
pub(super) const LABEL: u16 = 0x0204;
pub(super) const BOOL_ERR: u16 = 0x0205;
pub(super) const STRING: u16 = 0x0207;
pub(super) const ROW: u16 = 0x0208;
pub(super) const RK: u16 = 0x027E;
pub(super) const FORMAT: u16 = 0x041E;
pub(super) const BOF: u16 = 0x0809;

/// BIFF8, the version of Excel 97 and later.
pub(super) const BIFF8: u16 = 0x0600;
/// BIFF5, the version of Excel 5 and 95, with 8-bit strings in a code page.
pub(super) const BIFF5: u16 = 0x0500;

/// Returns whether a record contains one or several cell values.
#[inline]
pub(super) fn is_cell(kind: u16) -> bool {
    matches!(kind, FORMULA | FORMULA_3 | FORMULA_4 | MULRK | RSTRING | LABEL_SST | NUMBER | LABEL | BOOL_ERR | RK)
}

#[inline]
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[inline]
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Returns the UTF-16 code units in these bytes, whose order is little-endian.
#[inline]
pub(super) fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit))
}

/// Decodes UTF-16. A surrogate without its other half becomes U+FFFD.
#[inline]
pub(super) fn decode_utf16(units: impl IntoIterator<Item = u16>) -> impl Iterator<Item = char> {
    char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Decodes an RK number: a 30-bit integer, or the upper 30 bits of a float, optionally divided by 100.
#[inline]
pub(super) fn decode_rk(bits: u32) -> f64 {
    let is_whole = bits & 2 != 0;
    let value = if is_whole { f64::from(bits as i32 >> 2) } else { f64::from_bits(u64::from(bits & !3) << 32) };
    if bits & 1 != 0 { value / 100.0 } else { value }
}

/// Returns the text of an error code; `None` for an unknown code.
pub(super) fn error_name(error: u8) -> Option<&'static str> {
    Some(match error {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0F => "#VALUE!",
        0x17 => "#REF!",
        0x1D => "#NAME?",
        0x24 => "#NUM!",
        0x2A => "#N/A",
        0x2B => "#DATA!",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_rk_integers_and_floats() {
        assert_eq!(decode_rk(7 << 2 | 2), 7.0);
        assert_eq!(decode_rk((-7_i32 << 2) as u32 | 2), -7.0);
        assert_eq!(decode_rk(12_345 << 2 | 3), 123.45);
        assert_eq!(decode_rk(0x3FF8_0000), 1.5);
        assert_eq!(decode_rk(0x4059_0001), 1.0);
    }

    #[test]
    fn returns_the_texts_of_cell_error_codes() {
        let names = [0x00, 0x07, 0x0F, 0x17, 0x1D, 0x24, 0x2A, 0x2B].map(error_name);
        let expected = ["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#DATA!"];
        assert_eq!(names, expected.map(Some));
        assert_eq!(error_name(0x01), None);
    }
}
