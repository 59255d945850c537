//! RC4 encryption, with a new key for every 1,024 bytes of the stream: that of Excel 97 (MD5, 40 bits), and that of
//! Excel 2002 and 2003 (SHA-1, 40 to 128 bits).

use super::Cipher;
use crate::import::record::{u16_at, u32_at};
use crate::import::unlock::default_password;
use md5::{Digest, Md5};
use sha1::Sha1;

/// How many bytes of the stream share a key.
const BLOCK: usize = 1_024;
/// The size of a 40-bit key.
const SHORT_KEY: usize = 5;

pub(super) struct Rc4 {
    base: BaseKey,
    /// The index of the block whose key stream is in `stream`.
    block: Option<usize>,
    stream: [u8; BLOCK],
}

/// From which the keys of all blocks are derived.
enum BaseKey {
    Md5([u8; SHORT_KEY]),
    /// The hash, and the key size in bytes.
    Sha1([u8; 20], usize),
}

impl Rc4 {
    /// Returns the cipher if the default password is correct. `head` is the content of the FILE_PASS record.
    pub fn new(head: &[u8]) -> Option<Rc4> {
        let password = default_password();
        let (base, check, hash) = match (u16_at(head, 0)?, u16_at(head, 2)?) {
            (1, 1) => {
                let (salt, check, hash) = (head.get(4..20)?, head.get(20..36)?, head.get(36..52)?);
                let short = Md5::digest(&password);
                let salted = [&short[..SHORT_KEY], salt].concat().repeat(16);
                (BaseKey::Md5(*Md5::digest(salted).first_chunk()?), check, hash)
            }
            (2..=4, 2) => {
                let size = u32_at(head, 8)? as usize;
                let (header, rest) = (head.get(12..)?.get(..size)?, head.get(12 + size..)?);
                let is_rc4 = matches!(u32_at(header, 8)?, 0 | 0x6801);
                let bits = match u32_at(header, 16)? {
                    0 => 40,
                    bits => bits as usize,
                };
                if !is_rc4 || !(40..=128).contains(&bits) || u32_at(rest, 0)? != 16 {
                    return None;
                }
                let (salt, check, hash) = (rest.get(4..20)?, rest.get(20..36)?, rest.get(40..60)?);
                (BaseKey::Sha1(Sha1::digest([salt, &password].concat()).into(), bits / 8), check, hash)
            }
            _ => return None,
        };
        let mut cipher = Rc4 { base, block: None, stream: [0; BLOCK] };
        let mut check = [check, hash].concat();
        cipher.decrypt(&mut check, 0, 0);
        let (check, hash) = check.split_at(16);
        let is_correct = match cipher.base {
            BaseKey::Md5(_) => Md5::digest(check)[..] == *hash,
            BaseKey::Sha1(..) => Sha1::digest(check)[..] == *hash,
        };
        is_correct.then_some(cipher)
    }

    fn start_block(&mut self, block: usize) {
        let number = (block as u32).to_le_bytes();
        self.stream = match &self.base {
            BaseKey::Md5(base) => key_stream(&Md5::digest([&base[..], &number].concat())),
            BaseKey::Sha1(base, length) => {
                let hash = Sha1::digest([&base[..], &number].concat());
                // A key of 40 bits is padded with zeros.
                let mut key = hash[..*length].to_vec();
                key.resize(if *length == SHORT_KEY { 16 } else { *length }, 0);
                key_stream(&key)
            }
        };
        self.block = Some(block);
    }
}

impl Cipher for Rc4 {
    fn decrypt(&mut self, piece: &mut [u8], at: usize, _: usize) {
        for (index, byte) in (at..).zip(piece) {
            if self.block != Some(index / BLOCK) {
                self.start_block(index / BLOCK);
            }
            *byte ^= self.stream[index % BLOCK];
        }
    }
}

/// Returns the first 1,024 bytes of the key stream that RC4 generates from a key.
fn key_stream(key: &[u8]) -> [u8; BLOCK] {
    let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
    let mut other = 0_u8;
    for index in 0..256 {
        other = other.wrapping_add(state[index]).wrapping_add(key[index % key.len()]);
        state.swap(index, usize::from(other));
    }
    let (mut index, mut other) = (0_u8, 0_u8);
    std::array::from_fn(|_| {
        index = index.wrapping_add(1);
        let value = state[usize::from(index)];
        other = other.wrapping_add(value);
        state.swap(usize::from(index), usize::from(other));
        state[usize::from(state[usize::from(index)].wrapping_add(value))]
    })
}
