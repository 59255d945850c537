import { t } from '@lingui/core/macro'
import type { ChangedValue, Cost, Leg } from '~/core'
import { calendarDay, ownMoney } from '~/lib/format'
import { paths } from '~/lib/paths'
import { costKindNames, directionNames } from '~/lib/words'
import { fieldName, type ValueField, valueText } from '../filter/conditions'
import type { Fields } from '../useFields'

/** How the history shows a field: its label, and the texts for its values. */
export type FieldInfo = {
  label: string
  /** The field of the list; undefined if lists don't have it. */
  field?: ValueField
  /** Returns a value in words. Without it, the field's kind determines the words. */
  textOf?: (value: ChangedValue) => string
  /** The text for an empty value; by default "empty". */
  emptyText?: string
  /** The text if the history doesn't record the field's values; by default that of the place that shows the field. */
  unrecordedText?: string
  /** For a field that contains a record's id: returns the path of that record. Undefined if the user can't open it. */
  pathOf?: (id: string) => string
}

/** Returns how the history shows the field with this name. */
export type Describe = (name: string) => FieldInfo

/** Returns a vehicle's cost in words: date, kind, note, amount and VAT. */
function costText({ date, kind, net, vat, note }: Cost) {
  const [amount, tax] = [ownMoney(net), ownMoney(vat)]
  return [calendarDay(date), costKindNames[kind], note, t`${amount} + ${tax} VAT`].filter(Boolean).join(' ')
}

/** Returns a vehicle of an agreement in words: name (older entries have none), direction and price. */
const legText = ({ name, direction, price = 0 }: Leg) =>
  [name && `${name}:`, directionNames[direction], ownMoney(price)].filter(Boolean).join(' ')

/** Returns a field's value in words. */
export function valueInWords(value: ChangedValue, { field, textOf }: FieldInfo): string {
  if (Array.isArray(value))
    return value.map(item => ('vehicle_id' in item ? legText(item) : costText(item))).join('; ')
  // Any other object stands for a value that was erased: with someone's personal data, or because the entry is old.
  if (typeof value === 'object') return t`erased`
  return textOf?.(value) ?? valueText(value, field)
}

/**
 * The names of fields that the history records but lists don't offer, such as links to other records, or of which lists
 * have only the number.
 */
const labels: Record<string, string> = {
  comments: t`Comment`,
  contact_id: t`Linked contact`,
  customer_id: t`Linked customer`,
  legs: t`Vehicles and prices`,
  photos: t`Photos`,
  photo_order: t`Photo order`,
  socialSecurityNumber: t`Social Security Number`,
}

const TYPED = 'typed.'

/** Returns a function that describes how the history shows the fields of a list. */
export const describeFields =
  ({ find }: Fields, mayReadCustomers: boolean): Describe =>
  change => {
    // What was typed in a field that shows another value, which follows from other records.
    const isTyped = change.startsWith(TYPED)
    const name = isTyped ? change.slice(TYPED.length) : change
    const label = labels[name] ?? fieldName(find(name), name)
    return {
      label: isTyped ? t`${label} (typed)` : label,
      field: find(name),
      unrecordedText: name === 'photo_order' ? t`changed` : undefined,
      pathOf: name === 'customer_id' && mayReadCustomers ? paths.customer : undefined,
    }
  }
