import { plural, t } from '@lingui/core/macro'
import type { DataKind, KeptPart } from '~/core'
import { textOf } from '~/language'

/** Returns how much there is of a kind of data, in words. */
export const countOf: Record<DataKind, (count: number) => string> = {
  contacts: count => plural(count, { one: '# contact', other: '# contacts' }),
  comments: count => plural(count, { one: '# comment', other: '# comments' }),
  customers: count => plural(count, { one: '# customer', other: '# customers' }),
  invoices: count => plural(count, { one: '# invoice', other: '# invoices' }),
  history: count => plural(count, { one: '# entry in the history', other: '# entries in the history' }),
  imports: count => plural(count, { one: '# import', other: '# imports' }),
  failed_rows: count =>
    plural(count, { one: '# row that was not imported', other: '# rows that were not imported' }),
  views: count => plural(count, { one: '# saved view', other: '# saved views' }),
  account: count => plural(count, { one: '# user account', other: '# user accounts' }),
}

/** What is erased of a kind of data. */
export const erasedOf: Partial<Record<DataKind, string>> = {
  contacts: t`Name, contact details, address and other details`,
  comments: t`The text`,
  customers: t`Name, contact details, address, numbers and notes`,
  invoices: t`Website and email`,
  history: t`The name and the values before and after`,
  failed_rows: t`The cells`,
  views: t`Name, search and filter`,
}

/** Returns why something is kept. */
export const reasonOf = ({ messages, reason }: KeptPart) => (messages?.[0] ? textOf(messages[0]) : reason)
