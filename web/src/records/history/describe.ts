import { t } from '@lingui/core/macro'
import type { ChangedValue, Cost, Leg } from '~/core'
import type { ListField } from '~/core/lists'
import { calendarDay, ownPrice } from '~/lib/format'
import { paths } from '~/lib/paths'
import { costKindNames, directionNames } from '~/lib/words'
import { fieldName, valueText } from '../filter/conditions'
import type { Fields } from '../useFields'

/** How the history shows a field. */
export type FieldInfo = {
  label: string
  kind?: ListField['kind']
  /** Returns a value in words, if the kind doesn't determine them. */
  textOf?: (value: ChangedValue) => string
  /** Shown for a missing value, "empty" by default. */
  emptyText?: string
  /** Shown if the history has no values, "The value is not recorded" by default. */
  unrecordedText?: string
  /** Returns the path of the record whose id a link field has. Missing if the user can't open it. */
  pathOf?: (id: string) => string
}

/** Returns how the history shows the field with this name. */
export type Describe = (name: string) => FieldInfo

/** Returns a cost of a vehicle in words. */
const costText = ({ date, kind, net, note }: Cost) =>
  [calendarDay(date), costKindNames[kind], note, ownPrice(net)].filter(Boolean).join(' ')

/** Returns a vehicle of an agreement in words. */
const legText = ({ direction, price = 0 }: Leg) => `${directionNames[direction]} ${ownPrice(price)}`

/** Returns a value in words. */
export function valueInWords(value: ChangedValue, { kind, textOf }: FieldInfo): string {
  if (Array.isArray(value))
    return value.map(item => ('vehicle_id' in item ? legText(item) : costText(item))).join('; ')
  // It was erased with someone's personal data.
  if (typeof value === 'object') return t`erased`
  return textOf?.(value) ?? valueText(value, kind)
}

/** The names of fields that lists don't offer: secrets and links to other records. */
const labels: Record<string, string> = {
  comments: t`Comment`,
  contact_id: t`Linked contact`,
  customer_id: t`Linked customer`,
  photos: t`Photos`,
  photo_order: t`Order of the photos`,
  socialSecurityNumber: t`Social Security Number`,
}

/** Returns how the history shows the fields of a list. */
export const describeFields =
  (find: Fields['find'], mayReadCustomers: boolean): Describe =>
  name => ({
    label: labels[name] ?? fieldName(find(name), name),
    kind: find(name)?.kind,
    unrecordedText: name === 'photo_order' ? t`changed` : undefined,
    pathOf: name === 'customer_id' && mayReadCustomers ? paths.customer : undefined,
  })
