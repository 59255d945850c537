//! What must hold of a corporation (specification section 5, Corporation form).

use super::{
    AdminInput, CorporationInput, CorporationResource, CorporationUpdateInput, CorporationUserInput,
    CorporationUserUpdateInput, ResourcesInput, text,
};
use crate::auth::text::PASSWORD_REQUIRED;
use crate::form::{Form, Sheet, trim};
use crate::organizations::text::EMAIL_INVALID;
use crate::permissions::{CATALOGUE, CatalogueEntry, PermissionResource, assignable};
use crate::users::UserFields;
use crate::users::text::{FIELD_REQUIRED, INPUT_INVALID};

impl AdminInput {
    fn tidy(&mut self) {
        for text in [&mut self.first_name, &mut self.last_name, &mut self.email, &mut self.phone] {
            trim(text);
        }
    }
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("admin_data.first_name", &self.first_name).person_name(text::FIRST_NAME_REQUIRED);
        sheet.field("admin_data.last_name", &self.last_name).person_name(text::LAST_NAME_REQUIRED);
        sheet.field("admin_data.email", &self.email).mandatory_email(text::EMAIL_REQUIRED, EMAIL_INVALID);
        sheet.field("admin_data.password", &self.password).new_password(PASSWORD_REQUIRED);
        sheet.field("admin_data.phone", &self.phone).phone(text::PHONE_REQUIRED);
    }
}

fn resources(sheet: &mut Sheet, name: &str, ids: &[String]) {
    sheet.rule(name, ids.iter().all(|id| assignable(id).is_some()), text::RESOURCE_UNKNOWN);
}

impl Form for CorporationInput {
    fn tidy(&mut self) {
        self.organization.tidy();
        self.admin_data.tidy();
    }
    fn rules(&self, sheet: &mut Sheet) {
        self.organization.rules(sheet);
        resources(sheet, "allowed_resources", &self.allowed_resources);
        self.admin_data.rules(sheet);
        sheet.rule("agreed", self.agreed != Some(false), text::TERMS);
    }
}

impl Form for CorporationUpdateInput {
    fn tidy(&mut self) {
        self.organization.tidy();
        trim(&mut self.corp_id);
    }
    fn rules(&self, sheet: &mut Sheet) {
        self.organization.rules(sheet);
        resources(sheet, "allowed_resources", self.allowed_resources.as_deref().unwrap_or_default());
        sheet.rule("agreed", self.agreed != Some(false), text::TERMS);
    }
}

impl Form for ResourcesInput {
    fn rules(&self, sheet: &mut Sheet) {
        resources(sheet, "resourceIds", &self.resource_ids);
    }
}

impl Form for CorporationUserInput {
    fn tidy(&mut self) {
        trim(&mut self.corp_id);
        self.fields.tidy();
    }
    fn rules(&self, sheet: &mut Sheet) {
        sheet.field("corp_id", &self.corp_id).required(text::NONE_SELECTED);
        self.fields.rules(sheet);
        sheet.rule("user_type", !names_super_admin(&self.fields), INPUT_INVALID);
        sheet.field("password", &self.password).new_password(FIELD_REQUIRED);
    }
}

/// The corporation's users screen offers User and Admin alone (specification section 6).
fn names_super_admin(fields: &UserFields) -> bool {
    fields.user_type() == Some(crate::permissions::UserType::SuperAdmin)
}

impl CorporationUserUpdateInput {
    /// Is it only about whether the user is active?
    pub fn is_only_activity(&self) -> bool {
        self.is_active.is_some() && self.fields == UserFields::default() && self.password.is_empty()
    }
}

impl Form for CorporationUserUpdateInput {
    fn tidy(&mut self) {
        self.fields.tidy();
    }
    fn rules(&self, sheet: &mut Sheet) {
        if self.is_only_activity() {
            return;
        }
        self.fields.rules(sheet);
        sheet.rule("user_type", !names_super_admin(&self.fields), INPUT_INVALID);
        crate::users::password_or_blank(sheet, &self.password);
    }
}

/// The catalogue's ids of those resources that are named, each once, in its order.
pub fn resources_to_allow(ids: &[String]) -> Vec<&'static str> {
    let named = |id: &str| ids.iter().any(|named| named == id);
    CATALOGUE.iter().filter(|e| e.is_assignable() && named(e.resource_id)).map(|e| e.resource_id).collect()
}

impl From<&CatalogueEntry> for CorporationResource {
    fn from(entry: &CatalogueEntry) -> Self {
        CorporationResource {
            resource_id: entry.resource_id.to_owned(),
            title: entry.title.to_owned(),
            description: entry.description.to_owned(),
            icon: entry.icon.to_owned(),
        }
    }
}

/// What a corporation can be allowed, in the catalogue's order.
pub fn assignable_resources() -> Vec<CorporationResource> {
    CATALOGUE.iter().filter(|entry| entry.is_assignable()).map(CorporationResource::from).collect()
}

/// The same for one person, by what their permissions say: what is included for them, and what isn't.
pub fn modules(resources: &[PermissionResource]) -> (Vec<CorporationResource>, Vec<CorporationResource>) {
    let included = |id: &str| resources.iter().any(|r| r.resource_id == id && r.allowed);
    assignable_resources().into_iter().partition(|module| included(&module.resource_id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::errors;
    use crate::organizations::OrganizationInput;
    use crate::permissions::{UserType, effective};

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
    fn sentences(form: CorporationInput) -> Vec<String> {
        errors(form).into_iter().map(|e| e.message).collect()
    }

    #[test]
    fn an_empty_registration_says_everything_that_it_lacks_in_the_order_of_the_screen() {
        assert!(errors(registration()).is_empty());
        assert_eq!(
            sentences(CorporationInput { agreed: Some(false), ..CorporationInput::default() }),
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
    fn a_client_may_leave_the_checkbox_out_but_not_untick_it() {
        assert!(errors(CorporationInput { agreed: None, ..registration() }).is_empty());
        assert_eq!(sentences(CorporationInput { agreed: Some(false), ..registration() }), [text::TERMS]);
    }

    #[test]
    fn nobody_is_allowed_the_platforms_own_resource() {
        for id in ["corporations", "contacts.list", "cars"] {
            let form = CorporationInput { allowed_resources: vec![id.into()], ..registration() };
            assert_eq!(sentences(form), [text::RESOURCE_UNKNOWN], "{id}");
        }
        let ids = ["roles", "contacts", "contacts", "corporations"].map(str::to_owned);
        assert_eq!(resources_to_allow(&ids), ["contacts", "roles"]);
    }

    #[test]
    fn whoever_asks_learns_what_is_included_for_them_and_what_is_not() {
        let ids = |modules: Vec<CorporationResource>| modules.into_iter().map(|m| m.resource_id).collect::<Vec<_>>();
        let of = |user_type| {
            let (included, others) = modules(&effective(user_type, &[], &["contacts".to_owned()]));
            (ids(included), ids(others))
        };
        let texts = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        let user = (texts(&["contacts"]), texts(&["customers", "invoices", "users", "roles"]));
        assert_eq!(of(UserType::User), user);
        // An Admin keeps users and roles, whatever the corporation is allowed.
        let admin = (texts(&["contacts", "users", "roles"]), texts(&["customers", "invoices"]));
        assert_eq!(of(UserType::Admin), admin);
        assert_eq!(of(UserType::SuperAdmin).1, texts(&[]));
    }

    #[test]
    fn a_user_is_deactivated_by_that_word_alone() {
        let only = CorporationUserUpdateInput { is_active: Some(false), ..CorporationUserUpdateInput::default() };
        assert!(only.is_only_activity() && errors(only.clone()).is_empty());
        let nothing = CorporationUserUpdateInput::default();
        assert!(!nothing.is_only_activity() && !errors(nothing).is_empty());
        let named = CorporationUserUpdateInput {
            fields: UserFields { first_name: "A".into(), ..UserFields::default() },
            ..only
        };
        assert!(!errors(named).is_empty());
    }

    #[test]
    fn the_screen_of_a_corporations_users_makes_no_super_admin() {
        let fields = UserFields {
            first_name: "Ada".into(),
            last_name: "Lind".into(),
            email: "a@b.se".into(),
            user_type: "Super Admin".into(),
            role_id: "r1".into(),
            ..UserFields::default()
        };
        let form = CorporationUserInput { corp_id: "c1".into(), fields, password: "secret".into() };
        assert_eq!(errors(form)[0].field, "user_type");
    }
}
