//! Who may do what: the catalogue of resources, the one function that derives a person's permissions (decisions 1.3),
//! and the navigation that follows from them.

mod catalogue;
mod navigation;
mod rules;
mod types;

pub use catalogue::{CATALOGUE, CatalogueEntry, Place, ResourceId, assignable, entries};
pub(crate) use navigation::in_order;
pub use navigation::{MenuEntry, Navigation, navigation};
pub(crate) use rules::everything;
pub use rules::{closed_to, effective, for_route, may, upgrade_for};
pub use types::*;
