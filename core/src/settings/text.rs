//! Messages about the settings of a corporation.

use crate::message::messages;

messages! {
    "settings.";
    COUNTRY_INVALID = "Choose one of the countries.";
    CURRENCY_INVALID = "Choose one of the currencies.";
    VAT_RATE_INVALID = "Enter a rate from 0 to 100 % with at most two decimals.";
    UPDATED = "Settings saved";
}
