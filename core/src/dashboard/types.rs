//! The JSON types of the dashboard.

use crate::customers::AgreementType;
use crate::import::ImportStatus;
use crate::money::Money;
use serde::{Deserialize, Serialize};

/// GET: the dashboard of the signed-in user.
pub const PATH: &str = "/api/dashboard";
/// Number of months in the charts, including the current one.
pub const MONTHS: usize = 12;
/// Maximum number of imports on the dashboard, which shows the latest ones.
pub const IMPORTS: u32 = 5;

api_types!(
    /// The dashboard. A part is absent if the user has no permission to read it.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Dashboard {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub invoices: Option<InvoiceFigures>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub customers: Option<CustomerFigures>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub contacts: Option<ContactFigures>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub imports: Option<Vec<ImportFigures>>,
    }

    /// Number and prices of invoices, by the month of their start date.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct InvoiceFigures {
        pub total: u64,
        pub months: Vec<InvoiceMonth>,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct InvoiceMonth {
        /// `yyyy-MM`. Months without invoices are included.
        pub month: String,
        pub count: u64,
        /// Sum of the prices, in pounds.
        #[cfg_attr(feature = "wasm", tsify(type = "number"))]
        pub value: Money,
    }

    /// Numbers of customers, by the month of their creation and by agreement.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct CustomerFigures {
        pub total: u64,
        pub months: Vec<MonthCount>,
        pub agreements: Vec<AgreementCount>,
    }

    /// Numbers of contacts, by the month of their creation.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ContactFigures {
        pub total: u64,
        pub months: Vec<MonthCount>,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct MonthCount {
        /// `yyyy-MM`.
        pub month: String,
        pub count: u64,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct AgreementCount {
        /// Absent for customers without an agreement.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub agreement: Option<AgreementType>,
        pub count: u64,
    }

    /// Summary of an import.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ImportFigures {
        pub id: String,
        pub file_name: String,
        pub status: ImportStatus,
        pub total_records: u64,
        pub success_records: u64,
        pub failed_records: u64,
        /// RFC 3339, UTC.
        pub created_at: String,
    }
);
