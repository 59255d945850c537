//! Which fields of records are personal data, and what an erasure replaces their values with.

use crate::customers::{FIGURES, ROLE};
use crate::history::field_of;
use crate::lists::{Field, Kind, Personal, fields_of as fields_of_list};
use crate::permissions::ResourceId;

/// Replaces the value of an erased text that a record must have, such as a contact's name.
pub const ERASED: &str = "Erased";
/// Replaces an erased e-mail address that a record must have. Nobody can have this address: its domain is reserved (RFC
/// 2606).
const ERASED_EMAIL: &str = "erased@erased.invalid";
const WEBSITE: &str = "erased.invalid";

/// The field that an erasure keeps in binding agreements, because accounting law requires it. Others lose it.
pub const KEPT_IF_BINDING: (ResourceId, &str) = (ResourceId::Agreements, "customer_name");

/// Returns whether a text contains this e-mail address as a whole, ignoring case: `ab@c.se` does not contain `b@c.se`.
/// `email` must be in lower case.
pub fn mentions(text: &str, email: &str) -> bool {
    // The characters of addresses (docs/product.md 4.6). Older records can have others, which then are no separators.
    let is_outside = |c: char| !c.is_alphanumeric() && !"._%+-@".contains(c) && !email.contains(c);
    let is_same = |part: &str| part == email || part.trim_matches(['.', '-']) == email;
    email.contains('@') && text.to_lowercase().split(is_outside).any(is_same)
}

/// The members of a contact's JSON that the list of contacts does not have.
pub const CONTACT_FIELDS: &[Field] = &[
    Field::text(Personal::Erased).named("otherDetails"),
    Field::text(Personal::Erased).named("comments"),
    Field::new(Kind::Number).named("commentsTotal"),
];

/// The members of a customer's JSON that are no fields of the list of customers.
pub const CUSTOMER_FIELDS: &[Field] =
    &[Field::text(Personal::Erased).named("socialSecurityNumber"), Field::new(Kind::Flag).named("hasFigures")];

/// The members of a comment's JSON. The author's name is kept, because it belongs to a user's account.
pub const COMMENT_FIELDS: &[Field] = &[
    Field::new(Kind::Id).named("_id"),
    Field::new(Kind::Id).named("userId"),
    Field::text(Personal::KeptWithAccount).named("userName"),
    Field::text(Personal::Erased).named("comment"),
    Field::new(Kind::Time).named("createdAt"),
    Field::new(Kind::Time).named("updatedAt"),
];

/// Returns the names of the resource's fields with which an erasure deals in this way.
pub fn fields_of(resource: ResourceId, personal: Personal) -> impl Iterator<Item = &'static str> {
    all_fields(resource).filter(move |field| field.personal == personal).map(|field| field.name)
}

/// Returns the names of the customer's fields that an erasure keeps if they follow from agreements (docs/product.md
/// 4.31). Otherwise they are texts that users typed, and are erased.
pub fn fields_from_agreements() -> impl Iterator<Item = &'static str> {
    fields_of(ResourceId::Customers, Personal::Erased).filter(|field| FIGURES.contains(field))
}

fn all_fields(resource: ResourceId) -> impl Iterator<Item = &'static Field> {
    let others = match resource {
        ResourceId::Contacts => CONTACT_FIELDS,
        ResourceId::Customers => CUSTOMER_FIELDS,
        _ => &[],
    };
    fields_of_list(resource.as_str()).unwrap_or_default().iter().chain(others)
}

/// Returns how an erasure deals with a field's values in the history. A field that this version does not know is
/// erased.
pub fn personal_in_history(resource: ResourceId, field: &str) -> Personal {
    all_fields(resource).find(|known| known.name == field_of(field)).map_or(Personal::Erased, |field| field.personal)
}

/// Returns whether a field's values in the history are e-mail addresses.
pub fn is_email_in_history(resource: ResourceId, field: &str) -> bool {
    all_fields(resource).any(|known| known.name == field_of(field) && known.is_email)
}

/// Returns whether a field's values in the history are ids of other records.
pub fn is_link_in_history(resource: ResourceId, field: &str) -> bool {
    all_fields(resource).any(|known| known.name == field_of(field) && known.kind == Kind::Id)
}

/// Returns whether an erasure also erases the text by which users know a record. `field` is the field that it comes
/// from.
pub fn label_is_erased(resource: ResourceId, field: &str) -> bool {
    personal_in_history(resource, field) == Personal::Erased
}

/// Returns whether the e-mail address of a record shows that the record was erased, and has not got another address
/// since.
pub fn is_anonymous(email: &str) -> bool {
    email.eq_ignore_ascii_case(ERASED_EMAIL)
}

/// Returns whether a text is what an erasure leaves in a field that must have a value. Screens show a word instead.
pub fn is_erased(text: &str) -> bool {
    [ERASED, ERASED_EMAIL, WEBSITE].contains(&text)
}

/// Returns the text that replaces a field's value in an erasure. An empty value stays empty. The record still follows
/// the rules of its form, except that a customer needs no social security number as long as it [`is_anonymous`].
pub fn erased_value(resource: ResourceId, field: &str) -> &'static str {
    match (resource, field) {
        (ResourceId::Contacts | ResourceId::Customers, "name")
        | (ResourceId::Customers, "telephone" | "address" | "organizationNumber")
        | (ResourceId::Agreements, "customer_name") => ERASED,
        (ResourceId::Customers | ResourceId::Invoices, "email") => ERASED_EMAIL,
        (ResourceId::Invoices, "website") => WEBSITE,
        (ResourceId::Customers, "role") => ROLE,
        _ => "",
    }
}

/// Returns the fields of an erased record that still have what the erasure has left in them. `text_of` returns the text
/// in a field; `None` if the field has a value that is no text.
pub fn erased_fields<'v>(resource: ResourceId, text_of: impl Fn(&str) -> Option<&'v str>) -> Vec<&'static str> {
    let is_left =
        |field: &&str| text_of(field).is_some_and(|text| text.is_empty() || text == erased_value(resource, field));
    fields_of(resource, Personal::Erased).filter(is_left).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::{Comment, Contact, ContactUpdateInput};
    use crate::customers::{Customer, CustomerInput, CustomerUpdateInput};
    use crate::form::errors_as_texts;
    use crate::invoices::{InvoiceInput, Price};
    use serde::Serialize;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn assert_is_classified(fields: &[&Field], record: &impl Serialize) {
        let json = serde_json::to_value(record).unwrap();
        let members: BTreeSet<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
        let names: BTreeSet<_> = fields.iter().map(|field| field.name).collect();
        assert_eq!(members.difference(&names).collect::<Vec<_>>(), [&""; 0]);
    }

    fn all(resource: ResourceId) -> Vec<&'static Field> {
        all_fields(resource).collect()
    }

    #[test]
    fn a_text_mentions_only_a_whole_address() {
        for text in [
            "a@b.se",
            "Ada <A@B.se>",
            "x;a@b.se",
            "[\"a@b.se\"]",
            "Mail to a@b.se.",
            "a@b.se!",
            "“a@b.se”",
            "a@b.se/c@d.se",
            "a@b.se…",
            "-a@b.se–",
        ] {
            assert!(mentions(text, "a@b.se"), "{text}");
        }
        for text in ["ada@b.se", "a@b.sec", "x.a@b.se", "a.b.se", ""] {
            assert!(!mentions(text, "a@b.se"), "{text}");
        }
        assert!(mentions("from o'hara@b.se!", "o'hara@b.se"), "a character that addresses no longer have");
        assert!(!mentions("Malmö @", "malmö"), "no address");
    }

    #[test]
    fn every_member_of_a_record_says_whether_it_is_personal_data() {
        let time = "2026-01-01T00:00:00.000Z";
        let contact = json!({"_id": "1", "name": "Ada", "email": "", "phone": "", "website": "", "address": "",
            "importSource": "a.csv", "importedAt": time, "importBatchId": "1", "createdAt": time, "updatedAt": time, "version": 1,
            "otherDetails": {}, "comments": [], "commentsTotal": 0});
        assert_is_classified(&all(ResourceId::Contacts), &serde_json::from_value::<Contact>(contact).unwrap());
        assert_is_classified(&COMMENT_FIELDS.iter().collect::<Vec<_>>(), &Comment::default());
        let customer = json!({"customer_id": "1", "customerNumber": "C-1", "name": "Ada", "email": "", "telephone": "",
            "address": "", "postalCode": "", "location": "", "type": "Private", "status": "Active", "organizationNumber": "",
            "latestPurchase": "2026-01-31", "agreementType": "Sales", "role": "", "companyName": "", "numberOfOrders": 0,
            "totalSpent": 0, "warranty": "", "warrantyPeriod": "", "createdAt": time, "updatedAt": time, "version": 1,
            "socialSecurityNumber": "1"});
        assert_is_classified(&all(ResourceId::Customers), &serde_json::from_value::<Customer>(customer).unwrap());
        // For the other lists, `check_record` in `lists/mod.rs` checks that the members of a record are fields, except
        // those that `other_members` names.
    }

    #[test]
    fn every_text_field_says_that_it_is_personal_or_about_the_business() {
        for list in crate::lists::LISTS {
            for field in fields_of_list(list).unwrap() {
                // The notes of costs are texts, too.
                let is_text = matches!(field.kind, Kind::Text | Kind::Costs);
                let wrong = if is_text { Personal::No } else { Personal::Business };
                assert_ne!(field.personal, wrong, "{list}.{}", field.name);
            }
        }
    }

    #[test]
    fn every_field_of_addresses_is_declared_as_one() {
        for list in crate::lists::LISTS {
            for field in fields_of_list(list).unwrap() {
                assert_eq!(field.is_email, field.name.contains("email"), "{list}.{}", field.name);
            }
        }
    }

    #[test]
    fn only_fields_of_addresses_have_addresses_in_the_history() {
        for (resource, field, is_email) in [
            (ResourceId::Contacts, "email", true),
            (ResourceId::Contacts, "name", false),
            (ResourceId::Customers, "agreementType", false),
            (ResourceId::Vehicles, "email", false),
        ] {
            assert_eq!(is_email_in_history(resource, field), is_email, "{field}");
        }
    }

    fn value(resource: ResourceId, field: &str) -> String {
        erased_value(resource, field).to_owned()
    }

    #[test]
    fn an_erased_record_follows_the_rules_of_its_form() {
        let of = |field| value(ResourceId::Contacts, field);
        let contact = ContactUpdateInput {
            name: of("name"),
            email: of("email"),
            phone: of("phone"),
            website: of("website"),
            address: of("address"),
            ..ContactUpdateInput::default()
        };
        assert_eq!(errors_as_texts(contact), [""; 0]);
        let of = |field| value(ResourceId::Customers, field);
        for customer_type in ["Company", "Private"] {
            let customer = CustomerInput {
                name: of("name"),
                email: of("email"),
                telephone: of("telephone"),
                address: of("address"),
                postal_code: of("postalCode"),
                location: of("location"),
                customer_type: customer_type.into(),
                organization_number: of("organizationNumber"),
                role: of("role"),
                company_name: Some(of("companyName")),
                warranty: Some(of("warranty")),
                warranty_period: Some(of("warrantyPeriod")),
                ..CustomerInput::default()
            };
            assert_eq!(errors_as_texts(CustomerUpdateInput(customer)), [""; 0], "{customer_type}");
        }
        let of = |field| value(ResourceId::Invoices, field);
        let invoice = InvoiceInput {
            customer: "Ada".into(),
            email: of("email"),
            website: of("website"),
            start_date: "2026-01-31".into(),
            end_date: "2026-01-31".into(),
            project_price: Price::Text("12.5".into()),
            ..InvoiceInput::default()
        };
        assert_eq!(errors_as_texts(invoice), [""; 0]);
    }

    #[test]
    fn an_invoice_keeps_what_accounting_needs() {
        let of = |personal| fields_of(ResourceId::Invoices, personal).collect::<Vec<_>>();
        assert_eq!(of(Personal::KeptForAccounting), ["customer", "customerRequirements"]);
        assert_eq!(of(Personal::Erased), ["website", "email"]);
        assert!(!label_is_erased(ResourceId::Invoices, "customer") && label_is_erased(ResourceId::Customers, "name"));
    }

    #[test]
    fn what_binding_agreements_keep_is_erased_in_others() {
        let (resource, field) = KEPT_IF_BINDING;
        assert!(fields_of(resource, Personal::Erased).any(|name| name == field));
    }

    #[test]
    fn every_text_that_an_erasure_leaves_is_recognised() {
        let of_fields =
            |resource| fields_of(resource, Personal::Erased).map(move |field| erased_value(resource, field));
        let left = [ResourceId::Contacts, ResourceId::Customers, ResourceId::Invoices, ResourceId::Agreements];
        let left: BTreeSet<_> =
            left.into_iter().flat_map(of_fields).filter(|text| !["", ROLE].contains(text)).collect();
        assert!(left.len() == 3 && left.iter().all(|text| is_erased(text)), "{left:?}");
        assert!(!["", "Ada", "erased", "ada@erased.invalid"].into_iter().any(is_erased));
    }

    #[test]
    fn the_fields_of_an_erased_record_are_those_that_have_no_other_value_since() {
        let of = |website: Option<&'static str>, email: Option<&'static str>| {
            erased_fields(ResourceId::Invoices, |field| if field == "email" { email } else { website })
        };
        assert_eq!(of(Some(WEBSITE), Some(ERASED_EMAIL)), ["website", "email"]);
        assert_eq!(of(Some(""), Some("ada@mark.example")), ["website"]);
        assert_eq!(of(None, Some("")), ["email"]);
    }

    #[test]
    fn an_erasure_erases_unknown_fields_in_the_history() {
        for (field, personal) in [
            ("phone", Personal::Erased),
            ("comments", Personal::Erased),
            ("version", Personal::No),
            ("x", Personal::Erased),
        ] {
            assert_eq!(personal_in_history(ResourceId::Contacts, field), personal, "{field}");
        }
    }
}
