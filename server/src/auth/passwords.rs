//! Passwords.
#[derive(Clone)]
pub struct Hasher;
impl Hasher {
    pub fn new() -> Self {
        Hasher
    }
}
