//! The catalogue of resources. It is the same on every installation, and the ids never change.

use serde::{Deserialize, Serialize};

/// A resource that routes check permissions for.
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ResourceId {
    Customers,
    Invoices,
    Contacts,
    ContactsImports,
    Users,
    Roles,
    Corporations,
}

impl ResourceId {
    pub fn as_str(self) -> &'static str {
        match self {
            ResourceId::Customers => "customers",
            ResourceId::Invoices => "invoices",
            ResourceId::Contacts => "contacts",
            ResourceId::ContactsImports => "contacts.imports",
            ResourceId::Users => "users",
            ResourceId::Roles => "roles",
            ResourceId::Corporations => "corporations",
        }
    }
}

/// The menu in which a resource's link appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Top navigation.
    Main,
    /// Profile menu, for administrators of a corporation.
    Profile,
    /// Profile menu, for platform administrators only.
    Platform,
}

#[derive(Debug)]
pub struct CatalogueEntry {
    pub resource_id: &'static str,
    pub title: &'static str,
    pub route: &'static str,
    /// Name of a Lucide icon.
    pub icon: &'static str,
    pub description: &'static str,
    pub placement: Placement,
    pub subresources: &'static [CatalogueEntry],
}

/// All resources, in the order of the navigation.
pub const CATALOGUE: &[CatalogueEntry] = &[
    CatalogueEntry {
        resource_id: "customers",
        title: "Customers",
        route: "/dashboard/customers",
        icon: "users",
        description: "People and companies that buy, sell or broker vehicles",
        placement: Placement::Main,
        subresources: &[],
    },
    CatalogueEntry {
        resource_id: "invoices",
        title: "Invoices",
        route: "/dashboard/invoices",
        icon: "receipt",
        description: "Invoices with their projects, dates and prices",
        placement: Placement::Main,
        subresources: &[],
    },
    CatalogueEntry {
        resource_id: "contacts",
        title: "Contacts",
        route: "/dashboard/contacts",
        icon: "contact",
        description: "The address book, its comments and imports",
        placement: Placement::Main,
        subresources: &[
            CatalogueEntry {
                resource_id: "contacts.list",
                title: "All contacts",
                route: "/dashboard/contacts",
                icon: "list",
                description: "Every contact of the corporation",
                placement: Placement::Main,
                subresources: &[],
            },
            CatalogueEntry {
                resource_id: "contacts.imports",
                title: "Imports",
                route: "/dashboard/contacts/imports",
                icon: "upload",
                description: "Files that contacts were imported from",
                placement: Placement::Main,
                subresources: &[],
            },
        ],
    },
    CatalogueEntry {
        resource_id: "users",
        title: "Users Management",
        route: "/dashboard/users",
        icon: "user-cog",
        description: "User accounts of the corporation",
        placement: Placement::Profile,
        subresources: &[],
    },
    CatalogueEntry {
        resource_id: "roles",
        title: "Roles Management",
        route: "/dashboard/roles",
        icon: "shield",
        description: "Control what each role can access",
        placement: Placement::Profile,
        subresources: &[],
    },
    CatalogueEntry {
        resource_id: "corporations",
        title: "Corporations",
        route: "/dashboard/corporations",
        icon: "building",
        description: "All corporations on this platform",
        placement: Placement::Platform,
        subresources: &[],
    },
];

impl CatalogueEntry {
    /// Returns whether a corporation can be allowed this resource. Platform resources are for platform administrators only.
    pub fn is_assignable(&self) -> bool {
        self.placement != Placement::Platform
    }
}

/// Returns all entries, each followed by its subresources.
pub fn all_entries() -> impl Iterator<Item = &'static CatalogueEntry> {
    CATALOGUE.iter().flat_map(|entry| std::iter::once(entry).chain(entry.subresources))
}

/// Finds a resource that a corporation can be allowed. Subresources are not found: they are allowed with their parent.
pub fn find_assignable(resource_id: &str) -> Option<&'static CatalogueEntry> {
    CATALOGUE.iter().find(|entry| entry.is_assignable() && entry.resource_id == resource_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_id_is_in_the_catalogue_once() {
        use ResourceId::*;
        // `contacts.list` has the same permissions as `contacts`, so no route checks it.
        let ids: Vec<_> = all_entries().map(|e| e.resource_id).filter(|id| *id != "contacts.list").collect();
        let named = [Customers, Invoices, Contacts, ContactsImports, Users, Roles, Corporations];
        assert_eq!(ids, named.map(ResourceId::as_str));
    }
}
