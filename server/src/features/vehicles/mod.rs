//! The vehicles of a corporation.

pub mod config;
mod photo_store;
mod photos;
mod routes;
mod stock;
mod store;

pub use routes::ROUTES;
pub use stock::stock_figures;

pub(crate) use photo_store::insert_all as insert_photos;
pub(crate) use store::set_asking_price;
