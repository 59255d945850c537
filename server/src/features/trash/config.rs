//! The settings of the trash.

use crate::platform::clock::DAY;
use clap::Args;

#[derive(Args, Clone, Copy, Debug)]
pub struct TrashConfig {
    /// How long deleted records can be restored
    #[arg(long, help_heading = "Records", env = "FORECOURT_TRASH_DAYS", default_value_t = 30, value_name = "DAYS",
          value_parser = clap::value_parser!(u32).range(1..=3_650))]
    pub trash_days: u32,
}

impl TrashConfig {
    /// Returns how long records stay in the trash, in microseconds.
    pub fn kept_for(self) -> i64 {
        i64::from(self.trash_days) * DAY
    }
}
