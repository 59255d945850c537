//! The catalogue of resources. It is the same on every installation, and the ids never change.

use serde::{Deserialize, Serialize};

/// Calls a macro with the names of all resources and their ids in the API and in the database.
#[macro_export]
macro_rules! resources {
    ($define:ident) => {
        $define! {
            Customers = "customers",
            Invoices = "invoices",
            Contacts = "contacts",
            ContactsList = "contacts.list",
            ContactsImports = "contacts.imports",
            Vehicles = "vehicles",
            VehiclesList = "vehicles.list",
            VehiclesCosts = "vehicles.costs",
            Agreements = "agreements",
            Users = "users",
            Roles = "roles",
            History = "history",
            Corporations = "corporations",
        }
    };
}

macro_rules! resource_ids {
    ($($name:ident = $id:literal,)*) => {
        /// A resource of the catalogue. Routes check the permissions of all but `ContactsList` and `VehiclesList`, which
        /// are only links.
        #[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum ResourceId {
            $($name,)*
        }

        impl ResourceId {
            pub const ALL: [ResourceId; [$($id),*].len()] = [$(ResourceId::$name),*];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(ResourceId::$name => $id,)*
                }
            }
        }
    };
}

resources!(resource_ids);

impl ResourceId {
    /// Returns the resource whose `resource_id` in the API and in the database is this text. The wasm bindings use
    /// other names for subresources.
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|resource| resource.as_str() == id)
    }
}

/// The menu in which a resource's link appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Top navigation.
    Main,
    /// Profile menu. These resources belong to every corporation.
    Profile,
    /// Profile menu, for platform administrators only.
    Platform,
}

#[derive(Debug)]
pub struct CatalogueEntry {
    pub resource: ResourceId,
    pub title: &'static str,
    /// Empty for a resource without a screen, which is in no menu.
    pub route: &'static str,
    /// Name of a Lucide icon.
    pub icon: &'static str,
    pub description: &'static str,
    pub placement: Placement,
    pub subresources: &'static [CatalogueEntry],
}

/// All resources, in the order of the navigation.
pub const CATALOGUE: &[CatalogueEntry] = &[
    entry(Placement::Main, ResourceId::Customers, "Customers", "/dashboard/customers", "users")
        .described("People and companies that buy, sell or broker vehicles"),
    entry(Placement::Main, ResourceId::Invoices, "Invoices", "/dashboard/invoices", "receipt")
        .described("Invoices with their projects, dates and prices"),
    entry(Placement::Main, ResourceId::Contacts, "Contacts", "/dashboard/contacts", "contact")
        .described("The address book, its comments and imports")
        .with(&[
            entry(Placement::Main, ResourceId::ContactsList, "All contacts", "/dashboard/contacts", "list")
                .described("Every contact of the corporation"),
            entry(Placement::Main, ResourceId::ContactsImports, "Imports", "/dashboard/contacts/imports", "upload")
                .described("Files that contacts were imported from"),
        ]),
    entry(Placement::Main, ResourceId::Vehicles, "Vehicles", "/dashboard/vehicles", "car")
        .described("Vehicles in stock, reserved and sold")
        .with(&[
            entry(Placement::Main, ResourceId::VehiclesList, "All vehicles", "/dashboard/vehicles", "list")
                .described("Every vehicle of the corporation"),
            entry(Placement::Main, ResourceId::VehiclesCosts, "Costs and margins", "", "coins")
                .described("Purchase prices, costs and margins of vehicles"),
        ]),
    entry(Placement::Main, ResourceId::Agreements, "Agreements", "/dashboard/agreements", "handshake")
        .described("What is sold, bought and brokered"),
    entry(Placement::Profile, ResourceId::Users, "Users Management", "/dashboard/users", "user-cog")
        .described("User accounts of the corporation"),
    entry(Placement::Profile, ResourceId::Roles, "Roles Management", "/dashboard/roles", "shield")
        .described("Control what each role can access"),
    entry(Placement::Profile, ResourceId::History, "History", "/dashboard/history", "history")
        .described("Who changed what, and when"),
    entry(Placement::Platform, ResourceId::Corporations, "Corporations", "/dashboard/corporations", "building")
        .described("All corporations on this platform"),
];

const fn entry(
    placement: Placement,
    resource: ResourceId,
    title: &'static str,
    route: &'static str,
    icon: &'static str,
) -> CatalogueEntry {
    CatalogueEntry { resource, title, route, icon, description: "", placement, subresources: &[] }
}

impl CatalogueEntry {
    const fn described(self, description: &'static str) -> Self {
        CatalogueEntry { description, ..self }
    }

    const fn with(self, subresources: &'static [CatalogueEntry]) -> Self {
        CatalogueEntry { subresources, ..self }
    }

    /// Returns the resource's id, as `resource_id` has it in the API and in the database.
    pub fn resource_id(&self) -> &'static str {
        self.resource.as_str()
    }

    /// Returns this entry, followed by its subresources.
    pub fn with_subresources(&self) -> impl Iterator<Item = &CatalogueEntry> {
        std::iter::once(self).chain(self.subresources)
    }

    /// Returns whether a corporation can be allowed to use this resource. Platform resources are only for platform
    /// administrators.
    pub fn is_assignable(&self) -> bool {
        self.placement != Placement::Platform
    }

    /// Returns whether a corporation may use this resource. `is_listed`: whether it is one of the corporation's allowed
    /// resources, which only matters for modules. A subresource is allowed with its parent.
    pub fn is_allowed(&self, is_listed: bool) -> bool {
        match self.placement {
            Placement::Main => is_listed,
            Placement::Profile => true,
            Placement::Platform => false,
        }
    }

    /// Returns whether a corporation with these allowed resources may use this resource.
    pub fn is_allowed_by(&self, resource_ids: &[impl AsRef<str>]) -> bool {
        self.is_allowed(resource_ids.iter().any(|id| id.as_ref() == self.resource_id()))
    }
}

/// Returns all entries, each followed by its subresources.
pub fn all_entries() -> impl Iterator<Item = &'static CatalogueEntry> {
    CATALOGUE.iter().flat_map(CatalogueEntry::with_subresources)
}

/// Returns the entries of the resources that a corporation can be allowed to use, without subresources.
pub fn assignable_entries() -> impl Iterator<Item = &'static CatalogueEntry> {
    CATALOGUE.iter().filter(|entry| entry.is_assignable())
}

/// Returns the modules: the resources with a link in the top navigation. Requests on modules and their subresources
/// change records, never permissions.
pub fn modules() -> impl Iterator<Item = &'static CatalogueEntry> {
    CATALOGUE.iter().filter(|entry| entry.placement == Placement::Main)
}

/// Returns the entry of a resource that a corporation can be allowed to use; `None` for any other id, also for that of
/// a subresource, which is allowed with its parent.
pub fn find_assignable(resource_id: &str) -> Option<&'static CatalogueEntry> {
    find_entry(resource_id).filter(|entry| entry.is_assignable())
}

/// Returns the entry of a resource; `None` for any other id, also for that of a subresource.
pub(crate) fn find_entry(resource_id: &str) -> Option<&'static CatalogueEntry> {
    let resource = ResourceId::parse(resource_id)?;
    CATALOGUE.iter().find(|entry| entry.resource == resource)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_resource_id_is_in_the_catalogue_once() {
        let ids: Vec<_> = all_entries().map(CatalogueEntry::resource_id).collect();
        assert_eq!(ids, ResourceId::ALL.map(ResourceId::as_str));
        for (index, resource) in ResourceId::ALL.into_iter().enumerate() {
            assert_eq!((resource as usize, ResourceId::parse(resource.as_str())), (index, Some(resource)));
        }
    }
}
