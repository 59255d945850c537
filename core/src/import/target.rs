//! Targets of the relations between the parts of an Office document.

/// Returns a target as the archive names it, seen from a folder. Some programs write the separators of Windows.
pub(super) fn resolved(folder: &str, target: &str) -> String {
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
