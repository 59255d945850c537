import { t } from '@lingui/core/macro'
import type { AgreementType, CustomerStatus, UserType } from '~/core'

// The names of the API's values, as screens show them.

export const userTypeNames: Record<UserType, string> = {
  User: t`User`,
  Admin: t`Admin`,
  'Super Admin': t`Super Admin`,
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
