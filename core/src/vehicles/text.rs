//! Messages about vehicles.

use crate::message::messages;

messages! {
    "vehicles.";
    NUMBER_REQUIRED = "Enter a registration number or a VIN.";
    VIN_CHARACTERS = "A VIN has only the letters A to Z and digits.";
    VIN_LETTERS = "A VIN never has the letters I, O and Q. They may be the digits 1 and 0.";
    fn vin_length(count: u64) = "A VIN has 17 characters; this one has {count}. If the vehicle is from before 1981, enter its model year.";
    fn vin_too_long(count: u64) = "A VIN has 17 characters; this one has {count}.";
    VIN_CHECK_DIGIT = "The check digit of this VIN is wrong. Compare it with the vehicle, character by character.";
    VIN_TAKEN = "Another vehicle in stock has this VIN.";
    PLATE_TAKEN = "Another vehicle in stock has this registration number.";
    fn vin_taken_of(vehicle: &str) = "{vehicle} can't be changed: another vehicle in stock has its VIN.";
    fn plate_taken_of(vehicle: &str) = "{vehicle} can't be changed: another vehicle in stock has its registration number.";
    COUNTRY_INVALID = "Enter a country code of two letters, such as GB or SE.";
    MODEL_YEAR_INVALID = "Enter a model year with four digits, 1886 or later.";
    MILEAGE_INVALID = "Enter the mileage as a whole number up to 9,999,999.";
    MILEAGE_REMARK_REQUIRED = "This mileage is lower than the last one, or missing. Say why.";
    COST_DATE_REQUIRED = "Enter the date of this cost.";
    COST_NET_INVALID = "Enter an amount above 0 with at most two decimals.";
    COST_VAT_INVALID = "Enter an amount with at most two decimals, or leave it empty.";
    fn too_many_costs(most: u64) = "A vehicle can have at most {most} costs. Combine some.";
    PURCHASE_PRICE_INVALID = "Enter a price with at most two decimals, or leave it empty.";
    SOLD_IS_FINAL = "A sold vehicle stays sold. If it comes back, create a new vehicle.";
    SOLD_BY_AGREEMENT = "A vehicle becomes sold when its agreement is delivered.";
    EXPECTED_NEXT = "An expected vehicle can only become In stock or Withdrawn.";
    IN_STOCK_NEXT = "A vehicle in stock can only become Reserved or Withdrawn.";
    RESERVED_NEXT = "A reserved vehicle can only become In stock again, or be sold by its agreement.";
    HELD_BY_AGREEMENT = "A signed agreement reserves this vehicle. Cancel the agreement to release it.";
    IN_SIGNED_AGREEMENT = "It is in a signed agreement. Cancel that first.";
    IN_DELIVERED_AGREEMENT = "It is in a delivered agreement, so it stays on record. If it is not for sale, set it to Withdrawn.";
    SOLD_STAYS = "A sold vehicle stays on record with its costs. To see only the others, filter the list by status.";
    WITHDRAWN_NEXT = "A withdrawn vehicle can only become In stock again.";

    VIN_NO_CHECK_DIGIT = "This VIN has no valid check digit. This vehicle does not need one.";
    VIN_OTHER_YEAR = "The VIN has the code of another model year.";
    VIN_OLD = "A chassis number from before 1981";
    VIN_FRAME = "A Japanese frame number";

    AFRICA = "Africa";
    ASIA = "Asia";
    CHINA = "China";
    EUROPE = "Europe";
    NORTH_AMERICA = "North America";
    OCEANIA = "Oceania";
    SOUTH_AMERICA = "South America";

    STOCK_NUMBER = "Stock number";
    VEHICLE = "Vehicle";
    VIN = "VIN";
    REGISTRATION_NUMBER = "Registration number";
    REGISTRATION_COUNTRY = "Country of registration";
    MAKE = "Make";
    MODEL = "Model";
    VARIANT = "Variant";
    MODEL_YEAR = "Model year";
    FIRST_REGISTERED = "First registered";
    BODY = "Body";
    FUEL = "Fuel";
    TRANSMISSION = "Transmission";
    COLOUR = "Colour";
    MILEAGE = "Mileage";
    MILEAGE_UNIT = "Mileage unit";
    MILEAGE_REMARK = "Mileage remark";
    OWNERSHIP = "Ownership";
    VAT_SCHEME = "VAT scheme";
    ASKING_PRICE = "Asking price";
    PURCHASE_PRICE = "Purchase price";
    MINIMUM_PRICE = "Minimum price";
    COSTS = "Costs";
    IN_STOCK_ON = "In stock since";

    CREATED = "Vehicle created";
    UPDATED = "Vehicle updated";
    DELETED = "Vehicle deleted";

    PHOTO_MISSING = "Choose a photo first.";
    UPLOAD_ID_INVALID = "Send a UUID, or leave out this field.";
    PHOTO_ADDED = "Photo added";
    PHOTO_REMOVED = "Photo removed";
    PHOTOS_ORDERED = "Photo order saved";
    PHOTO_ORDER_INVALID = "Send the ids of all photos, each once.";
    PHOTO_ORDER_CHANGED = "The order of the photos was changed meanwhile. Order them again as they are now.";
    PHOTOS_CHANGED = "Photos were added or removed meanwhile. Order the photos again as they are now.";
    fn too_many_photos(max: u64) = "A vehicle has at most {max} photos. Remove one to add another.";
    fn photo_storage_full(gigabytes: u64) = "The photos of your corporation take up {gigabytes} GB, which is all there is room for. Remove photos, or delete vehicles from the trash, and try again.";
}
