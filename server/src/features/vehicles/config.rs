//! The settings of vehicles.

use clap::Args;

#[derive(Args, Clone, Copy, Debug)]
pub struct PhotoConfig {
    /// How much the photos of a corporation's vehicles may take up, in GB
    #[arg(long, help_heading = "Records", env = "FORECOURT_PHOTO_GB", default_value_t = 2, value_name = "GB",
          value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub photo_gb: u32,
}

impl PhotoConfig {
    pub fn max_bytes(self) -> i64 {
        i64::from(self.photo_gb) << 30
    }
}
