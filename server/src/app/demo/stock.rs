//! Sample vehicles for the demo, of the makes that are common in the dealers' region.

use super::people::{Country, Text};
use forecourt_core::invoices::Price;
use forecourt_core::settings::Settings;
use forecourt_core::vehicles::{CostInput, VatScheme, VehicleInput, Whole};
use jiff::ToSpan;
use jiff::civil::Date;

/// The number of unsold vehicles of each dealer of the demo.
pub const VEHICLES: usize = 60;

/// Make, model, variant, body, fuel, transmission, the first seven characters of the VIN, and the price of a new one in pounds.
type Model = (&'static str, &'static str, &'static str, Text, &'static str, &'static str, &'static str, usize);

pub const ESTATE: Text = ["Estate", "Kombi"];
pub const SUV: Text = ["SUV", "SUV"];
pub const HATCHBACK: Text = ["Hatchback", "Halvkombi"];
pub const VAN: Text = ["Van", "Skåpbil"];

#[rustfmt::skip]
const MODELS: [Model; 12] = [
    ("Volvo", "V60", "B4 Core", ESTATE, "Diesel", "Automatic", "YV1ZW25", 34_900),
    ("Volvo", "XC40", "Recharge", SUV, "Electric", "Automatic", "YV1XZEC", 41_500),
    ("Volkswagen", "Golf", "1.5 TSI Life", HATCHBACK, "Petrol", "Manual", "WVWZZZC", 24_900),
    ("Volkswagen", "ID.4", "Pro", SUV, "Electric", "Automatic", "WVGZZZE", 38_200),
    ("Toyota", "Corolla", "Touring Sports", ESTATE, "Hybrid", "Automatic", "SB1ZB3A", 27_400),
    ("Kia", "Niro", "PHEV Advance", SUV, "Plug-in hybrid", "Automatic", "KNACC81", 31_600),
    ("Skoda", "Octavia", "2.0 TDI Style", ESTATE, "Diesel", "Automatic", "TMBJJ7N", 29_300),
    ("Polestar", "2", "Long range", HATCHBACK, "Electric", "Automatic", "YSMVSED", 45_800),
    ("BMW", "320i", "Touring", ESTATE, "Petrol", "Automatic", "WBA5R11", 39_700),
    ("Ford", "Transit Custom", "L2 H1", VAN, "Diesel", "Manual", "WF0YXXT", 30_200),
    ("Renault", "Clio", "TCe 90", HATCHBACK, "Petrol", "Manual", "VF1RJA0", 17_900),
    ("Mercedes-Benz", "C 220 d", "AMG Line", ESTATE, "Diesel", "Automatic", "W1KCG1A", 43_100),
];
pub const COLOURS: [Text; 7] = [
    ["Black", "Svart"],
    ["White", "Vit"],
    ["Silver", "Silver"],
    ["Blue", "Blå"],
    ["Grey", "Grå"],
    ["Red", "Röd"],
    ["Green", "Grön"],
];
pub const WORKSHOP: Text = ["Workshop", "Verkstaden"];
const PLACES: [Text; 4] = [["Forecourt 1", "Plan 1"], ["Forecourt 2", "Plan 2"], ["Showroom", "Bilhallen"], WORKSHOP];
const NOTES: Text = ["Two keys, full service book.", "Två nycklar, fullständig servicebok."];
/// The letters of registration numbers.
const LETTERS: &[u8] = b"ABCDEFGHJKLMNPRSTUWXYZ";
/// The letters that stand for the model years from 2010 on in a VIN.
const YEARS: &[u8] = b"ABCDEFGHJKLMNPRSTVWXY";

/// Sample costs of a vehicle: kind, note, and the amount without VAT in pounds.
const COSTS: [(&str, Text, usize); 6] = [
    ("Valeting", ["", ""], 110),
    ("Service", ["Oil, filters, brake fluid", "Olja, filter, bromsvätska"], 260),
    ("Tyres", ["Four summer tyres", "Fyra sommardäck"], 365),
    ("Paint", ["Stone chips, bonnet", "Stenskott, motorhuv"], 245),
    ("Inspection", ["", ""], 55),
    ("Transport", ["From the auction", "Auktion i Borås"], 180),
];

/// A vehicle of a dealer: what it is, and since when.
#[derive(Clone, Copy, Debug)]
pub struct Lot {
    /// The number of the vehicle, from which all its data follows.
    pub i: usize,
    pub status: &'static str,
    /// For how many days it has been, or will have been, the dealer's.
    pub days: usize,
}

/// Returns the unsold vehicles, the one that has waited longest first.
pub fn unsold() -> impl Iterator<Item = Lot> {
    (0..VEHICLES).map(|i| {
        let status = match i % 10 {
            2 | 7 => "Reserved",
            4 if i > 20 => "Expected",
            9 if i < 40 => "Withdrawn",
            _ => "In stock",
        };
        let left = VEHICLES - 1 - i;
        // Most have been in stock for less than two months, and a few for much longer.
        Lot { i, status, days: left * left / 28 + left / 3 }
    })
}

/// Returns the make and model of sample vehicle number `i`.
pub fn model_name(i: usize) -> String {
    let (make, model, ..) = MODELS[(i * 5) % MODELS.len()];
    format!("{make} {model}")
}

/// Returns a registration number in the format of the country, with the blank that people write.
pub fn plate(country: Country, i: usize, year: usize) -> String {
    let mixed = i * 7_919 + 3_571;
    let letters: String = [1, 22, 484].map(|place| char::from(LETTERS[mixed / place % 22])).into_iter().collect();
    match country {
        Country::Sweden => format!("{letters} {:02}{}", (i * 37) % 100, char::from(LETTERS[(i * 5) % 22])),
        Country::Britain => format!("{}{:02} {letters}", ["WF", "WK", "WR", "WX"][i % 4], year % 100),
        Country::Germany => format!("HB-{} {}", &letters[..2], 100 + (i * 37) % 900),
    }
}

/// Returns an amount in pounds as a round one in the country's currency.
pub fn round_price(pounds: usize, country: Country) -> usize {
    match country {
        Country::Sweden => (pounds * 13).div_ceil(1_000) * 1_000 - 100,
        Country::Germany => pounds * 6 / 5 / 50 * 50,
        Country::Britain => pounds / 50 * 50,
    }
}

/// Returns what a sample vehicle costs in pounds.
pub fn pounds(i: usize) -> usize {
    let new = MODELS[(i * 5) % MODELS.len()].7;
    // A car loses about an eighth of its price each year.
    (0..age(i)).fold(new, |price, _| price - price / 8) / 50 * 50
}

/// Returns the age of a sample vehicle in years.
fn age(i: usize) -> usize {
    1 + (i * 7) % 9
}

/// Returns the VAT scheme of a sample vehicle.
pub fn vat_scheme(i: usize) -> VatScheme {
    if i % 6 == 1 { VatScheme::Standard } else { VatScheme::Margin }
}

/// Returns what a dealer paid for a sample vehicle, in pounds and without deductible VAT. `rate` is the rate of VAT in
/// hundredths of a percent. Some were bought for so much that they make a loss.
fn purchase_pounds(i: usize, rate: usize) -> usize {
    let price = match vat_scheme(i) {
        VatScheme::Margin => pounds(i),
        VatScheme::Standard => pounds(i) * 10_000 / (10_000 + rate),
    };
    let percent = if i % 15 == 8 { 97 } else { 79 + i % 9 };
    price * percent / 100
}

/// Returns the form of a sample vehicle, for a corporation with these settings, as if it was entered on `today`.
/// `is_broker`: the corporation sells only for others.
pub fn vehicle(lot: Lot, today: Date, settings: &Settings, is_broker: bool) -> VehicleInput {
    let Lot { i, status, days } = lot;
    let (make, model, variant, body, fuel, transmission, vin_start, _) = MODELS[(i * 5) % MODELS.len()];
    let (age, country) = (age(i), Country::of(&settings.country));
    let year = today.year().unsigned_abs() as usize - age;
    let code = YEARS.get(year.saturating_sub(2010)).copied().unwrap_or(b'A');
    let local = |pounds: usize| round_price(pounds, country);
    let days_ago = |days: usize| today.checked_sub((days as i64).days()).map(|day| day.to_string()).unwrap_or_default();
    let is_own = !is_broker && i % 13 != 5;
    let price = pounds(i);
    let rate = settings.vat_rate.pence().unsigned_abs() as usize;
    let costs = (0..if is_own { i % 5 } else { 0 }).map(|n| {
        let (kind, note, pounds) = COSTS[(i + n) % COSTS.len()];
        let net = match country {
            Country::Sweden => pounds * 13,
            Country::Germany => pounds * 6 / 5,
            Country::Britain => pounds,
        };
        CostInput {
            date: days_ago(days.saturating_sub(2 + 2 * n)),
            kind: kind.into(),
            net: Price::Number(net as f64),
            vat: Price::Text(format!("{}.{:02}", net * rate / 10_000, net * rate / 100 % 100)),
            note: country.text(note).into(),
        }
    });
    let kilometres = age * 14_300 + (i * 613) % 9_000;
    let is_british = country == Country::Britain;
    VehicleInput {
        registration_number: plate(country, i, year),
        registration_country: Some(settings.country.clone()),
        vin: vin(vin_start, char::from(code), i),
        make: make.into(),
        model: model.into(),
        variant: variant.into(),
        model_year: Whole(year.to_string()),
        first_registered: format!("{year}-{:02}-{:02}", 1 + (i * 5) % 12, 1 + (i * 11) % 28),
        body: country.text(body).into(),
        fuel: fuel.into(),
        transmission: transmission.into(),
        colour: country.text(COLOURS[(i * 3) % COLOURS.len()]).into(),
        mileage: Whole(if is_british { kilometres * 5 / 8 } else { kilometres }.to_string()),
        mileage_unit: Some(if is_british { "mi" } else { "km" }.into()),
        status: status.into(),
        ownership: if is_own { "Own" } else { "Consigned" }.into(),
        vat_scheme: vat_scheme(i).as_str().into(),
        asking_price: Price::Number(local(price) as f64),
        purchase_price: is_own.then(|| Price::Number(local(purchase_pounds(i, rate)) as f64)),
        minimum_price: Some(Price::Number(local(price * 96 / 100) as f64)),
        costs: Some(costs.collect()),
        in_stock_on: (status != "Expected").then(|| days_ago(days)),
        location: country.text(PLACES[(i * 3) % PLACES.len()]).into(),
        notes: if i.is_multiple_of(4) { country.text(NOTES) } else { "" }.into(),
        ..VehicleInput::default()
    }
}

/// Returns a VIN without a check digit, which the regions of these makes do not require.
fn vin(vin_start: &str, year: char, i: usize) -> String {
    format!("{vin_start}00{year}{:07}", 1_000_000 + i * 7_919)
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::form::check;
    use std::collections::HashSet;

    #[test]
    fn all_vehicles_are_valid_and_have_their_own_numbers() {
        let today = jiff::civil::date(2027, 1, 15);
        for country in ["SE", "GB", "DE"] {
            let settings = Settings { country: country.into(), ..Settings::default() };
            let mut numbers = HashSet::new();
            let sold = (VEHICLES..200).map(|i| Lot { i, status: "In stock", days: 30 });
            for lot in unsold().chain(sold) {
                let form = check(vehicle(lot, today, &settings, country == "GB"));
                let form = form.unwrap_or_else(|errors| panic!("{lot:?}: {errors:?}"));
                let both = [form.vin.clone(), form.registration_number.clone()];
                assert!(both.into_iter().all(|number| numbers.insert(number)), "{country} {lot:?}");
            }
        }
    }

    #[test]
    fn most_own_vehicles_in_stock_earn_under_each_vat_scheme_and_some_make_a_loss() {
        let today = jiff::civil::date(2027, 1, 15);
        for country in ["SE", "GB", "DE"] {
            let settings = Settings::of_country(country);
            let profit = |lot: Lot| {
                let form = vehicle(lot, today, &settings, false);
                form.status()?.is_in_stock().then_some(())?;
                Some((form.vat_scheme()?, form.margin(settings.vat_rate)?.profit.pence()))
            };
            let profits: Vec<_> = unsold().filter_map(profit).collect();
            for scheme in VatScheme::ALL {
                let profits = profits.iter().filter(|(of, _)| of == scheme);
                let (losses, gains): (Vec<(VatScheme, i64)>, Vec<_>) = profits.partition(|(_, profit)| *profit <= 0);
                assert!(gains.len() > 5 * losses.len(), "{country} {scheme:?}: {losses:?} {gains:?}");
            }
            assert!(profits.iter().any(|(_, profit)| *profit < 0), "{country}");
        }
    }

    #[test]
    fn prices_are_round() {
        for i in 0..200 {
            assert_eq!((pounds(i) % 50, round_price(pounds(i), Country::Germany) % 50), (0, 0), "{i}");
            assert_eq!(round_price(pounds(i), Country::Sweden) % 1_000, 900, "{i}");
        }
    }
}
