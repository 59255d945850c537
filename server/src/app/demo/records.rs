//! Sample records for the demo: the same at every start except for their dates, made of names, streets and cars common in
//! the dealers' region. No social security or organization number belongs to a real person or company: each has a wrong
//! check digit.

use forecourt_core::contacts::ContactInput;
use forecourt_core::customers::CustomerInput;
use forecourt_core::invoices::{InvoiceInput, Price};
use forecourt_core::money::Money;
use forecourt_core::text::fold;
use jiff::civil::Date;
use jiff::{Span, Timestamp, tz::TimeZone};

const FIRST_NAMES: &[&str] = &[
    "Alva", "Hugo", "Saga", "Liam", "Freja", "Axel", "Elsa", "Oskar", "Maja", "Nils", "Åsa", "Björn", "Greta",
    "Jürgen", "Renée", "Zoë", "Wilma", "Ludvig", "Signe", "Ebbe",
];
#[rustfmt::skip]
const LAST_NAMES: &[&str] = &[
    "Holm", "Berg", "Lind", "Nyström", "Ek", "Dahl", "Sandberg", "Lindqvist", "Öberg", "Åkesson", "Björk", "Forsman",
    "Möller", "Sjögren", "Hellström", "Wikström", "Norén",
];
const STREETS: &[&str] = &["Storgatan", "Hamngatan", "Kungsgatan", "Parkvägen", "Skolgatan", "Industrivägen"];
/// Postal codes and cities.
const CITIES: &[(&str, &str)] = &[
    ("211 20", "Malmö"),
    ("222 22", "Lund"),
    ("271 42", "Ystad"),
    ("252 20", "Helsingborg"),
    ("291 31", "Kristianstad"),
    ("302 42", "Halmstad"),
    ("411 04", "Göteborg"),
    ("582 22", "Linköping"),
    ("702 10", "Örebro"),
    ("903 26", "Umeå"),
];
const CARS: &[(&str, i64)] = &[
    ("Volvo V60", 27_900),
    ("Saab 9-3", 3_400),
    ("Polestar 2", 38_500),
    ("Kia Niro", 24_200),
    ("Volkswagen ID.4", 33_700),
    ("Toyota Corolla", 19_800),
    ("Skoda Octavia", 16_250),
];
const TRADES: &[&str] = &["Bygg", "Åkeri", "Måleri", "El & Larm", "Bageri", "Taxi", "Trädgård"];
const SERVICES: &[&str] = &["Delivery and registration", "Winter tyres and storage", "Full service", "Body and paint"];

/// Returns the item of the list at `i * step`, counted round. With a `step` that shares no factor with the list's
/// length, all items are used, and different steps keep combinations of several lists from repeating soon.
fn pick<T: Copy>(list: &[T], i: usize, step: usize) -> T {
    list[(i * step) % list.len()]
}

struct Person {
    name: String,
    email: String,
    phone: String,
    street: String,
    town: (&'static str, &'static str),
}

fn person(i: usize) -> Person {
    let (first, last) = (pick(FIRST_NAMES, i, 7), pick(LAST_NAMES, i, 5));
    Person {
        name: format!("{first} {last}"),
        email: format!("{}.{}{i}@example.se", fold(first), fold(last)),
        phone: format!("+46 70 {:03} {:02} {:02}", (i * 37) % 1000, (i * 11) % 100, (i * 7) % 100),
        street: format!("{} {}", pick(STREETS, i, 5), 1 + (i * 13) % 90),
        town: CITIES[i % CITIES.len()],
    }
}

pub fn contact(i: usize) -> ContactInput {
    let Person { name, email, phone, street, town: (code, city) } = person(i);
    let mut contact = ContactInput { address: format!("{street}, {code} {city}"), ..ContactInput::default() };
    if i % 9 != 4 {
        contact.email = email;
    }
    if i % 7 != 3 {
        contact.phone = phone;
    }
    if i.is_multiple_of(5) {
        contact.website = format!("www.{}.example", fold(pick(LAST_NAMES, i, 5)));
    }
    if i.is_multiple_of(3) {
        contact.other_details.insert("Interested in".into(), pick(CARS, i, 1).0.into());
    }
    contact.name = name;
    contact
}

/// Returns the form of sample customer number `i`, as if it was entered on the day `today`.
pub fn customer(i: usize, today: Date) -> CustomerInput {
    let Person { name, email, phone, street, town: (code, city) } = person(i + 3);
    let kind =
        ["Private", "Private", "Company", "Private", "Business", "Client", "Private", "Agency", "Company"][i % 9];
    let is_company = ["Company", "Business"].contains(&kind);
    let agreement = ["Sales", "Purchase", "", "Sales", "Agency", "Purchase", "Sales"][i % 7];
    let orders = if agreement.is_empty() { 0 } else { 1 + i % 4 };
    let company = format!("{} {} AB", pick(LAST_NAMES, i + 3, 5), pick(TRADES, i, 3));
    let purchase = today.saturating_sub(Span::new().days((i % 300) as i64));
    CustomerInput {
        name: if is_company { company.clone() } else { name },
        email,
        telephone: phone,
        address: street,
        postal_code: code.into(),
        location: city.into(),
        customer_type: kind.into(),
        social_security_number: (!is_company).then(|| social_security_number(i).into()),
        organization_number: if is_company { organization_number(i) } else { String::new() },
        status: if i % 11 == 7 { "Inactive" } else { "Active" }.into(),
        agreement_type: Some(agreement.into()),
        latest_purchase: (orders > 0).then(|| purchase.to_string()),
        company_name: is_company.then_some(company),
        number_of_orders: u32::try_from(orders).ok(),
        total_spent: Money::from_pence(pick(CARS, i, 3).1 * 100 * orders as i64),
        warranty: (orders > 1).then(|| "Drivetrain".into()),
        warranty_period: (orders > 1).then(|| format!("{} months", 12 * orders)),
        ..CustomerInput::default()
    }
}

/// Returns the form of sample invoice number `i`, as if it was entered on the day `today`.
pub fn invoice(i: usize, today: Date) -> InvoiceInput {
    let Person { name, email, .. } = person(i * 3 + 1);
    let (car, price) = pick(CARS, i, 2);
    let pence = price * 100 + (i as i64 * 7_919) % 250_000;
    InvoiceInput {
        customer: name,
        website: format!("{}.example", fold(pick(LAST_NAMES, i * 3 + 1, 5))),
        email,
        customer_requirements: Some(format!("{car}. {}.", pick(SERVICES, i, 3))),
        start_date: today.to_string(),
        end_date: today.saturating_add(Span::new().days(3 + (i % 40) as i64)).to_string(),
        project_price: Price::Number(pence as f64 / 100.0),
        ..InvoiceInput::default()
    }
}

pub fn comment(i: usize) -> &'static str {
    const COMMENTS: &[&str] = &[
        "Called back; would like a test drive on Saturday.",
        "Sent the offer for the estate, waits for the bank.",
        "Wants winter tyres included.",
        "Prefers to be written to.",
    ];
    COMMENTS[i % COMMENTS.len()]
}

/// Returns the date in UTC of a time in microseconds since the Unix epoch.
pub fn utc_date(micros: i64) -> Date {
    Timestamp::from_microsecond(micros).unwrap_or_default().to_zoned(TimeZone::UTC).date()
}

/// Returns a social security number in the Swedish format with a wrong check digit.
fn social_security_number(i: usize) -> String {
    let digits = format!("{:02}{:02}{:02}{:03}", 40 + i % 60, 1 + i % 12, 1 + i % 28, (i * 3) % 1000);
    format!("{}-{}{}", &digits[..6], &digits[6..], wrong_check_digit(&digits))
}

fn organization_number(i: usize) -> String {
    let digits = format!("5560{:05}", (i * 7) % 100_000);
    format!("{}-{}{}", &digits[..6], &digits[6..], wrong_check_digit(&digits))
}

/// Returns a digit that is not the Luhn check digit of these nine digits: the right one plus one, modulo ten.
fn wrong_check_digit(digits: &str) -> u32 {
    let doubled = |(i, digit): (usize, char)| match digit.to_digit(10).unwrap_or_default() * (2 - i as u32 % 2) {
        two @ 10.. => two - 9,
        one => one,
    };
    let sum: u32 = digits.chars().enumerate().map(doubled).sum();
    (10 - sum % 10 + 1) % 10
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::form::check;
    use forecourt_core::organizations::check_digit_hint;
    use forecourt_core::organizations::text::CHECK_DIGIT;

    #[test]
    fn all_demo_records_are_valid() {
        for i in 0..3_000 {
            let today = utc_date(1_763_000_000_000_000);
            assert!(check(contact(i)).is_ok() && check(customer(i, today)).is_ok() && check(invoice(i, today)).is_ok());
        }
    }

    #[test]
    fn demo_numbers_have_a_wrong_check_digit() {
        // The right check digits are 4 and 0: of the tax agency's example, 811228-9874, and of a company, 556016-0680.
        assert_eq!((wrong_check_digit("811228987"), wrong_check_digit("556016068")), (5, 1));
        for i in 0..100 {
            let numbers = [social_security_number(i), organization_number(i)];
            assert!(numbers.iter().all(|number| number.len() == 11), "{numbers:?}");
            assert_eq!(check_digit_hint(&numbers[1]), Some(CHECK_DIGIT), "{numbers:?}");
        }
    }
}
