//! Rules of views.

use super::{DENSITIES, SCOPES, View, ViewColumn, ViewInput, ViewQuery, text};
use crate::bulk::text::NOT_OF_THIS_LIST;
use crate::customers::CustomerFilter;
use crate::form::{FieldError, Form, Rules, errors_of, normalize_fields, normalize_line};
use crate::lists::text::resource_invalid;
use crate::lists::{ConditionInput, Field, Fields, Filter, LISTS, Operand, Sort, Today, fields_of};
use crate::message::Message;
use crate::paging::read_search;
use crate::permissions::{Access, ResourceId, UserType};
use crate::text::lower_case;
use std::collections::BTreeSet;
use validator::ValidateRange;

/// Maximum length of a view's name, in characters.
pub const NAME_MAX: u64 = 60;
/// The names, in each language, of the tab that shows all records of a list (web/src/records/views/ViewTabs.tsx).
const ALL_RECORDS: [&str; 2] = ["All", "Alla"];
pub const COLUMNS_MAX: usize = 60;
/// Maximum width of a column, in pixels.
pub const WIDTH_MAX: u32 = 2_000;
/// Maximum number of a user's views of one list.
pub const OWN_MAX: u32 = 50;
/// Maximum number of a corporation's shared views of one list.
pub const CORPORATION_MAX: u32 = 100;
/// Maximum size of the conditions in a view's filter, in bytes of JSON, so that a list of views fits into a response.
pub const FILTER_MAX: usize = 4_000;

/// Returns the fields of a resource's list; `None` if the resource has no list.
pub fn fields(resource: ResourceId) -> Option<&'static [Field]> {
    fields_of(resource.as_str())
}

fn size_of(condition: &ConditionInput) -> usize {
    condition.field.len() + condition.op.len() + condition.value.as_ref().map_or(0, Operand::size)
}

/// Returns whether a user may change and delete a shared view: its owner and administrators may.
pub fn may_change(is_owner: bool, user_type: UserType) -> bool {
    is_owner || user_type.is_administrator()
}

impl ViewInput {
    /// Returns the resource if it has a list, otherwise `None`.
    pub fn resource(&self) -> Option<ResourceId> {
        ResourceId::parse(&self.resource).filter(|resource| fields(*resource).is_some())
    }

    /// Returns a validation error if one of `others`, or the tab of all records, has the view's name in upper or lower
    /// case. `others` are the names of the list's other views that the user sees. A view keeps its `stored` name.
    pub fn check_name<'a>(
        &self,
        stored: Option<&str>,
        others: impl IntoIterator<Item = &'a str>,
    ) -> Option<FieldError> {
        let name = self.name.trim();
        let is_same = |other: &str| lower_case(other) == lower_case(name);
        let is_taken = ALL_RECORDS.into_iter().any(is_same) || others.into_iter().any(is_same);
        let is_new = stored != Some(name);
        (is_new && is_taken).then(|| FieldError { field: "name".into(), message: text::NAME_TAKEN.into() })
    }

    /// Returns a validation error for each field in the view that a user with this access does not see.
    pub fn check_visible(&self, access: &Access) -> Vec<FieldError> {
        let Some(fields) = self.resource().and_then(fields) else { return Vec::new() };
        errors_of(|rules| self.declare_field_rules(rules, Fields::visible(fields, access)))
    }

    /// Returns the form of an update with the stored density, scope and choice as the default in place of those that it
    /// omits.
    pub fn completed(mut self, stored: &View) -> Self {
        for (value, stored) in [(&mut self.density, &stored.density), (&mut self.scope, &stored.scope)] {
            if value.is_empty() {
                value.clone_from(stored);
            }
        }
        self.is_default = self.is_default.or(Some(stored.is_default));
        self
    }

    fn declare_field_rules(&self, rules: &mut Rules, fields: Fields<'_>) {
        let sort = Sort::read(fields, &self.query.sort).err().unwrap_or_default();
        let filter = Filter::read(fields, &self.query.filter, &Today::default()).err().unwrap_or_default();
        for error in sort.into_iter().chain(filter) {
            rules.require(&format!("query.{}", error.field), false, error.message);
        }
        self.declare_column_rules(rules, fields);
    }

    fn declare_column_rules(&self, rules: &mut Rules, fields: Fields<'_>) {
        let count = self.columns.len();
        let message = || text::too_many_columns(COLUMNS_MAX as u64);
        rules.require("columns", count.validate_range(None, Some(COLUMNS_MAX), None, None), message());
        let mut named = BTreeSet::new();
        for column in self.columns.iter().take(COLUMNS_MAX) {
            match fields.find(&column.field, "columns") {
                Err(error) => rules.require(&error.field, false, error.message),
                Ok(field) => {
                    let name = format!("columns.{}", field.name);
                    rules.require(&name, named.insert(field.name), text::SAME_COLUMN);
                    let has_width = column.width.is_none_or(|w| (1..=WIDTH_MAX).contains(&w));
                    rules.require(&name, has_width, text::wrong_width(u64::from(WIDTH_MAX)));
                }
            }
        }
    }
}

impl ViewQuery {
    /// Returns the filter that only the list of customers has.
    fn panel(&self) -> CustomerFilter {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        CustomerFilter {
            type_adv: text(&self.type_adv),
            from_date: text(&self.from_date),
            to_date: text(&self.to_date),
            ..CustomerFilter::default()
        }
    }

    /// Returns the query that an update stores. If it has no filter by type and date, which only the list of customers
    /// has, the stored one is kept.
    pub fn completed(&self, stored: &ViewQuery) -> ViewQuery {
        let is_absent = self.type_adv.is_none() && self.from_date.is_none() && self.to_date.is_none();
        let ViewQuery { type_adv, from_date, to_date, .. } = if is_absent { stored } else { self };
        let text = |value: &Option<String>| value.clone().filter(|text| !text.is_empty());
        ViewQuery { type_adv: text(type_adv), from_date: text(from_date), to_date: text(to_date), ..self.clone() }
    }
}

impl View {
    fn is_hidden(&self, field: &str, access: &Access) -> bool {
        let all = fields_of(&self.resource).unwrap_or_default();
        all.iter().any(|other| other.name == field && !other.is_visible_to(access))
    }

    /// Removes the columns of fields that a user with this access does not see. Returns `false` if the view sorts or
    /// filters by such a field: without that it would be another view.
    pub fn hide_fields(&mut self, access: &Access) -> bool {
        let mut columns = std::mem::take(&mut self.columns);
        columns.retain(|column| !self.is_hidden(&column.field, access));
        self.columns = columns;
        let sorts = self.query.sort.split(',').map(|part| part.trim().trim_start_matches('-'));
        let filters = self.query.filter.iter().map(|condition| condition.field.as_str());
        !sorts.chain(filters).any(|field| self.is_hidden(field, access))
    }

    /// Removes all that the view shows. Those who may change it still see that it exists, and can delete it.
    pub fn restrict(&mut self) {
        self.query = ViewQuery::default();
        self.columns.clear();
        self.is_default = false;
        self.is_restricted = true;
    }

    /// Returns the columns to store when a user with this access sets these: columns that the user does not see keep
    /// their places.
    pub fn columns_with_hidden(&self, columns: &[ViewColumn], access: &Access) -> Vec<ViewColumn> {
        let mut all = columns.to_vec();
        for (place, column) in self.columns.iter().enumerate() {
            if self.is_hidden(&column.field, access) {
                all.insert(place.min(all.len()), column.clone());
            }
        }
        all
    }
}

/// Returns the error message for a resource that has no list.
pub fn resource_error() -> Message {
    resource_invalid(&LISTS.join(", "))
}

impl Form for ViewInput {
    fn normalize(&mut self) {
        let ViewQuery { search, sort, type_adv, from_date, to_date, .. } = &mut self.query;
        normalize_fields(&mut [&mut self.name, search, sort]);
        [type_adv, from_date, to_date].into_iter().flatten().for_each(normalize_line);
        for (value, values) in [(&mut self.density, DENSITIES), (&mut self.scope, SCOPES)] {
            if value.is_empty() {
                values[0].clone_into(value);
            }
        }
        for column in &mut self.columns {
            // `false` and an absent value mean the same.
            column.hidden = column.hidden.filter(|hidden| *hidden);
        }
    }

    fn rules(&self, rules: &mut Rules) {
        let fields = self.resource().and_then(fields);
        rules.require("resource", fields.is_some(), resource_error());
        rules.field("name", &self.name).required(text::NAME_REQUIRED).max(NAME_MAX);
        rules.field("density", &self.density).matches(|value| DENSITIES.contains(&value), text::DENSITY_INVALID);
        rules.field("scope", &self.scope).matches(|value| SCOPES.contains(&value), text::SCOPE_INVALID);
        let search = read_search(&self.query.search).err().unwrap_or_default();
        let panel = errors_of(|rules| {
            let panel = self.query.panel();
            rules.require("typeAdv", self.resource().is_none_or(|list| panel.is_allowed_for(list)), NOT_OF_THIS_LIST);
            panel.rules(rules);
        });
        for error in search.into_iter().chain(panel) {
            rules.require(&format!("query.{}", error.field), false, error.message);
        }
        if let Some(fields) = fields {
            self.declare_field_rules(rules, Fields::all(fields));
        }
        rules.require("query", self.query.filter.iter().map(size_of).sum::<usize>() <= FILTER_MAX, text::TOO_LARGE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{check, errors_as_texts};
    use serde_json::{Value, json};

    /// Returns the errors of a valid view with these changes.
    fn errors(changes: Value) -> Vec<String> {
        let mut view = json!({"resource": "contacts", "name": "Without e-mail"});
        view.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        errors_as_texts(serde_json::from_value::<ViewInput>(view).unwrap())
    }

    #[test]
    fn a_view_needs_only_a_name_and_a_resource_with_a_list() {
        assert!(errors(json!({})).is_empty());
        let input = ViewInput { resource: "users".into(), name: " All ".into(), ..ViewInput::default() };
        let view = check(input).unwrap();
        assert_eq!((view.name.as_str(), view.density.as_str(), view.scope.as_str()), ("All", "comfortable", "mine"));
        assert_eq!(errors(json!({"name": " "})), ["name: Name is required"]);
        assert_eq!(errors(json!({"name": "å".repeat(61)})), ["name: Maximum length is 60 characters"]);
    }

    #[test]
    fn a_new_name_differs_from_those_of_other_views_and_of_all_records() {
        let is_taken = |name: &str, stored: Option<&str>| {
            let view = ViewInput { name: name.into(), ..ViewInput::default() };
            let error = view.check_name(stored, ["Cold", "Åsa"]);
            error.is_some_and(|error| error.field == "name" && error.message == *text::NAME_TAKEN)
        };
        for name in ["Cold", " cOLD ", "åsa", "all", "Alla"] {
            assert!(is_taken(name, None) && is_taken(name, Some("Warm")), "{name}");
        }
        assert!(!is_taken("Asa", None) && !is_taken("Colder", Some("Warm")));
        assert!(!is_taken("Cold", Some("Cold")) && !is_taken("All ", Some("All")));
    }

    #[test]
    fn the_reserved_names_are_those_of_the_tab() {
        let catalogue = include_str!("../../../web/src/locales/sv/frame.po");
        let [english, swedish] = ALL_RECORDS;
        let texts = format!("msgid \"{english}\"\nmsgstr \"{swedish}\"");
        let is_tab = |entry: &str| entry.contains("/ViewTabs.tsx") && entry.trim_end().ends_with(&texts);
        assert!(catalogue.split("\n\n").any(is_tab));
    }

    #[test]
    fn the_message_names_every_resource_with_a_list() {
        let with_list: Vec<_> = ResourceId::ALL.into_iter().filter(|resource| fields(*resource).is_some()).collect();
        for resource in ResourceId::ALL {
            let is_valid = errors(json!({"resource": resource.as_str()})).is_empty();
            assert_eq!(is_valid, with_list.contains(&resource), "{resource:?}");
        }
        let message = resource_error();
        let message = message.as_str();
        assert!(with_list.iter().all(|resource| message.contains(resource.as_str())), "{message}");
        assert_eq!(errors(json!({"resource": "roles"})), [format!("resource: {message}")]);
    }

    #[test]
    fn the_query_follows_the_rules_of_the_list() {
        let filter = json!([{"field": "email", "op": "is_empty"}]);
        assert!(errors(json!({"query": {"search": "an", "sort": "-createdAt", "filter": filter}})).is_empty());
        let bad =
            json!({"search": "x".repeat(101), "sort": "age", "filter": [{"field": "email", "op": "lt", "value": "a"}]});
        let found = errors(json!({ "query": bad }));
        let fields: Vec<_> = found.iter().map(|error| error.split_once(':').unwrap().0).collect();
        assert_eq!(fields, ["query.search", "query.sort.age", "query.filter.email"]);
        // The list of users has no field of this name.
        let other = json!({"resource": "users", "query": {"sort": "createdAt"}});
        assert!(errors(other)[0].starts_with("query.sort.createdAt: This list does not have that field."));
    }

    #[test]
    fn only_a_view_of_customers_filters_by_their_type_and_date() {
        let query = json!({"typeAdv": " Company ", "fromDate": "2026-01-01", "toDate": "2026-03-31"});
        let view = json!({"resource": "customers", "name": "Companies", "query": query});
        let view = check(serde_json::from_value::<ViewInput>(view).unwrap()).unwrap();
        let values = (view.query.type_adv.as_deref(), view.query.to_date.as_deref());
        assert_eq!(values, (Some("Company"), Some("2026-03-31")));
        assert_eq!(errors(json!({ "query": query })), [format!("query.typeAdv: {}", NOT_OF_THIS_LIST.as_str())]);
        let wrong = json!({"typeAdv": "Dog", "fromDate": "2026-03-31", "toDate": "2026-01-01"});
        let found = errors(json!({"resource": "customers", "query": wrong}));
        let fields: Vec<_> = found.iter().map(|error| error.split_once(':').unwrap().0).collect();
        assert_eq!(fields, ["query.typeAdv", "query.toDate"]);
    }

    #[test]
    fn an_update_without_the_filter_of_customers_keeps_the_stored_one() {
        let query = |json: Value| serde_json::from_value::<ViewQuery>(json).unwrap();
        let stored = query(json!({"typeAdv": "Company", "toDate": "2026-03-31"}));
        let old = query(json!({"search": "an"}));
        assert_eq!(old.completed(&stored), ViewQuery { search: "an".into(), ..stored.clone() });
        let from = json!({"fromDate": "2026-01-01"});
        assert_eq!(query(from.clone()).completed(&stored), query(from));
        let empty = query(json!({"typeAdv": "", "fromDate": "", "toDate": ""}));
        assert_eq!(empty.completed(&stored), ViewQuery::default());
    }

    #[test]
    fn columns_are_fields_of_the_list_once_each() {
        let columns = json!([{"field": "name", "width": 240}, {"field": "email", "hidden": true}]);
        assert!(errors(json!({ "columns": columns })).is_empty());
        let columns = json!([{"field": "age"}, {"field": "name"}, {"field": "name"}, {"field": "email", "width": 0}]);
        let found = errors(json!({ "columns": columns }));
        assert!(found[0].starts_with("columns.age: This list does not have that field."), "{found:?}");
        assert_eq!(found[1], format!("columns.name: {}", text::SAME_COLUMN.as_str()));
        assert_eq!(found[2], "columns.email: The width must be between 1 and 2000 pixels.");
        let many = vec![json!({"field": "name"}); COLUMNS_MAX + 1];
        assert_eq!(errors(json!({ "columns": many }))[0], "columns: A view can have at most 60 columns. Remove some.");
    }

    #[test]
    fn density_and_scope_have_fixed_values() {
        assert!(errors(json!({"density": "compact", "scope": "shared"})).is_empty());
        let found = errors(json!({"density": "tiny", "scope": "all"}));
        assert_eq!(
            found,
            ["density: The density must be 'comfortable' or 'compact'", "scope: The scope must be 'mine' or 'shared'"]
        );
    }

    #[test]
    fn the_filter_of_a_view_has_a_limited_size() {
        let values = |text: &str, count: usize| json!({"query": {"filter": [{"field": "name", "op": "in", "value": vec![text; count]}]}});
        assert!(errors(values(&"x".repeat(96), 40)).is_empty());
        // In JSON, a quotation mark takes two bytes, and a control character six.
        for text in ["x".repeat(97), "\"".repeat(49), "å\u{1}".repeat(13)] {
            assert_eq!(errors(values(&text, 41)), [format!("query: {}", text::TOO_LARGE.as_str())], "{text:?}");
        }
    }

    #[test]
    fn owners_and_administrators_change_shared_views() {
        assert!(may_change(true, UserType::User) && !may_change(false, UserType::User));
        assert!(may_change(false, UserType::Admin) && may_change(false, UserType::SuperAdmin));
    }

    #[test]
    fn columns_that_a_user_does_not_see_keep_their_places() {
        let json = json!({
            "view_id": "1", "resource": "vehicles", "name": "Margins", "query": {}, "density": "compact", "scope": "mine",
            "columns": [{"field": "name"}, {"field": "costs", "width": 90}, {"field": "status"}, {"field": "minimum_price"}],
            "is_default": true, "owner": {"id": "", "name": ""}, "version": 1,
        });
        let view: View = serde_json::from_value(json).unwrap();
        let columns = |names: &[&str]| -> Vec<ViewColumn> {
            let column = |name: &&str| ViewColumn { field: (*name).to_owned(), ..ViewColumn::default() };
            names.iter().map(column).collect()
        };
        let stored = |names: &[&str]| -> Vec<String> {
            let all = view.columns_with_hidden(&columns(names), &Access::default());
            all.into_iter().map(|column| column.field).collect()
        };
        assert_eq!(stored(&["status", "name"]), ["status", "costs", "name", "minimum_price"]);
        assert_eq!(stored(&[]), ["costs", "minimum_price"]);
        assert_eq!(view.columns_with_hidden(&[], &Access::default())[0].width, Some(90));
        let mut seen = view.clone();
        assert!(seen.hide_fields(&Access::default()));
        assert_eq!(seen.columns, columns(&["name", "status"]));
    }
}
