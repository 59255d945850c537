//! The settings of all features.

use super::auth::config::AuthConfig;
use super::history::config::HistoryConfig;
use super::import::config::ImportConfig;
use super::organizations::directory_url::DirectoryUrl;
use super::trash::config::TrashConfig;
use super::vehicles::config::PhotoConfig;
use clap::Args;
use forecourt_core::form::FormSettings;

#[derive(Args, Clone)]
pub struct FeatureConfig {
    #[command(flatten)]
    pub auth: AuthConfig,

    /// How corporations may register themselves
    #[arg(long, help_heading = super::auth::config::HEADING, env = "FORECOURT_SIGNUP", default_value = "approval", value_name = "HOW")]
    pub signup: Signup,

    /// An additional company register: https://…{organization_number}…, which returns JSON
    #[arg(long, help_heading = super::import::config::HEADING, env = "FORECOURT_DIRECTORY_URL", value_name = "URL",
          value_parser = DirectoryUrl::parse, hide_env_values = true)]
    pub directory_url: Option<DirectoryUrl>,

    #[command(flatten)]
    pub import: ImportConfig,

    #[command(flatten)]
    pub trash: TrashConfig,

    #[command(flatten)]
    pub history: HistoryConfig,

    #[command(flatten)]
    pub photos: PhotoConfig,
}

/// How corporations may register themselves (docs/product.md 2.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Signup {
    /// They may; a Super Admin activates them
    Approval,
    /// They may not
    Off,
}

impl FeatureConfig {
    /// Returns the settings that form rules depend on.
    pub fn form_settings(&self) -> FormSettings {
        FormSettings { password_min: u32::from(self.auth.password_min), import: self.import.limits() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::from_flags;

    #[test]
    fn form_settings_contain_the_limits_of_passwords_and_imports() {
        let flags = ["--password-min", "12", "--import-csv-mb", "1", "--import-excel-mb", "2", "--import-rows", "5"];
        let settings = from_flags::<FeatureConfig>(&flags).form_settings();
        assert_eq!((settings.password_min, settings.import.rows), (12, 5));
        assert_eq!((settings.import.csv_bytes, settings.import.excel_bytes), (1 << 20, 2 << 20));
    }
}
