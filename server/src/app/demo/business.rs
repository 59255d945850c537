//! The records of a dealer of the demo, as if it had worked with them for three years.

use super::bulk;
use super::calendar::{Calendar, DAYS};
use super::dealer::{Car, Customer, Dealer, Sale, Sold};
use super::drawings::Drawings;
use super::records::{self, utc_date};
use super::sales;
use super::stock::{self, Lot};
use super::{diary, imports, saved_views};
use crate::features::contacts::{self, NewContact, Origin};
use crate::features::listing::{INVOICES, VEHICLES, writes};
use crate::features::records::plain;
use crate::platform::db::{Result, Tx};
use crate::platform::encryption::DataKeys;
use crate::platform::error::ApiResult;
use forecourt_core::form::check;
use forecourt_core::invoices::{Invoice, InvoiceInput};
use forecourt_core::permissions::ResourceId;
use forecourt_core::vehicles::Vehicle;
use uuid::Uuid;

impl Dealer<'_> {
    /// Inserts all records of the dealer.
    pub async fn insert(&self, tx: &mut Tx, keys: &DataKeys, drawings: &mut Drawings) -> ApiResult<()> {
        let calendar = Calendar::new(self.now, DAYS);
        self.insert_contacts(tx, &calendar).await?;
        let customers = self.insert_customers(tx, keys, &calendar).await?;
        let cars = self.insert_vehicles(tx).await?;
        bulk::insert_photos(tx, self.scope(), drawings, self.now).await?;
        let sold = sales::insert(tx, self, &cars, &customers).await?;
        self.insert_invoices(tx, &calendar, &customers, &sold).await?;
        diary::insert(tx, self, &cars).await?;
        Ok(saved_views::insert(tx, self.scope(), self.country(), self.now).await?)
    }

    async fn insert_contacts(&self, tx: &mut Tx, calendar: &Calendar) -> Result<()> {
        let (count, country) = (self.size.contacts, self.country());
        let mut next = 0;
        for i in 0..count {
            let at = calendar.time(i, count);
            let import = imports::IMPORTS.iter().find(|import| self.size.has_imports && import.after == i);
            if let Some(import) = import {
                let id = imports::insert(tx, self.member(i), import, at).await?;
                let origin = Origin { import: id, source: import.file_name.to_owned() };
                let rows = import
                    .contacts(next)
                    .filter_map(|(row, i)| Some(NewContact::new(check(records::contact(country, i)).ok()?, Some(row))));
                contacts::insert_batch(tx, self.scope(), rows.collect(), Some(&origin), at).await?;
                next += import.count;
            }
            let contact = check(records::contact(country, next)).ok().map(|form| NewContact::new(form, None));
            contacts::insert_batch(tx, self.scope(), contact.into_iter().collect(), None, at).await?;
            next += 1;
        }
        let sql =
            "SELECT contact_id, name, created_at FROM contacts WHERE corp_id = $1 AND import_id IS NULL ORDER BY doc";
        let created = tx.sql(sql).bind(self.scope().corp()).all().await?;
        diary::record_created(tx, self, ResourceId::Contacts, created).await
    }

    async fn insert_customers(&self, tx: &mut Tx, keys: &DataKeys, calendar: &Calendar) -> Result<Vec<Customer>> {
        let count = self.size.customers;
        let form = |i| Some((calendar.time(i, count), check(records::customer(self.country(), i)).ok()?));
        let forms = (0..count).filter_map(form);
        bulk::insert_customers(tx, self.scope(), keys, forms.collect()).await?;
        let sql = "SELECT customer_id, name, email, created_at FROM customers WHERE corp_id = $1 ORDER BY doc";
        let rows: Vec<(Uuid, String, String, i64)> = tx.sql(sql).bind(self.scope().corp()).all().await?;
        let created = rows.iter().map(|(id, name, _, at)| (*id, name.clone(), *at)).collect();
        diary::record_created(tx, self, ResourceId::Customers, created).await?;
        let customer = |(id, name, email, created_at)| Customer { id, name, email, created_at };
        Ok(rows.into_iter().map(customer).collect())
    }

    /// Inserts the vehicles that are sold and those that are not, in the order in which they came.
    async fn insert_vehicles(&self, tx: &mut Tx) -> Result<Vec<Car>> {
        let today = utc_date(self.now);
        let mut lots: Vec<(Lot, Option<Sale>)> = stock::unsold().map(|lot| (lot, None)).collect();
        lots.extend(sales::sold(self.now, self.size.sold).map(|(lot, sale)| (lot, Some(sale))));
        lots.sort_by_key(|(lot, _)| std::cmp::Reverse(lot.days));
        let forms: Vec<_> = lots
            .iter()
            .filter_map(|(lot, _)| {
                let form = check(stock::vehicle(*lot, today, self.settings, self.is_broker)).ok()?;
                Some((self.time(lot.days, lot.i), form))
            })
            .collect();
        let first = writes::reserve(tx, self.scope(), &VEHICLES, forms.len()).await?;
        let rows = (first..).zip(forms).map(|(doc, (at, form))| (doc, at, form));
        let added = plain::insert::<Vehicle>(&mut *tx, self.scope(), rows).exec().await?;
        writes::add_to_totals(tx, self.scope(), &VEHICLES, first, added).await?;
        let sql = "SELECT vehicle_id, name, coalesce(asking_price, 0), coalesce(purchase_price, 0), ownership = 'Own', \
                   created_at FROM vehicles WHERE corp_id = $1 ORDER BY doc";
        let rows: Vec<(Uuid, String, i64, i64, bool, i64)> = tx.sql(sql).bind(self.scope().corp()).all().await?;
        let created = rows.iter().map(|(id, name, .., at)| (*id, name.clone(), *at)).collect();
        diary::record_created(tx, self, ResourceId::Vehicles, created).await?;
        let car = |((id, name, price, purchase_price, is_own, created_at), (lot, sale))| Car {
            id,
            name,
            price,
            purchase_price,
            is_own,
            created_at,
            lot,
            sale,
        };
        Ok(rows.into_iter().zip(lots).map(car).collect())
    }

    /// Inserts the invoices for work and for sold vehicles, in the order of their days.
    async fn insert_invoices(
        &self,
        tx: &mut Tx,
        calendar: &Calendar,
        customers: &[Customer],
        sold: &[Sold<'_>],
    ) -> Result<()> {
        let work = (0..self.size.work_invoices).map(|i| {
            let at = calendar.time(i, self.size.work_invoices);
            // The oldest customers come most often.
            let known = customers.partition_point(|customer| customer.created_at <= at).max(1);
            let customer = &customers[(i * 31 + i / 7) % known];
            let form = records::invoice(self.country(), i, utc_date(at));
            (at, addressed(form, customer))
        });
        let cars = sold.iter().enumerate();
        let cars =
            cars.map(|(i, sold)| (sold.delivered, addressed(sales::invoice(sold, self.country(), i), sold.customer)));
        let mut forms: Vec<_> = work.chain(cars).collect();
        forms.sort_by_key(|(at, _)| *at);
        let forms: Vec<_> = forms.into_iter().filter_map(|(at, form)| Some((at, check(form).ok()?))).collect();
        let first = writes::reserve(tx, self.scope(), &INVOICES, forms.len()).await?;
        let rows = (first..).zip(forms).map(|(doc, (at, form))| (doc, at, form));
        let added = plain::insert::<Invoice>(&mut *tx, self.scope(), rows).exec().await?;
        writes::add_to_totals(tx, self.scope(), &INVOICES, first, added).await
    }
}

/// Returns the invoice for this customer.
fn addressed(form: InvoiceInput, customer: &Customer) -> InvoiceInput {
    let domain = customer.email.rsplit('@').next().unwrap_or_default();
    InvoiceInput {
        customer: customer.name.clone(),
        customer_id: Some(customer.id.to_string()),
        email: customer.email.clone(),
        website: domain.to_owned(),
        ..form
    }
}
