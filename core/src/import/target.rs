//! Targets of relationships between the parts of an Office document.

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
