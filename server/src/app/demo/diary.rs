//! What users did in the last weeks: history entries, comments and changed prices of a dealer, and sign-ins.

use super::dealer::{Car, Dealer};
use super::people::Text;
use crate::access::scope::Scope;
use crate::features::history::{self, Entry};
use crate::features::vehicles;
use crate::platform::clock::{DAY, HOUR, MINUTE};
use crate::platform::db::{Result, Tx};
use forecourt_core::agreements::AgreementState;
use forecourt_core::history::{Change, ChangedValue, HistoryAction};
use forecourt_core::permissions::ResourceId;
use uuid::Uuid;

/// Entries are added for the records and agreements of so many days.
const DAYS: i64 = 45;
/// Days on which users signed in.
const SIGN_IN_DAYS: i64 = 8;
const DEVICES: [&str; 4] = ["Chrome on Windows", "Edge on Windows", "Safari on iPhone", "Chrome on Android"];

const COMMENTS: [Text; 18] = [
    ["Called, no answer. Will try again after four.", "Ringde, inget svar. Försöker igen efter fyra."],
    [
        "Wants to see the estate on Saturday morning, with her husband.",
        "Vill titta på kombin på lördag förmiddag, med sin man.",
    ],
    [
        "Has a 2016 Golf to part-exchange, 142,000 km, service book complete.",
        "Har en Golf från 2016 att lämna i inbyte, 14 200 mil, fullständig servicebok.",
    ],
    ["Sent the offer by mail. He waits for his bank.", "Skickade offerten per mejl. Han väntar på banken."],
    ["Asked for the tow bar price, told him 690 fitted.", "Undrade vad dragkroken kostar, sa 8 900 monterad."],
    [
        "Test drive went well, only the boot is too small. Shown the bigger one.",
        "Provkörningen gick bra, bara bagaget är för litet. Visade den större.",
    ],
    ["Prefers to be written to, works nights.", "Vill helst ha mejl, jobbar natt."],
    ["Bank has agreed. Signs on Thursday.", "Banken har sagt ja. Skriver på på torsdag."],
    [
        "Looks for an automatic below 15,000, can wait until spring.",
        "Letar efter en automat under 200 000, kan vänta till våren.",
    ],
    ["Would buy if the winter tyres are included. Asked Ada.", "Köper om vinterdäcken ingår. Frågade Ada."],
    ["Winter tyres included, he is happy.", "Vinterdäcken ingår, han är nöjd."],
    ["Left a message.", "Lämnade ett meddelande."],
    [
        "Came by without an appointment, talked about charging at home.",
        "Kom förbi utan att ha bokat, pratade om laddning hemma.",
    ],
    ["Not interested any more, has bought privately.", "Inte intresserad längre, har köpt privat."],
    [
        "Needs seven seats. We have none now, call when one comes in.",
        "Behöver sju säten. Vi har ingen nu, ring när en kommer in.",
    ],
    ["Sent photos of the scratch on the rear door.", "Skickade bilder på repan på bakdörren."],
    ["Insurance asks for the VIN, sent it.", "Försäkringsbolaget frågar efter chassinumret, skickat."],
    ["Thinks about it over the weekend.", "Funderar över helgen."],
];

/// Adds an entry for each of these records that was created in the last weeks: its id, label and time.
pub async fn record_created(
    tx: &mut Tx,
    dealer: &Dealer<'_>,
    resource: ResourceId,
    records: Vec<(Uuid, String, i64)>,
) -> Result<()> {
    for (i, (id, label, at)) in records.into_iter().enumerate() {
        if at > dealer.now - DAYS * DAY {
            let entry = Entry::new(HistoryAction::Created, resource, id, &label, &[])?;
            history::insert(tx, dealer.member(i + i / 5), at, vec![entry]).await?;
        }
    }
    Ok(())
}

/// Adds the entries of an agreement, if it was created, or its vehicle delivered, in the last weeks.
pub async fn record_agreement(
    tx: &mut Tx,
    dealer: &Dealer<'_>,
    seller: &Scope,
    id: Uuid,
    created_at: i64,
    delivered: Option<i64>,
) -> Result<()> {
    let begin = dealer.now - DAYS * DAY;
    if created_at.max(delivered.unwrap_or_default()) < begin {
        return Ok(());
    }
    let sql = tx.sql("SELECT number FROM agreements WHERE corp_id = $1 AND agreement_id = $2");
    let label: String = sql.bind_all((seller.corp(), id)).value().await?;
    let entry = |action, changes: &[Change]| Entry::new(action, ResourceId::Agreements, id, &label, changes);
    if created_at >= begin {
        history::insert(tx, seller, created_at, vec![entry(HistoryAction::Created, &[])?]).await?;
    }
    if let Some(at) = delivered {
        let [before, after] = [AgreementState::Signed, AgreementState::Delivered]
            .map(|state| Some(ChangedValue::Text(state.as_str().to_owned())));
        let state = Change { field: "state".to_owned(), before, after };
        history::insert(tx, seller, at, vec![entry(HistoryAction::Updated, &[state])?]).await?;
    }
    Ok(())
}

/// Adds the changed prices and the comments of the last days.
pub async fn insert(tx: &mut Tx, dealer: &Dealer<'_>, cars: &[Car]) -> Result<()> {
    reduce_prices(tx, dealer, cars).await?;
    insert_comments(tx, dealer).await
}

/// Reduces the prices of some vehicles that have been in stock for long.
async fn reduce_prices(tx: &mut Tx, dealer: &Dealer<'_>, cars: &[Car]) -> Result<()> {
    let waiting = |car: &&Car| car.lot.status == "In stock" && car.sale.is_none() && car.lot.days > 20;
    let cars = cars.iter().filter(waiting).filter(|car| [1, 5, 6, 8].contains(&(car.lot.i % 10)));
    for (n, car) in cars.enumerate().take(12) {
        let scope = dealer.member(n);
        let at = dealer.time(12 - n, n);
        let step = if car.price > 5_000_000 { 500_000 } else { 25_000 };
        vehicles::set_asking_price(tx, scope, car.id, car.price - step, at).await?;
    }
    Ok(())
}

/// Adds comments to most of the newest contacts, by different users.
async fn insert_comments(tx: &mut Tx, dealer: &Dealer<'_>) -> Result<()> {
    let sql = tx.sql("SELECT contact_id, name, created_at FROM contacts WHERE corp_id = $1 ORDER BY doc DESC LIMIT 16");
    let mut newest: Vec<(Uuid, String, i64)> = sql.bind(dealer.member(0).corp()).all().await?;
    newest.reverse();
    for (i, (contact, name, created_at)) in newest.into_iter().enumerate().filter(|(i, _)| i % 4 != 2) {
        let count = 1 + i % 2;
        for n in 0..count {
            let comment = COMMENTS[(i * 3 / 2 + n) % COMMENTS.len()];
            let (scope, text) = (dealer.member(i + n), dealer.country().text(comment));
            let at = created_at + (dealer.now - created_at) * (n as i64 + 1) / (count as i64 + 2);
            let at = in_working_hours(at).min(dealer.now).max(created_at);
            let sql = tx.sql(
                "INSERT INTO comments (corp_id, comment_id, contact_id, user_id, comment, created_at, updated_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $6)",
            );
            sql.bind_all((scope.corp(), Uuid::now_v7(), contact, scope.user(), text.to_owned(), at)).exec().await?;
            let after = Some(ChangedValue::Text(text.to_owned()));
            let change = Change { field: "comments".to_owned(), before: None, after };
            let entry = Entry::new(HistoryAction::Updated, ResourceId::Contacts, contact, &name, &[change])?;
            history::insert(tx, scope, at, vec![entry]).await?;
        }
    }
    Ok(())
}

/// Returns a time between 8 and 17 o'clock on the day of this one. Times of a day keep their order.
fn in_working_hours(at: i64) -> i64 {
    at - at % DAY + 8 * HOUR + at % DAY * 9 / 24
}

/// Adds sign-ins of these users in the last days.
pub async fn insert_sign_ins(tx: &mut Tx, users: &[Scope], now: i64) -> Result<()> {
    let midnight = now - now % DAY;
    for day in (0..SIGN_IN_DAYS).rev() {
        for (i, scope) in users.iter().enumerate().filter(|(i, _)| (i + day as usize) % 3 != 2) {
            let at = midnight - day * DAY + 7 * HOUR + (i as i64 * 17 + day * 5) % 90 * MINUTE;
            if at >= now {
                continue;
            }
            let device = DEVICES[i % DEVICES.len()];
            let entry = Entry::new(HistoryAction::SignedIn, ResourceId::Users, scope.user(), device, &[])?;
            history::insert(tx, scope, at, vec![entry]).await?;
        }
    }
    Ok(())
}
