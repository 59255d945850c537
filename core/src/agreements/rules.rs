//! Rules of agreements.

use super::balance::{is_deposit_covered, totals};
use super::legs::LEGS;
use super::states::are_days_in_order;
use super::{Agreement, AgreementInput, AgreementState, AgreementType, References, WarrantyKind, text};
use crate::date::Date;
use crate::form::{Form, Rules, Texts};
use crate::invoices::Price;
use crate::lists::is_uuid;
use crate::message::Message;
use crate::money::Money;
use crate::text::{DATE_INVALID, PRICE_INVALID};

const NOTES_MAX: u64 = 10_000;
const MONTHS_MAX: i64 = 120;
const DISTANCE_MAX: i64 = 9_999_999;

/// Returns what the numbers of agreements of a type begin with.
pub fn number_prefix(agreement_type: AgreementType) -> &'static str {
    match agreement_type {
        AgreementType::Sales => "SA-",
        AgreementType::Purchase => "PA-",
        AgreementType::Agency => "AA-",
    }
}

/// Returns why an agreement can't be deleted; `None` if it can be, because it is not binding.
pub fn deletion_error(state: AgreementState) -> Option<&'static Message> {
    let error = if state.is_delivered() { text::DELIVERED_STAYS } else { text::CANCEL_FIRST };
    state.is_binding().then_some(error)
}

/// Returns why the customer or contact of agreements in these states can't be deleted: `error` if one is binding;
/// `None` if it can be.
pub fn party_deletion_error(agreements: &[AgreementState], error: &'static Message) -> Option<&'static Message> {
    agreements.iter().any(|state| state.is_binding()).then_some(error)
}

impl AgreementInput {
    /// Returns the type; that of the stored agreement in an update. `None` if the text is not a type.
    pub fn agreement_type(&self) -> Option<AgreementType> {
        match (&self.stored, self.agreement_type.as_str()) {
            (Some(stored), _) => Some(stored.agreement_type),
            (None, "") => Some(AgreementType::Sales),
            (None, text) => AgreementType::parse(text),
        }
    }

    /// As [`AgreementInput::agreement_type`]; an invalid one counts as a sale.
    pub(super) fn kind(&self) -> AgreementType {
        self.agreement_type().unwrap_or(AgreementType::Sales)
    }

    /// Returns the state of the stored agreement.
    pub(super) fn state_before(&self) -> AgreementState {
        self.stored.as_ref().map_or(AgreementState::Draft, |stored| stored.state)
    }

    /// Returns whether nothing is binding yet, so that everything can be changed.
    pub fn is_open(&self) -> bool {
        matches!(self.state_before(), AgreementState::Draft | AgreementState::Offered)
    }

    pub fn customer_id(&self) -> Option<&str> {
        Some(self.customer_id.as_str()).filter(|id| !id.is_empty())
    }

    /// Returns the name of its customer. `None` if the name stays: it is binding, or its customer was deleted.
    pub fn customer_name(&self) -> Option<&str> {
        let references = self.references.as_ref().filter(|_| self.is_open())?;
        let had_none = self.stored.as_ref().is_some_and(|stored| stored.customer_id.is_none());
        let stays = had_none && self.customer_id.is_empty();
        (!stays).then(|| references.customer_name.as_deref().unwrap_or_default())
    }

    pub fn contact_id(&self) -> Option<&str> {
        Some(self.contact_id.as_str()).filter(|id| !id.is_empty())
    }

    /// Returns whether the contact can be changed.
    pub fn is_contact_open(&self) -> bool {
        self.is_open() || self.state_before() == AgreementState::Signed
    }

    /// Returns the deposit, or `None` if it is empty or invalid.
    pub fn deposit(&self) -> Option<Money> {
        self.deposit.not_negative()
    }

    /// As [`AgreementInput::deposit`].
    pub fn commission(&self) -> Option<Money> {
        self.commission.not_negative()
    }

    /// Returns the commission in percent, or `None` if it is empty or invalid.
    pub fn commission_percent(&self) -> Option<Money> {
        self.commission_percent.percent()
    }

    /// Returns the minimum price; outside `None` if the form leaves it unchanged, inside if there is none.
    pub fn minimum_price(&self) -> Option<Option<Money>> {
        self.minimum_price.as_ref().map(Price::positive)
    }

    pub fn warranty(&self) -> Option<WarrantyKind> {
        let kind = &self.warranty.kind;
        if kind.is_empty() { Some(WarrantyKind::None) } else { WarrantyKind::parse(kind) }
    }

    pub fn warranty_months(&self) -> Option<i64> {
        self.warranty.months.value().filter(|months| (1..=MONTHS_MAX).contains(months))
    }

    pub fn warranty_distance(&self) -> Option<i64> {
        self.warranty.distance.value().filter(|distance| (1..=DISTANCE_MAX).contains(distance))
    }

    pub fn agreed_on(&self) -> Option<Date> {
        Date::parse(&self.agreed_on)
    }

    pub fn delivered_on(&self) -> Option<Date> {
        Date::parse(&self.delivered_on)
    }

    fn declare_party_rules(&self, rules: &mut Rules) {
        let is_id = |id: &str| id.is_empty() || is_uuid(id);
        rules.require("customer_id", is_id(&self.customer_id), text::CUSTOMER_UNKNOWN);
        rules.require("contact_id", is_id(&self.contact_id), text::CONTACT_UNKNOWN);
        if let Some(references) = &self.references {
            let has_customer = self.customer_id.is_empty() || references.customer_name.is_some();
            rules.require("customer_id", has_customer, text::CUSTOMER_UNKNOWN);
            rules.require("contact_id", self.contact_id.is_empty() || references.has_contact, text::CONTACT_UNKNOWN);
        }
        let lacks_customer = self.state_before() == AgreementState::Offered && self.customer_id.is_empty();
        rules.require("customer_id", !lacks_customer, text::CUSTOMER_REQUIRED);
    }

    fn declare_term_rules(&self, rules: &mut Rules) {
        rules.require("deposit", self.deposit.is_empty() || self.deposit().is_some(), text::AMOUNT_INVALID);
        let (legs, is_offered) = (self.legs(), self.state_before() == AgreementState::Offered);
        // A leg with an error is not among the legs.
        let must_be_covered = is_offered && legs.len() == self.legs.len();
        let is_covered = !must_be_covered || is_deposit_covered(&legs, totals(&legs, None).out_total, self.deposit());
        rules.require("deposit", is_covered, text::DEPOSIT_TOO_HIGH);
        let (has_amount, has_percent) = (!self.commission.is_empty(), !self.commission_percent.is_empty());
        rules.require("commission", !has_amount || self.commission().is_some(), text::AMOUNT_INVALID);
        rules.require("commission_percent", !has_percent || self.commission_percent().is_some(), text::PERCENT_INVALID);
        rules.require("commission_percent", !has_amount || !has_percent, text::COMMISSION_TWICE);
        let has_minimum = self.minimum_price.as_ref().is_some_and(|price| !price.is_empty());
        let is_price = !has_minimum || self.minimum_price().flatten().is_some();
        rules.require("minimum_price", is_price, PRICE_INVALID);
        rules.field("exclusive_until", &self.exclusive_until).parses(Date::parse, DATE_INVALID);
        rules.require_choice("warranty", self.warranty().is_some(), WarrantyKind::NAMES);
        let is_count = self.warranty.months.is_empty() || self.warranty_months().is_some();
        rules.require("warranty_months", is_count, text::MONTHS_INVALID);
        let is_distance = self.warranty.distance.is_empty() || self.warranty_distance().is_some();
        rules.require("warranty_distance", is_distance, text::DISTANCE_INVALID);
        rules.field("agreed_on", &self.agreed_on).parses(Date::parse, DATE_INVALID);
        rules.field("delivered_on", &self.delivered_on).parses(Date::parse, DATE_INVALID);
        let is_in_order = are_days_in_order(self.agreed_on(), self.delivered_on());
        rules.require("delivered_on", is_in_order, text::DELIVERED_TOO_EARLY);
    }

    /// What is unchanged may be as it is, so this comes before the other rules.
    fn declare_fixed_rules(&self, rules: &mut Rules, stored: &Agreement) {
        for (field, reason) in fixed_fields(stored.state) {
            rules.require(field, self.is_unchanged(field, stored), reason);
        }
        if stored.state == AgreementState::Signed {
            let is_same = self.contact_id() == stored.contact_id.as_deref();
            let exists =
                self.contact_id.is_empty() || self.references.as_ref().is_none_or(|references| references.has_contact);
            rules.require("contact_id", is_same || exists, text::CONTACT_UNKNOWN);
        }
    }

    fn is_unchanged(&self, field: &str, stored: &Agreement) -> bool {
        // An open form still has a customer or contact that was meanwhile deleted or merged into another one. The stored
        // agreement has none, or the other.
        let is_gone =
            |exists: fn(&References) -> bool| self.references.as_ref().is_some_and(|references| !exists(references));
        match field {
            LEGS => self.legs.len() == stored.legs.len() && self.legs() == stored.legs,
            "customer_id" => {
                self.customer_id() == stored.customer_id.as_deref()
                    || (!self.customer_id.is_empty() && is_gone(|references| references.customer_name.is_some()))
            }
            "contact_id" => {
                self.contact_id() == stored.contact_id.as_deref()
                    || (!self.contact_id.is_empty() && is_gone(|references| references.has_contact))
            }
            "deposit" => is_same(&self.deposit, self.deposit(), stored.deposit),
            "commission" => is_same(&self.commission, self.commission(), stored.commission),
            "commission_percent" => {
                is_same(&self.commission_percent, self.commission_percent(), stored.commission_percent)
            }
            "minimum_price" => {
                self.minimum_price.as_ref().map_or(stored.minimum_price, Price::positive) == stored.minimum_price
            }
            "exclusive_until" => self.exclusive_until == text_of(stored.exclusive_until),
            "agreed_on" => self.agreed_on == text_of(stored.agreed_on),
            "warranty" => self.warranty() == Some(stored.warranty.kind),
            "warranty_months" => self.warranty.months.value() == stored.warranty.months,
            "warranty_distance" => self.warranty.distance.value() == stored.warranty.distance,
            "delivered_on" => self.delivered_on == text_of(stored.delivered_on),
            _ => true,
        }
    }
}

/// The fields that stay once an agreement is signed.
const SIGNED: [&str; 8] = [
    LEGS,
    "customer_id",
    "deposit",
    "commission",
    "commission_percent",
    "minimum_price",
    "exclusive_until",
    "agreed_on",
];
/// The fields that stay in all later states, too.
const LATER: [&str; 5] = ["contact_id", "warranty", "warranty_months", "warranty_distance", "delivered_on"];

/// Returns the fields that can't be changed in this state, each with the reason.
pub fn fixed_fields(state: AgreementState) -> Vec<(&'static str, &'static Message)> {
    match state {
        AgreementState::Draft | AgreementState::Offered => Vec::new(),
        AgreementState::Signed => SIGNED.map(|field| (field, text::SIGNED_FIXED)).to_vec(),
        AgreementState::Delivered | AgreementState::Closed | AgreementState::Cancelled => {
            SIGNED.into_iter().chain(LATER).map(|field| (field, text::ONLY_NOTES)).collect()
        }
    }
}

/// Returns whether an amount is typed as it is stored.
fn is_same(typed: &Price, amount: Option<Money>, stored: Option<Money>) -> bool {
    typed.is_empty() == amount.is_none() && amount == stored
}

fn text_of(date: Option<Date>) -> String {
    date.map(|date| date.to_string()).unwrap_or_default()
}

impl Form for AgreementInput {
    fn omit(&mut self, field: &str) -> Option<&'static Message> {
        match field {
            LEGS => {
                // The type and the directions are read from normalized texts.
                self.normalize();
                self.keeps_in_prices = true;
                self.has_in_price().then_some(text::IN_PRICE)
            }
            "minimum_price" => {
                let price = self.minimum_price.take();
                price.is_some_and(|price| !price.is_empty()).then_some(text::MINIMUM_PRICE)
            }
            _ => None,
        }
    }

    fn normalize(&mut self) {
        self.normalize_texts();
        self.warranty.normalize_texts();
        self.normalize_legs();
        self.customer_id.make_ascii_lowercase();
        self.contact_id.make_ascii_lowercase();
        if self.warranty() == Some(WarrantyKind::None) {
            self.warranty.months.0.clear();
            self.warranty.distance.0.clear();
        }
        // Only an agency has a commission. A form of another type may still have one that was typed before its type was
        // chosen.
        if self.agreement_type().is_some_and(|agreement_type| agreement_type != AgreementType::Agency) {
            self.commission = Price::default();
            self.commission_percent = Price::default();
        }
    }

    fn rules(&self, rules: &mut Rules) {
        rules.require_choice("type", self.agreement_type().is_some(), AgreementType::NAMES);
        let is_state = self.state.is_empty() || AgreementState::parse(&self.state) == Some(self.state_before());
        rules.require("state", is_state, text::STATE_BY_STEPS);
        if let Some(stored) = &self.stored {
            self.declare_fixed_rules(rules, stored);
        }
        if self.is_open() {
            self.declare_party_rules(rules);
            self.declare_leg_rules(rules);
        }
        self.declare_term_rules(rules);
        rules.field("notes", &self.notes).max(NOTES_MAX);
    }
}

#[cfg(test)]
mod tests;
