//! Every call, as each kind of user, over real HTTP. The same tests run on SQLite, and on PostgreSQL when
//! `FORECOURT_TEST_POSTGRES_URL` names a cluster (`make test` starts one).

mod admin;
mod app;
mod auth;
mod mail;
mod sessions;
mod start;
