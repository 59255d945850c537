import { plural, t } from '@lingui/core/macro'
import type { HistoryEntry } from '~/core'
import type { Describe } from './describe'
import { updateSentence } from './updates'

/** Returns a sentence from the actor's name and the object, which usually is the record's name. */
type Write = (name: string, object: string) => string

/** The sentences of entries by resource and action, except those of updates and bulk actions. */
const sentences: Record<string, Record<string, Write>> = {
  contacts: {
    created: (name, contact) => t`${name} created the contact ${contact}`,
    deleted: (name, contact) => t`${name} deleted the contact ${contact}`,
    restored: (name, contact) => t`${name} restored the contact ${contact}`,
    purged: (name, contact) => t`${name} permanently deleted the contact ${contact}`,
    imported: (name, file) => t`${name} imported contacts from ${file}`,
    merged: (name, contact) => t`${name} merged other contacts into ${contact}`,
    unmerged: (name, contact) => t`${name} undid the merge of other contacts into ${contact}`,
    exported: (name, format) => t`${name} exported contacts as ${format}`,
  },
  customers: {
    created: (name, customer) => t`${name} created the customer ${customer}`,
    deleted: (name, customer) => t`${name} deleted the customer ${customer}`,
    restored: (name, customer) => t`${name} restored the customer ${customer}`,
    purged: (name, customer) => t`${name} permanently deleted the customer ${customer}`,
    merged: (name, customer) => t`${name} merged other customers into ${customer}`,
    unmerged: (name, customer) => t`${name} undid the merge of other customers into ${customer}`,
    exported: (name, format) => t`${name} exported customers as ${format}`,
  },
  invoices: {
    created: (name, customer) => t`${name} created the invoice for ${customer}`,
    deleted: (name, customer) => t`${name} deleted the invoice for ${customer}`,
    restored: (name, customer) => t`${name} restored the invoice for ${customer}`,
    purged: (name, customer) => t`${name} permanently deleted the invoice for ${customer}`,
    exported: (name, format) => t`${name} exported invoices as ${format}`,
  },
  vehicles: {
    created: (name, vehicle) => t`${name} created the vehicle ${vehicle}`,
    deleted: (name, vehicle) => t`${name} deleted the vehicle ${vehicle}`,
    restored: (name, vehicle) => t`${name} restored the vehicle ${vehicle}`,
    purged: (name, vehicle) => t`${name} permanently deleted the vehicle ${vehicle}`,
    exported: (name, format) => t`${name} exported vehicles as ${format}`,
  },
  agreements: {
    created: (name, agreement) => t`${name} created the agreement ${agreement}`,
    deleted: (name, agreement) => t`${name} deleted the agreement ${agreement}`,
    restored: (name, agreement) => t`${name} restored the agreement ${agreement}`,
    purged: (name, agreement) => t`${name} permanently deleted the agreement ${agreement}`,
    exported: (name, format) => t`${name} exported agreements as ${format}`,
  },
  'contacts.imports': {
    deleted: (name, file) => t`${name} deleted the import of ${file}`,
  },
  users: {
    created: (name, user) => t`${name} created the user ${user}`,
    deleted: (name, user) => t`${name} deleted the user ${user}`,
    exported: (name, format) => t`${name} exported users as ${format}`,
    signed_in: (name, device) => t`${name} signed in with ${device}`,
    signed_out: (name, device) => t`${name} signed out of ${device}`,
  },
  roles: {
    created: (name, role) => t`${name} created the role ${role}`,
    deleted: (name, role) => t`${name} deleted the role ${role}`,
  },
  corporations: {
    created: (name, corporation) => t`${name} created the corporation ${corporation}`,
    deleted: (name, corporation) => t`${name} deleted the corporation ${corporation}`,
    exported: (name, format) => t`${name} exported corporations as ${format}`,
    erased: name => t`${name} erased the personal data of someone`,
  },
}

/** The sentences of bulk actions. `file` is the file of the import, or of the import that was undone. */
const bulkSentences: Record<string, Record<string, (name: string, count: number, file: string) => string>> = {
  contacts: {
    updated: (name, count) =>
      plural(count, { one: `${name} changed # contact`, other: `${name} changed # contacts` }),
    deleted: (name, count, file) =>
      file
        ? plural(count, {
            one: `${name} undid the import of # contact from ${file}`,
            other: `${name} undid the import of # contacts from ${file}`,
          })
        : plural(count, { one: `${name} deleted # contact`, other: `${name} deleted # contacts` }),
    restored: (name, count, file) =>
      file
        ? plural(count, {
            one: `${name} restored # contact imported from ${file}`,
            other: `${name} restored # contacts imported from ${file}`,
          })
        : plural(count, { one: `${name} restored # contact`, other: `${name} restored # contacts` }),
    purged: (name, count) =>
      plural(count, {
        one: `${name} permanently deleted # contact`,
        other: `${name} permanently deleted # contacts`,
      }),
    reverted: (name, count) =>
      plural(count, {
        one: `${name} undid the change to # contact`,
        other: `${name} undid the changes to # contacts`,
      }),
    imported: (name, count, file) =>
      plural(count, {
        one: `${name} imported # contact from ${file}`,
        other: `${name} imported # contacts from ${file}`,
      }),
    merged: (name, count) =>
      plural(count, { one: `${name} merged # contact`, other: `${name} merged # contacts` }),
    unmerged: (name, count) =>
      plural(count, {
        one: `${name} undid the merge of # contact`,
        other: `${name} undid the merge of # contacts`,
      }),
  },
  customers: {
    updated: (name, count) =>
      plural(count, { one: `${name} changed # customer`, other: `${name} changed # customers` }),
    reverted: (name, count) =>
      plural(count, {
        one: `${name} undid the change to # customer`,
        other: `${name} undid the changes to # customers`,
      }),
    deleted: (name, count) =>
      plural(count, { one: `${name} deleted # customer`, other: `${name} deleted # customers` }),
    restored: (name, count) =>
      plural(count, { one: `${name} restored # customer`, other: `${name} restored # customers` }),
    purged: (name, count) =>
      plural(count, {
        one: `${name} permanently deleted # customer`,
        other: `${name} permanently deleted # customers`,
      }),
    merged: (name, count) =>
      plural(count, { one: `${name} merged # customer`, other: `${name} merged # customers` }),
    unmerged: (name, count) =>
      plural(count, {
        one: `${name} undid the merge of # customer`,
        other: `${name} undid the merge of # customers`,
      }),
  },
  invoices: {
    updated: (name, count) =>
      plural(count, { one: `${name} changed # invoice`, other: `${name} changed # invoices` }),
    reverted: (name, count) =>
      plural(count, {
        one: `${name} undid the change to # invoice`,
        other: `${name} undid the changes to # invoices`,
      }),
    deleted: (name, count) =>
      plural(count, { one: `${name} deleted # invoice`, other: `${name} deleted # invoices` }),
    restored: (name, count) =>
      plural(count, { one: `${name} restored # invoice`, other: `${name} restored # invoices` }),
    purged: (name, count) =>
      plural(count, {
        one: `${name} permanently deleted # invoice`,
        other: `${name} permanently deleted # invoices`,
      }),
  },
  vehicles: {
    updated: (name, count) =>
      plural(count, { one: `${name} changed # vehicle`, other: `${name} changed # vehicles` }),
    reverted: (name, count) =>
      plural(count, {
        one: `${name} undid the change to # vehicle`,
        other: `${name} undid the changes to # vehicles`,
      }),
    deleted: (name, count) =>
      plural(count, { one: `${name} deleted # vehicle`, other: `${name} deleted # vehicles` }),
    restored: (name, count) =>
      plural(count, { one: `${name} restored # vehicle`, other: `${name} restored # vehicles` }),
    purged: (name, count) =>
      plural(count, {
        one: `${name} permanently deleted # vehicle`,
        other: `${name} permanently deleted # vehicles`,
      }),
  },
  agreements: {
    updated: (name, count) =>
      plural(count, { one: `${name} changed # agreement`, other: `${name} changed # agreements` }),
    reverted: (name, count) =>
      plural(count, {
        one: `${name} undid the change to # agreement`,
        other: `${name} undid the changes to # agreements`,
      }),
    deleted: (name, count) =>
      plural(count, { one: `${name} deleted # agreement`, other: `${name} deleted # agreements` }),
    restored: (name, count) =>
      plural(count, { one: `${name} restored # agreement`, other: `${name} restored # agreements` }),
    purged: (name, count) =>
      plural(count, {
        one: `${name} permanently deleted # agreement`,
        other: `${name} permanently deleted # agreements`,
      }),
  },
}

/** Returns the sentence of an entry. `name` and `object` are placeholders for the actor's name and the object. */
export function sentenceOf(
  entry: HistoryEntry,
  describe: Describe | undefined,
  name: string,
  object: string,
): string {
  const { resource, action, records } = entry
  if (typeof records === 'number')
    return bulkSentences[resource]?.[action]?.(name, records, entry.label && object) ?? name
  if (action === 'reverted') {
    return resource === 'invoices'
      ? t`${name} undid a change to the invoice for ${object}`
      : t`${name} undid a change to ${object}`
  }
  // The export of one person's data has the format "zip"; exports of lists are CSV or Excel.
  if (action === 'exported' && entry.label === 'zip') return t`${name} exported the personal data of someone`
  if (action === 'updated') return updateSentence(entry, describe, name, object)
  return sentences[resource]?.[action]?.(name, object) ?? name
}
