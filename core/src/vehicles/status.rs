//! Which status a vehicle can get.

use super::{VehicleStatus, text};
use crate::message::Message;

impl VehicleStatus {
    /// The statuses of a vehicle that is in stock.
    pub const IN_STOCK: [Self; 2] = [Self::InStock, Self::Reserved];

    pub fn is_in_stock(self) -> bool {
        Self::IN_STOCK.contains(&self)
    }
}

/// Returns the statuses that a form offers for a vehicle with this status: the status itself, and then those that can
/// follow. Without a status, returns those of a new vehicle.
pub fn offered_statuses(status: Option<VehicleStatus>) -> Vec<VehicleStatus> {
    match status {
        Some(status) => [&[status], next_statuses(status)].concat(),
        None => VehicleStatus::ALL.iter().copied().filter(|status| status_error(None, *status).is_none()).collect(),
    }
}

/// Returns the other statuses that users can give to a vehicle with this status. Only an agreement makes a vehicle
/// Sold.
pub fn next_statuses(status: VehicleStatus) -> &'static [VehicleStatus] {
    use VehicleStatus::{Expected, InStock, Reserved, Sold, Withdrawn};
    match status {
        Expected => &[InStock, Withdrawn],
        InStock => &[Reserved, Withdrawn],
        Reserved | Withdrawn => &[InStock],
        Sold => &[],
    }
}

/// Returns why a vehicle can't get the status `after`; `None` if it can. `before` is the stored status, `None` for a
/// new vehicle.
pub(super) fn status_error(before: Option<VehicleStatus>, after: VehicleStatus) -> Option<&'static Message> {
    let next = match before {
        Some(before) if before == after || next_statuses(before).contains(&after) => return None,
        Some(VehicleStatus::Sold) => text::SOLD_IS_FINAL,
        _ if after == VehicleStatus::Sold => text::SOLD_BY_AGREEMENT,
        None => return None,
        Some(VehicleStatus::Expected) => text::EXPECTED_NEXT,
        Some(VehicleStatus::InStock) => text::IN_STOCK_NEXT,
        Some(VehicleStatus::Reserved) => text::RESERVED_NEXT,
        Some(VehicleStatus::Withdrawn) => text::WITHDRAWN_NEXT,
    };
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use VehicleStatus::{Expected, InStock, Reserved, Sold, Withdrawn};

    #[test]
    fn users_make_only_the_allowed_status_changes_and_never_to_sold() {
        for before in VehicleStatus::ALL {
            for after in VehicleStatus::ALL {
                let is_drawn = before == after
                    || matches!(
                        (before, after),
                        (Expected, InStock | Withdrawn)
                            | (InStock, Reserved | Withdrawn)
                            | (Reserved | Withdrawn, InStock)
                    );
                assert_eq!(status_error(Some(*before), *after).is_none(), is_drawn, "{before:?} {after:?}");
            }
        }
        assert_eq!(offered_statuses(None), [Expected, InStock, Reserved, Withdrawn]);
        assert_eq!(status_error(None, Sold), Some(text::SOLD_BY_AGREEMENT));
        assert_eq!(status_error(Some(Sold), InStock), Some(text::SOLD_IS_FINAL));
    }
}
