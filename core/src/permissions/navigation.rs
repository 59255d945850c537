//! The navigation that a person's permissions make (specification 2.6 and 6): the same function that the server asks
//! decides what is shown.

use super::{CATALOGUE, PermissionResource, Place};
use serde::{Deserialize, Serialize};

/// A link, with the links below it.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MenuEntry {
    pub resource_id: String,
    pub title: String,
    pub route: String,
    pub icon: String,
    pub subresources: Vec<MenuEntry>,
}

/// The links of the top navigation and of the profile menu.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Navigation {
    pub main: Vec<MenuEntry>,
    pub profile: Vec<MenuEntry>,
}

/// Derives the navigation: an entry shows only with read permission, a parent with subresources only if some
/// subresource is readable.
pub fn navigation(resources: &[PermissionResource]) -> Navigation {
    let mut navigation = Navigation::default();
    for resource in in_order(resources.iter(), |r| r.position) {
        let Some(entry) = entry(resource) else { continue };
        let place = CATALOGUE.iter().find(|e| e.resource_id == resource.resource_id).map(|e| e.place);
        match place {
            Some(Place::Profile | Place::Platform) => navigation.profile.push(entry),
            _ => navigation.main.push(entry),
        }
    }
    navigation
}

fn entry(resource: &PermissionResource) -> Option<MenuEntry> {
    let subresources = in_order(resource.subresources.iter(), |r| r.position);
    let subresources: Vec<_> = subresources.into_iter().filter_map(entry).collect();
    let shows = if resource.has_subresources { !subresources.is_empty() } else { resource.permissions.can_read };
    shows.then(|| MenuEntry {
        resource_id: resource.resource_id.clone(),
        title: resource.title.clone(),
        route: resource.route.clone(),
        icon: resource.icon.clone(),
        subresources,
    })
}

/// A few things by their positions; those of one position stay as they were. The standard library's sort, which is for
/// many, weighs ten times as much in what everybody fetches.
pub(crate) fn in_order<T>(things: impl Iterator<Item = T>, position: impl Fn(&T) -> u32) -> Vec<T> {
    let mut sorted = Vec::new();
    for thing in things {
        let place = sorted.partition_point(|before| position(before) <= position(&thing));
        sorted.insert(place, thing);
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::super::{Grant, Permissions, UserType, effective};
    use super::*;

    fn titles(entries: &[MenuEntry]) -> Vec<&str> {
        entries.iter().map(|e| e.title.as_str()).collect()
    }

    #[test]
    fn a_super_admin_sees_everything_in_its_place() {
        let nav = navigation(&effective(UserType::SuperAdmin, &[], &[]));
        assert_eq!(titles(&nav.main), ["Customers", "Invoices", "Contacts"]);
        assert_eq!(titles(&nav.profile), ["Users Management", "Roles Management", "Corporations"]);
        assert_eq!(titles(&nav.main[2].subresources), ["All contacts", "Imports"]);
    }

    #[test]
    fn a_parent_shows_only_if_some_subresource_is_readable() {
        let allowed = ["contacts".to_owned()];
        let parent_only = [Grant { resource_id: "contacts".into(), permissions: Permissions::ALL }];
        assert!(navigation(&effective(UserType::User, &parent_only, &allowed)).main.is_empty());
        let child_only = [Grant { resource_id: "contacts.imports".into(), permissions: Permissions::ALL }];
        let nav = navigation(&effective(UserType::User, &child_only, &allowed));
        assert_eq!(titles(&nav.main), ["Contacts"]);
        assert_eq!(titles(&nav.main[0].subresources), ["Imports"]);
    }
}
