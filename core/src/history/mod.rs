//! The history: who changed what, and when (docs/product.md 4.20). Which values it records follows from the fields of
//! the lists, in the same way for all resources.

mod other_corporations;
mod past;
mod revert;
pub mod text;
mod types;
mod undoable;

pub use other_corporations::{changes_of_other_corporation, changes_of_other_user};
pub use past::Past;
pub use revert::{
    HistoryDetail, KEPT_MAX, Kept, OnConflict, RevertInput, RevertProgress, RevertResult, RevertStarted, Undo, undo,
    undo_error,
};
pub use types::{Actor, Change, ChangedValue, Erased, HistoryAction, HistoryEntry, LastChange, PastRecord, PastValue};
pub use undoable::{RecordState, permission_to_undo};

use crate::agreements::Leg;
use crate::lists::text::resource_invalid;
use crate::lists::{Cell, Field, Kind, Record, fields_of};
use crate::message::Message;
use crate::permissions::{Access, Action, ResourceId, may, modules};

/// Default number of entries per page.
pub const PAGE_SIZE: u32 = 20;

/// The change of the number of a record's photos. No list has it as a field.
pub const PHOTO_COUNT: &str = "photos";
/// The change of the order of a record's photos, without values.
pub const PHOTO_ORDER: &str = "photo_order";

/// What the name of a change begins with if it changed what is typed in a field, while that shows a value that follows
/// from other records.
const TYPED: &str = "typed.";

/// Returns the name of the field that a change belongs to.
pub fn field_of(change: &str) -> &str {
    change.strip_prefix(TYPED).unwrap_or(change)
}

/// Returns the name of a change of what is typed in a field, while that shows a value that follows from other records.
fn typed_name(field: &str) -> String {
    format!("{TYPED}{field}")
}

/// Returns the resources whose records have a history of their own, and a trash: the modules, in the order of the
/// navigation.
pub fn resources() -> impl Iterator<Item = ResourceId> {
    modules().map(|module| module.resource)
}

/// Returns the resource with this id if its records have a history and a trash, otherwise `None`.
pub fn parse_resource(id: &str) -> Option<ResourceId> {
    resources().find(|resource| resource.as_str() == id.trim())
}

/// Returns the error message for a resource whose records have no history and no trash.
pub fn resource_error() -> Message {
    resource_invalid(&resources().map(ResourceId::as_str).collect::<Vec<_>>().join(", "))
}

/// Returns the resources whose entries a user sees in the history of their corporation: those that they may read, and
/// always the corporation itself.
pub fn visible(access: &Access) -> impl Iterator<Item = ResourceId> {
    let resources = resources().chain([ResourceId::ContactsImports, ResourceId::Users, ResourceId::Roles]);
    let readable = resources.filter(|resource| may(access, *resource, Action::Read));
    readable.chain([ResourceId::Corporations])
}

/// Returns whether a user also sees the entries about other corporations, which only the platform's history has.
pub fn sees_other_corporations(access: &Access) -> bool {
    may(access, ResourceId::Corporations, Action::Read)
}

/// Returns whether the history records the values of a field. It does not record what the program sets (ids, running
/// numbers, versions and times), nor values that follow from other fields, or from the record's import.
pub fn is_recorded(field: &Field) -> bool {
    match field.kind {
        Kind::Id => field.is_link,
        Kind::Time | Kind::Serial(_) => false,
        _ => field.name != "version" && !field.is_derived,
    }
}

/// Returns the changes between two states of a record. `before` is `None` for a new record, `after` for a deleted one.
/// `secrets` names what has changed but is recorded without values, such as a password or a picture.
pub fn changes<R: Record>(before: Option<&R>, after: Option<&R>, secrets: &[&str]) -> Vec<Change> {
    let value = |record: Option<&R>, field: &Field| record.and_then(|record| ChangedValue::of(record.cell(field.name)));
    let fields = || R::FIELDS.iter().filter(|field| is_recorded(field));
    let changed = fields().filter_map(|field| {
        let (before, after) = (value(before, field), value(after, field));
        (before != after).then(|| Change { field: field.name.to_owned(), before, after })
    });
    let typed = fields().filter_map(|field| {
        let (before, after) = (before?.typed_value(field.name)?, after?.typed_value(field.name)?);
        let (before, after) = (ChangedValue::of(before), ChangedValue::of(after));
        (before != after).then(|| Change { field: typed_name(field.name), before, after })
    });
    changed.chain(typed).chain(secret_changes(secrets)).collect()
}

/// Removes from `changes` the fields that a user with this access does not see.
pub fn hide_changes(resource: ResourceId, changes: &mut Vec<Change>, access: &Access) {
    changes.retain(|change| needs(resource, change).is_none_or(|needed| may(access, needed, Action::Read)));
}

/// Returns the resource that a user must be able to read to see the field of this change ([`Field::needs`]).
fn needs(resource: ResourceId, change: &Change) -> Option<ResourceId> {
    let fields = fields_of(resource.as_str())?;
    fields.iter().find(|field| field.name == field_of(&change.field))?.needs
}

/// Returns the resource that a user must be able to read for an entry with these changes to exist for that user; `None`
/// if there are no changes, or if all users who may read the record see the effect of one of them.
pub fn needed_resource(resource: ResourceId, changes: &[Change]) -> Option<ResourceId> {
    let needed = |change: &Change| {
        let [before, after] = [&change.before, &change.after].map(visible_legs);
        needs(resource, change).filter(|_| before == after)
    };
    let (first, others) = changes.split_first()?;
    needed(first).filter(|same| others.iter().all(|other| needed(other) == Some(*same)))
}

/// Returns the part of a value that users see in the record although they do not see its field: the legs of an
/// agreement without some prices. Empty for all other values.
fn visible_legs(value: &Option<ChangedValue>) -> Vec<Leg> {
    let Some(ChangedValue::Legs(legs)) = value else { return Vec::new() };
    let mut legs = legs.clone();
    legs.iter_mut().for_each(Leg::hide_price);
    legs
}

/// Returns the resources that fields need ([`Field::needs`]) and that a user with this access may not read.
pub fn missing_resources(access: &Access) -> impl Iterator<Item = ResourceId> {
    let is_needed = |needed| all_fields().any(|field| field.needs == Some(needed));
    ResourceId::ALL.into_iter().filter(move |needed| !may(access, *needed, Action::Read) && is_needed(*needed))
}

/// Returns the fields of all records that have a history.
fn all_fields() -> impl Iterator<Item = &'static Field> {
    resources().flat_map(|resource| fields_of(resource.as_str()).unwrap_or_default())
}

/// Returns a change without values for each of these secrets.
pub fn secret_changes(names: &[&str]) -> impl Iterator<Item = Change> {
    names.iter().map(|name| Change { field: (*name).to_owned(), before: None, after: None })
}

/// Returns the change of a text field; `None` if both texts are equal.
pub fn text_change(field: &str, before: &str, after: &str) -> Option<Change> {
    let value = |text| ChangedValue::of(Cell::Text(text));
    (before != after).then(|| Change { field: field.to_owned(), before: value(before), after: value(after) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactSummary;
    use crate::date::tests::day;
    use crate::invoices::Invoice;
    use crate::money::Money;
    use crate::permissions::{Grant, Permissions, UserType, effective_permissions};
    use proptest::prelude::*;
    use serde_json::json;

    pub(super) fn contact(name: &str, phone: &str) -> ContactSummary {
        let json = json!({"_id": "1", "name": name, "email": "", "phone": phone, "website": "", "address": "",
            "createdAt": name, "updatedAt": name, "version": name.len()});
        serde_json::from_value(json).unwrap()
    }

    pub(super) fn invoice() -> Invoice {
        let day = day("2026-01-31");
        Invoice {
            id: "1".into(),
            customer: "Nordbil".into(),
            customer_id: Some("7".into()),
            website: String::new(),
            email: String::new(),
            customer_requirements: None,
            start_date: day,
            end_date: day,
            project_price: Money::from_pence(1250).unwrap(),
            created_at: String::new(),
            updated_at: String::new(),
            version: 1,
        }
    }

    #[test]
    fn a_user_sees_the_entries_of_resources_that_they_may_read_and_of_the_corporation() {
        let grant = |id: &str, can_read| Grant {
            resource_id: id.into(),
            permissions: Permissions { can_read, ..Permissions::ALL },
        };
        let grants = [grant("history", true), grant("contacts", true), grant("invoices", false), grant("users", true)];
        let allowed = ["history", "contacts", "invoices", "users"].map(str::to_owned);
        let access = effective_permissions(UserType::User, &grants, &allowed);
        assert_eq!(
            visible(&access).collect::<Vec<_>>(),
            [ResourceId::Contacts, ResourceId::Users, ResourceId::Corporations]
        );
    }

    #[test]
    fn deleting_restoring_purging_and_erasing_change_the_trash() {
        use HistoryAction::{Deleted, Erased, Purged, Restored};
        let changing = HistoryAction::ALL.iter().copied().filter(|action| action.changes_trash());
        assert_eq!(changing.collect::<Vec<_>>(), [Deleted, Restored, Purged, Erased]);
    }

    #[test]
    fn only_fields_whose_values_differ_are_changes() {
        let found = changes(Some(&contact("Ada", "")), Some(&contact("Ada Öberg", "070")), &[]);
        let expected = json!([
            {"field": "name", "before": "Ada", "after": "Ada Öberg"},
            {"field": "phone", "before": null, "after": "070"},
        ]);
        assert_eq!(serde_json::to_value(found).unwrap(), expected);
    }

    #[test]
    fn the_file_of_an_imported_contact_is_no_change() {
        let imported = ContactSummary { import_source: Some("a.csv".into()), ..contact("Ada", "") };
        let found = changes(None, Some(&imported), &[]);
        assert_eq!(found.iter().map(|change| change.field.as_str()).collect::<Vec<_>>(), ["name"]);
    }

    #[test]
    fn a_new_record_has_only_values_after_the_change_and_a_deleted_one_only_before_it() {
        let created = changes(None, Some(&invoice()), &[]);
        let expected = json!([
            {"field": "customer", "before": null, "after": "Nordbil"},
            {"field": "customer_id", "before": null, "after": "7"},
            {"field": "startDate", "before": null, "after": "2026-01-31"},
            {"field": "endDate", "before": null, "after": "2026-01-31"},
            {"field": "projectPrice", "before": null, "after": 12.5},
        ]);
        assert_eq!(serde_json::to_value(&created).unwrap(), expected);
        let swap = |change: Change| Change { before: change.after, after: change.before, ..change };
        assert_eq!(changes(Some(&invoice()), None, &[]), created.into_iter().map(swap).collect::<Vec<_>>());
    }

    #[test]
    fn an_entry_needs_the_resource_that_all_its_changes_need() {
        let costs = ResourceId::VehiclesCosts;
        let needed = |resource, fields: &[&str]| needed_resource(resource, &secret_changes(fields).collect::<Vec<_>>());
        assert_eq!(needed(ResourceId::Vehicles, &["purchase_price", "typed.costs"]), Some(costs));
        for visible in [&["purchase_price", "make"][..], &["make", "costs"], &["costs", PHOTO_COUNT], &[]] {
            assert_eq!(needed(ResourceId::Vehicles, visible), None, "{visible:?}");
        }
        assert_eq!(needed(ResourceId::Contacts, &["costs"]), None);
        assert_eq!(missing_resources(&Access::default()).collect::<Vec<_>>(), [costs]);
        let grant = Grant { resource_id: costs.as_str().into(), permissions: Permissions::ALL };
        let access = effective_permissions(UserType::User, &[grant], &[ResourceId::Vehicles.as_str().into()]);
        assert_eq!(missing_resources(&access).count(), 0);
    }

    #[test]
    fn a_bulk_action_changes_no_field_that_needs_a_permission() {
        // So the history of a batch shows all its entries to all users who may read the records.
        assert!(all_fields().all(|field| field.needs.is_none() || !field.is_bulk_editable));
    }

    #[test]
    fn a_secret_is_a_change_without_values() {
        let found = changes(Some(&contact("Ada", "")), Some(&contact("Ada", "")), &["socialSecurityNumber"]);
        assert_eq!(found, [Change { field: "socialSecurityNumber".into(), before: None, after: None }]);
    }

    proptest! {
        #[test]
        fn changes_have_the_same_json_after_a_round_trip(before in ".{0,3}", after in ".{0,3}", pence in 1..100_000_i64) {
            let mut found = changes(Some(&contact(&before, "070")), Some(&contact(&after, &before)), &[]);
            let priced = Invoice { project_price: Money::from_pence(pence).unwrap(), ..invoice() };
            found.extend(changes(Some(&invoice()), Some(&priced), &[]));
            let json = serde_json::to_string(&found).unwrap();
            let read: Vec<Change> = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(serde_json::to_string(&read).unwrap(), json);
        }
    }
}
