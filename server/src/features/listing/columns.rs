//! The columns of the lists' fields, and which of them the database has in sorted order.

/// A field of a list with its column.
pub(super) struct Column {
    pub field: &'static str,
    /// The SQL expression of the value as it is compared: texts are folded, times have the precision of the API,
    /// milliseconds.
    pub value: &'static str,
    /// The SQL expression by which rows are sorted: the value, or the beginning of a long text.
    pub sort_key: &'static str,
    /// The number of the field in SQLite's `sort_rows`, if it has sort rows.
    pub number: Option<i64>,
    /// Whether PostgreSQL has an index of the rows in the order of this field.
    pub has_index: bool,
    /// Whether values may be negative. Then each row has a value, so that no key of a sort row stands for NULL.
    pub is_signed: bool,
}

impl Column {
    const fn new(field: &'static str, value: &'static str) -> Self {
        Column { field, value, sort_key: value, number: None, has_index: false, is_signed: false }
    }

    const fn sorted_by(self, sort_key: &'static str) -> Self {
        Column { sort_key, ..self }
    }

    /// SQLite has sort rows of the field, under this number.
    const fn sorted(self, number: i64) -> Self {
        Column { number: Some(number), ..self }
    }

    /// PostgreSQL has an index in the order of the field.
    const fn indexed(self) -> Self {
        Column { has_index: true, ..self }
    }

    /// Values may be negative, and are never NULL.
    const fn signed(self) -> Self {
        Column { is_signed: true, ..self }
    }

    /// Returns whether SQLite has the values in sort rows, and not only their beginnings.
    pub(super) fn has_values_in_sort_rows(&self) -> bool {
        self.number.is_some() && self.sort_key == self.value
    }

    /// Returns whether PostgreSQL has the values in an index, and not only their beginnings.
    pub(super) fn has_values_in_index(&self) -> bool {
        self.has_index && self.sort_key == self.value
    }
}

pub(super) const CONTACTS: &[Column] = &[
    Column::new("_id", "contact_id"),
    Column::new("name", "name_key").sorted(1).indexed(),
    Column::new("email", "email_key").sorted(2).indexed(),
    Column::new("phone", "phone_key").sorted(3).indexed(),
    Column::new("website", "website_key").sorted(4),
    Column::new("address", "address_key").sorted(5),
    Column::new("importSource", "nullif(import_source_key, '')").sorted(6),
    Column::new("importedAt", "imported_at / 1000 * 1000").sorted(7),
    Column::new("importBatchId", "import_id"),
    Column::new("createdAt", "created_at / 1000 * 1000").sorted(8).indexed(),
    Column::new("updatedAt", "updated_at / 1000 * 1000").sorted(9).indexed(),
    Column::new("version", "version"),
];
pub(super) const CUSTOMERS: &[Column] = &[
    Column::new("customer_id", "customer_id"),
    Column::new("customerNumber", "customer_number").sorted(1).indexed(),
    Column::new("name", "name_key").sorted(2).indexed(),
    Column::new("email", "email_key").sorted(3).indexed(),
    Column::new("telephone", "telephone_folded").sorted(4).indexed(),
    Column::new("address", "address_key").sorted(5),
    Column::new("postalCode", "postal_code_key").sorted(6).indexed(),
    Column::new("location", "location_key").sorted(7).indexed(),
    Column::new("type", "customer_type").sorted(8).indexed(),
    Column::new("status", "status").sorted(9).indexed(),
    Column::new("organizationNumber", "organization_number_key").sorted(10).indexed(),
    Column::new("latestPurchase", "latest_purchase").sorted(11).indexed(),
    Column::new("agreementType", "agreement_type").sorted(12).indexed(),
    Column::new("role", "role_key").sorted(13).indexed(),
    Column::new("companyName", "company_name_key").sorted(14).indexed(),
    Column::new("numberOfOrders", "number_of_orders").sorted(15).indexed(),
    Column::new("totalSpent", "total_spent").sorted(16).indexed().signed(),
    Column::new("warranty", "warranty_key").sorted(17).indexed(),
    Column::new("warrantyPeriod", "warranty_period_key").sorted(18).indexed(),
    Column::new("createdAt", "created_at / 1000 * 1000").sorted(19).indexed(),
    Column::new("updatedAt", "updated_at / 1000 * 1000").sorted(20).indexed(),
    Column::new("version", "version"),
];
pub(super) const INVOICES: &[Column] = &[
    Column::new("_id", "invoice_id"),
    Column::new("customer", "customer_key").sorted(1).indexed(),
    Column::new("customer_id", "customer_id"),
    Column::new("website", "website_key").sorted(2),
    Column::new("email", "email_key").sorted(3).indexed(),
    Column::new("customerRequirements", "customer_requirements_key")
        .sorted_by("substr(customer_requirements_key, 1, 100)")
        .sorted(9)
        .indexed(),
    Column::new("startDate", "start_date").sorted(4).indexed(),
    Column::new("endDate", "end_date").sorted(5).indexed(),
    Column::new("projectPrice", "project_price").sorted(6).indexed(),
    Column::new("createdAt", "created_at / 1000 * 1000").sorted(7).indexed(),
    Column::new("updatedAt", "updated_at / 1000 * 1000").sorted(8).indexed(),
    Column::new("version", "version"),
];
pub(super) const VEHICLES: &[Column] = &[
    Column::new("vehicle_id", "vehicle_id").indexed(),
    Column::new("stock_number", "stock_number").sorted(1).indexed(),
    Column::new("name", "name_key").sorted(2).indexed(),
    Column::new("vin", "vin_key").sorted(3).indexed(),
    Column::new("registration_number", "registration_number_key").sorted(4).indexed(),
    Column::new("registration_country", "registration_country_key").sorted(5).indexed(),
    Column::new("make", "make_key").sorted(6).indexed(),
    Column::new("model", "model_key").sorted(7).indexed(),
    Column::new("variant", "variant_key").sorted(8).indexed(),
    Column::new("model_year", "model_year").sorted(9).indexed(),
    Column::new("first_registered", "first_registered").sorted(10).indexed(),
    Column::new("body", "body_key").sorted(11).indexed(),
    Column::new("fuel", "fuel").sorted(12).indexed(),
    Column::new("transmission", "transmission").sorted(13).indexed(),
    Column::new("colour", "colour_key").sorted(14).indexed(),
    Column::new("mileage", "mileage").sorted(15).indexed(),
    Column::new("mileage_unit", "mileage_unit").sorted(16).indexed(),
    Column::new("mileage_remark", "mileage_remark_key")
        .sorted_by("substr(mileage_remark_key, 1, 100)")
        .sorted(28)
        .indexed(),
    Column::new("status", "status").sorted(17).indexed(),
    Column::new("ownership", "ownership").sorted(18).indexed(),
    Column::new("vat_scheme", "vat_scheme").sorted(19).indexed(),
    Column::new("asking_price", "asking_price").sorted(20).indexed(),
    Column::new("purchase_price", "purchase_price").sorted(24).indexed(),
    Column::new("minimum_price", "minimum_price").sorted(25).indexed(),
    Column::new("costs", "costs_net").sorted(26).indexed(),
    Column::new("in_stock_on", "in_stock_on").sorted(27).indexed(),
    Column::new("location", "location_key").sorted(21).indexed(),
    Column::new("notes", "notes_key").sorted_by("substr(notes_key, 1, 100)").sorted(29).indexed(),
    Column::new("created_at", "created_at / 1000 * 1000").sorted(22).indexed(),
    Column::new("updated_at", "updated_at / 1000 * 1000").sorted(23).indexed(),
    Column::new("version", "version").sorted(30).indexed(),
];
pub(super) const AGREEMENTS: &[Column] = &[
    Column::new("agreement_id", "agreement_id"),
    Column::new("number", "lower(number)").sorted(1).indexed(),
    Column::new("type", "agreement_type").sorted(2),
    Column::new("state", "state").sorted(3).indexed(),
    Column::new("customer_id", "customer_id"),
    Column::new("customer_name", "customer_name_key").sorted(4).indexed(),
    Column::new("contact_id", "contact_id"),
    Column::new("vehicles", "vehicle_names_key").sorted(5),
    Column::new("legs", "leg_count").sorted(6),
    Column::new("out_total", "out_total").sorted(7).indexed(),
    Column::new("in_total", "in_total").sorted(8),
    Column::new("to_pay", "to_pay").sorted(9).signed(),
    Column::new("deposit", "deposit").sorted(10),
    Column::new("commission", "commission").sorted(11),
    Column::new("commission_percent", "commission_percent").sorted(12),
    Column::new("minimum_price", "minimum_price").sorted(13),
    Column::new("exclusive_until", "exclusive_until").sorted(14),
    Column::new("warranty", "warranty").sorted(15),
    Column::new("warranty_months", "warranty_months").sorted(16),
    Column::new("warranty_distance", "warranty_distance").sorted(17),
    Column::new("agreed_on", "agreed_on").sorted(18),
    Column::new("delivered_on", "delivered_on").sorted(19).indexed(),
    Column::new("notes", "notes_key").sorted_by("substr(notes_key, 1, 100)"),
    Column::new("created_at", "created_at / 1000 * 1000").sorted(20).indexed(),
    Column::new("updated_at", "updated_at / 1000 * 1000").sorted(21).indexed(),
    Column::new("version", "version"),
];
