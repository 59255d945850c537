//! Messages about agreements.

use crate::message::messages;

messages! {
    "agreements.";
    CUSTOMER_UNKNOWN = "Choose a customer that exists.";
    CONTACT_UNKNOWN = "Choose a contact that exists.";
    VEHICLE_REQUIRED = "Choose a vehicle.";
    VEHICLE_UNKNOWN = "Choose a vehicle that exists.";
    VEHICLE_TWICE = "A vehicle can be in an agreement only once.";
    fn too_many_legs(most: u64) = "An agreement can have at most {most} vehicles. Make another agreement for the others.";
    PRICE_REQUIRED = "Enter a price above 0 with at most two decimals.";
    AMOUNT_INVALID = "Enter an amount with at most two decimals, or leave it empty.";
    PERCENT_INVALID = "Enter a percentage from 0 to 100 with at most two decimals, or leave it empty.";
    COMMISSION_TWICE = "Enter the commission as an amount or as a percentage, not as both.";
    DELIVERED_TOO_EARLY = "The delivery can't be before the day of the agreement.";
    MONTHS_INVALID = "Enter whole months from 1 to 120, or leave it empty.";
    DISTANCE_INVALID = "Enter a whole distance up to 9,999,999, or leave it empty.";
    STATE_BY_STEPS = "The state changes only by the steps of the agreement, and no step can be undone.";
    SIGNED_FIXED = "The vehicles, the customer and the terms of a signed agreement can't be changed. To change them, cancel the agreement and create a new one.";
    ONLY_NOTES = "Only the notes of this agreement can still be changed.";

    CUSTOMER_REQUIRED = "Choose a customer first.";
    CUSTOMER_DELETED = "The customer of this agreement is deleted. Restore it from the trash, or cancel the agreement.";
    LEGS_REQUIRED = "Add a vehicle first.";
    DEPOSIT_TOO_HIGH = "The deposit is more than the price. Correct it first.";
    PRICES_REQUIRED = "Enter a price above 0 for each vehicle that is sold.";
    VEHICLE_DELETED = "One of its vehicles is deleted. Restore it from the trash first.";
    fn not_in_stock(vehicle: &str) = "{vehicle} is not in stock.";
    fn not_under_margin(vehicle: &str) = "{vehicle} can't be sold under the margin scheme. Choose Standard VAT for it in this agreement.";
    fn in_signed(vehicle: &str, number: &str) = "{vehicle} is in the signed agreement {number}.";
    fn is_sold(vehicle: &str) = "{vehicle} is already sold.";
    fn already_in_stock(vehicle: &str) = "{vehicle} can't come into stock: another vehicle in stock has its registration number or VIN.";
    DRAFT_NEXT = "A draft can only become Offered or Cancelled.";
    OFFERED_NEXT = "An offered agreement can only become Signed or Cancelled.";
    SIGNED_NEXT = "A signed agreement can only become Delivered or Cancelled.";
    DELIVERED_NEXT = "A delivered agreement can only become Closed.";
    CLOSED_STAYS = "A closed agreement stays closed.";
    CANCELLED_STAYS = "A cancelled agreement stays cancelled. Create a new one.";
    CANCEL_FIRST = "Cancel the agreement before you delete it.";
    DELIVERED_STAYS = "A delivered agreement can't be deleted.";

    NUMBER = "Number";
    STATE = "State";
    CUSTOMER = "Customer";
    VEHICLES = "Vehicles";
    LEGS = "Number of vehicles";
    IN_PRICE = "Price of a vehicle that comes in";
    OUT_TOTAL = "Vehicles out";
    IN_TOTAL = "Vehicles in";
    TO_PAY = "To pay";
    DEPOSIT = "Deposit";
    COMMISSION = "Commission";
    FIXED_COMMISSION = "Fixed commission";
    COMMISSION_PERCENT = "Commission in percent";
    MINIMUM_PRICE = "Minimum price";
    EXCLUSIVE_UNTIL = "Exclusive until";
    WARRANTY_MONTHS = "Warranty months";
    WARRANTY_DISTANCE = "Warranty distance";
    AGREED_ON = "Agreed on";
    DELIVERED_ON = "Delivered on";

    CREATED = "Agreement created";
    UPDATED = "Agreement updated";
    DELETED = "Agreement deleted";
    OFFERED = "Agreement offered";
    SIGNED = "Agreement signed";
    DELIVERED = "Agreement delivered";
    CLOSED = "Agreement closed";
    CANCELLED = "Agreement cancelled";
}
