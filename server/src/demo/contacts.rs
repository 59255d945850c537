//! Contacts for the demo: the same ones at every start, out of names and streets that are common where its dealers are.

use crate::clock::HOUR;
use crate::contacts;
use crate::db::{Db, Tx};
use crate::scope;
use forecourt_core::contacts::ContactInput;
use forecourt_core::form::check;
use forecourt_core::text::fold;
use uuid::Uuid;

const FIRST: &[&str] = &[
    "Alva", "Hugo", "Saga", "Liam", "Freja", "Axel", "Elsa", "Oskar", "Maja", "Nils", "Åsa", "Björn", "Greta",
    "Jürgen", "Renée", "Zoë", "Wilma", "Ludvig", "Signe", "Ebbe",
];
const LAST: &[&str] = &[
    "Holm",
    "Berg",
    "Lind",
    "Nyström",
    "Ek",
    "Dahl",
    "Sandberg",
    "Lindqvist",
    "Öberg",
    "Åkesson",
    "Björk",
    "Forsman",
    "Möller",
    "Sjögren",
    "Hellström",
    "Wikström",
    "Norén",
];
const STREETS: &[&str] = &["Storgatan", "Hamngatan", "Kungsgatan", "Parkvägen", "Skolgatan", "Industrivägen"];
const TOWNS: &[&str] = &["211 20 Malmö", "222 22 Lund", "271 42 Ystad", "252 20 Helsingborg", "291 31 Kristianstad"];
const CARS: &[&str] = &["Volvo V60", "Saab 9-3", "Polestar 2", "Kia Niro", "Volkswagen ID.4", "Toyota Corolla"];

/// Writes `count` contacts, each an hour older than the next.
pub async fn insert(
    db: &Db,
    tx: &mut Tx,
    corp: Uuid,
    author: Uuid,
    count: usize,
    now: i64,
) -> Result<(), Box<dyn std::error::Error>> {
    let scope = scope::scope_of_job(db, corp, author);
    for i in 0..count {
        let contact = check(contact(i)).map_err(|e| format!("{e:?}"))?;
        let age = i64::try_from(count - i)? * HOUR;
        contacts::insert(tx, &scope, &contact, now - age).await?;
    }
    Ok(())
}

/// The `i`th contact; steps that share no factor with the lists' lengths keep names and places from repeating together.
fn contact(i: usize) -> ContactInput {
    let pick = |list: &[&'static str], step: usize| list[(i * step) % list.len()];
    let (first, last) = (pick(FIRST, 7), pick(LAST, 5));
    let mailbox = format!("{}.{}", fold(first), fold(last));
    let mut contact = ContactInput {
        name: format!("{first} {last}"),
        address: format!("{} {}, {}", pick(STREETS, 5), 1 + (i * 13) % 90, pick(TOWNS, 3)),
        ..ContactInput::default()
    };
    if i % 9 != 4 {
        contact.email = format!("{mailbox}{i}@example.se");
    }
    if i % 7 != 3 {
        contact.phone = format!("+46 70 {:03} {:02} {:02}", (i * 37) % 1000, (i * 11) % 100, (i * 7) % 100);
    }
    if i.is_multiple_of(5) {
        contact.website = format!("www.{}.example", fold(last));
    }
    if i.is_multiple_of(3) {
        contact.other_details.insert("Interested in".into(), pick(CARS, 1).into());
    }
    contact
}
