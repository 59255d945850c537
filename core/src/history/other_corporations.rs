//! How the platform's history records what its administrators do in other corporations. It leaves out personal values,
//! because it stays when those corporations and their users are deleted, but names the users.

use super::{Change, ChangedValue};
use crate::lists::{Field, Personal, fields_of};
use crate::permissions::ResourceId;
use std::iter::once;

/// The change that names a user. The names of the user's other changes begin with it and a dot.
const USER: &str = "user";

/// Returns the changes of another corporation as the platform's history has them.
pub fn changes_of_other_corporation(changes: &[Change]) -> Vec<Change> {
    without_personal_values(ResourceId::Corporations, changes).collect()
}

/// Returns the changes of another corporation's user as the platform's history has them. `names` has the user's name
/// before and after the change; `None` before that of a new user, of whom only the name is recorded.
pub fn changes_of_other_user(names: [Option<String>; 2], changes: &[Change]) -> Vec<Change> {
    let is_update = names.iter().all(Option::is_some);
    let [before, after] = names.map(|name| name.map(ChangedValue::Text));
    let user = Change { field: USER.to_owned(), before, after };
    let others = without_personal_values(ResourceId::Users, changes).filter(|_| is_update);
    let others = others.map(|change| Change { field: format!("{USER}.{}", change.field), ..change });
    once(user).chain(others).collect()
}

fn without_personal_values(resource: ResourceId, changes: &[Change]) -> impl Iterator<Item = Change> {
    let fields = fields_of(resource.as_str()).unwrap_or_default();
    changes.iter().map(move |change| {
        let is_personal = |field: &Field| field.name == change.field && field.personal == Personal::KeptWithAccount;
        match fields.iter().any(is_personal) {
            true => Change { field: change.field.clone(), before: None, after: None },
            false => change.clone(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn change(field: &str, before: &str, after: &str) -> Change {
        let [before, after] = [before, after].map(|text| Some(ChangedValue::Text(text.into())));
        Change { field: field.into(), before, after }
    }

    fn json_of(changes: Vec<Change>) -> Value {
        serde_json::to_value(changes).unwrap()
    }

    #[test]
    fn the_change_of_another_user_has_the_name_but_no_other_personal_value() {
        let banned = Change { field: "banned".into(), before: None, after: Some(ChangedValue::Flag(true)) };
        let changes = [change("last_name", "Ek", "Öberg"), change("email", "a@b.se", "c@d.se"), banned];
        let changes = changes_of_other_user([Some("Ada Ek".into()), Some("Ada Öberg".into())], &changes);
        let expected = json!([
            {"field": "user", "before": "Ada Ek", "after": "Ada Öberg"},
            {"field": "user.last_name", "before": null, "after": null},
            {"field": "user.email", "before": null, "after": null},
            {"field": "user.banned", "before": null, "after": true},
        ]);
        assert_eq!(json_of(changes), expected);
    }

    #[test]
    fn a_new_user_of_another_corporation_has_only_the_name() {
        let changes = changes_of_other_user([None, Some("Ada Ek".into())], &[change("role", "", "Clerk")]);
        assert_eq!(json_of(changes), json!([{"field": "user", "before": null, "after": "Ada Ek"}]));
    }

    #[test]
    fn the_change_of_another_corporation_has_no_organization_number() {
        let changes = [change("city", "Lund", "Malmö"), change("organization_number", "1", "2")];
        let expected = json!([
            {"field": "city", "before": "Lund", "after": "Malmö"},
            {"field": "organization_number", "before": null, "after": null},
        ]);
        assert_eq!(json_of(changes_of_other_corporation(&changes)), expected);
    }
}
