//! XOR obfuscation (method 1), which Excel 5 and 95 wrote, and newer versions on demand.

use super::Cipher;
use crate::import::record::u16_at;

/// What fills the password up to 15 characters.
const PADDING: [u8; 15] = [0xBB, 0xFF, 0xFF, 0xBA, 0xFF, 0xFF, 0xB9, 0x80, 0x00, 0xBE, 0x0F, 0x00, 0xBF, 0x0F, 0x00];

/// The bytes that data is combined with, over and over.
pub(super) struct Xor([u8; 16]);

impl Xor {
    /// Returns the cipher if the password is the right one. `check` is the key and the password's verifier.
    pub fn new(password: &str, check: &[u8]) -> Option<Xor> {
        let key = u16_at(check, 0)?;
        let right = verifier(password.as_bytes());
        let mut array = [0; 16];
        for (place, byte) in array.iter_mut().enumerate() {
            let character = password.as_bytes().get(place).or(PADDING.get(place.wrapping_sub(password.len())));
            let half = key.to_le_bytes()[place % 2];
            *byte = (character.copied().unwrap_or_default() ^ half).rotate_left(2);
        }
        (u16_at(check, 2) == Some(right)).then_some(Xor(array))
    }
}

impl Cipher for Xor {
    fn decrypt(&mut self, piece: &mut [u8], at: usize, length: usize) {
        // Where in the array a record begins depends on its place and its length.
        let first = (at + length) % 16;
        for (place, byte) in piece.iter_mut().enumerate() {
            *byte = byte.rotate_left(3) ^ self.0[(first + place) % 16];
        }
    }
}

/// Returns the hash of 15 bits that a password is checked with.
fn verifier(password: &[u8]) -> u16 {
    let rotated = |hash: u16| ((hash >> 14) & 1) | ((hash << 1) & 0x7FFF);
    let characters = password.iter().rev().fold(0, |hash, &byte| rotated(hash) ^ u16::from(byte));
    rotated(characters) ^ password.len() as u16 ^ 0xCE4B
}
