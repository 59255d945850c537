//! The records of an .xls, by the numbers of their kinds, and how numbers lie in them.

/// A formula since Excel 5, and as Excel 3 and 4 wrote it: some programs keep these numbers in newer workbooks.
const FORMULA: u16 = 0x0006;
const FORMULA_3: u16 = 0x0206;
const FORMULA_4: u16 = 0x0406;
pub(super) const EOF: u16 = 0x000A;
pub(super) const DATE_MODE: u16 = 0x0022;
pub(super) const FILE_PASS: u16 = 0x002F;
pub(super) const CONTINUE: u16 = 0x003C;
pub(super) const CODE_PAGE: u16 = 0x0042;
pub(super) const BOUND_SHEET: u16 = 0x0085;
pub(super) const MANY_NUMBERS: u16 = 0x00BD;
pub(super) const RICH_TEXT: u16 = 0x00D6;
pub(super) const XF: u16 = 0x00E0;
pub(super) const SHARED_TEXTS: u16 = 0x00FC;
pub(super) const SHARED_TEXT: u16 = 0x00FD;
pub(super) const NUMBER: u16 = 0x0203;
pub(super) const TEXT: u16 = 0x0204;
pub(super) const TRUTH_OR_ERROR: u16 = 0x0205;
pub(super) const FORMULA_TEXT: u16 = 0x0207;
pub(super) const ROW: u16 = 0x0208;
pub(super) const SMALL_NUMBER: u16 = 0x027E;
pub(super) const FORMAT: u16 = 0x041E;
pub(super) const BOF: u16 = 0x0809;

/// The version that the first record of a workbook names since 1997.
pub(super) const OF_1997: u16 = 0x0600;
/// The version of Excel 5 and 95, whose texts are bytes in a code page.
pub(super) const OF_1995: u16 = 0x0500;

/// Whether a record is a cell with a value, or several of them.
#[inline]
pub(super) fn is_cell(kind: u16) -> bool {
    matches!(
        kind,
        FORMULA
            | FORMULA_3
            | FORMULA_4
            | MANY_NUMBERS
            | RICH_TEXT
            | SHARED_TEXT
            | NUMBER
            | TEXT
            | TRUTH_OR_ERROR
            | SMALL_NUMBER
    )
}

#[inline]
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[inline]
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Returns the value of a number in 30 bits (RK): a whole one, or the first bits of a float; perhaps times a hundred.
#[inline]
pub(super) fn small_number(bits: u32) -> f64 {
    let is_whole = bits & 2 != 0;
    let value = if is_whole { f64::from(bits as i32 >> 2) } else { f64::from_bits(u64::from(bits & !3) << 32) };
    if bits & 1 != 0 { value / 100.0 } else { value }
}

/// Returns what a program shows for an error's number; `None` for a number that stands for none.
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
    fn a_number_in_30_bits_is_a_whole_one_or_the_start_of_a_float() {
        assert_eq!(small_number(7 << 2 | 2), 7.0);
        assert_eq!(small_number((-7_i32 << 2) as u32 | 2), -7.0);
        assert_eq!(small_number(12_345 << 2 | 3), 123.45);
        assert_eq!(small_number(0x3FF8_0000), 1.5);
        assert_eq!(small_number(0x4059_0001), 1.0);
    }

    #[test]
    fn an_error_is_seen_by_its_name() {
        let names = [0x00, 0x07, 0x0F, 0x17, 0x1D, 0x24, 0x2A, 0x2B].map(error_name);
        let seen = ["#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#DATA!"];
        assert_eq!(names, seen.map(Some));
        assert_eq!(error_name(0x01), None);
    }
}
