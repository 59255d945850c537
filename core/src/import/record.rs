//! The records of an .xls, by the numbers of their kinds, and how numbers lie in them.

pub(super) const FORMULA: u16 = 0x0006;
pub(super) const EOF: u16 = 0x000A;
#[cfg(feature = "xls")]
pub(super) const DATE_MODE: u16 = 0x0022;
pub(super) const FILE_PASS: u16 = 0x002F;
#[cfg(feature = "xls")]
pub(super) const CONTINUE: u16 = 0x003C;
pub(super) const BOUND_SHEET: u16 = 0x0085;
pub(super) const MANY_NUMBERS: u16 = 0x00BD;
pub(super) const RICH_TEXT: u16 = 0x00D6;
pub(super) const XF: u16 = 0x00E0;
pub(super) const SHARED_TEXTS: u16 = 0x00FC;
pub(super) const SHARED_TEXT: u16 = 0x00FD;
#[cfg(feature = "fallback")]
pub(super) const DIMENSIONS: u16 = 0x0200;
pub(super) const NUMBER: u16 = 0x0203;
pub(super) const TEXT: u16 = 0x0204;
pub(super) const TRUTH_OR_ERROR: u16 = 0x0205;
#[cfg(feature = "xls")]
pub(super) const FORMULA_TEXT: u16 = 0x0207;
#[cfg(feature = "xls")]
pub(super) const ROW: u16 = 0x0208;
pub(super) const SMALL_NUMBER: u16 = 0x027E;
pub(super) const FORMAT: u16 = 0x041E;
pub(super) const BOF: u16 = 0x0809;

/// The version that the first record of a workbook names since 1997.
pub(super) const OF_1997: u16 = 0x0600;

/// Whether a record is a cell with a value, or several of them.
#[inline]
pub(super) fn is_cell(kind: u16) -> bool {
    matches!(kind, FORMULA | MANY_NUMBERS | RICH_TEXT | SHARED_TEXT | NUMBER | TEXT | TRUTH_OR_ERROR | SMALL_NUMBER)
}

#[inline]
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[inline]
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
