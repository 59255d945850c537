//! The wasm module that pages load after their first paint if they need it: the fields of each list, the checks of
//! filters and views, and the rules that only some screens need. The rules are in `core`.

mod agreements;
mod forms;
mod settings;
#[cfg(target_arch = "wasm32")]
#[cfg(test)]
mod tests;
mod vehicles;

use forecourt_call::{BindingError, read, to_js};
use forecourt_core::bulk;
use forecourt_core::customers::is_figure;
use forecourt_core::duplicates::RECORDS_MAX;
use forecourt_core::form::{FieldError, check};
use forecourt_core::history::{HistoryAction, is_recorded};
use forecourt_core::lists::{self, ConditionInput, Field, Fields, Filter, Kind, Operands, RelativeDate, Today};
use forecourt_core::message::Message;
use forecourt_core::permissions::{ResourceId, UserType};
use forecourt_core::views::{self, ViewInput};
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The memory allocator. Its code is half the size of the standard library's.
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

#[wasm_bindgen(typescript_custom_section)]
const LIST_NAME: &str = lists::LIST_NAME_TYPE;

type BindingResult<T> = Result<T, BindingError>;

/// A field of a list's records, as screens need it.
#[derive(Serialize, Tsify)]
pub struct ListField {
    /// The field's name in the API.
    pub name: &'static str,
    /// The names that lead to the field's value in a record.
    pub path: Vec<&'static str>,
    /// The field's name on screens. Missing for ids and versions, which screens do not offer.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<&'static Message>,
    #[tsify(
        type = "'id' | 'text' | 'choice' | 'flag' | 'number' | 'serial' | 'money' | 'ownMoney' | 'costs' | 'percent' | 'legs' | 'date' | 'time'"
    )]
    pub kind: &'static str,
    /// Whether bulk actions can change the field.
    #[serde(rename = "isBulkEditable")]
    pub is_bulk_editable: bool,
    /// Whether the field has a value in each record.
    #[serde(rename = "isRequired")]
    pub is_required: bool,
    /// Whether the field is a text of many lines or sentences.
    #[serde(rename = "isLong")]
    pub is_long: bool,
    /// Whether the history contains the field's values. A merge of records can set these fields.
    #[serde(rename = "isRecorded")]
    pub is_recorded: bool,
    /// Whether the field's value follows from agreements if the customer has `hasFigures`.
    #[serde(rename = "isFigure")]
    pub is_figure: bool,
    /// The resource that a user must be able to read to see the field; missing if each user of the list sees it.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<ResourceId>,
    /// The possible values of a field of the kind `choice`; the values that the filter of a text offers, besides any
    /// other; empty for other kinds.
    pub choices: &'static [&'static str],
    /// The values of a field of the kind `choice` that a bulk action can set.
    #[serde(rename = "bulkChoices")]
    pub bulk_choices: Vec<&'static str>,
    pub operators: Vec<Operator>,
}

/// An operator of a filter.
#[derive(Serialize, Tsify)]
pub struct Operator {
    pub name: &'static str,
    pub operands: Operands,
}

/// Returns the fields of the list with this name, as in the API's paths; no fields for an unknown list.
#[wasm_bindgen(js_name = listFields)]
pub fn list_fields(list: &str) -> BindingResult<Vec<Ts<ListField>>> {
    fields_of(list).iter().map(|field| to_js(&describe(list, field))).collect()
}

fn describe(list: &str, field: &Field) -> ListField {
    let choices = if let Kind::Choice(values) = field.kind { values } else { field.offered };
    let operators = field.kind.operators().iter().map(|name| Operator { name, operands: Operands::of(name) });
    ListField {
        name: field.name,
        path: field.path(),
        label: field.label(),
        kind: field.kind.name(),
        is_bulk_editable: field.is_bulk_editable,
        is_required: field.is_required,
        is_long: field.is_long,
        is_recorded: is_recorded(field),
        is_figure: is_figure(list, field.name),
        needs: field.needs,
        choices,
        bulk_choices: bulk::choices(list, field),
        operators: operators.collect(),
    }
}

/// Returns how many records can be merged at once at most.
#[wasm_bindgen(js_name = maxMerged)]
pub fn max_merged() -> usize {
    RECORDS_MAX
}

/// Returns the error message for a bulk action on this many records; undefined if one can have so many.
#[wasm_bindgen(js_name = bulkSizeError)]
pub fn bulk_size_error(count: u32) -> BindingResult<Option<Ts<Message>>> {
    bulk::size_error(count.into()).as_ref().map(to_js).transpose()
}

/// Returns true if an action of the history changes what the trash shows, or if this version does not know the action.
#[wasm_bindgen(js_name = changesTrash)]
pub fn changes_trash(action: &str) -> bool {
    HistoryAction::parse(action).is_none_or(HistoryAction::changes_trash)
}

/// Returns the filter condition for values as the user typed them. The condition may be invalid.
#[wasm_bindgen(js_name = typedCondition)]
pub fn typed_condition(
    list: &str,
    field: &str,
    operator: &str,
    texts: Vec<String>,
) -> BindingResult<Ts<ConditionInput>> {
    to_js(&ConditionInput::typed(fields_of(list), field, operator, &texts))
}

/// Parses a relative date of a filter, such as `today-30`; `undefined` for any other text.
#[wasm_bindgen(js_name = relativeDate)]
pub fn relative_date(text: &str) -> BindingResult<Option<Ts<RelativeDate>>> {
    RelativeDate::parse(text).as_ref().map(to_js).transpose()
}

/// Returns the validation errors of a filter.
#[wasm_bindgen(js_name = checkFilter)]
pub fn check_filter(list: &str, conditions: Vec<Ts<ConditionInput>>) -> BindingResult<Vec<Ts<FieldError>>> {
    let conditions = conditions.iter().map(read).collect::<BindingResult<Vec<ConditionInput>>>()?;
    let errors = Filter::read(Fields::all(fields_of(list)), &conditions, &Today::default()).err().unwrap_or_default();
    errors.iter().map(to_js).collect()
}

/// Returns the validation errors of a view that is to be saved. `stored` is the name that it has now, and `others` are
/// the names of the list's other views.
#[wasm_bindgen(js_name = checkView)]
pub fn check_view(
    view: Ts<ViewInput>,
    stored: Option<String>,
    others: Vec<String>,
) -> BindingResult<Vec<Ts<FieldError>>> {
    let view: ViewInput = read(&view)?;
    let name_error = view.check_name(stored.as_deref(), others.iter().map(String::as_str));
    check(view).err().unwrap_or_default().iter().chain(&name_error).map(to_js).collect()
}

/// Returns true if a user of this type may change and delete a shared view; `is_owner` is true for the user who created
/// it.
#[wasm_bindgen(js_name = mayChangeView)]
pub fn may_change_view(
    #[wasm_bindgen(js_name = isOwner)] is_owner: bool,
    #[wasm_bindgen(js_name = userType)] user_type: Ts<UserType>,
) -> BindingResult<bool> {
    Ok(views::may_change(is_owner, read(&user_type)?))
}

/// The messages after a view was created, updated or deleted, which screens show themselves instead of a response's.
#[derive(Serialize, Tsify)]
pub struct ViewTexts {
    pub created: &'static Message,
    pub updated: &'static Message,
    pub deleted: &'static Message,
}

#[wasm_bindgen(js_name = viewTexts)]
pub fn view_texts() -> BindingResult<Ts<ViewTexts>> {
    to_js(&ViewTexts { created: views::text::CREATED, updated: views::text::UPDATED, deleted: views::text::DELETED })
}

fn fields_of(list: &str) -> &'static [Field] {
    lists::fields_of(list).unwrap_or_default()
}
