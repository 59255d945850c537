//! The saved views of a dealer of the demo, which everyone in the corporation sees.

use super::records::utc_date;
use crate::access::scope::Scope;
use crate::features::views;
use crate::platform::db::{Result, Tx};
use forecourt_core::form::check;
use forecourt_core::lists::{ConditionInput, Operand};
use forecourt_core::views::{SHARED, ViewInput, ViewQuery};
use jiff::ToSpan;
use jiff::civil::Date;
use uuid::Uuid;

type Condition = (&'static str, &'static str, Option<Operand>);

/// Returns the views. Those about a time are about the time from `today`.
fn all(today: Date) -> Vec<ViewInput> {
    let day = |days: i64| Operand::Text(today.saturating_add(days.days()).to_string());
    let time = |days: i64| Operand::Text(format!("{}T00:00:00Z", today.saturating_add(days.days())));
    let text = |text: &str| Some(Operand::Text(text.to_owned()));
    let between = |from: i64, to: i64| Some(Operand::List(vec![day(from), day(to)]));
    vec![
        view("contacts", "To call", "-createdAt", vec![("phone", "is_not_empty", None), ("email", "is_empty", None)]),
        view(
            "contacts",
            "New this month",
            "-createdAt",
            vec![("createdAt", "gte", Some(time(1 - i64::from(today.day()))))],
        ),
        view("contacts", "Without address", "name", vec![("address", "is_empty", None)]),
        view(
            "customers",
            "Regular customers",
            "-numberOfOrders",
            vec![("numberOfOrders", "gte", Some(Operand::Number(2.0)))],
        ),
        view("customers", "Bought this year", "-latestPurchase", vec![("latestPurchase", "gte", Some(day(-365)))]),
        view("customers", "Companies", "name", vec![("companyName", "is_not_empty", None)]),
        view("invoices", "Due within two weeks", "endDate", vec![("endDate", "between", between(0, 14))]),
        view("invoices", "Over 5,000", "-projectPrice", vec![("projectPrice", "gte", Some(Operand::Number(5_000.0)))]),
        view(
            "vehicles",
            "Slow sellers",
            "in_stock_on",
            vec![("status", "is", text("In stock")), ("in_stock_on", "lt", Some(day(-60)))],
        ),
        view(
            "vehicles",
            "Electric in stock",
            "asking_price",
            vec![("status", "is", text("In stock")), ("fuel", "is", text("Electric"))],
        ),
        view("vehicles", "In the workshop", "-in_stock_on", vec![("location", "is", text("Workshop"))]),
        view("agreements", "To deliver", "agreed_on", vec![("state", "is", text("Signed"))]),
        view(
            "agreements",
            "Exclusivity ends soon",
            "exclusive_until",
            vec![("exclusive_until", "between", between(0, 14))],
        ),
        view(
            "agreements",
            "Warranty ends soon",
            "delivered_on",
            vec![
                ("warranty_months", "is", Some(Operand::Number(12.0))),
                ("delivered_on", "between", between(-365, -320)),
            ],
        ),
    ]
}

fn view(resource: &str, name: &str, sort: &str, conditions: Vec<Condition>) -> ViewInput {
    let condition = |(field, op, value): Condition| ConditionInput { field: field.into(), op: op.into(), value };
    ViewInput {
        resource: resource.into(),
        name: name.into(),
        query: ViewQuery {
            sort: sort.into(),
            filter: conditions.into_iter().map(condition).collect(),
            ..ViewQuery::default()
        },
        scope: SHARED.into(),
        ..ViewInput::default()
    }
}

/// Adds the views, with the scope's user as their owner.
pub async fn insert(tx: &mut Tx, scope: &Scope, now: i64) -> Result<()> {
    // All views are valid, as a test shows.
    for form in all(utc_date(now)).into_iter().filter_map(|form| check(form).ok()) {
        views::insert(tx, scope, Uuid::now_v7(), &form, now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_views_are_valid() {
        for form in all(jiff::civil::date(2027, 1, 15)) {
            let (name, checked) = (form.name.clone(), check(form));
            assert!(checked.is_ok(), "{name}: {:?}", checked.err());
        }
    }
}
