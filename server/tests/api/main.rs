//! Every call, as each kind of user, over real HTTP. The same tests run on SQLite, and on PostgreSQL when
//! `FORECOURT_TEST_POSTGRES_URL` names a cluster (`make test` starts one).

#![expect(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod account;
mod admin;
mod app;
mod auth;
mod bans;
mod boundary;
mod browser;
mod canary;
mod codes;
mod contacts;
mod corporations;
mod deletion;
mod directory;
mod drawings;
mod families;
mod handoffs;
mod hostile;
mod images;
mod import_jobs;
mod imports;
mod kill;
mod logs;
mod mail;
mod mail_server;
mod mail_test;
mod menu;
mod oidc;
mod oidc_journeys;
mod oidc_links;
mod oidc_tokens;
mod organizations;
mod pictures;
mod policy;
mod profile;
mod promises;
mod provider;
mod races;
mod resets;
mod revocation;
mod roles;
mod sameness;
mod search;
mod server;
mod sessions;
mod signup;
mod smtp;
mod start;
mod steps;
mod svg_corpus;
mod talkative;
mod theme;
mod throttles;
mod ways_in;
