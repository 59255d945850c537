//! The figures of a column of the board.

use super::{VehicleStatus, average_days, days_in_stock};
use crate::date::Date;
use crate::money::Money;
use serde::{Deserialize, Serialize};

api_types!(
    /// What the figures of a column are made of, for one vehicle.
    #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
    pub struct ColumnVehicle {
        pub status: VehicleStatus,
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(optional, type = "string"))]
        pub in_stock_on: Option<Date>,
        #[serde(default)]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub asking_price: Option<Money>,
    }

    /// The figures of a column of the board.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    pub struct ColumnFigures {
        /// The total of the asking prices.
        pub value: Money,
        /// The average number of days in stock; absent if no vehicle is in stock since a known day.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub average_days: Option<u32>,
    }
);

/// Returns the figures of a column with these vehicles.
pub fn column_figures(vehicles: &[ColumnVehicle], today: Date) -> ColumnFigures {
    let prices = vehicles.iter().filter_map(|vehicle| vehicle.asking_price).map(Money::pence);
    let days = vehicles.iter().filter_map(|vehicle| days_in_stock(vehicle.status, vehicle.in_stock_on, today));
    let (total, count) = days.fold((0, 0), |(total, count), days| (total + u64::from(days), count + 1));
    ColumnFigures {
        value: Money::saturating_from_pence(prices.fold(0, i64::saturating_add)),
        average_days: average_days(total, count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vehicle(in_stock_on: &str, pence: i64) -> ColumnVehicle {
        let status = VehicleStatus::InStock;
        ColumnVehicle { status, in_stock_on: Date::parse(in_stock_on), asking_price: Money::from_pence(pence) }
    }

    #[test]
    fn a_column_has_the_total_of_its_prices_and_the_average_of_its_days_in_stock() {
        let today = Date::parse("2026-11-26").unwrap();
        let without_price = ColumnVehicle { asking_price: None, ..vehicle("2026-11-25", 0) };
        // 10, 1 and 1 days, and one that is unknown.
        let all = [vehicle("2026-11-16", 1_050), vehicle("2026-11-25", 2_000), without_price, vehicle("", 5)];
        let figures = |all: &[ColumnVehicle]| {
            let ColumnFigures { value, average_days } = column_figures(all, today);
            (value.pence(), average_days)
        };
        assert_eq!(figures(&all), (3_055, Some(4)));
        // 5.5 days.
        assert_eq!(figures(&all[..2]), (3_050, Some(6)));
        let sold = ColumnVehicle { status: VehicleStatus::Sold, ..vehicle("2026-11-16", 1) };
        assert_eq!((figures(&[sold]), figures(&[])), ((1, None), (0, None)));
    }
}
