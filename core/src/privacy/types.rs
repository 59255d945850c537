//! The JSON types about personal data.

use super::text;
use crate::form::{Form, Rules, normalize_fields};
use crate::message::Message;
use crate::text::EMAIL_INVALID;
use serde::{Deserialize, Serialize};

/// Maximum length of an e-mail address, in characters.
const EMAIL_MAX: u64 = 320;

forms!(
    /// The person whose data is requested or erased.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct PersonalDataInput {
        /// The person's e-mail address, compared without case.
        pub email: String,
    }
);

api_types!(
    /// How much is stored about a person.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct PersonalData {
        pub held: Vec<HeldPart>,
        /// What an erasure would erase.
        pub erased: Vec<ErasedPart>,
        /// What an erasure would keep, and why.
        pub kept: Vec<KeptPart>,
    }

    /// A kind of personal data.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DataKind {
        Contacts,
        Comments,
        Customers,
        Invoices,
        /// Vehicles with a text that has the person's e-mail address.
        Vehicles,
        Agreements,
        /// Entries of the history.
        History,
        /// Imports that the person's contacts come from, and imports that are running now.
        Imports,
        /// Rows of a file that could not be imported.
        FailedRows,
        /// Saved views that search for the person.
        Views,
        /// The account of a user.
        Account,
    }

    /// How much data of one kind is stored.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct HeldPart {
        pub kind: DataKind,
        pub count: u64,
        /// How many of the `count` are in the trash: records, and the comments of contacts there, except those that a
        /// merge moved to another contact.
        pub in_trash: u64,
    }

    /// How much data of one kind an erasure erases.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ErasedPart {
        pub kind: DataKind,
        pub count: u64,
        /// The names of the erased fields.
        pub fields: Vec<String>,
    }

    /// How much data of one kind an erasure keeps, and why.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct KeptPart {
        pub kind: DataKind,
        pub count: u64,
        /// The names of the kept fields; empty if all fields are kept.
        pub fields: Vec<String>,
        pub reason: String,
        /// `reason` as a `Message`, with its code.
        #[serde(default)]
        pub messages: Vec<Message>,
    }

    /// A certificate of an erasure: what was erased and what was kept. It does not say whose data it was.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Certificate {
        pub certificate_id: String,
        /// RFC 3339, UTC.
        pub at: String,
        /// The present name of the administrator who erased the data, or a text that stands for a deleted account.
        pub by: String,
        /// `by` as a message with its code, if the account was deleted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub by_message: Option<Message>,
        pub erased: Vec<ErasedPart>,
        pub kept: Vec<KeptPart>,
    }
);

/// Why an erasure keeps data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyKept {
    Accounting,
    /// The agreement is binding.
    Binding,
    Agreements,
    Account,
    EndedImport,
    RunningImport,
    /// The history entries have no personal data, or only of a kind that is kept.
    NotPersonal,
}

impl WhyKept {
    fn message(self) -> &'static Message {
        match self {
            WhyKept::Accounting => text::FOR_ACCOUNTING,
            WhyKept::Binding => text::AGREEMENTS_FOR_ACCOUNTING,
            WhyKept::Agreements => text::FROM_AGREEMENTS,
            WhyKept::Account => text::WITH_ACCOUNT,
            WhyKept::EndedImport => text::ENDED_IMPORT,
            WhyKept::RunningImport => text::WITH_IMPORT,
            WhyKept::NotPersonal => text::NOT_PERSONAL,
        }
    }
}

impl KeptPart {
    pub fn new(kind: DataKind, count: u64, fields: Vec<String>, why: WhyKept) -> Self {
        let message = why.message();
        KeptPart { kind, count, fields, reason: message.to_string(), messages: vec![message.clone()] }
    }
}

impl Form for PersonalDataInput {
    fn normalize(&mut self) {
        normalize_fields(&mut [&mut self.email]);
    }

    fn rules(&self, rules: &mut Rules) {
        let email = rules.field("email", &self.email).required(text::EMAIL_REQUIRED).max(EMAIL_MAX);
        email.matches(may_be_email, EMAIL_INVALID);
    }
}

/// Returns whether a text has an `@` between two non-empty parts. A stored address may break the other rules of today's
/// forms.
fn may_be_email(text: &str) -> bool {
    text.trim_matches('@').contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::errors_as_texts;

    fn errors(email: &str) -> Vec<String> {
        errors_as_texts(PersonalDataInput { email: email.into() })
    }

    #[test]
    fn an_address_that_breaks_the_rules_of_todays_forms_can_be_searched_for() {
        for email in
            ["a@b", " å@b.se ", "o'hara@b.se", "a b@c.se", "a@b@c", "@a@b", &format!("{}@b.se", "a".repeat(300))]
        {
            assert_eq!(errors(email), [""; 0], "{email}");
        }
    }

    #[test]
    fn a_text_that_is_no_address_is_rejected() {
        for email in ["Sales", "@", "@@", "a@", "@b.se", "a @ ", "b.se"] {
            assert_eq!(errors(email), ["email: Please enter a valid email address"], "{email}");
        }
        assert_eq!(errors(" "), ["email: Enter an email address"]);
        assert_eq!(errors(&format!("{}@b.se", "a".repeat(320))), ["email: Maximum length is 320 characters"]);
    }
}
