//! The documentation and the deployment files name the settings that exist.

use clap::{Args, Command};
use forecourt::app::config::Config;
use std::path::Path;

fn file(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

#[test]
fn the_table_of_settings_is_complete_and_has_the_right_defaults() {
    let table = file("docs/operations.md");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| `FORECOURT_"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let config = Config::augment_args(Command::new("settings"));
    let settings: Vec<_> = config.get_arguments().filter(|a| !a.is_hide_set() && a.get_env().is_some()).collect();
    for setting in &settings {
        let name = format!("`{}`", setting.get_env().unwrap().to_string_lossy());
        let row = rows.iter().find(|row| row[1] == name).unwrap_or_else(|| panic!("{name} is not in the table"));
        let default = setting.get_default_values().first().map(|d| format!("`{}`", d.to_string_lossy()));
        if let Some(default) = default {
            assert_eq!(row[2], default, "the default of {name}");
        }
        assert!(!row[3].is_empty(), "{name} is not explained");
    }
    assert_eq!(rows.len(), settings.len(), "the table has an unknown or repeated setting");
}

#[test]
fn the_deployment_files_name_only_existing_settings() {
    let config = Config::augment_args(Command::new("settings"));
    let settings: Vec<_> =
        config.get_arguments().filter_map(|a| Some(a.get_env()?.to_string_lossy().into_owned())).collect();
    for name in
        ["forecourt.service", "forecourt-backup.service", "as-forecourt", "forecourt.env", "Dockerfile", "compose.yaml"]
    {
        let text = file(&format!("deploy/{name}"));
        let words = text.split(|c: char| !(c.is_ascii_uppercase() || c == '_'));
        for word in words.filter(|word| word.starts_with("FORECOURT_")) {
            assert!(settings.iter().any(|setting| setting == word), "{word} in {name} is not a setting");
        }
    }
}
