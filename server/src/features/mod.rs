//! The features of the product. A feature uses another one only through what that one's `mod.rs` exports.

pub mod agreements;
pub mod auth;
pub mod binding;
pub mod config;
pub mod contacts;
pub mod corporations;
pub mod customers;
pub mod dashboard;
pub mod events;
pub mod history;
pub mod images;
pub mod import;
pub mod invoices;
pub mod legacy;
pub mod listing;
pub mod organizations;
pub mod privacy;
pub mod profile;
pub(crate) mod records;
pub mod revert;
pub mod roles;
pub mod settings;
pub mod state;
pub mod theme;
pub mod trash;
pub mod users;
pub mod vehicles;
pub mod views;

pub use state::Route;

/// The routes of all features.
pub const ROUTES: &[&[Route]] = &[
    auth::ROUTES,
    profile::ROUTES,
    theme::ROUTES,
    settings::ROUTES,
    trash::ROUTES,
    images::ROUTES,
    roles::ROUTES,
    users::ROUTES,
    contacts::ROUTES,
    import::ROUTES,
    customers::ROUTES,
    invoices::ROUTES,
    vehicles::ROUTES,
    agreements::ROUTES,
    dashboard::ROUTES,
    views::ROUTES,
    history::ROUTES,
    events::ROUTES,
    revert::ROUTES,
    privacy::ROUTES,
    corporations::ROUTES,
    organizations::ROUTES,
    legacy::ROUTES,
];

/// Returns the value of an expression in which `$Record` is the [`records::Editable`] type of a resource, or
/// `None` if the resource has no records with a history and a trash.
macro_rules! with_record {
    ($resource:expr, $Record:ident => $value:expr) => {
        with_record!(@of $resource, $Record => $value;
            Contacts forecourt_core::contacts::ContactSummary,
            Customers crate::features::customers::StoredCustomer,
            Invoices forecourt_core::invoices::Invoice,
            Vehicles forecourt_core::vehicles::Vehicle,
            Agreements forecourt_core::agreements::Agreement,
        )
    };
    (@of $resource:expr, $Record:ident => $value:expr; $($Resource:ident $Type:ty,)*) => {
        match $resource {
            $(forecourt_core::permissions::ResourceId::$Resource => {
                type $Record = $Type;
                Some($value)
            })*
            _ => None,
        }
    };
}
pub(crate) use with_record;

#[cfg(test)]
mod tests {
    use super::records::ResourceOf;
    use crate::access::scope::ResourceType;
    use forecourt_core::history::resources;

    #[test]
    fn every_resource_with_a_history_has_a_record_type() {
        for resource in resources() {
            assert_eq!(with_record!(resource, Record => ResourceOf::<Record>::RESOURCE), Some(resource));
        }
    }
}
