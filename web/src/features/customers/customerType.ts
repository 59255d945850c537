import { t } from '@lingui/core/macro'
import { type CustomerType, core } from '~/core'
import { said } from '~/language'

/** What a type is called on the screen. */
export const typeName = (type: CustomerType) => (type === 'Private' ? t`Private person` : said(type))

/** The types to choose from. */
export const typeChoices = () => core.customerTypes().map(type => ({ value: type, label: typeName(type) }))
