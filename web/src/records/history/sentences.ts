import { plural, t } from '@lingui/core/macro'
import type { Change, HistoryEntry } from '~/core'
import type { Describe } from './describe'
import type { HistoryResource } from './useHistory'

/**
 * The sentences of the actions on a record. `name` is the actor's name; `label` is the entry's label, such as a file
 * name.
 */
const sentences: Record<HistoryResource, Record<string, (name: string, label: string) => string>> = {
  contacts: {
    created: name => t`${name} created this contact`,
    updated: name => t`${name} changed this contact`,
    deleted: name => t`${name} deleted this contact`,
    restored: name => t`${name} restored this contact`,
    purged: name => t`${name} permanently deleted this contact`,
    imported: (name, file) => t`${name} imported this contact from ${file}`,
    merged: name => t`${name} merged other contacts into this one`,
    unmerged: name => t`${name} undid the merge of other contacts into this one`,
  },
  customers: {
    created: name => t`${name} created this customer`,
    updated: name => t`${name} changed this customer`,
    deleted: name => t`${name} deleted this customer`,
    restored: name => t`${name} restored this customer`,
    purged: name => t`${name} permanently deleted this customer`,
    merged: name => t`${name} merged other customers into this one`,
    unmerged: name => t`${name} undid the merge of other customers into this one`,
  },
  invoices: {
    created: name => t`${name} created this invoice`,
    updated: name => t`${name} changed this invoice`,
    deleted: name => t`${name} deleted this invoice`,
    restored: name => t`${name} restored this invoice`,
    purged: name => t`${name} permanently deleted this invoice`,
  },
  vehicles: {
    created: name => t`${name} created this vehicle`,
    updated: name => t`${name} changed this vehicle`,
    deleted: name => t`${name} deleted this vehicle`,
    restored: name => t`${name} restored this vehicle`,
    purged: name => t`${name} permanently deleted this vehicle`,
  },
  agreements: {
    created: name => t`${name} created this agreement`,
    updated: name => t`${name} changed this agreement`,
    deleted: name => t`${name} deleted this agreement`,
    restored: name => t`${name} restored this agreement`,
    purged: name => t`${name} permanently deleted this agreement`,
  },
}

/** Returns the sentence of an entry, as the page of its record shows it. `name` is the actor's name. */
export function sentenceOf(
  resource: HistoryResource,
  { action, label }: HistoryEntry,
  changes: Change[],
  describe: Describe,
  name: string,
): string {
  const [first] = changes
  if (action === 'reverted') return t`${name} undid an earlier change`
  if (action !== 'updated' || !first) return sentences[resource][action]?.(name, label) ?? name
  const field = describe(first.field).label
  const count = changes.length
  if (count === 1) return t`${name} changed ${field}`
  return plural(count, { one: `${name} changed # field`, other: `${name} changed # fields` })
}
