//! The names of the parts of an Office document, and the targets of the relationships between them.

/// Normalizes a part's name, because programs differ in case, separators and leading slashes.
pub(super) fn normalize_name(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_ascii_lowercase()
}

/// Returns the folder of a part, and the name of the part that has its relationships. Those of the whole archive belong
/// to the part with an empty name.
pub(super) fn relationships_of(part: &str) -> (&str, String) {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let slash = if folder.is_empty() { "" } else { "/" };
    (folder, format!("{folder}{slash}_rels/{name}.rels"))
}

/// Resolves a target relative to a folder and returns its name in the archive. Some programs write backslashes.
pub(super) fn resolve_target(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let (start, rest) = target.strip_prefix('/').map_or((folder, target.as_str()), |rest| ("", rest));
    let mut steps: Vec<&str> = start.split('/').filter(|step| !step.is_empty()).collect();
    for step in rest.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    steps.join("/")
}
