//! Strings of Excel 5 and 95 in the workbook's code page.

use crate::import::FileError;

/// The code page of workbooks that name none.
pub(super) const DEFAULT: u16 = 1_252;

/// Appends a decoded string to `out`.
///
/// # Errors
/// The string isn't ASCII, and this build has no encoding tables ([`FileError::NeedsFallback`]).
pub(super) fn decode(bytes: &[u8], page: u16, out: &mut String) -> Result<(), FileError> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => {
            out.push_str(text);
            Ok(())
        }
        _ => decode_other(bytes, page, out),
    }
}

/// The encoding tables are larger than this reader, so in the browser only `wasm/fallback` links them.
#[cfg(not(feature = "files"))]
fn decode_other(_: &[u8], _: u16, _: &mut String) -> Result<(), FileError> {
    Err(FileError::NeedsFallback)
}

#[cfg(feature = "files")]
fn decode_other(bytes: &[u8], page: u16, out: &mut String) -> Result<(), FileError> {
    use encoding_rs::*;
    let encoding = match page {
        866 => IBM866,
        874 => WINDOWS_874,
        932 => SHIFT_JIS,
        936 => GBK,
        949 => EUC_KR,
        950 => BIG5,
        1_250 => WINDOWS_1250,
        1_251 => WINDOWS_1251,
        1_253 => WINDOWS_1253,
        1_254 => WINDOWS_1254,
        1_255 => WINDOWS_1255,
        1_256 => WINDOWS_1256,
        1_257 => WINDOWS_1257,
        1_258 => WINDOWS_1258,
        // Mac Roman has two numbers: that of Windows, and that of Excel.
        10_000 | 32_768 => MACINTOSH,
        10_007 => X_MAC_CYRILLIC,
        _ => WINDOWS_1252,
    };
    out.push_str(&encoding.decode_without_bom_handling(bytes).0);
    Ok(())
}
