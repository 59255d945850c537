//! Agreements in the database.

use super::{AgreementQuery, found};
use crate::access::scope::{Agreements, Scope};
use crate::features::listing::{AGREEMENTS, Listing};
use crate::features::records::columns::{self, Base, Columns, Counter, Stored};
use crate::features::records::plain::Plain;
use crate::features::records::row::row;
use crate::features::records::table::Table;
use crate::features::records::{CheckedForm, Entity, PersonalColumn};
use crate::platform::clock::rfc3339;
use crate::platform::db::{Connection, Result, Sql, Tx, from_json, to_json};
use crate::platform::encryption::is_foreign_key_violation;
use crate::platform::error::ApiError;
use forecourt_core::agreements::{
    Agreement, AgreementInput, AgreementState, AgreementType, Direction, Leg, PAGE_SIZE, WarrantyKind, deletion_error,
    text,
};
use forecourt_core::date::Date;
use forecourt_core::form::{Checked, FormSettings, check_with};
use forecourt_core::message::Message;
use forecourt_core::money::Money;
use forecourt_core::vehicles::VatScheme;
use uuid::Uuid;

row! {
    pub struct AgreementRow {
        agreement_id: Uuid,
        number: String,
        agreement_type: String,
        state: String,
        customer_id: Option<Uuid>,
        customer_name: String,
        contact_id: Option<Uuid>,
        vehicle_names: String,
        legs: String,
        out_total: i64,
        in_total: i64,
        to_pay: i64,
        deposit: Option<i64>,
        commission: Option<i64>,
        commission_percent: Option<i64>,
        minimum_price: Option<i64>,
        exclusive_until: Option<String>,
        warranty: String,
        warranty_months: Option<i64>,
        warranty_distance: Option<i64>,
        agreed_on: Option<String>,
        delivered_on: Option<String>,
        notes: String,
        created_at: i64,
        updated_at: i64,
        version: i64,
    }
}

impl Entity for Agreement {
    type Resource = Agreements;
    type Row = AgreementRow;
    type Query = AgreementQuery;
    const LISTING: &'static Listing = &AGREEMENTS;
    const PAGE_SIZE: u32 = PAGE_SIZE;
    const TABLE: Table = Table {
        name: "agreements",
        columns: &[AgreementRow::NAMES, &["leg_count", "customer_name_key", "vehicle_names_key", "notes_key"]],
        references: &[("customer_id", "customers"), ("contact_id", "contacts")],
    };
    const PERSONAL: &'static [PersonalColumn] = &[
        PersonalColumn::new("customer_name", "customer_name", "customer_name_key"),
        PersonalColumn::new("notes", "notes", "notes_key"),
    ];
    const ID: &'static str = "agreement_id";
    const LABEL: &'static str = "number";
    const DELETED: &'static Message = text::DELETED;
    const MAY_REFUSE_DELETION: bool = true;

    fn from_row(row: AgreementRow) -> Result<Self> {
        let invalid = |column: &str| sqlx::Error::Decode(format!("agreement {}: {column}", row.agreement_id).into());
        let date = |text: String| Date::parse(&text).ok_or_else(|| invalid("a date"));
        let amount = |pence| Money::from_pence(pence).ok_or_else(|| invalid("an amount"));
        Ok(Agreement {
            agreement_type: AgreementType::parse(&row.agreement_type).ok_or_else(|| invalid("agreement_type"))?,
            state: AgreementState::parse(&row.state).ok_or_else(|| invalid("state"))?,
            legs: read_legs(&row.legs)?,
            out_total: amount(row.out_total)?,
            in_total: Some(amount(row.in_total)?),
            to_pay: Some(amount(row.to_pay)?),
            deposit: row.deposit.map(amount).transpose()?,
            commission: row.commission.map(amount).transpose()?,
            commission_percent: row.commission_percent.map(amount).transpose()?,
            minimum_price: row.minimum_price.map(amount).transpose()?,
            exclusive_until: row.exclusive_until.map(date).transpose()?,
            warranty: WarrantyKind::parse(&row.warranty).ok_or_else(|| invalid("warranty"))?,
            agreed_on: row.agreed_on.map(date).transpose()?,
            delivered_on: row.delivered_on.map(date).transpose()?,
            agreement_id: row.agreement_id.to_string(),
            number: row.number,
            customer_id: row.customer_id.map(|id| id.to_string()),
            customer_name: row.customer_name,
            contact_id: row.contact_id.map(|id| id.to_string()),
            vehicles: row.vehicle_names,
            warranty_months: row.warranty_months,
            warranty_distance: row.warranty_distance,
            notes: row.notes,
            created_at: rfc3339(row.created_at),
            updated_at: rfc3339(row.updated_at),
            version: row.version,
        })
    }

    fn deletion_error(&self) -> Option<&'static Message> {
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
    const CREATED: &'static Message = text::CREATED;
    const UPDATED: &'static Message = text::UPDATED;

    fn label(_: &AgreementInput) -> Option<String> {
        None
    }

    async fn complete(scope: &Scope, form: AgreementInput) -> Result<AgreementInput> {
        let found = Some(found::find(None, scope, &form).await?);
        Ok(AgreementInput { found, ..form })
    }

    async fn complete_change(
        &self,
        tx: Option<&mut Tx>,
        scope: &Scope,
        form: AgreementInput,
    ) -> Result<AgreementInput> {
        let legs = form.legs.iter().map(|leg| &leg.vehicle_id);
        let refers_to_the_same = form.customer_id == self.customer_id.as_deref().unwrap_or_default()
            && form.contact_id == self.contact_id.as_deref().unwrap_or_default()
            && legs.eq(self.legs.iter().map(|leg| &leg.vehicle_id));
        if refers_to_the_same {
            return Ok(form);
        }
        let found = Some(found::find(tx, scope, &form).await?);
        Ok(AgreementInput { found, ..form })
    }

    fn columns(form: &AgreementInput) -> Columns {
        let pence = |amount: Option<Money>| amount.map(Money::pence);
        let day = |date: Option<Date>| date.map(|date| date.to_string());
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
            .set("commission", pence(form.commission()))
            .set("commission_percent", pence(form.commission_percent()))
            .set_or("minimum_price", form.minimum_price().map(pence), None)
            .set("exclusive_until", day(form.exclusive_until()))
            .set("warranty", form.warranty().map(WarrantyKind::as_str))
            .set("warranty_months", form.warranty_months())
            .set("warranty_distance", form.warranty_distance())
            .set("agreed_on", day(form.agreed_on()))
            .set("delivered_on", day(form.delivered_on()))
            .set_text("notes", &form.notes)
    }

    fn base(form: &AgreementInput) -> Base {
        Base { version: form.version, updated_at: form.updated_at.clone() }
    }

    fn check(&self, settings: FormSettings, mut form: AgreementInput) -> CheckedForm<AgreementInput> {
        form.stored = Some(Box::new(self.clone()));
        check_with(settings, form)
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

fn read_legs(json: &str) -> Result<Vec<Leg>> {
    let leg = |(vehicle_id, direction, pence, vat_scheme): StoredLeg| {
        let price = Some(Money::saturating_from_pence(pence));
        Leg { vehicle_id, direction, price, vat_scheme }
    };
    Ok(from_json::<Vec<StoredLeg>>(json)?.into_iter().map(leg).collect())
}

/// Returns the agreements of a customer that are delivered.
pub(crate) async fn of_customer(tx: &mut Tx, scope: &Scope, customer: Uuid) -> Result<Vec<Agreement>> {
    let sql = tx.sql("SELECT ").push(Agreement::COLUMNS).push_arg(" FROM agreements WHERE corp_id = ", scope.corp());
    let sql = sql.push_arg(" AND customer_id = ", customer).push(" AND state IN ('Delivered', 'Closed')");
    sql.all::<AgreementRow>().await?.into_iter().map(Agreement::from_row).collect()
}

/// An agreement to insert, in any state.
pub(crate) struct NewAgreement {
    /// Its number in the list.
    pub doc: i64,
    pub id: Uuid,
    /// The time of its creation.
    pub now: i64,
    pub state: AgreementState,
    pub form: Checked<AgreementInput>,
}

/// Builds the INSERT of agreements.
pub(crate) fn insert<'e>(
    db: impl Connection<'e>,
    scope: &Scope,
    agreements: impl IntoIterator<Item = NewAgreement>,
) -> Sql<'e> {
    let rows = agreements.into_iter().map(|NewAgreement { doc, id, now, state, form }| {
        (doc, id, now, Agreement::columns(&form).set("state", Some(state.as_str())))
    });
    columns::push_insert::<Agreement>(db.sql(""), scope, rows)
}
