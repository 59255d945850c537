//! Every call, as each kind of user, over real HTTP. The same tests run on SQLite, and on PostgreSQL when
//! `FORECOURT_TEST_POSTGRES_URL` names a cluster (`make test` starts one).

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod admin;
mod app;
mod auth;
mod bans;
mod contacts;
mod corporations;
mod hostile;
mod import_jobs;
mod images;
mod imports;
mod kill;
mod mail;
mod logs;
mod mail_server;
mod pictures;
mod server;
mod sessions;
mod smtp;
mod start;
