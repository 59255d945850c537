//! The figures of the vehicles in stock, for the dashboard.

use crate::access::scope::Scope;
use crate::features::records::row::{Id, Parsed, Pence};
use crate::platform::db::Result;
use forecourt_core::dashboard::{DayTotal, OLDEST, OldVehicle, StockFigures};
use forecourt_core::date::Date;
use forecourt_core::vehicles::{VehicleStatus, plate_shown};

/// The condition that a vehicle is in stock: the one of the index `vehicles_stock`, and the statuses of
/// [`VehicleStatus::IN_STOCK`].
const IN_STOCK: &str = " AND status IN ('In stock', 'Reserved')";

/// Returns the figures of the corporation's vehicles in stock, including the reserved ones.
pub async fn stock_figures(scope: &Scope, today: Date) -> Result<StockFigures> {
    let sums = "SELECT in_stock_on, count(*), count(asking_price), CAST(coalesce(sum(asking_price), 0) AS BIGINT) \
                FROM vehicles WHERE corp_id = ";
    let sql = scope.db().sql(sums).arg(scope.corp());
    let sql = sql.push(IN_STOCK).push(" GROUP BY in_stock_on");
    let (rows, oldest) = tokio::try_join!(sql.all::<(Option<Parsed<Date>>, i64, i64, i64)>(), oldest(scope, today))?;
    let (mut days, mut unknown, mut all_priced) = (Vec::new(), (0, 0), 0);
    for (day, count, priced, pence) in rows {
        let count = count.unsigned_abs();
        all_priced += priced.unsigned_abs();
        match day {
            Some(Parsed(day)) => days.push(DayTotal { day, count, pence }),
            None => unknown = (count, pence),
        }
    }
    Ok(StockFigures::of(today, &days, unknown, all_priced, oldest))
}

/// Returns the vehicles that have been in stock for longest, the oldest first.
async fn oldest(scope: &Scope, today: Date) -> Result<Vec<OldVehicle>> {
    let sql = "SELECT vehicle_id, name, registration_number, registration_country, status, in_stock_on, asking_price \
               FROM vehicles WHERE corp_id = ";
    let sql = scope.db().sql(sql).arg(scope.corp());
    let sql = sql.push(IN_STOCK).push(" AND in_stock_on IS NOT NULL");
    let sql = sql.push_arg(" ORDER BY in_stock_on, doc LIMIT ", OLDEST);
    Ok(sql.all::<OldRow>().await?.into_iter().map(|row| row.into_vehicle(today)).collect())
}

#[derive(sqlx_macros::FromRow)]
struct OldRow {
    vehicle_id: Id,
    name: String,
    registration_number: String,
    registration_country: String,
    status: Parsed<VehicleStatus>,
    in_stock_on: Parsed<Date>,
    asking_price: Option<Pence>,
}

impl OldRow {
    fn into_vehicle(self, today: Date) -> OldVehicle {
        let OldRow { registration_number, registration_country, .. } = self;
        OldVehicle {
            vehicle_id: self.vehicle_id.0,
            name: self.name,
            plate: plate_shown(&registration_country, &registration_number).unwrap_or(registration_number),
            registration_country,
            status: self.status.0,
            days: today.days_since(self.in_stock_on.0),
            asking_price: self.asking_price.map(|pence| pence.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statuses_in_stock_are_those_of_core() {
        let statuses = VehicleStatus::IN_STOCK.map(|status| format!("'{}'", status.as_str()));
        assert_eq!(IN_STOCK, format!(" AND status IN ({})", statuses.join(", ")));
    }
}
