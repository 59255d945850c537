//! The figures of sold vehicles and of agreements that wait for someone, for the dashboard.

use crate::access::scope::Scope;
use crate::features::binding::push_states;
use crate::features::records::row::{Id, Parsed};
use crate::platform::db::{Result, Sql};
use forecourt_core::agreements::{AgreementState, AgreementType, Direction};
use forecourt_core::dashboard::{
    DUE, DayTotal, Due, DueAgreement, EXCLUSIVITY_DUE, MONTHS, OpenAgreements, SalesFigures, TO_DELIVER,
};
use forecourt_core::date::Date;

/// Appends the condition that an agreement waits for delivery.
fn push_to_deliver(sql: Sql<'_>) -> Sql<'_> {
    let sql = sql.push_arg("state = ", TO_DELIVER.state.as_str());
    sql.push_arg(" AND agreement_type <> ", TO_DELIVER.excluded_type.as_str())
}

/// Appends the condition that an agreement of the corporation has an exclusivity that is due.
fn push_exclusivity_due<'a>(sql: Sql<'a>, scope: &Scope, today: Date) -> Sql<'a> {
    // The states are those of `EXCLUSIVITY_DUE`, as a literal like in the condition of the index.
    let sql = sql.push_arg("state IN ('Offered', 'Signed') AND corp_id = ", scope.corp());
    let sql = sql.push_arg(" AND exclusive_until >= ", today.to_string());
    sql.push_arg(" AND exclusive_until <= ", today.plus_days(EXCLUSIVITY_DUE.days).to_string())
}

/// Returns the figures of the corporation's sold vehicles and open agreements.
pub async fn sales_figures(scope: &Scope, today: Date) -> Result<SalesFigures> {
    let (days, open) = tokio::try_join!(count_sold_by_day(scope, today), read_open(scope, today))?;
    Ok(SalesFigures::of(today, &days, open))
}

/// Returns how many vehicles were sold or brokered on each day of the charts' months.
async fn count_sold_by_day(scope: &Scope, today: Date) -> Result<Vec<DayTotal>> {
    let first = today.month_start_before(MONTHS - 1).unwrap_or(today).to_string();
    let sql = "SELECT a.delivered_on, count(*) FROM agreements a \
               JOIN agreement_vehicles l ON l.corp_id = a.corp_id AND l.agreement = a.agreement_id WHERE a.corp_id = ";
    let sql = scope.db().sql(sql).arg(scope.corp()).push_arg(" AND a.delivered_on >= ", first);
    let sql = sql.push_arg(" AND a.delivered_on <= ", today.to_string());
    let sql = sql.push(" AND l.direction IN (").texts(Direction::SALES.iter().map(|direction| direction.as_str()));
    let sql = push_states(sql.push(") AND l.state IN ("), &AgreementState::DELIVERED);
    let rows: Vec<(Parsed<Date>, i64)> = sql.push(") GROUP BY a.delivered_on").all().await?;
    let total = |(Parsed(day), count): (_, i64)| DayTotal { day, count: count.unsigned_abs(), pence: 0 };
    Ok(rows.into_iter().map(total).collect())
}

async fn read_open(scope: &Scope, today: Date) -> Result<OpenAgreements> {
    let counts =
        "SELECT state, count(*) FROM agreements WHERE state IN ('Offered', 'Signed') AND (state = 'Offered' OR ";
    let counts = push_to_deliver(scope.db().sql(counts)).push_arg(") AND corp_id = ", scope.corp());
    let counts = counts.push(" GROUP BY state").all::<(String, i64)>();
    let exclusive = push_exclusivity_due(scope.db().sql("SELECT count(*) FROM agreements WHERE "), scope, today);
    let (counts, (exclusive,), due) = tokio::try_join!(counts, exclusive.one::<(i64,)>(), find_due(scope, today))?;
    let count = |state: AgreementState| {
        counts.iter().filter(|(other, _)| other == state.as_str()).map(|(_, count)| count.unsigned_abs()).sum()
    };
    Ok(OpenAgreements {
        to_deliver: count(TO_DELIVER.state),
        offered: count(AgreementState::Offered),
        exclusivity_due: exclusive.unsigned_abs(),
        due,
    })
}

/// Returns the agreements whose exclusivity ends soon, the first to end first, then those that wait for delivery, in the
/// order in which they were signed.
async fn find_due(scope: &Scope, today: Date) -> Result<Vec<DueAgreement>> {
    let limit = i64::try_from(DUE).unwrap_or(i64::MAX);
    let exclusive = "SELECT agreement_id, number, agreement_type, customer_name, vehicle_names, exclusive_until AS day \
                     FROM agreements WHERE ";
    let exclusive = push_exclusivity_due(scope.db().sql(exclusive), scope, today);
    let exclusive = exclusive.push_arg(" ORDER BY exclusive_until, doc LIMIT ", limit);
    // The condition on both states is that of the index.
    let signed = "SELECT agreement_id, number, agreement_type, customer_name, vehicle_names, agreed_on AS day \
                  FROM agreements WHERE state IN ('Offered', 'Signed') AND agreed_on IS NOT NULL AND ";
    let signed = push_to_deliver(scope.db().sql(signed)).push_arg(" AND corp_id = ", scope.corp());
    let signed = signed.push_arg(" ORDER BY agreed_on, doc LIMIT ", limit);
    let (exclusive, signed) = tokio::try_join!(exclusive.all::<DueRow>(), signed.all::<DueRow>())?;
    let rows = exclusive.into_iter().map(|row| (Due::Exclusivity, row));
    let rows = rows.chain(signed.into_iter().map(|row| (Due::Delivery, row)));
    Ok(rows.map(|(due, row)| row.into_due(due)).collect())
}

#[derive(sqlx_macros::FromRow)]
struct DueRow {
    agreement_id: Id,
    number: String,
    agreement_type: Parsed<AgreementType>,
    customer_name: String,
    vehicle_names: String,
    day: Parsed<Date>,
}

impl DueRow {
    fn into_due(self, due: Due) -> DueAgreement {
        DueAgreement {
            agreement_id: self.agreement_id.0,
            number: self.number,
            agreement_type: self.agreement_type.0,
            customer_name: self.customer_name,
            vehicle_names: self.vehicle_names,
            due,
            day: self.day.0,
        }
    }
}
