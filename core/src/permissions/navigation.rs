//! The navigation menus, derived from a user's permissions.

use super::{PermissionResource, Placement, find_entry};
use serde::{Deserialize, Serialize};

api_types!(
    /// A navigation link with its sublinks.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct MenuEntry {
        pub resource_id: String,
        pub title: String,
        pub route: String,
        pub icon: String,
        pub subresources: Vec<MenuEntry>,
    }

    /// The links of the top navigation (`main`), of the profile menu (`profile`), and of the tab bar of a phone
    /// (`tabs`).
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Navigation {
        pub main: Vec<MenuEntry>,
        pub profile: Vec<MenuEntry>,
        pub tabs: Vec<MenuEntry>,
    }
);

/// The number of links in the tab bar, besides those that every user has.
const TABS: usize = 2;

const VEHICLES: &str = "/dashboard/vehicles";

/// Builds the navigation from a user's permissions. A resource is shown if it can be read; a resource with subresources
/// is shown if at least one that has a screen can be read. A subresource without a screen is not shown.
pub fn build_navigation(resources: &[PermissionResource]) -> Navigation {
    let mut navigation = Navigation::default();
    for resource in sort_by_position(resources.iter(), |r| r.position) {
        let Some(entry) = entry(resource) else { continue };
        let placement = find_entry(&resource.resource_id).map(|e| e.placement);
        match placement {
            Some(Placement::Profile | Placement::Platform) => navigation.profile.push(entry),
            _ => navigation.main.push(entry),
        }
    }
    // Vehicles are first, the others in the order of the menus.
    for resource in sort_by_position(resources.iter(), |r| if r.route == VEHICLES { 0 } else { r.position }) {
        if navigation.tabs.len() < TABS
            && let Some(entry) = entry(resource)
        {
            navigation.tabs.push(entry);
        }
    }
    navigation
}

fn entry(resource: &PermissionResource) -> Option<MenuEntry> {
    let screens = sort_by_position(resource.subresources.iter().filter(|sub| !sub.route.is_empty()), |r| r.position);
    // If the only subresource with a screen has the resource's own route, the resource needs no sublinks.
    let is_only_screen = matches!(screens[..], [only] if only.route == resource.route);
    let mut subresources: Vec<_> = screens.into_iter().filter_map(entry).collect();
    let shows = if resource.has_subresources { !subresources.is_empty() } else { resource.permissions.can_read };
    if is_only_screen {
        subresources.clear();
    }
    shows.then(|| MenuEntry {
        resource_id: resource.resource_id.clone(),
        title: resource.title.clone(),
        route: resource.route.clone(),
        icon: resource.icon.clone(),
        subresources,
    })
}

/// Sorts items by position; the sort is stable. An insertion sort is enough for so few items, and adds a tenth of the
/// code size of the standard library's sort to the wasm package.
pub(crate) fn sort_by_position<T>(items: impl Iterator<Item = T>, position: fn(&T) -> u32) -> Vec<T> {
    let mut sorted = Vec::new();
    items.for_each(|item| insert_by_position(&mut sorted, item, position));
    sorted
}

/// Not generic over the items' source, so that the wasm package contains it once.
fn insert_by_position<T>(sorted: &mut Vec<T>, item: T, position: fn(&T) -> u32) {
    let index = sorted.partition_point(|before| position(before) <= position(&item));
    sorted.insert(index, item);
}

#[cfg(test)]
mod tests {
    use super::super::{Grant, Permissions, UserType, effective_permissions, modules};
    use super::*;

    fn titles(entries: &[MenuEntry]) -> Vec<&str> {
        entries.iter().map(|e| e.title.as_str()).collect()
    }

    #[test]
    fn a_super_admin_sees_all_links() {
        let nav = build_navigation(&effective_permissions(UserType::SuperAdmin, &[], &[]).resources());
        assert_eq!(titles(&nav.main), modules().map(|module| module.title).collect::<Vec<_>>());
        assert_eq!(titles(&nav.main)[..3], ["Customers", "Invoices", "Contacts"]);
        assert_eq!(titles(&nav.profile), ["Users Management", "Roles Management", "History", "Corporations"]);
        assert_eq!(titles(&nav.main[2].subresources), ["All contacts", "Imports"]);
    }

    #[test]
    fn a_parent_is_shown_only_if_a_subresource_can_be_read() {
        let allowed = ["contacts".to_owned()];
        let parent_only = [Grant { resource_id: "contacts".into(), permissions: Permissions::ALL }];
        let build = |grants| build_navigation(&effective_permissions(UserType::User, grants, &allowed).resources());
        assert!(build(&parent_only).main.is_empty());
        let child_only = [Grant { resource_id: "contacts.imports".into(), permissions: Permissions::ALL }];
        let nav = build(&child_only);
        assert_eq!(titles(&nav.main), ["Contacts"]);
        assert_eq!(titles(&nav.main[0].subresources), ["Imports"]);
    }

    fn tabs(user_type: UserType, allowed: &[&str]) -> Vec<String> {
        let allowed: Vec<_> = allowed.iter().map(|id| (*id).to_owned()).collect();
        let tabs = build_navigation(&effective_permissions(user_type, &[], &allowed).resources()).tabs;
        tabs.into_iter().map(|tab| tab.resource_id).collect()
    }

    #[test]
    fn the_tabs_are_vehicles_and_customers_or_what_follows_in_the_menus() {
        let modules = ["customers", "invoices", "contacts", "vehicles", "agreements"];
        assert_eq!(tabs(UserType::Admin, &modules), ["vehicles", "customers"]);
        assert_eq!(tabs(UserType::Admin, &["contacts", "vehicles"]), ["vehicles", "contacts"]);
        assert_eq!(tabs(UserType::Admin, &["contacts", "invoices"]), ["invoices", "contacts"]);
        assert_eq!(tabs(UserType::Admin, &[]), ["users", "roles"]);
        assert_eq!(tabs(UserType::SuperAdmin, &[]), ["vehicles", "customers"]);
        assert!(tabs(UserType::User, &modules).is_empty());
    }

    #[test]
    fn a_subresource_without_a_screen_shows_no_link() {
        let build = |id: &str| {
            let grants = [Grant { resource_id: id.into(), permissions: Permissions::ALL }];
            build_navigation(&effective_permissions(UserType::User, &grants, &["vehicles".to_owned()]).resources()).main
        };
        assert!(build("vehicles.costs").is_empty());
        let [link] = &build("vehicles.list")[..] else { panic!("one link") };
        assert_eq!((link.title.as_str(), &link.subresources[..]), ("Vehicles", &[][..]));
    }
}
