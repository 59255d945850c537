//! Letters of all scripts: their cases, and what they are without accents and other marks. In the browser by its own tables
//! of Unicode: a library's and the standard library's are a quarter of all that somebody waits for at the first visit. Both
//! say the same, since what a character is made of never changes once it is one.

#[cfg(not(all(feature = "wasm", target_arch = "wasm32")))]
mod tables {
    pub use unicode_normalization::char::is_combining_mark as is_mark;

    pub fn lower_case(text: &str) -> String {
        text.to_lowercase()
    }

    pub fn upper_case(text: &str) -> String {
        text.to_uppercase()
    }

    /// Gives each letter in lower case and taken apart, without its marks.
    pub fn without_marks(text: &str, mut each: impl FnMut(char)) {
        // Character by character, and not by a whole normalization: it would only sort the marks, which are dropped.
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

    pub fn without_marks(text: &str, each: impl FnMut(char)) {
        // The one letter whose lower case depends on what follows.
        let text = JsString::from(text.replace('Σ', "σ"));
        let parts = text.to_lower_case().normalize("NFD").replace_by_pattern(&RegExp::new(r"\p{M}+", "gu"), "");
        String::from(parts).chars().for_each(each);
    }
}

pub use tables::{is_mark, lower_case, upper_case, without_marks};
