import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, readQuery } from '~/lib/query'

/** Which contacts are shown; all of it lives in the address. */
export type ContactsQuery = ListQuery & {
  /** Only those of this import; empty: all. */
  importBatchId: string
}

export function readContactsQuery(params: URLSearchParams): ContactsQuery {
  return { ...readQuery(params), importBatchId: (params.get('importBatchId') ?? '').trim() }
}

/** The address of a list of contacts. */
export function contactsAddress({ importBatchId, ...query }: ContactsQuery): string {
  return listAddress(paths.contacts, query, { importBatchId })
}
