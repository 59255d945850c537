//! Sample vehicles for the demo, of the makes that are common in the dealers' region.

use forecourt_core::invoices::Price;
use forecourt_core::settings::Settings;
use forecourt_core::vehicles::{CostInput, VehicleInput, Whole};
use jiff::ToSpan;
use jiff::civil::Date;

/// The number of vehicles of each corporation of the demo.
pub const VEHICLES: usize = 60;

/// Make, model, variant, body, fuel, transmission, the first letters of the VIN, and the price of a new one in pounds.
type Model = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str, &'static str, usize);

#[rustfmt::skip]
const MODELS: [Model; 12] = [
    ("Volvo", "V60", "B4 Core", "Estate", "Diesel", "Automatic", "YV1ZW25", 34_900),
    ("Volvo", "XC40", "Recharge", "SUV", "Electric", "Automatic", "YV1XZEC", 41_500),
    ("Volkswagen", "Golf", "1.5 TSI Life", "Hatchback", "Petrol", "Manual", "WVWZZZC", 24_900),
    ("Volkswagen", "ID.4", "Pro", "SUV", "Electric", "Automatic", "WVGZZZE", 38_200),
    ("Toyota", "Corolla", "Touring Sports", "Estate", "Hybrid", "Automatic", "SB1ZB3A", 27_400),
    ("Kia", "Niro", "PHEV Advance", "SUV", "Plug-in hybrid", "Automatic", "KNACC81", 31_600),
    ("Skoda", "Octavia", "2.0 TDI Style", "Estate", "Diesel", "Automatic", "TMBJJ7N", 29_300),
    ("Polestar", "2", "Long range", "Hatchback", "Electric", "Automatic", "YSMVSED", 45_800),
    ("BMW", "320i", "Touring", "Estate", "Petrol", "Automatic", "WBA5R11", 39_700),
    ("Ford", "Transit Custom", "L2 H1", "Van", "Diesel", "Manual", "WF0YXXT", 30_200),
    ("Renault", "Clio", "TCe 90", "Hatchback", "Petrol", "Manual", "VF1RJA0", 17_900),
    ("Mercedes-Benz", "C 220 d", "Estate", "Estate", "Diesel", "Automatic", "W1KCG1A", 43_100),
];
const COLOURS: [&str; 7] = ["Black", "White", "Silver", "Blue", "Grey", "Red", "Green"];
const STATUSES: [&str; 10] = [
    "In stock",
    "In stock",
    "Reserved",
    "In stock",
    "Expected",
    "In stock",
    "In stock",
    "Reserved",
    "In stock",
    "Withdrawn",
];
const PLACES: [&str; 4] = ["Forecourt 1", "Forecourt 2", "Showroom", "Workshop"];
/// The letters of Swedish registration numbers.
const LETTERS: &[u8] = b"ABCDEFGHJKLMNPRSTUWXYZ";
/// The letters that stand for the model years from 2010 on in a VIN.
const YEARS: &[u8] = b"ABCDEFGHJKLMNPRSTVWXY";

/// Sample costs of a vehicle: kind, note, and the amount without VAT in pounds.
const COSTS: [(&str, &str, usize); 6] = [
    ("Valeting", "", 110),
    ("Service", "Oil, filters, brake fluid", 260),
    ("Tyres", "Four summer tyres", 365),
    ("Paint", "Stone chips, bonnet", 245),
    ("Inspection", "", 55),
    ("Transport", "Auction in Borås", 180),
];

/// Returns the form of sample vehicle number `i`, for a corporation with these settings, as if it was entered on
/// `today`.
pub fn vehicle(i: usize, today: Date, settings: &Settings) -> VehicleInput {
    let (make, model, variant, body, fuel, transmission, wmi, price) = MODELS[(i * 5) % MODELS.len()];
    let age = 1 + (i * 7) % 9;
    let year = today.year().unsigned_abs() as usize - age;
    let letter = |place: usize| char::from(LETTERS[(i * place + place * 3) % LETTERS.len()]);
    let code = YEARS.get(year.saturating_sub(2010)).copied().unwrap_or(b'A');
    // A car loses about an eighth of its price each year. The price is rounded down to a multiple of 50.
    let price = (0..age).fold(price, |price, _| price - price / 8) / 50 * 50;
    let local = |pounds: usize| match settings.currency.as_str() {
        "SEK" => pounds * 13,
        "EUR" => pounds * 12 / 10,
        _ => pounds,
    };
    let (price, status) = (local(price), STATUSES[i % STATUSES.len()]);
    let days_ago = |days: usize| today.checked_sub((days as i64).days()).map(|day| day.to_string()).unwrap_or_default();
    let costs = (0..i % 5).map(|n| {
        let (kind, note, net) = COSTS[(i + n) % COSTS.len()];
        let (net, rate) = (local(net), settings.vat_rate.unsigned_abs() as usize);
        CostInput {
            date: days_ago((i * 7) % 110 + n),
            kind: kind.into(),
            net: Price::Number(net as f64),
            vat: Price::Text(format!("{}.{:02}", net * rate / 10_000, net * rate / 100 % 100)),
            note: note.into(),
        }
    });
    VehicleInput {
        registration_number: format!("{}{}{}{:02}{}", letter(7), letter(11), letter(13), (i * 37) % 100, letter(5)),
        registration_country: "SE".into(),
        vin: vin(wmi, char::from(code), i),
        make: make.into(),
        model: model.into(),
        variant: variant.into(),
        model_year: Whole(year.to_string()),
        first_registered: format!("{year}-{:02}-{:02}", 1 + (i * 5) % 12, 1 + (i * 11) % 28),
        body: body.into(),
        fuel: fuel.into(),
        transmission: transmission.into(),
        colour: COLOURS[(i * 3) % COLOURS.len()].into(),
        mileage: Whole((age * 14_300 + (i * 613) % 9_000).to_string()),
        mileage_unit: "km".into(),
        status: status.into(),
        ownership: if i % 13 == 5 { "Consigned" } else { "Own" }.into(),
        vat_scheme: if i % 6 == 1 { "Standard" } else { "Margin" }.into(),
        asking_price: Price::Number(price as f64),
        purchase_price: Some(Price::Number((price * (79 + i % 9) / 100) as f64)),
        minimum_price: Some(Price::Number((price * 96 / 100) as f64)),
        costs: Some(costs.collect()),
        in_stock_on: (status != "Expected").then(|| days_ago((i * 7) % 110)),
        location: PLACES[(i * 3) % PLACES.len()].into(),
        notes: if i.is_multiple_of(4) { "Two keys, full service book." } else { "" }.into(),
        ..VehicleInput::default()
    }
}

/// Returns a VIN without a check digit, which the regions of these makes do not require.
fn vin(wmi: &str, year: char, i: usize) -> String {
    format!("{wmi}00{year}{:07}", 1_000_000 + i * 7_919)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::form::check;
    use std::collections::HashSet;

    #[test]
    fn all_vehicles_are_valid_and_have_their_own_numbers() {
        let today = jiff::civil::date(2027, 1, 15);
        let mut numbers = HashSet::new();
        for i in 0..VEHICLES {
            let vehicle =
                check(vehicle(i, today, &Settings::default())).unwrap_or_else(|errors| panic!("{i}: {errors:?}"));
            assert!(numbers.insert(vehicle.vin.clone()) && numbers.insert(vehicle.registration_number.clone()), "{i}");
        }
    }
}
