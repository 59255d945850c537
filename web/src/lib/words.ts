import { plural, t } from '@lingui/core/macro'
import {
  type Action,
  type AgreementState,
  type AgreementType,
  type CostKind,
  type CustomerStatus,
  type CustomerType,
  core,
  type Direction,
  type Message,
  type UserType,
  type VatScheme,
  type VehicleStatus,
  type WarrantyKind,
} from '~/core'
import { textOf } from '~/language'

// The names of the API's values of choice fields, as screens show them.

export const userTypeNames: Record<UserType, string> = {
  User: t`User`,
  Admin: t`Admin`,
  'Super Admin': t`Super Admin`,
}

/** The actions that a role permits, in the order of its matrix. */
export const permissionNames: Record<Action, string> = {
  read: t`View`,
  create: t`Add`,
  update: t`Edit`,
  delete: t`Delete`,
}

export const agreementNames: Record<AgreementType, string> = {
  Sales: t`Sales`,
  Purchase: t`Purchase`,
  Agency: t`Agency`,
}

export const agreementStateNames: Record<AgreementState, string> = {
  Draft: t`Draft`,
  Offered: t`Offered`,
  Signed: t`Signed`,
  Delivered: t`Delivered`,
  Closed: t`Closed`,
  Cancelled: t({ message: 'Cancelled', context: 'agreement' }),
}

/** Which way a vehicle of an agreement goes, seen from the dealer. */
export const directionNames: Record<Direction, string> = {
  Out: t({ message: 'Out', context: 'vehicle' }),
  In: t({ message: 'In', context: 'vehicle' }),
  Brokered: t`Brokered`,
}

export const warrantyNames: Record<WarrantyKind, string> = {
  None: t`No warranty`,
  Dealer: t`Dealer`,
  Manufacturer: t`Manufacturer`,
  Insured: t`Insured`,
}

/** Returns a customer's warranty in words: the kind of the latest sale's, or what a user typed. */
export const warrantyName = (warranty: string) =>
  // Not what each object has, such as `constructor`.
  Object.hasOwn(warrantyNames, warranty) ? warrantyNames[warranty as WarrantyKind] : warranty

/** Returns the period of a customer's warranty in words: that of the latest sale, or what a user typed. */
export function warrantyPeriodName(period: string) {
  const months = /^(\d+) months?$/.exec(period)?.[1]
  return months === undefined ? period : plural(Number(months), { one: '# month', other: '# months' })
}

/** The role that core gives to new customers. A test compares it with core's. */
const DEFAULT_CUSTOMER_ROLE = 'buyer'

/** Returns a customer's role in words: the default one, or what a client wrote. */
export const customerRoleName = (role: string) => (role === DEFAULT_CUSTOMER_ROLE ? t`Buyer` : role)

/** Translates `text` if it is the English text of `message`. */
const translate = (text: string, message: Message) => (text === message.text ? textOf(message) : text)

/** Returns the English text of `message` if `text` is its translation. */
const untranslate = (text: string, message: Message) =>
  text.trim() === textOf(message) ? message.text : text

/** Returns a role's name in words: the one that core gives to the first role, or what a user typed. */
export const roleName = (name: string) => translate(name, core.texts().roles.firstRole)

/** Returns a role's description in words, like `roleName`. */
export const roleDescription = (description: string) =>
  translate(description, core.texts().roles.firstRoleDescription)

/** Returns a role's name as it is stored. That of the first role is the same in all languages. */
export const storedRoleName = (name: string) => untranslate(name, core.texts().roles.firstRole)

/** Returns a role's description as it is stored, like `storedRoleName`. */
export const storedRoleDescription = (description: string) =>
  untranslate(description, core.texts().roles.firstRoleDescription)

/** Returns a record's text as screens show it: in words if it is what an erasure has left. */
export const shownText = (text: string) => (core.isErased(text) ? t`Erased` : text)

/** Returns a record's text for use elsewhere; undefined if it is what an erasure has left. */
export const unlessErased = (text: string) => (core.isErased(text) ? undefined : text)

export const customerStatusNames: Record<CustomerStatus, string> = {
  Active: t`Active`,
  Inactive: t`Inactive`,
}

export const customerTypeNames: Record<CustomerType, string> = {
  Private: t`Private person`,
  Business: t`Business`,
  Company: t`Company`,
  Agency: t({ message: 'Agency', context: 'customer' }),
  Client: t`Client`,
}

export const vehicleStatusNames: Record<VehicleStatus, string> = {
  Expected: t`Expected`,
  'In stock': t`In stock`,
  Reserved: t`Reserved`,
  Sold: t`Sold`,
  Withdrawn: t`Withdrawn`,
}

export const vatSchemeNames: Record<VatScheme, string> = {
  Margin: t`Margin scheme`,
  Standard: t`Standard VAT`,
}

export const costKindNames: Record<CostKind, string> = {
  Transport: t`Transport`,
  Inspection: t({ message: 'Inspection', context: 'cost' }),
  Service: t({ message: 'Service', context: 'cost' }),
  Repair: t`Repair`,
  Tyres: t`Tyres`,
  Paint: t`Paint`,
  Valeting: t`Valeting`,
  Parts: t`Parts`,
  Fee: t`Fee`,
  Other: t({ message: 'Other', context: 'cost' }),
}

/** The names of choices, except for those that a `kind.ts` has in its `choiceNames`. */
export const nameSets: Record<string, string>[] = [
  userTypeNames,
  agreementNames,
  agreementStateNames,
  customerStatusNames,
  customerTypeNames,
  vehicleStatusNames,
  vatSchemeNames,
  warrantyNames,
]
