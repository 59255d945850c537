//! Which entries of the history can be undone, as far as that is known without a dry run (docs/product.md 4.22).

use super::{Change, ChangedValue, HistoryAction, HistoryEntry, parse_resource, resources};
use crate::agreements::{AgreementState, fixed_fields};
use crate::customers::FIGURES;
use crate::lists::fields_of;
use crate::permissions::{Access, Action, ResourceId, may};
use crate::vehicles::{VehicleStatus, next_statuses};

/// The present state of the record that an entry changed, as far as undoing depends on it. One query reads it for all
/// entries of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordState {
    /// Whether the entry's record exists or, for an import, any of its contacts that can be deleted. `true` for any
    /// other batch.
    pub has_record: bool,
    /// Whether the trash has a record that undoing this deletion or merge would restore.
    pub has_deleted: bool,
    /// Whether the figures of the customer follow from agreements.
    pub has_figures: bool,
    /// The state of the agreement.
    pub agreement_state: Option<AgreementState>,
    /// The status of the vehicle.
    pub vehicle_status: Option<VehicleStatus>,
}

/// Returns the permission on the resource that undoing an entry with this action requires; `None` if it can't be
/// undone.
pub fn permission_to_undo(resource: ResourceId, action: HistoryAction) -> Option<Action> {
    match action {
        _ if !resources().any(|with_history| with_history == resource) => None,
        HistoryAction::Updated | HistoryAction::Reverted => Some(Action::Update),
        // Undoing an import moves its contacts to the trash. Undoing a merge also requires `Update`, which `may_undo`
        // checks.
        HistoryAction::Deleted | HistoryAction::Imported | HistoryAction::Merged => Some(Action::Delete),
        _ => None,
    }
}

/// Returns whether a user has all permissions on the resource that undoing an entry with this action requires. For a
/// merge these are `Delete` and `Update`: undoing it restores records from the trash and changes the kept one.
fn may_undo(access: &Access, resource: ResourceId, action: HistoryAction) -> bool {
    let is_allowed = |needed| may(access, resource, needed);
    permission_to_undo(resource, action).is_some_and(is_allowed)
        && (action != HistoryAction::Merged || is_allowed(Action::Update))
}

impl HistoryEntry {
    /// Sets `is_deleted`, and `undo` to the permission that undoing the entry requires; to `None` if a user with this
    /// access may not undo it, or if the request is known to be refused.
    pub fn set_undo(&mut self, access: &Access, state: &RecordState) {
        self.is_deleted = !state.has_record && !self.record_id.is_empty() && parse_resource(&self.resource).is_some();
        let entry = ResourceId::parse(&self.resource).zip(HistoryAction::parse(&self.action));
        let undoable = entry.filter(|(resource, action)| {
            self.undoing_id.is_none()
                && may_undo(access, *resource, *action)
                && self.is_undoable(*resource, *action, state)
        });
        self.undo = undoable.and_then(|(resource, action)| permission_to_undo(resource, action));
    }

    /// Returns whether undoing the entry may change something. The records of a bulk change are not examined.
    fn is_undoable(&self, resource: ResourceId, action: HistoryAction, state: &RecordState) -> bool {
        match permission_to_undo(resource, action) {
            None => false,
            Some(Action::Update) if self.record_id.is_empty() => true,
            Some(Action::Update) => {
                state.has_record
                    && !self.changes.iter().any(|change| change.is_erased() || is_final(resource, change, state))
                    && self.changes.iter().any(|change| is_undoable(resource, change, state))
            }
            Some(_) => match action {
                HistoryAction::Imported => state.has_record,
                HistoryAction::Merged => state.has_record && state.has_deleted,
                _ => state.has_deleted,
            },
        }
    }
}

/// Returns whether no update with this change can be undone, not even in part: a step of an agreement, or a vehicle's
/// present status that can't change back.
fn is_final(resource: ResourceId, change: &Change, state: &RecordState) -> bool {
    match (resource, change.field.as_str()) {
        (ResourceId::Agreements, "state") => true,
        (ResourceId::Vehicles, "status") => {
            status(&change.after) == state.vehicle_status && !can_status_return(change, state)
        }
        _ => false,
    }
}

/// Returns whether undoing this change may set the old value.
fn is_undoable(resource: ResourceId, change: &Change, state: &RecordState) -> bool {
    let Some(field) = change.undone_field(fields_of(resource.as_str()).unwrap_or_default()) else { return false };
    match resource {
        // The field's name differs if the change is one of what was typed meanwhile.
        ResourceId::Customers => !(state.has_figures && field == change.field && FIGURES.contains(&field)),
        ResourceId::Agreements => {
            let fixed = state.agreement_state.map(fixed_fields).unwrap_or_default();
            fixed.iter().all(|(fixed, _)| *fixed != field)
        }
        ResourceId::Vehicles if field == "status" => can_status_return(change, state),
        _ => true,
    }
}

/// Returns whether the vehicle can get back the status that it had before the change.
fn can_status_return(change: &Change, state: &RecordState) -> bool {
    let statuses = status(&change.before).zip(state.vehicle_status);
    statuses.is_none_or(|(before, present)| next_statuses(present).contains(&before))
}

fn status(value: &Option<ChangedValue>) -> Option<VehicleStatus> {
    match value {
        Some(ChangedValue::Text(status)) => VehicleStatus::parse(status),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Actor, typed_name};
    use super::*;
    use crate::customers::{CustomerFigures, CustomerSummary};
    use crate::lists::Record;
    use crate::permissions::Permissions;
    use serde_json::{Value, json};

    const PRESENT: RecordState = RecordState {
        has_record: true,
        has_deleted: true,
        has_figures: false,
        agreement_state: None,
        vehicle_status: None,
    };

    fn entry(resource: ResourceId, action: HistoryAction, record_id: &str, changes: Value) -> HistoryEntry {
        HistoryEntry {
            history_id: "1".into(),
            at: String::new(),
            actor: Actor::system(),
            action: action.as_str().into(),
            resource: resource.as_str().into(),
            record_id: record_id.into(),
            label: String::new(),
            changes: serde_json::from_value(changes).unwrap(),
            is_shortened: false,
            batch_id: None,
            records: None,
            undo: None,
            undoing_id: None,
            is_deleted: false,
        }
    }

    /// Returns the `undo` of an entry for a user with all permissions.
    fn undo_of(mut entry: HistoryEntry, state: &RecordState) -> Option<Action> {
        let mut access = Access::default();
        for resource in ["contacts", "customers", "vehicles", "agreements"].map(|id| ResourceId::parse(id).unwrap()) {
            access.permissions[resource] = Permissions::ALL;
        }
        entry.set_undo(&access, state);
        entry.undo
    }

    fn undo_of_update(resource: ResourceId, changes: Value, state: &RecordState) -> bool {
        undo_of(entry(resource, HistoryAction::Updated, "7", changes), state).is_some()
    }

    fn change(field: &str, before: &str, after: &str) -> Value {
        json!({"field": field, "before": before, "after": after})
    }

    #[test]
    fn undoing_requires_the_permission_for_the_change_that_it_makes() {
        let needed = permission_to_undo(ResourceId::Contacts, HistoryAction::Updated);
        assert_eq!(needed, Some(Action::Update));
        assert_eq!(permission_to_undo(ResourceId::Invoices, HistoryAction::Deleted), Some(Action::Delete));
        for action in [HistoryAction::Imported, HistoryAction::Merged] {
            assert_eq!(permission_to_undo(ResourceId::Contacts, action), Some(Action::Delete));
        }
        for action in [HistoryAction::Created, HistoryAction::Exported, HistoryAction::Purged, HistoryAction::Unmerged]
        {
            assert_eq!(permission_to_undo(ResourceId::Contacts, action), None);
        }
        assert_eq!(permission_to_undo(ResourceId::Users, HistoryAction::Updated), None);
    }

    #[test]
    fn undoing_a_merge_requires_update_and_delete() {
        let may_undo_it = |action, allowed: Permissions| {
            let mut access = Access::default();
            access.permissions[ResourceId::Contacts] = allowed;
            may_undo(&access, ResourceId::Contacts, action)
        };
        let (update, delete) = (
            Permissions { can_update: true, ..Permissions::default() },
            Permissions { can_delete: true, ..Permissions::default() },
        );
        let both = Permissions { can_update: true, ..delete };
        assert!(!may_undo_it(HistoryAction::Merged, update) && !may_undo_it(HistoryAction::Merged, delete));
        assert!(may_undo_it(HistoryAction::Merged, both) && may_undo_it(HistoryAction::Deleted, delete));
        assert!(may_undo_it(HistoryAction::Updated, update) && !may_undo_it(HistoryAction::Updated, delete));
        assert!(!may_undo_it(HistoryAction::Created, both));
    }

    #[test]
    fn an_update_is_offered_while_its_record_exists_and_a_deletion_while_it_is_in_the_trash() {
        let name = || json!([change("name", "Ada", "Bo")]);
        for (action, state, undo) in [
            (HistoryAction::Updated, RecordState { has_deleted: false, ..PRESENT }, Some(Action::Update)),
            (HistoryAction::Updated, RecordState { has_record: false, ..PRESENT }, None),
            (HistoryAction::Reverted, RecordState { has_record: false, ..PRESENT }, None),
            (HistoryAction::Deleted, RecordState { has_record: false, ..PRESENT }, Some(Action::Delete)),
            (HistoryAction::Deleted, RecordState { has_deleted: false, ..PRESENT }, None),
            (HistoryAction::Merged, PRESENT, Some(Action::Delete)),
            (HistoryAction::Merged, RecordState { has_record: false, ..PRESENT }, None),
            (HistoryAction::Merged, RecordState { has_deleted: false, ..PRESENT }, None),
            (HistoryAction::Created, PRESENT, None),
        ] {
            let entry = entry(ResourceId::Contacts, action, "7", name());
            assert_eq!(undo_of(entry, &state), undo, "{action:?} {state:?}");
        }
    }

    #[test]
    fn an_import_is_offered_while_a_contact_of_it_is_left_and_a_bulk_change_always() {
        let batch = |action| entry(ResourceId::Contacts, action, "", json!([]));
        let imported = |state: RecordState| undo_of(batch(HistoryAction::Imported), &state);
        assert_eq!(imported(RecordState { has_deleted: false, ..PRESENT }), Some(Action::Delete));
        assert_eq!(imported(RecordState { has_record: false, ..PRESENT }), None);
        assert_eq!(undo_of(batch(HistoryAction::Updated), &PRESENT), Some(Action::Update));
        assert_eq!(undo_of(batch(HistoryAction::Deleted), &RecordState { has_deleted: false, ..PRESENT }), None);
    }

    #[test]
    fn an_entry_is_not_offered_while_its_undoing_runs() {
        for action in [HistoryAction::Imported, HistoryAction::Deleted] {
            let entry = entry(ResourceId::Contacts, action, "", json!([]));
            assert_eq!(undo_of(entry.clone(), &PRESENT), Some(Action::Delete));
            assert_eq!(undo_of(HistoryEntry { undoing_id: Some("9".into()), ..entry }, &PRESENT), None);
        }
    }

    #[test]
    fn only_who_may_undo_it_is_offered_an_entry() {
        let mut updated =
            entry(ResourceId::Contacts, HistoryAction::Updated, "7", json!([change("name", "Ada", "Bo")]));
        updated.set_undo(&Access::default(), &PRESENT);
        assert_eq!(updated.undo, None);
        let users = entry(ResourceId::Users, HistoryAction::Updated, "7", json!([change("name", "Ada", "Bo")]));
        assert_eq!(undo_of(users, &PRESENT), None);
    }

    #[test]
    fn an_update_is_offered_if_an_old_value_of_a_field_is_known() {
        let comment = change("comments", "Called", "Wrote");
        let secret = json!({"field": "socialSecurityNumber", "before": null, "after": null});
        let erased = json!({"field": "name", "before": {"erased": true}, "after": {"erased": true}});
        let offered = |changes: Value| undo_of_update(ResourceId::Customers, changes, &PRESENT);
        assert!(!offered(json!([])) && !offered(json!([comment, secret])));
        let name = change("name", "Ada", "Bo");
        assert!(offered(json!([comment, secret, name])));
        assert!(!offered(json!([erased, change("email", "a@b.se", "b@b.se")])));
    }

    #[test]
    fn figures_that_follow_from_agreements_are_not_offered() {
        let derived = RecordState { has_figures: true, ..PRESENT };
        let offered =
            |field: &str, state| undo_of_update(ResourceId::Customers, json!([change(field, "Yes", "Dealer")]), state);
        for field in FIGURES {
            assert!(!offered(field, &derived) && offered(field, &PRESENT), "{field}");
            assert!(offered(&typed_name(field), &derived), "what was typed meanwhile");
        }
        assert!(offered("name", &derived));
    }

    #[test]
    fn the_figures_are_the_fields_with_a_typed_value() {
        let customer = CustomerSummary::FIELDS.iter().map(|field| field.name);
        let typed = customer.filter(|name| CustomerFigures::default().cell(name).is_some());
        assert_eq!(typed.collect::<std::collections::BTreeSet<_>>(), FIGURES.into_iter().collect());
    }

    #[test]
    fn neither_a_step_of_an_agreement_nor_the_terms_of_a_signed_one_are_offered() {
        let offered = |field: &str, state| {
            let present = RecordState { agreement_state: Some(state), ..PRESENT };
            undo_of_update(ResourceId::Agreements, json!([change(field, "a", "b")]), &present)
        };
        use AgreementState::{Delivered, Draft, Signed};
        assert!(!offered("state", Draft));
        assert!(offered("deposit", Draft) && !offered("deposit", Signed));
        assert!(offered("warranty", Signed) && !offered("warranty", Delivered));
        assert!(offered("notes", Delivered));
        let step = json!([change("state", "Draft", "Offered"), change("notes", "a", "b")]);
        assert!(!undo_of_update(ResourceId::Agreements, step, &PRESENT));
    }

    #[test]
    fn a_status_of_a_vehicle_is_offered_only_if_the_present_one_can_change_back() {
        use VehicleStatus::{Expected, InStock, Reserved, Sold, Withdrawn};
        let offered = |before: VehicleStatus, after: VehicleStatus, present, others: &[Value]| {
            let status = change("status", before.as_str(), after.as_str());
            let state = RecordState { vehicle_status: Some(present), ..PRESENT };
            undo_of_update(ResourceId::Vehicles, [&[status], others].concat().into(), &state)
        };
        let colour = [change("colour", "Red", "Blue")];
        assert!(offered(InStock, Withdrawn, Withdrawn, &[]));
        assert!(!offered(Expected, InStock, InStock, &colour), "the rules refuse it as a whole");
        assert!(!offered(Reserved, Sold, Sold, &colour));
        assert!(!offered(InStock, Reserved, Sold, &[]), "it was sold since then");
        assert!(offered(InStock, Reserved, Sold, &colour), "the other field can be undone");
    }
}
