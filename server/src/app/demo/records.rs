//! Sample contacts, customers and invoices: the same at every start except for their dates.

use super::numbers::{organization_number, social_security_number};
use super::people::{Country, Person, Text};
use super::stock;
use forecourt_core::contacts::ContactInput;
use forecourt_core::customers::CustomerInput;
use forecourt_core::invoices::{InvoiceInput, Price};
use forecourt_core::money::Money;
use jiff::civil::Date;
use jiff::{Span, Timestamp, tz::TimeZone};

/// The place in the lists of people of the first customer: contacts begin at 0.
const FIRST_CUSTOMER: usize = 500;
const INTERESTS: [Text; 6] = [
    ["Estate, automatic", "Kombi, automat"],
    ["Electric car", "Elbil"],
    ["Small car for the town", "Liten stadsbil"],
    ["Van for work", "Skåpbil till jobbet"],
    ["Part-exchange", "Inbyte"],
    ["Tow bar", "Dragkrok"],
];
const SOURCES: [Text; 4] =
    [["Website", "Webbplatsen"], ["Walk-in", "Kom förbi"], ["Telephone", "Telefon"], ["Recommended", "Rekommenderad"]];

/// A kind of work in the workshop: the lowest price, and how many steps of 50 the highest one is above it.
type Work = (Text, usize, usize);

const WORK: [Work; 6] = [
    (["Full service, brake fluid changed.", "Stor service, bromsvätskan bytt."], 250, 13),
    (["Four winter tyres, fitted and balanced.", "Fyra vinterdäck, monterade och balanserade."], 400, 16),
    (["Service and yearly inspection.", "Service och årlig besiktning."], 250, 13),
    (["Body and paint, front wing and bumper.", "Plåt och lack, framskärm och stötfångare."], 600, 36),
    (["Brake discs and pads, front.", "Bromsskivor och bromsbelägg fram."], 250, 13),
    (["Four summer tyres. Winter tyres in storage.", "Fyra sommardäck. Vinterdäcken på däckhotell."], 400, 16),
];

pub fn contact(country: Country, i: usize) -> ContactInput {
    let is_company = i % 8 == 5;
    let Person { name, email, phone, street, postal_code, town, company, website } = country.person(i, is_company);
    let mut contact = ContactInput { address: format!("{street}, {postal_code} {town}"), ..ContactInput::default() };
    if i % 9 != 4 {
        contact.email = email;
    }
    if i % 7 != 3 {
        contact.phone = phone;
    }
    if let Some(company) = company {
        contact.website = format!("www.{website}");
        contact.other_details.insert(country.text(["Company", "Företag"]).into(), company);
    }
    if i % 3 != 1 {
        let interest = country.text(INTERESTS[(i / 3) % 6]);
        contact.other_details.insert(country.text(["Interested in", "Intresserad av"]).into(), interest.into());
    }
    if i.is_multiple_of(2) {
        let source = country.text(SOURCES[(i / 2) % 4]);
        contact.other_details.insert(country.text(["Source", "Källa"]).into(), source.into());
    }
    contact.name = name;
    contact
}

/// Returns the form of sample customer number `i`. What the customer has bought follows from agreements.
pub fn customer(country: Country, i: usize) -> CustomerInput {
    let kind =
        ["Private", "Private", "Company", "Private", "Private", "Client", "Private", "Agency", "Business"][i % 9];
    let is_company = ["Company", "Business"].contains(&kind);
    let person = country.person(i + FIRST_CUSTOMER, is_company);
    let Person { name, email, phone, street, postal_code, town, company, .. } = person;
    CustomerInput {
        name: company.clone().unwrap_or(name),
        email,
        telephone: phone,
        address: street,
        postal_code: postal_code.into(),
        location: town.into(),
        customer_type: kind.into(),
        social_security_number: (!is_company).then(|| social_security_number(country, i).into()),
        organization_number: if is_company { organization_number(country, i) } else { String::new() },
        status: if i % 11 == 7 { "Inactive" } else { "Active" }.into(),
        company_name: company,
        ..CustomerInput::default()
    }
}

/// Returns the form of sample customer number `i` of a corporation without agreements, which enters by hand what the
/// customer has bought, most recently on the day `today`.
pub fn customer_with_purchases(country: Country, i: usize, today: Date) -> CustomerInput {
    let orders = 1 + i % 3;
    let spent = orders * stock::round_price(9_500 + i * 50 % 16_000, country);
    CustomerInput {
        agreement_type: Some(["Sales", "Sales", "Purchase"][i % 3].into()),
        latest_purchase: Some(today.to_string()),
        number_of_orders: u32::try_from(orders).ok(),
        total_spent: Money::from_pence(spent as i64 * 100),
        warranty: (orders > 1).then(|| "Drivetrain".into()),
        warranty_period: (orders > 1).then(|| format!("{} months", 12 * orders)),
        ..customer(country, i)
    }
}

/// Returns the form of sample invoice number `i`, for work on a customer's car, as if it was entered on the day `today`.
pub fn invoice(country: Country, i: usize, today: Date) -> InvoiceInput {
    let (text, lowest, steps) = WORK[i % 6];
    let (model, plate) = (stock::model_name(i * 7), stock::plate(country, i + 5_000, 2019));
    let text = format!("{model}, {plate}. {}", country.text(text));
    let Person { name, email, website, .. } = country.person(i * 3 + FIRST_CUSTOMER, false);
    let form = priced(text, (lowest + (i * 7) % (steps + 1) * 50) as f64, i, today);
    InvoiceInput { customer: name, website, email, ..form }
}

/// Returns an invoice with this text and this price in pounds, but without a customer.
pub fn priced(text: String, pounds: f64, i: usize, today: Date) -> InvoiceInput {
    InvoiceInput {
        customer_requirements: Some(text),
        start_date: today.to_string(),
        end_date: today.saturating_add(Span::new().days([10, 14, 30][i % 3])).to_string(),
        project_price: Price::Number(pounds),
        ..InvoiceInput::default()
    }
}

/// Returns the date in UTC of a time in microseconds since the Unix epoch.
pub fn utc_date(micros: i64) -> Date {
    Timestamp::from_microsecond(micros).unwrap_or_default().to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::form::check;

    #[test]
    fn all_demo_records_are_valid() {
        let today = utc_date(1_763_000_000_000_000);
        for country in [Country::Sweden, Country::Britain, Country::Germany] {
            for i in 0..1_500 {
                assert!(check(contact(country, i)).is_ok(), "{country:?} {i}");
                assert!(check(customer(country, i)).is_ok(), "{country:?} {i}");
                assert!(check(customer_with_purchases(country, i, today)).is_ok(), "{country:?} {i}");
                assert!(check(invoice(country, i, today)).is_ok(), "{country:?} {i}");
            }
        }
    }

    #[test]
    fn figures_of_customers_are_typed_only_without_agreements_and_in_their_currency() {
        let CustomerInput { agreement_type, number_of_orders, total_spent, .. } = customer(Country::Sweden, 4);
        assert_eq!((agreement_type, number_of_orders, total_spent), (None, None, None));
        let spent = |country| {
            let form = customer_with_purchases(country, 4, utc_date(1_763_000_000_000_000));
            form.total_spent.unwrap().pounds()
        };
        assert!(spent(Country::Sweden) > 12.0 * spent(Country::Britain));
    }

    #[test]
    fn work_has_round_prices_that_fit_it() {
        let today = utc_date(1_763_000_000_000_000);
        for i in 0..500 {
            let form = invoice(Country::Britain, i, today);
            let Price::Number(price) = form.project_price else { panic!("{i}") };
            let (text, range) = (form.customer_requirements.unwrap_or_default(), price as u32);
            assert_eq!((price % 50.0, range), (0.0, range.clamp(250, 2_400)), "{text}");
            assert!(!text.contains("tyres") || (400..=1_200).contains(&range), "{text} {range}");
            assert!(!text.contains("Body") || range >= 600, "{text} {range}");
            assert!(!text.contains("ervice") || range <= 900, "{text} {range}");
        }
    }
}
