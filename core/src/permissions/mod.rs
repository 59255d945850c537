//! Permissions: the catalogue of resources, the function that computes a user's permissions, and the navigation that is
//! derived from them.

mod catalogue;
mod navigation;
mod rules;
mod types;

pub use catalogue::{CATALOGUE, CatalogueEntry, Placement, ResourceId, all_entries, find_assignable};
pub(crate) use navigation::sort_by_position;
pub use navigation::{MenuEntry, Navigation, build_navigation};
pub use rules::{effective_permissions, may, module_to_upgrade, module_without_access, permissions_for_route};
pub(crate) use rules::{find_permissions, with_subresources};
pub use types::*;
