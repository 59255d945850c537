import { t } from '@lingui/core/macro'

/** Why a vehicle without a purchase price has no margin if it is consigned, and what to do if it should have one. */
export const consignedText = () =>
  t`For a consigned vehicle you earn the commission of its agency agreement, not a margin. If you have bought the vehicle, change its ownership to Own and enter the purchase price.`
