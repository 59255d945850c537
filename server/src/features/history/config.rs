//! The settings of the history.

use clap::Args;

#[derive(Args, Clone, Copy, Debug)]
pub struct HistoryConfig {
    /// How long the history keeps the values before and after a change [default: as long as the corporation]
    #[arg(long, help_heading = "Records", env = "FORECOURT_HISTORY_MONTHS", value_name = "MONTHS",
          value_parser = clap::value_parser!(u32).range(1..=1_200))]
    pub history_months: Option<u32>,
}
