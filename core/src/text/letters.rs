//! Case mapping and removal of combining marks. In the browser, JavaScript's functions are used, because Unicode tables
//! would be a quarter of the wasm package. The results differ at most for a few rare letters whose case or marks are
//! newer than one side's version of Unicode. The decomposition of an assigned character never changes.

#[cfg(not(all(feature = "wasm", target_arch = "wasm32")))]
mod tables {
    pub use unicode_normalization::char::is_combining_mark as is_mark;

    pub fn lower_case(text: &str) -> String {
        text.to_lowercase()
    }

    pub fn upper_case(text: &str) -> String {
        text.to_uppercase()
    }

    /// Calls `each` with the characters of the lower-cased and canonically decomposed text, without combining marks.
    pub fn lower_case_without_marks(text: &str, mut each: impl FnMut(char)) {
        // Full normalization would also sort the combining marks, which are removed anyway.
        for letter in text.chars().flat_map(char::to_lowercase) {
            unicode_normalization::char::decompose_canonical(letter, |part| {
                if !is_mark(part) {
                    each(part);
                }
            });
        }
    }
}

#[cfg(all(feature = "wasm", target_arch = "wasm32"))]
mod tables {
    use js_sys::{JsString, RegExp};

    pub fn is_mark(letter: char) -> bool {
        RegExp::new(r"\p{M}", "u").test(&String::from(letter))
    }

    pub fn lower_case(text: &str) -> String {
        JsString::from(text).to_lower_case().into()
    }

    pub fn upper_case(text: &str) -> String {
        JsString::from(text).to_upper_case().into()
    }

    pub fn lower_case_without_marks(text: &str, each: impl FnMut(char)) {
        // Sigma is the only letter whose lower case depends on its position, so it is replaced first.
        let text = JsString::from(text.replace('Σ', "σ"));
        let parts = text.to_lower_case().normalize("NFD").replace_by_pattern(&RegExp::new(r"\p{M}+", "gu"), "");
        String::from(parts).chars().for_each(each);
    }
}

pub use tables::{is_mark, lower_case, lower_case_without_marks, upper_case};
