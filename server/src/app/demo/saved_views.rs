//! The saved views of a dealer of the demo, which everyone in the corporation sees.

use super::people::Country;
use super::stock::WORKSHOP;
use crate::access::scope::Scope;
use crate::features::views;
use crate::platform::db::{Result, Tx};
use forecourt_core::dashboard::TO_DELIVER;
use forecourt_core::form::check;
use forecourt_core::lists::{ConditionInput, Operand};
use forecourt_core::views::{SHARED, ViewInput, ViewQuery};
use uuid::Uuid;

type Condition = (&'static str, &'static str, Option<Operand>);

fn all(country: Country) -> Vec<ViewInput> {
    let view = |resource, name, sort, conditions| view(resource, country.text(name), sort, conditions);
    let text = |text: &str| Some(Operand::Text(text.to_owned()));
    let between =
        |from: &str, to: &str| Some(Operand::List(vec![Operand::Text(from.into()), Operand::Text(to.into())]));
    vec![
        view(
            "contacts",
            ["To call", "Att ringa"],
            "-createdAt",
            vec![("phone", "is_not_empty", None), ("email", "is_empty", None)],
        ),
        view("contacts", ["New this month", "Nya denna månad"], "-createdAt", vec![("createdAt", "is", text("month"))]),
        view("contacts", ["Without address", "Utan adress"], "name", vec![("address", "is_empty", None)]),
        view(
            "customers",
            ["Regular customers", "Stamkunder"],
            "-numberOfOrders",
            vec![("numberOfOrders", "gte", Some(Operand::Number(2.0)))],
        ),
        view(
            "customers",
            ["Bought this year", "Köpt i år"],
            "-latestPurchase",
            vec![("latestPurchase", "is", text("year"))],
        ),
        view("customers", ["Companies", "Företag"], "name", vec![("companyName", "is_not_empty", None)]),
        view(
            "invoices",
            ["Due within two weeks", "Förfaller inom två veckor"],
            "endDate",
            vec![("endDate", "between", between("today", "today+14"))],
        ),
        view(
            "invoices",
            ["Over 5,000", "Över 5 000"],
            "-projectPrice",
            vec![("projectPrice", "gte", Some(Operand::Number(5_000.0)))],
        ),
        view(
            "vehicles",
            ["Slow sellers", "Svårsålda"],
            "in_stock_on",
            vec![("status", "is", text("In stock")), ("in_stock_on", "lt", text("today-60"))],
        ),
        view(
            "vehicles",
            ["Electric in stock", "Elbilar i lager"],
            "asking_price",
            vec![("status", "is", text("In stock")), ("fuel", "is", text("Electric"))],
        ),
        view(
            "vehicles",
            ["In the workshop", "På verkstaden"],
            "-in_stock_on",
            vec![("location", "is", text(country.text(WORKSHOP)))],
        ),
        view(
            "agreements",
            ["To deliver", "Att leverera"],
            "agreed_on",
            vec![
                ("state", "is", text(TO_DELIVER.state.as_str())),
                ("type", "is_not", text(TO_DELIVER.excluded_type.as_str())),
            ],
        ),
        view(
            "agreements",
            ["Exclusivity ends soon", "Ensamrätten går snart ut"],
            "exclusive_until",
            vec![("exclusive_until", "between", between("today", "today+14"))],
        ),
        view(
            "agreements",
            ["Warranty ends soon", "Garantin går snart ut"],
            "delivered_on",
            vec![
                ("warranty_months", "is", Some(Operand::Number(12.0))),
                ("delivered_on", "between", between("today-365", "today-320")),
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
pub async fn insert(tx: &mut Tx, scope: &Scope, country: Country, now: i64) -> Result<()> {
    // All views are valid, as a test shows.
    for form in all(country).into_iter().filter_map(|form| check(form).ok()) {
        views::insert(tx, scope, Uuid::now_v7(), &form, now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_views_are_valid() {
        for form in [Country::Sweden, Country::Britain].into_iter().flat_map(all) {
            let (name, checked) = (form.name.clone(), check(form));
            assert!(checked.is_ok(), "{name}: {:?}", checked.err());
        }
    }

    #[test]
    fn agreements_to_deliver_are_those_of_the_dashboard() {
        let view = all(Country::Britain).into_iter().find(|view| view.name == "To deliver").unwrap();
        let conditions: Vec<_> = view.query.filter.into_iter().map(|c| (c.field, c.op, c.value)).collect();
        let text = |text: &str| Some(Operand::Text(text.to_owned()));
        let condition = |field: &str, op: &str, value: &str| (field.to_owned(), op.to_owned(), text(value));
        assert_eq!(conditions, [condition("state", "is", "Signed"), condition("type", "is_not", "Agency")]);
    }
}
