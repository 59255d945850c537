//! Rules of a vehicle's mileage.

use super::{DEFAULT_COUNTRY, MileageUnit, VehicleInput, text};
use crate::form::Rules;

const MILEAGE_MAX: i64 = 9_999_999;
const REMARK_MAX: u64 = 500;

impl MileageUnit {
    /// Returns the unit of the mileages in a country.
    pub fn usual(country: &str) -> Self {
        if country == DEFAULT_COUNTRY { MileageUnit::Miles } else { MileageUnit::Kilometres }
    }
}

impl VehicleInput {
    /// Returns the unit of the mileage: that of the form, or the stored one if the form omits it. If it is empty, it is
    /// the usual one. `None` if the text is not a unit.
    pub fn mileage_unit(&self) -> Option<MileageUnit> {
        match (self.mileage_unit.as_deref(), &self.stored) {
            (None, Some(stored)) => Some(stored.mileage_unit),
            (None | Some(""), _) => Some(MileageUnit::usual(self.country())),
            (Some(unit), _) => MileageUnit::parse(unit),
        }
    }

    /// Returns whether a new remark is missing: the form's mileage is lower than the stored one or empty, and its
    /// remark is empty or still the stored one. A stored mileage that was rounded down to the form's unit is not lower.
    fn lacks_remark(&self) -> bool {
        let Some(stored) = &self.stored else { return false };
        let Some(before) = stored.mileage.map(|mileage| metres(mileage, stored.mileage_unit)) else { return false };
        let after = self.mileage.value().zip(self.mileage_unit());
        let is_lower = |(mileage, unit)| before.saturating_sub(metres(mileage, unit)) >= metres(1, unit);
        let has_remark = !self.mileage_remark.is_empty() && self.mileage_remark != stored.mileage_remark;
        after.is_none_or(is_lower) && !has_remark
    }

    pub(super) fn declare_mileage_rules(&self, rules: &mut Rules) {
        let is_mileage = self.mileage.value().is_some_and(|mileage| (0..=MILEAGE_MAX).contains(&mileage));
        rules.require("mileage", self.mileage.is_empty() || is_mileage, text::MILEAGE_INVALID);
        rules.require_choice("mileage_unit", self.mileage_unit().is_some(), MileageUnit::NAMES);
        rules.require("mileage_remark", !self.lacks_remark(), text::MILEAGE_REMARK_REQUIRED);
        rules.field("mileage_remark", &self.mileage_remark).max(REMARK_MAX);
    }
}

/// Returns a distance in whole metres, rounded down: a mile is 1,609.344 m.
fn metres(distance: i64, unit: MileageUnit) -> i64 {
    match unit {
        MileageUnit::Kilometres => distance.saturating_mul(1_000),
        MileageUnit::Miles => distance.saturating_mul(1_609_344) / 1_000,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{StoredVehicle, VehicleStatus, Whole};
    use super::*;
    use crate::form::errors_as_texts;

    /// Returns the errors of an update of a vehicle with 100 miles and a remark.
    fn errors(mileage: &str, unit: &str, remark: &str) -> Vec<String> {
        let stored = StoredVehicle {
            status: VehicleStatus::InStock,
            registration_country: "GB".into(),
            mileage: Some(100),
            mileage_unit: MileageUnit::Miles,
            mileage_remark: "Old".into(),
            in_stock_on: None,
            is_signed: false,
        };
        errors_as_texts(VehicleInput {
            registration_number: "AB12 CDE".into(),
            mileage: Whole(mileage.into()),
            mileage_unit: Some(unit.into()),
            mileage_remark: remark.into(),
            stored: Some(stored),
            ..VehicleInput::default()
        })
    }

    #[test]
    fn a_lower_mileage_needs_a_remark_also_in_another_unit() {
        for (mileage, unit) in [("100", "mi"), ("101", ""), ("161", "km"), ("160", "km")] {
            assert!(errors(mileage, unit, "").is_empty(), "{mileage} {unit}");
        }
        let required = [format!("mileage_remark: {}", text::MILEAGE_REMARK_REQUIRED)];
        for (mileage, unit) in [("99", "mi"), ("159", "km"), ("0", ""), ("", "")] {
            for remark in [" ", "Old"] {
                assert_eq!(errors(mileage, unit, remark), required, "{mileage} {unit}");
            }
            assert!(errors(mileage, unit, "New instrument").is_empty());
        }
    }
}
