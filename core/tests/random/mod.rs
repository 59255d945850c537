//! A deterministic pseudo-random generator (xorshift).

pub struct Xorshift(pub u64);

impl Xorshift {
    pub fn below(&mut self, max: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % max as u64) as usize
    }
}
