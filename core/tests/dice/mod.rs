//! Numbers that look random and are the same in every run, by xorshift.

pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, max: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % max as u64) as usize
    }
}
