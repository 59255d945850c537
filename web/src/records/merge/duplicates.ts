// Loaders of routes import this module, so its code is loaded with the first page. Keep it small.

import type { Core, DuplicateReason, Permissions } from '~/core'
import type { ListPage, ListQuery } from '~/lib/query'
import type { Kind } from '../kind'

/** The lists whose records can be merged. */
export type MergeList = 'contacts' | 'customers'

/** A kind of record that can be merged. */
export type MergeKind<R> = Kind & {
  resource: MergeList
  idOf: (record: R) => string
  pathOf: (id: string) => string
}

/**
 * A group of records that may be duplicates. `count` is the size of the whole group, of which `records` may be a part.
 */
export type Duplicates<R> = { reasons: DuplicateReason[]; records: R[]; count: number }

/** Returns whether a user with these permissions may merge records: a merge changes one and deletes the others. */
export const mayMergeRecords = ({ can_update, can_delete }: Permissions) => can_update && can_delete

export const PAGE_SIZE = 20

/** Returns a page of groups of possible duplicates. */
export async function listDuplicates<R>(core: Core, list: MergeList, { page }: ListQuery) {
  const query = new URLSearchParams({ page: String(page), limit: String(PAGE_SIZE) })
  return (await core.sendJson('GET', `/api/${list}/duplicates?${query}`, undefined)) as ListPage<
    Duplicates<R>
  >
}
