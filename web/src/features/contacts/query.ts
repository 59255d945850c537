import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, readQuery } from '~/lib/query'

/** The query of the list of contacts, as in the URL. */
export type ContactsQuery = ListQuery & {
  /** The id of the import job whose contacts are shown; empty for all contacts. */
  importBatchId: string
}

export const readContactsQuery = (params: URLSearchParams): ContactsQuery => ({
  ...readQuery(params),
  importBatchId: (params.get('importBatchId') ?? '').trim(),
})

/** Returns the URL of the list of contacts for a query. */
export const contactsAddress = ({ importBatchId, ...query }: ContactsQuery) =>
  listAddress(paths.contacts, query, { importBatchId })
