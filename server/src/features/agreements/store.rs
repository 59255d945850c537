//! Agreements in the database.

use super::{AgreementQuery, references};
use crate::access::scope::{Agreements, Scope};
use crate::features::listing::{AGREEMENTS, Listing};
use crate::features::records::Entity;
use crate::features::records::columns::{self, Columns, Counter, Stored};
use crate::features::records::plain::Plain;
use crate::features::records::row::{Id, Parsed, Pence, row};
use crate::features::records::table::Table;
use crate::platform::db::{Connection, Result, Sql, Tx, from_json, to_json};
use crate::platform::encryption::is_foreign_key_violation;
use crate::platform::error::ApiError;
use forecourt_core::agreements::{
    Agreement, AgreementInput, AgreementState, AgreementType, Direction, Leg, Warranty, WarrantyKind, deletion_error,
    text, vehicle_names,
};
use forecourt_core::date::Date;
use forecourt_core::form::Checked;
use forecourt_core::lists::Today;
use forecourt_core::message::Message;
use forecourt_core::money::Money;
use forecourt_core::vehicles::VatScheme;
use uuid::Uuid;

row! {
    pub struct AgreementRow for Agreement {
        texts: customer_name, vehicles["vehicle_names"], notes;
        [parts: warranty_months: Option<i64>, warranty_distance: Option<i64>]
        agreement_id: Id,
        number: String,
        agreement_type: Parsed<AgreementType>,
        state: Parsed<AgreementState>,
        customer_id, contact_id: Option<Id>,
        legs: String => read_legs(&legs, &vehicles)?,
        out_total: Pence,
        in_total: Pence => Some(in_total.0),
        to_pay: Pence => Some(to_pay.0),
        deposit, commission_amount, commission, commission_percent, minimum_price, vat_rate: Option<Pence>,
        exclusive_until, agreed_on, delivered_on: Option<Parsed<Date>>,
        warranty: Parsed<WarrantyKind> =>
            Warranty { kind: warranty.0, months: warranty_months, distance: warranty_distance },
    }
}

impl Entity for Agreement {
    type Resource = Agreements;
    type Row = AgreementRow;
    type Query = AgreementQuery;
    const LISTING: &'static Listing = &AGREEMENTS;
    const TABLE: Table = Table::new("agreements", &[AgreementRow::NAMES, &["leg_count", "erased_version"]])
        .referring(&[("customer_id", "customers"), ("contact_id", "contacts")]);
    const LABEL: &'static str = "number";
    const MAY_REFUSE_DELETION: bool = true;

    fn deletion_error(&self, _: &[AgreementState]) -> Option<&'static Message> {
        deletion_error(self.state)
    }

    /// The foreign keys are those of the customer and of the contact, which exist when the form is checked.
    fn write_error(error: sqlx::Error) -> ApiError {
        match is_foreign_key_violation(&error) {
            true => ApiError::for_field("customer_id", text::CUSTOMER_UNKNOWN),
            false => error.into(),
        }
    }
}

impl Plain for Agreement {
    type Form = AgreementInput;

    async fn complete(scope: &Scope, _: &Today, form: AgreementInput) -> Result<AgreementInput> {
        let references = Some(references::find(None, scope, &form).await?);
        Ok(AgreementInput { references, ..form })
    }

    async fn complete_change(
        &self,
        tx: Option<&mut Tx>,
        scope: &Scope,
        _: Date,
        form: AgreementInput,
    ) -> Result<AgreementInput> {
        let legs = form.legs();
        let legs = legs.iter().map(|leg| (&leg.vehicle_id, leg.direction));
        let refers_to_the_same = form.customer_id == self.customer_id.as_deref().unwrap_or_default()
            && form.contact_id == self.contact_id.as_deref().unwrap_or_default()
            && legs.eq(self.legs.iter().map(|leg| (&leg.vehicle_id, leg.direction)));
        if refers_to_the_same {
            return Ok(form);
        }
        let references = Some(references::find(tx, scope, &form).await?);
        Ok(AgreementInput { references, ..form })
    }

    fn columns(form: &AgreementInput) -> Columns {
        let pence = |amount: Option<Money>| amount.map(Money::pence);
        let id = |id: Option<&str>| id.and_then(|id| Uuid::try_parse(id).ok());
        let agreement_type = form.agreement_type().unwrap_or(AgreementType::Sales);
        let (legs, totals) = (form.legs(), form.totals());
        // The names stay as they were when the agreement became binding.
        let vehicles = form.vehicle_names().filter(|_| form.is_open());
        Columns::default()
            .set_new("number", Stored::Next(Counter::Agreements(agreement_type)))
            .set_new("agreement_type", Some(agreement_type.as_str()).into())
            .set_or("customer_id", form.is_open().then(|| id(form.customer_id())), None)
            .set_text_or_empty("customer_name", form.customer_name())
            .set_or("contact_id", form.is_contact_open().then(|| id(form.contact_id())), None)
            .set_text_or_empty("vehicle_names", vehicles.as_deref())
            .set("legs", write_legs(&legs))
            .set("leg_count", i64::try_from(legs.len()).ok().filter(|count| *count > 0))
            .set("out_total", totals.out_total.pence())
            .set("in_total", totals.in_total.pence())
            .set("to_pay", totals.to_pay.pence())
            .set("deposit", pence(form.deposit()))
            .set("commission_amount", pence(form.commission_amount()))
            .set("commission", pence(form.commission()))
            .set("commission_percent", pence(form.commission_percent()))
            .set_or("minimum_price", form.minimum_price().map(pence), None)
            .set_or_null("exclusive_until", &form.exclusive_until)
            .set("warranty", form.warranty().map(WarrantyKind::as_str))
            .set("warranty_months", form.warranty_months())
            .set("warranty_distance", form.warranty_distance())
            .set_or_null("agreed_on", &form.agreed_on)
            .set_or_null("delivered_on", &form.delivered_on)
            .set_text("notes", &form.notes)
    }

    fn add_stored(&self, form: AgreementInput) -> AgreementInput {
        AgreementInput { stored: Some(Box::new(self.clone())), ..form }
    }
}

/// A leg as it is stored: vehicle, direction, price in pence, and VAT scheme. Triggers read the first two.
type StoredLeg = (String, Direction, i64, VatScheme);

fn write_legs(legs: &[Leg]) -> String {
    let pence = |leg: &Leg| leg.price.unwrap_or_default().pence();
    let stored = legs.iter().map(|leg| (&leg.vehicle_id, leg.direction, pence(leg), leg.vat_scheme));
    // Texts and numbers are always JSON.
    to_json(&stored.collect::<Vec<_>>()).unwrap_or_default()
}

/// `vehicles` has the names of the vehicles.
fn read_legs(json: &str, vehicles: &str) -> Result<Vec<Leg>> {
    let mut names = vehicle_names(vehicles);
    let leg = |(vehicle_id, direction, pence, vat_scheme): StoredLeg| {
        let price = Some(Money::saturating_from_pence(pence));
        let name = names.next().filter(|name| !name.is_empty()).map(str::to_owned);
        Leg { vehicle_id, direction, price, vat_scheme, name }
    };
    Ok(from_json::<Vec<StoredLeg>>(json)?.into_iter().map(leg).collect())
}

/// Returns all agreements of a customer.
pub(crate) async fn of_customer(tx: &mut Tx, scope: &Scope, customer: Uuid) -> Result<Vec<Agreement>> {
    let sql = tx.sql("SELECT ").push(Agreement::COLUMNS).push_arg(" FROM agreements WHERE corp_id = ", scope.corp());
    sql.push_arg(" AND customer_id = ", customer)
        .all::<AgreementRow>()
        .await?
        .into_iter()
        .map(Agreement::from_row)
        .collect()
}

/// An agreement to insert, in any state.
pub(crate) struct NewAgreement {
    /// Its number in the list.
    pub doc: i64,
    pub id: Uuid,
    /// The time of its creation.
    pub now: i64,
    pub state: AgreementState,
    /// The rate of VAT if it is delivered.
    pub vat_rate: Option<Money>,
    pub form: Checked<AgreementInput>,
}

/// Builds the INSERT of agreements.
pub(crate) fn insert<'e>(
    db: impl Connection<'e>,
    scope: &Scope,
    agreements: impl IntoIterator<Item = NewAgreement>,
) -> Sql<'e> {
    let rows = agreements.into_iter().map(|NewAgreement { doc, id, now, state, vat_rate, form }| {
        let columns = Agreement::columns(&form).set("state", Some(state.as_str()));
        (doc, id, now, columns.set("vat_rate", vat_rate.map(Money::pence)))
    });
    columns::push_insert::<Agreement>(db.sql(""), scope, rows)
}
