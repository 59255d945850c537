//! The tables that can be listed and searched.

use super::columns::Column;
use forecourt_core::customers::searched_digits;
use forecourt_core::lists::{Field, fields_of};
use std::sync::LazyLock;

/// A table that can be listed and searched.
pub struct Listing {
    pub(super) table: &'static str,
    pub id: &'static str,
    /// The name of SQLite's index by id.
    pub(super) key: &'static str,
    /// The name of the index of all rows in the default order of the list.
    pub(super) list: &'static str,
    /// The search index of the rows' texts: on SQLite a full-text index, on PostgreSQL a table without row-level
    /// security.
    pub(super) search: &'static str,
    /// The columns of SQLite's full-text index.
    pub(super) search_columns: &'static str,
    /// The table's columns, or SQL expressions, with the folded texts (without case and accents) that a search
    /// compares, in the order of `search_columns`.
    pub(super) search_keys: &'static [&'static str],
    /// Returns what is searched for besides a folded text that a user types.
    pub(super) also_searched: fn(&str) -> Option<String>,
    /// What SQLite selects into `list_months` after `corp_id`: the columns from `kind` to `amount`. Empty if no sums by
    /// month are needed.
    pub(super) months: &'static str,
    /// The SQL expressions of fields whose value is not the column of the field's name (`columns.rs`).
    pub(super) values: &'static [(&'static str, &'static str)],
    /// The fields of which SQLite has sort rows. The number of a field there is its place here, from 1, so a new field
    /// is added at the end, and the place of a removed field stays empty (`a, , c`).
    pub(super) sorted_fields: &'static str,
    /// The fields in whose order PostgreSQL has an index.
    pub(super) indexed_fields: &'static str,
    /// The fields whose values may be negative, and are never NULL.
    pub(super) signed_fields: &'static str,
}

/// Declares a list that is searched by these columns: the name of its table, that of its id, and the columns. Their
/// folded texts are in columns with `_key` at the end of the name, unless an expression is given. All other names
/// follow from the table's, and all other members are empty.
macro_rules! listing {
    (@key $column:ident) => { concat!(stringify!($column), "_key") };
    (@key $column:ident $key:literal) => { $key };
    ($table:literal, $id:literal, $first:ident $(= $first_key:literal)? $(, $column:ident $(= $key:literal)?)*) => {
        Listing {
            table: $table,
            id: $id,
            key: concat!($table, "_key"),
            list: concat!($table, "_list"),
            search: concat!($table, "_search"),
            search_columns: concat!(stringify!($first) $(, ", ", stringify!($column))*),
            search_keys: &[listing!(@key $first $($first_key)?) $(, listing!(@key $column $($key)?))*],
            also_searched: |_| None,
            months: "",
            values: &[],
            sorted_fields: "",
            indexed_fields: "",
            signed_fields: "",
        }
    };
}

pub const CONTACTS: Listing = Listing {
    months: "'contacts', strftime('%Y-%m', created_at / 1000000, 'unixepoch'), '', '', count(*), 0",
    values: &[("_id", "contact_id"), ("importSource", "nullif(import_source_key, '')"), ("importBatchId", "import_id")],
    sorted_fields: "name, email, phone, website, address, importSource, importedAt, createdAt, updatedAt",
    indexed_fields: "name, email, phone, createdAt, updatedAt",
    ..listing!("contacts", "contact_id", name, email, phone, address)
};
pub const CUSTOMERS: Listing = Listing {
    also_searched: searched_digits,
    months: "'customers', strftime('%Y-%m', created_at / 1000000, 'unixepoch'), customer_type, coalesce(agreement_type, ''), count(*), 0",
    values: &[("telephone", "telephone_folded"), ("type", "customer_type")],
    sorted_fields: "customerNumber, name, email, telephone, address, postalCode, location, type, status, \
        organizationNumber, latestPurchase, agreementType, role, companyName, numberOfOrders, totalSpent, warranty, \
        warrantyPeriod, createdAt, updatedAt",
    indexed_fields: "customerNumber, name, email, telephone, postalCode, location, type, status, organizationNumber, \
        latestPurchase, agreementType, role, companyName, numberOfOrders, totalSpent, warranty, warrantyPeriod, \
        createdAt, updatedAt",
    signed_fields: "totalSpent",
    ..listing!(
        "customers",
        "customer_id",
        name,
        email,
        address,
        customer_number = "'c-' || customer_number",
        telephone = "telephone_folded",
        telephone_digits = "telephone_key"
    )
};
pub const INVOICES: Listing = Listing {
    months: "'invoices', substr(start_date, 1, 7), '', '', count(*), sum(project_price)",
    values: &[("_id", "invoice_id")],
    sorted_fields: "customer, website, email, startDate, endDate, projectPrice, createdAt, updatedAt, \
        customerRequirements",
    indexed_fields: "customer, email, customerRequirements, startDate, endDate, projectPrice, createdAt, updatedAt",
    ..listing!("invoices", "invoice_id", customer, website, email)
};

pub const VEHICLES: Listing = Listing {
    values: &[("costs", "costs_net")],
    sorted_fields: "stock_number, name, vin, registration_number, registration_country, make, model, variant, \
        model_year, first_registered, body, fuel, transmission, colour, mileage, mileage_unit, status, ownership, \
        vat_scheme, asking_price, location, created_at, updated_at, purchase_price, minimum_price, costs, \
        in_stock_on, mileage_remark, notes, version",
    indexed_fields: "vehicle_id, stock_number, name, vin, registration_number, registration_country, make, model, \
        variant, model_year, first_registered, body, fuel, transmission, colour, mileage, mileage_unit, \
        mileage_remark, status, ownership, vat_scheme, asking_price, purchase_price, minimum_price, costs, \
        in_stock_on, location, notes, created_at, updated_at, version",
    ..listing!("vehicles", "vehicle_id", name, vin, registration_number, stock_number = "'s-' || stock_number")
};

pub const AGREEMENTS: Listing = Listing {
    values: &[
        ("number", "lower(number)"),
        ("type", "agreement_type"),
        ("vehicles", "vehicle_names_key"),
        ("legs", "leg_count"),
    ],
    sorted_fields: ", type, state, customer_name, vehicles, legs, out_total, in_total, to_pay, deposit, commission, \
        commission_percent, minimum_price, exclusive_until, warranty, warranty_months, warranty_distance, agreed_on, \
        delivered_on, created_at, updated_at, commission_amount, number",
    indexed_fields: "number, state, customer_name, out_total, delivered_on, created_at, updated_at",
    signed_fields: "to_pay",
    ..listing!("agreements", "agreement_id", customer_name, vehicle_names, number = "lower(number)")
};

/// The tables whose lists can have any length. The lists of users and corporations are not among them: they are sorted
/// and filtered in memory.
pub const LISTINGS: &[&Listing] = &[&CONTACTS, &CUSTOMERS, &INVOICES, &VEHICLES, &AGREEMENTS];

impl Listing {
    /// Returns the SQL expression of a field's value; NULL, as for an empty value, if the field has no column.
    pub fn column(&self, field: &Field) -> &'static str {
        self.find_column(field).map_or("NULL", |column| column.value)
    }

    /// Returns the SQL expression by which rows are sorted; NULL, as for an empty value, if the field has no column.
    pub(super) fn sort_key(&self, field: &Field) -> &'static str {
        self.find_column(field).map_or("NULL", |column| column.sort_key)
    }

    pub(super) fn find_column(&self, field: &Field) -> Option<&'static Column> {
        self.columns().iter().find(|column| column.field == field.name)
    }

    /// Returns the columns of the list's fields, in their order.
    pub(super) fn columns(&self) -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Vec<Column>>> =
            LazyLock::new(|| LISTINGS.iter().map(|listing| listing.new_columns()).collect());
        let columns = LISTINGS.iter().zip(COLUMNS.iter()).find(|(listing, _)| listing.table == self.table);
        columns.map_or(&[], |(_, columns)| columns)
    }

    fn new_columns(&self) -> Vec<Column> {
        let column = |field: &'static Field| {
            let place = |names: &'static str| (1..).zip(names.split(", ")).find(|(_, name)| *name == field.name);
            let value = self.values.iter().find(|(name, _)| *name == field.name);
            Column {
                number: place(self.sorted_fields).map(|(number, _)| number),
                has_index: place(self.indexed_fields).is_some(),
                is_signed: place(self.signed_fields).is_some(),
                ..Column::new(field, value.map(|(_, value)| *value))
            }
        };
        fields_of(self.table).unwrap_or_default().iter().map(column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_follow_from_the_name_and_the_kind_of_a_field() {
        let time = "created_at / 1000 * 1000";
        for (listing, field, value, sort_key) in [
            (&INVOICES, "_id", "invoice_id", "invoice_id"),
            (&INVOICES, "startDate", "start_date", "start_date"),
            (&INVOICES, "email", "email_key", "email_key"),
            (&INVOICES, "createdAt", time, time),
            (&VEHICLES, "notes", "notes_key", "substr(notes_key, 1, 100)"),
            (
                &AGREEMENTS,
                "number",
                "lower(number)",
                "substr(lower(number), 1, 3) || substr('000000000000000000', length(lower(number))) \
                 || substr(lower(number), 4)",
            ),
        ] {
            let column = listing.columns().iter().find(|column| column.field == field).unwrap();
            assert_eq!((column.value, column.sort_key), (value, sort_key), "{field}");
        }
    }

    #[test]
    fn a_listing_names_only_fields_of_its_list() {
        for listing in LISTINGS {
            let fields = fields_of(listing.table).unwrap();
            let values = listing.values.iter().map(|(name, _)| *name);
            let names = [listing.sorted_fields, listing.indexed_fields, listing.signed_fields];
            let names = names.into_iter().flat_map(|names| names.split(", "));
            for name in values.chain(names).filter(|name| !name.is_empty()) {
                assert!(fields.iter().any(|field| field.name == name), "{}: {name}", listing.table);
            }
        }
    }
}
