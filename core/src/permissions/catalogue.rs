//! The resources there are (decisions 1.2): the same on every installation, their ids are stable slugs.

use serde::{Deserialize, Serialize};

/// A resource that calls ask about.
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

/// Where a resource's link stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the top navigation.
    Main,
    /// In the profile menu, for administrators of a corporation.
    Profile,
    /// In the profile menu, for the platform's administrators alone.
    Platform,
}

/// One line of the catalogue.
#[derive(Debug)]
pub struct CatalogueEntry {
    pub resource_id: &'static str,
    pub title: &'static str,
    pub route: &'static str,
    /// A lucide icon's name.
    pub icon: &'static str,
    pub description: &'static str,
    pub place: Place,
    pub subresources: &'static [CatalogueEntry],
}

/// Every resource, in the order of its position.
pub const CATALOGUE: &[CatalogueEntry] = &[
    CatalogueEntry {
        resource_id: "customers",
        title: "Customers",
        route: "/dashboard/customers",
        icon: "users",
        description: "People and companies that buy, sell or broker vehicles",
        place: Place::Main,
        subresources: &[],
    },
    CatalogueEntry {
        resource_id: "invoices",
        title: "Invoices",
        route: "/dashboard/invoices",
        icon: "receipt",
        description: "Invoices with their projects, dates and prices",
        place: Place::Main,
        subresources: &[],
    },
    CatalogueEntry {
        resource_id: "contacts",
        title: "Contacts",
        route: "/dashboard/contacts",
        icon: "contact",
        description: "The address book, its comments and imports",
        place: Place::Main,
        subresources: &[
            CatalogueEntry {
                resource_id: "contacts.list",
                title: "All contacts",
                route: "/dashboard/contacts",
                icon: "list",
                description: "Every contact of the corporation",
                place: Place::Main,
                subresources: &[],
            },
            CatalogueEntry {
                resource_id: "contacts.imports",
                title: "Imports",
                route: "/dashboard/contacts/imports",
                icon: "upload",
                description: "Files that contacts were imported from",
                place: Place::Main,
                subresources: &[],
            },
        ],
    },
    CatalogueEntry {
        resource_id: "users",
        title: "Users Management",
        route: "/dashboard/users",
        icon: "user-cog",
        description: "The people who sign in for this corporation",
        place: Place::Profile,
        subresources: &[],
    },
    CatalogueEntry {
        resource_id: "roles",
        title: "Roles Management",
        route: "/dashboard/roles",
        icon: "shield",
        description: "What each role may see and do",
        place: Place::Profile,
        subresources: &[],
    },
    CatalogueEntry {
        resource_id: "corporations",
        title: "Corporations",
        route: "/dashboard/corporations",
        icon: "building",
        description: "Every corporation on this platform",
        place: Place::Platform,
        subresources: &[],
    },
];

impl CatalogueEntry {
    /// May a corporation be allowed this resource? The platform's own is nobody else's.
    pub fn is_assignable(&self) -> bool {
        self.place != Place::Platform
    }
}

/// Every entry, each with its subresources behind it.
pub fn entries() -> impl Iterator<Item = &'static CatalogueEntry> {
    CATALOGUE.iter().flat_map(|entry| std::iter::once(entry).chain(entry.subresources))
}

/// The resource of an id, if a corporation can be allowed it; never a subresource, which comes with its parent.
pub fn assignable(resource_id: &str) -> Option<&'static CatalogueEntry> {
    CATALOGUE.iter().find(|entry| entry.is_assignable() && entry.resource_id == resource_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_id_stands_in_the_catalogue_once() {
        use ResourceId::*;
        // The list of contacts is what its parent is, so nothing asks about it by its own name.
        let ids: Vec<_> = entries().map(|e| e.resource_id).filter(|id| *id != "contacts.list").collect();
        let named = [Customers, Invoices, Contacts, ContactsImports, Users, Roles, Corporations];
        assert_eq!(ids, named.map(ResourceId::as_str));
    }
}
