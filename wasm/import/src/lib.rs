//! The import in the browser's worker: a file is read and checked here, every row of it, and sent as it is. Its bytes come
//! in once; counts and the rows that are looked at go out. The rules are `core`'s.

mod file;
mod problems;
mod submit;
#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;
