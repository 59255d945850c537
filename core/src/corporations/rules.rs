//! Rules of corporations and their users.

use super::{
    AdminInput, CorporationInput, CorporationResource, CorporationUpdateInput, CorporationUserInput,
    CorporationUserUpdateInput, DeclineInput, ResourcesInput, text,
};
use crate::auth::text::PASSWORD_REQUIRED;
use crate::form::{Form, Rules, Texts, normalize_line, normalize_lines};
use crate::lists::text::resource_invalid;
use crate::message::Message;
use crate::organizations::text::EMAIL_INVALID;
use crate::permissions::{Access, CatalogueEntry, Placement, UserType, assignable_entries, find_assignable};
use crate::settings::{declare_country, normalize_code};
use crate::users::text::FIELD_REQUIRED;
use crate::users::{UserFields, assignable_types};

const DECLINE_REASON_MAX: u64 = 500;

impl AdminInput {
    fn rules(&self, rules: &mut Rules) {
        rules.field("admin_data.first_name", &self.first_name).person_name(text::FIRST_NAME_REQUIRED);
        rules.field("admin_data.last_name", &self.last_name).person_name(text::LAST_NAME_REQUIRED);
        rules.field("admin_data.email", &self.email).required_email(text::EMAIL_REQUIRED, EMAIL_INVALID);
        rules.field("admin_data.password", self.password.expose_secret()).new_password(PASSWORD_REQUIRED);
        rules.field("admin_data.phone", &self.phone).phone(text::PHONE_REQUIRED);
    }
}

/// Returns the error message for a resource that a corporation can't be allowed to use.
fn resource_error() -> Message {
    resource_invalid(&assignable_entries().map(CatalogueEntry::resource_id).collect::<Vec<_>>().join(", "))
}

fn require_assignable_resources(rules: &mut Rules, name: &str, ids: &[String]) {
    rules.require(name, ids.iter().all(|id| find_assignable(id).is_some()), resource_error());
}

impl Form for CorporationInput {
    fn normalize(&mut self) {
        self.organization.normalize();
        normalize_code(&mut self.country);
        self.admin_data.normalize_texts();
    }
    fn rules(&self, rules: &mut Rules) {
        self.organization.rules(rules, true);
        declare_country(rules, &self.country);
        require_assignable_resources(rules, "allowed_resources", &self.allowed_resources);
        self.admin_data.rules(rules);
        rules.require("agreed", self.agreed != Some(false), text::TERMS);
    }
}

impl Form for CorporationUpdateInput {
    fn normalize(&mut self) {
        self.organization.normalize();
        normalize_line(&mut self.corp_id);
    }
    fn rules(&self, rules: &mut Rules) {
        self.organization.rules(rules, false);
        require_assignable_resources(rules, "allowed_resources", self.allowed_resources.as_deref().unwrap_or_default());
        rules.require("agreed", self.agreed != Some(false), text::TERMS);
    }
}

impl Form for DeclineInput {
    fn normalize(&mut self) {
        normalize_lines(&mut self.reason);
    }
    fn rules(&self, rules: &mut Rules) {
        rules.field("reason", &self.reason).max(DECLINE_REASON_MAX);
    }
}

impl Form for ResourcesInput {
    fn rules(&self, rules: &mut Rules) {
        require_assignable_resources(rules, "resourceIds", &self.resource_ids);
    }
}

impl Form for CorporationUserInput {
    fn normalize(&mut self) {
        normalize_line(&mut self.corp_id);
        self.fields.normalize_texts();
    }
    fn rules(&self, rules: &mut Rules) {
        rules.field("corp_id", &self.corp_id).required(text::NONE_SELECTED);
        self.fields.rules(rules);
        require_assignable_type(rules, &self.fields);
        rules.field("password", self.password.expose_secret()).new_password(FIELD_REQUIRED);
    }
}

/// Rejects the type Super Admin, which a corporation's users cannot have.
fn require_assignable_type(rules: &mut Rules, fields: &UserFields) {
    let types = assignable_types(UserType::SuperAdmin, false);
    let is_assignable = fields.user_type().is_none_or(|user_type| types.contains(&user_type));
    let names: Vec<_> = types.into_iter().map(UserType::as_str).collect();
    rules.require_choice("user_type", is_assignable, &names);
}

impl CorporationUserUpdateInput {
    /// Returns whether the update only activates or deactivates the user.
    pub fn changes_only_activity(&self) -> bool {
        self.is_active.is_some() && self.fields == UserFields::default() && self.password.expose_secret().is_empty()
    }
}

impl Form for CorporationUserUpdateInput {
    fn normalize(&mut self) {
        self.fields.normalize_texts();
    }
    fn rules(&self, rules: &mut Rules) {
        if self.changes_only_activity() {
            return;
        }
        self.fields.rules(rules);
        require_assignable_type(rules, &self.fields);
        crate::users::declare_optional_password(rules, &self.password);
    }
}

/// Returns those of the ids whose resources a corporation can be allowed to use, without duplicates and in the order of
/// the catalogue.
pub fn assignable_ids(ids: &[String]) -> Vec<&'static str> {
    assignable_entries().map(CatalogueEntry::resource_id).filter(|id| ids.iter().any(|named| named == id)).collect()
}

impl From<&CatalogueEntry> for CorporationResource {
    fn from(entry: &CatalogueEntry) -> Self {
        CorporationResource {
            resource_id: entry.resource_id().to_owned(),
            title: entry.title.to_owned(),
            description: entry.description.to_owned(),
            icon: entry.icon.to_owned(),
            is_module: entry.placement == Placement::Main,
        }
    }
}

/// Returns the resources that a corporation can be allowed to use, in the order of the catalogue.
pub fn assignable_resources() -> Vec<CorporationResource> {
    assignable_entries().map(CorporationResource::from).collect()
}

/// Returns the resources that a corporation can be allowed to use, in two lists: those that are available to a user with
/// this access ([`Access::allowed`]), and the others.
pub fn partition_resources(access: &Access) -> (Vec<CorporationResource>, Vec<CorporationResource>) {
    let (available, others): (Vec<_>, Vec<_>) = assignable_entries().partition(|entry| access.allowed[entry.resource]);
    let resources = |entries: Vec<&CatalogueEntry>| entries.into_iter().map(CorporationResource::from).collect();
    (resources(available), resources(others))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{errors, errors_as_texts, messages};
    use crate::organizations::OrganizationInput;
    use crate::permissions::{effective_permissions, modules};
    use crate::settings::text::COUNTRY_INVALID;

    fn registration() -> CorporationInput {
        CorporationInput {
            organization: OrganizationInput {
                organization_number: "559360-9844".into(),
                legal_id: String::new(),
                corp_name: "Nordbil AB".into(),
                street_address: "Industrivägen 12".into(),
                registered_city: "Umeå".into(),
                postal_code: "903 26".into(),
                city: "Umeå".into(),
                company_email: "info@nordbil.example".into(),
                company_phone: "+46 90 17 06 30".into(),
            },
            country: String::new(),
            allowed_resources: vec!["contacts".into()],
            admin_data: AdminInput {
                first_name: "Ada".into(),
                last_name: "Lindqvist".into(),
                email: "ada@nordbil.example".into(),
                phone: "+46 70 123 45 67".into(),
                password: "secret".into(),
            },
            agreed: Some(true),
        }
    }

    #[test]
    fn an_empty_registration_reports_all_missing_fields_in_screen_order() {
        assert!(errors(registration()).is_empty());
        assert_eq!(
            messages(CorporationInput { agreed: Some(false), ..CorporationInput::default() }),
            [
                "Organization Number is required",
                "Company Name is required",
                "Street Address is required",
                "Registered City is required",
                "Postal Code is required",
                "City is required",
                "Company Email is required",
                "Company Phone Number is required",
                "First Name is required",
                "Last Name is required",
                "Email is required",
                "Password is required",
                "Phone Number is required",
                "You must agree to the terms of service and privacy policy",
            ]
        );
    }

    #[test]
    fn the_terms_may_be_omitted_but_not_declined() {
        assert!(errors(CorporationInput { agreed: None, ..registration() }).is_empty());
        assert_eq!(messages(CorporationInput { agreed: Some(false), ..registration() }), [text::TERMS.as_str()]);
    }

    #[test]
    fn only_an_update_accepts_an_organization_number_without_letters_and_digits() {
        let mut form = registration();
        form.organization.organization_number = "-".into();
        let update = CorporationUpdateInput { organization: form.organization.clone(), ..Default::default() };
        assert_eq!(messages(form), ["Organization Number is required"]);
        assert!(errors(update.clone()).is_empty());
        let organization = OrganizationInput { organization_number: " ".into(), ..update.organization.clone() };
        assert_eq!(messages(CorporationUpdateInput { organization, ..update }), ["Organization Number is required"]);
    }

    #[test]
    fn the_country_may_be_omitted_but_not_unknown() {
        for country in ["", " se "] {
            assert!(errors(CorporationInput { country: country.into(), ..registration() }).is_empty(), "{country}");
        }
        let form = CorporationInput { country: "XX".into(), ..registration() };
        assert_eq!(messages(form), [COUNTRY_INVALID.as_str()]);
    }

    #[test]
    fn rejects_platform_resources_subresources_and_unknown_ids() {
        for id in ["corporations", "contacts.list", "cars"] {
            let form = CorporationInput { allowed_resources: vec![id.into()], ..registration() };
            assert_eq!(messages(form), [resource_error().as_str()], "{id}");
        }
        let ids = ["roles", "contacts", "contacts", "corporations"].map(str::to_owned);
        assert_eq!(assignable_ids(&ids), ["contacts", "roles"]);
    }

    #[test]
    fn splits_resources_by_what_is_available_to_the_user() {
        let ids = |list: Vec<CorporationResource>| list.into_iter().map(|r| r.resource_id).collect::<Vec<_>>();
        let of = |user_type| {
            let access = effective_permissions(user_type, &[], &["contacts".to_owned()]);
            let (available, others) = partition_resources(&access);
            (ids(available), ids(others))
        };
        let other_modules: Vec<_> = modules().map(CatalogueEntry::resource_id).filter(|id| *id != "contacts").collect();
        for user_type in [UserType::User, UserType::Admin] {
            let (available, others) = of(user_type);
            assert_eq!(available, ["contacts", "users", "roles", "history"]);
            assert_eq!(others, other_modules);
        }
        assert!(of(UserType::SuperAdmin).1.is_empty());
    }

    #[test]
    fn the_reason_for_declining_may_be_omitted_but_not_too_long() {
        let error_count = |reason: String| errors(DeclineInput { reason }).len();
        let longest = "å".repeat(DECLINE_REASON_MAX as usize);
        assert_eq!([String::new(), longest.clone(), longest + "å"].map(error_count), [0, 0, 1]);
    }

    #[test]
    fn is_active_alone_is_a_valid_update() {
        let only = CorporationUserUpdateInput { is_active: Some(false), ..CorporationUserUpdateInput::default() };
        assert!(only.changes_only_activity() && errors(only.clone()).is_empty());
        let nothing = CorporationUserUpdateInput::default();
        assert!(!nothing.changes_only_activity() && !errors(nothing).is_empty());
        let named = CorporationUserUpdateInput {
            fields: UserFields { first_name: "A".into(), ..UserFields::default() },
            ..only
        };
        assert!(!errors(named).is_empty());
    }

    #[test]
    fn rejects_a_super_admin_among_a_corporations_users() {
        let fields = UserFields {
            first_name: "Ada".into(),
            last_name: "Lind".into(),
            email: "a@b.se".into(),
            user_type: "Super Admin".into(),
            role_id: "r1".into(),
            ..UserFields::default()
        };
        let form = CorporationUserInput { corp_id: "c1".into(), fields, password: "secret".into() };
        assert_eq!(errors_as_texts(form), ["user_type: Choose one of: User, Admin."]);
    }
}
