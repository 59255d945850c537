import { t } from '@lingui/core/macro'
import { type CustomerType, core } from '~/core'
import { said } from '~/language'

/** Returns the label of a type. */
export const typeName = (type: CustomerType) => (type === 'Private' ? t`Private person` : said(type))

/** Returns the types to choose from. */
export const typeChoices = () => core.customerTypes().map(type => ({ value: type, label: typeName(type) }))
