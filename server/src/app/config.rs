//! All settings of the program.

use crate::features::config::FeatureConfig;
use crate::platform::config::PlatformConfig;
use clap::Args;

#[derive(Args, Clone)]
pub struct Config {
    #[command(flatten)]
    pub platform: PlatformConfig,
    #[command(flatten)]
    pub features: FeatureConfig,
}
