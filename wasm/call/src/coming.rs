//! A typed promise. Each exported `async fn` would compile its own copy of the code that runs a future; bindings that
//! return this type share one copy.

use js_sys::Promise;
use std::marker::PhantomData;
use tsify::Tsify;
use wasm_bindgen::JsValue;
use wasm_bindgen::convert::IntoWasmAbi;
use wasm_bindgen::describe::{NAMED_EXTERNREF, WasmDescribe, inform};

/// A promise with a TypeScript type: `Promise<T>`, or `Promise<T[]>` if `LIST`.
pub struct Coming<T, const LIST: bool = false>(Promise, PhantomData<T>);

/// A promise of a list.
pub type ComingList<T> = Coming<T, true>;

impl<T, const LIST: bool> Coming<T, LIST> {
    /// Wraps a promise. The caller guarantees that it resolves to a value of this type.
    pub fn new_unchecked(promise: Promise) -> Self {
        Coming(promise, PhantomData)
    }
}

impl<T, const LIST: bool> From<Coming<T, LIST>> for Promise {
    fn from(coming: Coming<T, LIST>) -> Self {
        coming.0
    }
}

impl<T: Tsify, const LIST: bool> IntoWasmAbi for Coming<T, LIST> {
    type Abi = <JsValue as IntoWasmAbi>::Abi;

    fn into_abi(self) -> Self::Abi {
        JsValue::from(self.0).into_abi()
    }
}

/// Passes a text to `inform` one byte at a time, each as a constant: wasm-bindgen interprets this code without access
/// to memory.
macro_rules! inform_text {
    ($text:expr; $($place:literal)*) => { $(
        if const { $place < $text.length } {
            inform(const { $text.letters[$place] as u32 });
        }
    )* };
}

impl<T: Tsify, const LIST: bool> WasmDescribe for Coming<T, LIST> {
    fn describe() {
        inform(NAMED_EXTERNREF);
        inform(const { Name::of_promise(T::DECL, LIST).length as u32 });
        inform_text! { Name::of_promise(T::DECL, LIST);
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
            32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
        }
    }
}

/// The name of a type in TypeScript. A name that is too long doesn't compile.
struct Name {
    letters: [u8; 48],
    length: usize,
}

impl Name {
    const fn of_promise(declaration: &str, is_list: bool) -> Name {
        let name = Name { letters: [0; 48], length: 0 }.with(b"Promise<", 0, 8);
        let declaration = declaration.as_bytes();
        let start = name_starts(declaration);
        let mut end = start;
        while declaration[end] != b' ' {
            end += 1;
        }
        let name = name.with(declaration, start, end);
        if is_list { name.with(b"[]>", 0, 3) } else { name.with(b">", 0, 1) }
    }

    const fn with(mut self, text: &[u8], start: usize, end: usize) -> Name {
        let mut place = start;
        while place < end {
            self.letters[self.length] = text[place];
            self.length += 1;
            place += 1;
        }
        self
    }
}

/// Returns the index where the interface's name starts; a comment may precede it.
const fn name_starts(declaration: &[u8]) -> usize {
    let before = b"export interface ";
    let (mut place, mut same) = (0, 0);
    while same < before.len() {
        same = if declaration[place] == before[same] { same + 1 } else { 0 };
        place += 1;
    }
    place
}
