// Loaders import this module, so it is part of the first page.

import type { Core, DuplicateReason } from '~/core'
import type { ListQuery } from '~/lib/query'
import type { ListPage } from '../useRecords'

/** The lists whose records can be merged. */
export type MergeList = 'contacts' | 'customers'

/** Records that may be the same. `count` is the number of all of them, of which some may be left out. */
export type Duplicates<R> = { reasons: DuplicateReason[]; records: R[]; count: number }

export const PAGE_SIZE = 20

/** Returns a page of groups of records that may be the same. */
export async function listDuplicates<R>(core: Core, list: MergeList, { page }: ListQuery) {
  const query = new URLSearchParams({ page: String(page), limit: String(PAGE_SIZE) })
  return (await core.sendJson('GET', `/api/${list}/duplicates?${query}`, undefined)) as ListPage<
    Duplicates<R>
  >
}
