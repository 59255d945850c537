//! A dealer of the demo, and its customers and vehicles.

use super::people::Country;
use super::stock::Lot;
use crate::access::scope::Scope;
use crate::platform::clock::{DAY, HOUR};
use forecourt_core::money::Money;
use forecourt_core::settings::Settings;
use uuid::Uuid;

/// How many records a dealer has.
pub struct Size {
    /// Contacts besides the imported ones.
    pub contacts: usize,
    pub customers: usize,
    /// Invoices for work, besides those for sold vehicles.
    pub work_invoices: usize,
    /// Vehicles that were sold in the last twelve months.
    pub sold: usize,
    pub has_imports: bool,
}

pub struct Dealer<'a> {
    /// One scope for each user who works with records.
    pub staff: &'a [Scope],
    pub settings: &'a Settings,
    pub size: &'a Size,
    /// Whether it sells only vehicles of others.
    pub is_broker: bool,
    pub now: i64,
}

/// A customer with the time of its creation.
pub struct Customer {
    pub id: Uuid,
    pub name: String,
    pub email: String,
    pub created_at: i64,
}

/// A vehicle as it is stored.
pub struct Car {
    pub id: Uuid,
    pub name: String,
    /// In pence, of the corporation's currency.
    pub price: i64,
    /// As the price; 0 if it is not the dealer's own.
    pub purchase_price: i64,
    pub is_own: bool,
    /// When its record was created, which is the day on which it came.
    pub created_at: i64,
    pub lot: Lot,
    pub sale: Option<Sale>,
}

/// The days of a sale or a purchase, as times.
#[derive(Clone, Copy, Debug)]
pub struct Sale {
    pub agreed: i64,
    pub delivered: i64,
}

/// A vehicle that was sold to a customer.
pub struct Sold<'a> {
    pub car: &'a Car,
    pub customer: &'a Customer,
    pub delivered: i64,
    /// What the agreement gives to a broker, in the corporation's currency.
    pub commission: Option<Money>,
}

impl Dealer<'_> {
    /// Returns the scope of a user who worked with record number `i`.
    pub fn member(&self, i: usize) -> &Scope {
        &self.staff[i % self.staff.len()]
    }

    /// Returns the scope of the first user.
    pub fn scope(&self) -> &Scope {
        &self.staff[0]
    }

    pub fn country(&self) -> Country {
        Country::of(&self.settings.country)
    }

    /// Returns a time on the day `days` ago, in the past.
    pub fn time(&self, days: usize, i: usize) -> i64 {
        let midnight = self.now - self.now % DAY;
        match days {
            0 => midnight + (self.now - midnight) / 2,
            _ => midnight - days as i64 * DAY + (8 + i as i64 % 9) * HOUR,
        }
    }
}
