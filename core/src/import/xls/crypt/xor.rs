//! XOR obfuscation (method 1) of Excel 5 and 95, optional in later versions.

use super::Cipher;
use crate::import::record::u16_at;
use crate::import::unlock::PASSWORD;

/// The bytes with which passwords are padded to 15 characters.
const PADDING: [u8; 15] = [0xBB, 0xFF, 0xFF, 0xBA, 0xFF, 0xFF, 0xB9, 0x80, 0x00, 0xBE, 0x0F, 0x00, 0xBF, 0x0F, 0x00];

/// The XOR array, which is applied cyclically.
pub(super) struct Xor([u8; 16]);

impl Xor {
    /// Returns the cipher if the default password is correct. `check` is the key and the password verifier.
    pub fn new(check: &[u8]) -> Option<Xor> {
        let (key, password) = (u16_at(check, 0)?, PASSWORD.as_bytes());
        let expected = verifier(password);
        let mut array = [0; 16];
        for (index, byte) in array.iter_mut().enumerate() {
            let character = password.get(index).or(PADDING.get(index.wrapping_sub(password.len())));
            let half = key.to_le_bytes()[index % 2];
            *byte = (character.copied().unwrap_or_default() ^ half).rotate_left(2);
        }
        (u16_at(check, 2) == Some(expected)).then_some(Xor(array))
    }
}

impl Cipher for Xor {
    fn decrypt(&mut self, piece: &mut [u8], at: usize, length: usize) {
        // A record's start in the array depends on its offset and its length.
        let first = (at + length) % 16;
        for (index, byte) in piece.iter_mut().enumerate() {
            *byte = byte.rotate_left(3) ^ self.0[(first + index) % 16];
        }
    }
}

/// Returns the password verifier: a 15-bit hash, combined with the length and a constant.
fn verifier(password: &[u8]) -> u16 {
    let rotated = |hash: u16| ((hash >> 14) & 1) | ((hash << 1) & 0x7FFF);
    let characters = password.iter().rev().fold(0, |hash, &byte| rotated(hash) ^ u16::from(byte));
    rotated(characters) ^ password.len() as u16 ^ 0xCE4B
}
