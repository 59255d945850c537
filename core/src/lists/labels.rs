//! The labels of fields on screens, by the fields' names in the API. A list's own labels are in its `text.rs`
//! ([`Field::labeled`]).

use super::{Field, Kind};
use crate::message::{Message, messages};

/// Generates the messages, and the function that finds a field's label by its name. Fields of the same name in several
/// lists share it, unless a list has a label of its own.
macro_rules! labels {
    ($($($name:literal)|+ $constant:ident = $text:literal;)*) => {
        mod words {
            use super::messages;
            messages! {
                "field.";
                $($constant = $text;)*
            }
        }
        #[cfg(test)]
        pub(crate) use words::ALL;

        fn find(name: &str) -> Option<&'static Message> {
            match name {
                $($($name)|+ => Some(words::$constant),)*
                _ => None,
            }
        }
    };
}

labels! {
    "address" ADDRESS = "Address";
    "agreementType" AGREEMENT_TYPE = "Agreement";
    "awaits_approval" AWAITS_APPROVAL = "Waiting for approval";
    "city" CITY = "City";
    "companyName" COMPANY_NAME = "Company name";
    "company_email" COMPANY_EMAIL = "Company email";
    "company_phone" COMPANY_PHONE = "Company phone";
    "corp_active" CORP_ACTIVE = "Active";
    "corp_contact_email" CORP_CONTACT_EMAIL = "Contact's email";
    "corp_contact_name" CORP_CONTACT_NAME = "Contact";
    "corp_name" CORP_NAME = "Corporation";
    "createdAt" | "created_at" CREATED_AT = "Created";
    "customer" CUSTOMER = "Customer";
    "customerNumber" CUSTOMER_NUMBER = "Customer number";
    "email" EMAIL = "Email";
    "first_name" FIRST_NAME = "First name";
    "importSource" IMPORT_SOURCE = "Imported from";
    "importedAt" IMPORTED_AT = "Imported";
    "is_active" IS_ACTIVE = "Active";
    "is_banned" IS_BANNED = "Banned";
    "is_platform" IS_PLATFORM = "Platform";
    "last_name" LAST_NAME = "Last name";
    "latestPurchase" LATEST_PURCHASE = "Latest purchase";
    "location" LOCATION = "Location";
    "mobile" MOBILE = "Mobile";
    "name" NAME = "Name";
    "notes" NOTES = "Notes";
    "numberOfOrders" NUMBER_OF_ORDERS = "Orders";
    "organizationNumber" ORGANIZATION_NUMBER = "Organization number";
    "organization_number" CORP_NUMBER = "Organization number";
    "permissionsCount" PERMISSIONS_COUNT = "Permissions";
    "phone" PHONE = "Phone";
    "postalCode" POSTAL_CODE = "Postal code";
    "postal_code" CORP_POSTAL_CODE = "Postal code";
    "registered_city" REGISTERED_CITY = "Registered city";
    "role" ROLE = "Role";
    "status" STATUS = "Status";
    "street_address" STREET_ADDRESS = "Street address";
    "telephone" TELEPHONE = "Telephone";
    "totalSpent" TOTAL_SPENT = "Total spent";
    "type" TYPE = "Type";
    "updatedAt" | "updated_at" UPDATED_AT = "Updated";
    "user_type" USER_TYPE = "Type";
    "warranty" WARRANTY = "Warranty";
    "warrantyPeriod" WARRANTY_PERIOD = "Warranty period";
    "website" WEBSITE = "Website";
}

impl Field {
    /// Returns the field's label on screens. `None` for ids and versions, which screens do not offer.
    pub fn label(&self) -> Option<&'static Message> {
        if self.kind == Kind::Id { None } else { self.label.or_else(|| find(self.name)) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LISTS, fields_of};

    #[test]
    fn every_field_except_ids_and_versions_has_a_label() {
        for list in LISTS {
            for field in fields_of(list).unwrap() {
                let is_offered = field.kind != super::Kind::Id && field.name != "version";
                assert_eq!(field.label().is_some(), is_offered, "{list}: {}", field.name);
            }
        }
    }
}
