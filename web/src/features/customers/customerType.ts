import { t } from '@lingui/core/macro'
import { type CustomerType, core } from '~/core'

const NAMES: Record<CustomerType, string> = {
  Private: t`Private person`,
  Business: t`Business`,
  Company: t`Company`,
  Agency: t`Agency`,
  Client: t`Client`,
}

/** Returns the label of a type. */
export const typeName = (type: CustomerType) => NAMES[type]

/** Returns the types to choose from. */
export const typeChoices = () => core.customerTypes().map(type => ({ value: type, label: typeName(type) }))
