//! The JSON types of the dashboard.

use crate::customers::AgreementType;
use crate::date::Date;
use crate::import::ImportStatus;
use crate::money::Money;
use crate::vehicles::VehicleStatus;
use serde::{Deserialize, Serialize};

/// GET: the dashboard of the signed-in user.
pub const PATH: &str = "/api/dashboard";
/// Number of months in the charts, including the current one.
pub const MONTHS: usize = 12;
/// Maximum number of imports on the dashboard, which shows the latest ones.
pub const IMPORTS: u32 = 5;
/// Maximum number of vehicles on the dashboard, which shows those that have been in stock for longest.
pub const OLDEST: i64 = 4;
/// Maximum number of agreements on the dashboard that are due.
pub const DUE: usize = 5;
/// For how many days before its end an agreement's exclusivity is due.
pub const DUE_DAYS: u16 = 7;

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
        #[serde(skip_serializing_if = "Option::is_none")]
        pub vehicles: Option<StockFigures>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub agreements: Option<SalesFigures>,
    }

    /// Number and prices of invoices, by the month of their start date.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct InvoiceFigures {
        pub total: u64,
        /// By month; the current one up to today.
        pub months: Vec<InvoiceMonth>,
        /// Value of the invoices from the first day of this month to each of its days, up to today.
        pub this_month: Vec<Money>,
        /// As `this_month`, to each day of last month.
        pub last_month: Vec<Money>,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct InvoiceMonth {
        /// `yyyy-MM`. Months without invoices are included.
        pub month: String,
        pub count: u64,
        /// Sum of the prices, in pounds.
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

    /// The vehicles in stock, including the reserved ones.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct StockFigures {
        pub count: u64,
        /// Number of those that have an asking price.
        pub priced: u64,
        /// Sum of the asking prices.
        pub value: Money,
        /// The average number of days in stock, rounded; absent if it is known of no vehicle.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub average_days: Option<u32>,
        /// By days in stock, the newest vehicles first.
        pub ages: Vec<StockAge>,
        /// The vehicles that are in stock since an unknown day, and so in none of the `ages`; absent if there are none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub unknown: Option<UnknownAge>,
        /// Those that have been in stock for longest.
        pub oldest: Vec<OldVehicle>,
    }

    /// The vehicles that have been in stock for some number of days.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct StockAge {
        /// The lowest number of days.
        pub from: u32,
        /// The highest number of days; absent for the oldest vehicles.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub to: Option<u32>,
        pub count: u64,
        pub value: Money,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct UnknownAge {
        pub count: u64,
        pub value: Money,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct OldVehicle {
        pub vehicle_id: String,
        pub name: String,
        /// The registration number as plates of its country show it.
        pub plate: String,
        pub registration_country: String,
        pub status: VehicleStatus,
        /// Days in stock.
        pub days: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "wasm", tsify(optional))]
        pub asking_price: Option<Money>,
    }

    /// Vehicles that were sold or brokered, by the day on which their agreement was delivered, and the agreements that
    /// are due.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct SalesFigures {
        pub months: Vec<MonthCount>,
        /// Vehicles sold or brokered this month, up to today.
        pub this_month: u64,
        /// Vehicles sold or brokered last month, up to the same day.
        pub last_month: u64,
        /// Number of signed sales and purchases, which wait for delivery.
        pub to_deliver: u64,
        /// Number of offers that wait for an answer.
        pub offered: u64,
        /// Number of agreements whose exclusivity ends within a few days.
        pub exclusivity_due: u64,
        /// The first exclusivities that end within a few days, then the first agreements to deliver.
        pub due: Vec<DueAgreement>,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DueAgreement {
        pub agreement_id: String,
        pub number: String,
        pub agreement_type: AgreementType,
        pub customer_name: String,
        pub vehicle_names: String,
        pub due: Due,
        /// When it was signed, or the last day of the exclusivity.
        #[cfg_attr(feature = "wasm", tsify(type = "string"))]
        pub day: Date,
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
        /// Number of rows that the user left out before sending the file. They are not included in `totalRecords`.
        pub left_out_records: u64,
        /// RFC 3339, UTC.
        pub created_at: String,
    }
);

string_enum!(
    /// Why an agreement is due.
    Due {
        /// It is signed and waits for delivery.
        Delivery,
        /// The dealer's exclusive right to sell the vehicle ends in a few days.
        Exclusivity,
    }
);
