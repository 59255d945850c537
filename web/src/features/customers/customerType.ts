import { type CustomerType, core } from '~/core'

/** What a type is called on the screen. */
export const typeName = (type: CustomerType) => (type === 'Private' ? 'Private person' : type)

/** The types to choose from. */
export const typeChoices = () => core.customerTypes().map(type => ({ value: type, label: typeName(type) }))
