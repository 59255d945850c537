//! The tables that can be listed and searched.

use super::columns::{self, Column};
use forecourt_core::lists::Field;

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
    /// What SQLite selects into `list_months` after `corp_id`: the columns from `kind` to `amount`. Empty if no sums by
    /// month are needed.
    pub(super) months: &'static str,
    /// The fields of the list with their columns.
    pub(super) columns: &'static [Column],
}

pub const CONTACTS: Listing = Listing {
    table: "contacts",
    id: "contact_id",
    key: "contacts_key",
    list: "contacts_list",
    search: "contacts_search",
    search_columns: "name, email, phone, address",
    search_keys: &["name_key", "email_key", "phone_key", "address_key"],
    months: "'contacts', strftime('%Y-%m', created_at / 1000000, 'unixepoch'), '', '', count(*), 0",
    columns: columns::CONTACTS,
};
pub const CUSTOMERS: Listing = Listing {
    table: "customers",
    id: "customer_id",
    key: "customers_key",
    list: "customers_list",
    search: "customers_search",
    search_columns: "name, email, address",
    search_keys: &["name_key", "email_key", "address_key"],
    months: "'customers', strftime('%Y-%m', created_at / 1000000, 'unixepoch'), customer_type, coalesce(agreement_type, ''), count(*), 0",
    columns: columns::CUSTOMERS,
};
pub const INVOICES: Listing = Listing {
    table: "invoices",
    id: "invoice_id",
    key: "invoices_key",
    list: "invoices_list",
    search: "invoices_search",
    search_columns: "customer, website, email",
    search_keys: &["customer_key", "website_key", "email_key"],
    months: "'invoices', substr(start_date, 1, 7), '', '', count(*), sum(project_price)",
    columns: columns::INVOICES,
};

pub const VEHICLES: Listing = Listing {
    table: "vehicles",
    id: "vehicle_id",
    key: "vehicles_key",
    list: "vehicles_list",
    search: "vehicles_search",
    search_columns: "name, vin, registration_number",
    search_keys: &["name_key", "vin_key", "registration_number_key"],
    months: "",
    columns: columns::VEHICLES,
};

pub const AGREEMENTS: Listing = Listing {
    table: "agreements",
    id: "agreement_id",
    key: "agreements_key",
    list: "agreements_list",
    search: "agreements_search",
    search_columns: "customer_name, vehicle_names, number",
    search_keys: &["customer_name_key", "vehicle_names_key", "lower(number)"],
    months: "",
    columns: columns::AGREEMENTS,
};

/// The tables whose lists can have any length. The lists of users and corporations are not among them: they are sorted
/// and filtered in memory.
pub const LISTINGS: &[&Listing] = &[&CONTACTS, &CUSTOMERS, &INVOICES, &VEHICLES, &AGREEMENTS];

impl Listing {
    /// Returns the SQL expression of a field's value; NULL, as for an empty value, if the field has no column.
    pub(super) fn column(&self, field: &Field) -> &'static str {
        self.find_column(field).map_or("NULL", |column| column.value)
    }

    /// Returns the SQL expression by which rows are sorted; NULL, as for an empty value, if the field has no column.
    pub(super) fn sort_key(&self, field: &Field) -> &'static str {
        self.find_column(field).map_or("NULL", |column| column.sort_key)
    }

    pub(super) fn find_column(&self, field: &Field) -> Option<&'static Column> {
        self.columns.iter().find(|column| column.field == field.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forecourt_core::lists::{SORTED_CHARACTERS, fields_of};

    #[test]
    fn every_field_has_a_column() {
        for listing in LISTINGS {
            let fields = fields_of(listing.table).unwrap();
            let columns: Vec<_> = listing.columns.iter().map(|column| column.field).collect();
            assert_eq!(columns, fields.iter().map(|field| field.name).collect::<Vec<_>>(), "{}", listing.table);
        }
    }

    #[test]
    fn long_texts_are_sorted_by_as_many_characters_as_core_compares() {
        for listing in LISTINGS {
            for (field, column) in fields_of(listing.table).unwrap().iter().zip(listing.columns) {
                let beginning = format!("substr({}, 1, {SORTED_CHARACTERS})", column.value);
                assert_eq!(column.sort_key, if field.is_long { &beginning } else { column.value }, "{}", field.name);
            }
        }
    }
}
