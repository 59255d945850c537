//! Permissions: the catalogue of resources, the function that computes what a user may do with each, and the navigation
//! that is derived from that.

mod access;
mod catalogue;
mod navigation;
mod rules;
mod types;

pub(crate) use access::find_permissions;
pub use access::{Access, ByResource, compute_access, effective_permissions, may};
pub(crate) use catalogue::find_entry;
pub use catalogue::{
    CATALOGUE, CatalogueEntry, Placement, ResourceId, all_entries, assignable_entries, find_assignable, modules,
};
pub(crate) use navigation::sort_by_position;
pub use navigation::{MenuEntry, Navigation, build_navigation};
pub use rules::{module_to_upgrade, module_without_access, permissions_for_route};
pub use types::*;
