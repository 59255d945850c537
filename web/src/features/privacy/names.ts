import { plural, t } from '@lingui/core/macro'
import type { DataKind, ErasedPart, KeptPart } from '~/core'
import type { ListsCore } from '~/core/lists'
import { locale, textOf } from '~/language'
import { fieldName } from '~/records/filter/conditions'

/** Functions that return the number of items of a kind of data in words, such as "2 contacts". */
export const countOf: Record<DataKind, (count: number) => string> = {
  contacts: count => plural(count, { one: '# contact', other: '# contacts' }),
  comments: count => plural(count, { one: '# comment', other: '# comments' }),
  customers: count => plural(count, { one: '# customer', other: '# customers' }),
  invoices: count => plural(count, { one: '# invoice', other: '# invoices' }),
  agreements: count => plural(count, { one: '# agreement', other: '# agreements' }),
  vehicles: count => plural(count, { one: '# vehicle', other: '# vehicles' }),
  history: count => plural(count, { one: '# entry in the history', other: '# entries in the history' }),
  imports: count => plural(count, { one: '# import', other: '# imports' }),
  failed_rows: count =>
    plural(count, { one: '# row that was not imported', other: '# rows that were not imported' }),
  views: count => plural(count, { one: '# saved view', other: '# saved views' }),
  account: count => plural(count, { one: '# user account', other: '# user accounts' }),
}

/** The names of erased values that aren't fields of a list, by kind of data. */
const otherNames: Partial<Record<DataKind, Record<string, string>>> = {
  contacts: { otherDetails: t`Other details` },
  customers: { socialSecurityNumber: t`Social Security Number` },
  comments: { comment: t`The text` },
  history: { label: t`Name`, before: t`Values before`, after: t`Values after` },
  failed_rows: { cells: t`The cells` },
  views: { name: t`Name`, search: t`Search text`, filter: t`Filter` },
}

/**
 * Returns the names of a part's fields, separated by commas. A field that only a newer server knows has its API name.
 */
export function fieldsText({ kind, fields }: Pick<ErasedPart, 'kind' | 'fields'>, rules: ListsCore): string {
  const known = rules.listFields(kind)
  const nameOf = (name: string) =>
    otherNames[kind]?.[name] ??
    fieldName(
      known.find(field => field.name === name),
      name,
    )
  return new Intl.ListFormat(locale).format(new Set(fields.map(nameOf)))
}

/** Returns in words which fields are kept, and why. */
export function keptText(part: KeptPart, rules: ListsCore): string {
  const { messages, reason, fields } = part
  const why = messages?.[0] ? textOf(messages[0]) : reason
  return fields.length > 0 ? `${fieldsText(part, rules)}. ${why}` : why
}
