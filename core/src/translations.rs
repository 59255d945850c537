//! Compares the codes of all messages with the translations in the web app.

use crate::permissions::all_entries;
use crate::{
    auth, bulk, duplicates, history, images, import, lists, logs, organizations, privacy, profile, roles, settings,
    text, theme, trash, views,
};
use std::collections::{BTreeMap, BTreeSet};

const SWEDISH: &str = include_str!("../../web/src/locales/sv/core.po");

/// Returns the English sentence or template of every code.
fn codes() -> BTreeMap<String, String> {
    let others = [
        text::ALL,
        auth::text::ALL,
        bulk::text::ALL,
        duplicates::text::ALL,
        history::text::ALL,
        images::text::ALL,
        import::text::ALL,
        import::text::format::ALL,
        lists::LABELS,
        lists::text::ALL,
        logs::ALL,
        organizations::text::ALL,
        privacy::text::ALL,
        profile::text::ALL,
        roles::text::ALL,
        settings::text::ALL,
        theme::text::ALL,
        trash::text::ALL,
        views::text::ALL,
    ];
    let messages = lists::MESSAGES
        .iter()
        .copied()
        .chain(others)
        .flatten()
        .map(|(code, english)| ((*code).to_owned(), (*english).to_owned()));
    // The page builds these codes from a resource's id (web/src/lib/resources.ts).
    let resources = all_entries().flat_map(|entry| {
        let code = format!("resource.{}", entry.resource_id());
        [(format!("{code}.description"), entry.description.to_owned()), (code, entry.title.to_owned())]
    });
    let codes: Vec<(String, String)> = messages.chain(resources).collect();
    let by_code: BTreeMap<_, _> = codes.iter().cloned().collect();
    assert_eq!(by_code.len(), codes.len(), "a code is used twice");
    by_code
}

/// Returns the Swedish translation of every code.
fn translations() -> BTreeMap<String, String> {
    let (_, entries) = SWEDISH.split_once("\n\n").unwrap();
    let read = |line: &str, keyword: &str| -> String {
        let json = line.strip_prefix(keyword).unwrap_or_else(|| panic!("{line:?} must begin with {keyword}"));
        serde_json::from_str(json).unwrap()
    };
    let entry = |entry: &str| {
        let (id, translation) = entry.trim().split_once('\n').unwrap_or_else(|| panic!("{entry:?} has no translation"));
        (read(id, "msgid "), read(translation, "msgstr "))
    };
    entries.split("\n\n").map(entry).collect()
}

/// Returns what is in braces in a sentence or template, except the JSON of an example.
fn placeholders(sentence: &str) -> impl Iterator<Item = &str> {
    let places = sentence.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(place, _)| place);
    places.filter(|place| !place.contains('"'))
}

#[test]
fn swedish_errors_of_fields_are_sentences() {
    let is_error = |code: &str| ["_required", "_invalid", "_unknown", "_taken"].iter().any(|end| code.ends_with(end));
    for (code, translation) in translations().iter().filter(|(code, _)| is_error(code)) {
        assert!(translation.ends_with('.'), "{code}: {translation}");
    }
}

#[test]
fn every_code_has_a_translation_and_none_is_left_over() {
    let (codes, translations) = (codes(), translations());
    let missing: Vec<_> = codes.keys().filter(|code| !translations.contains_key(*code)).collect();
    let unused: Vec<_> = translations.keys().filter(|code| !codes.contains_key(*code)).collect();
    assert_eq!((missing, unused), (vec![], vec![]), "codes without a translation, translations without a code");
    assert!(translations.values().all(|translation| !translation.is_empty()));
}

#[test]
fn translations_have_the_same_parameters() {
    let translations = translations();
    for (code, english) in codes() {
        let translation = translations.get(&code).map(String::as_str).unwrap_or_default();
        // The web app replaces only `{name}` and formats every number, so a translation has no `{name, number}`.
        let translated: BTreeSet<_> = placeholders(translation).collect();
        let names = placeholders(&english).map(|place| place.strip_suffix(", number").unwrap_or(place));
        assert_eq!(translated, names.collect::<BTreeSet<_>>(), "{code}");
    }
}
