//! The features of the product. A feature uses another one only through what that one's `mod.rs` exports.

pub mod agreements;
pub mod auth;
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
