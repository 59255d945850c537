import { t } from '@lingui/core/macro'
import type { Action, AgreementType, CustomerStatus, CustomerType, UserType } from '~/core'

// The names of the API's values, as screens show them.

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

export const customerStatusNames: Record<CustomerStatus, string> = {
  Active: t`Active`,
  Inactive: t`Inactive`,
}

export const customerTypeNames: Record<CustomerType, string> = {
  Private: t`Private person`,
  Business: t`Business`,
  Company: t`Company`,
  Agency: t`Agency`,
  Client: t`Client`,
}

/** The names of all values that a field can be chosen from. */
export const valueNames: Record<string, string> = {
  ...userTypeNames,
  ...agreementNames,
  ...customerStatusNames,
  ...customerTypeNames,
}
