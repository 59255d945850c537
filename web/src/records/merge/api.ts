import { plural, t } from '@lingui/core/macro'
import { type ChangedValue, core, type DuplicateReason, type MergeInput, type Moved } from '~/core'
import { isConflict, isGone, type Reply } from '~/core/problem'
import type { ListPage } from '~/lib/query'
import { useRevert } from '../useRevert'
import type { Duplicates, MergeList } from './duplicates'

/** The body of a merge request. A field whose value is null becomes empty. */
export type MergeRequest = Required<Pick<MergeInput, 'keep' | 'ids' | 'versions'>> & {
  fields: Record<string, ChangedValue | null>
}

/** The response to a merge: what it did or, for a preview, would do. */
export type Merged = Reply & { moved: Moved; batch_id?: string }

/** Returns possible duplicates of a record with these values. The value `except` is the id of a record to leave out. */
export async function findDuplicates<R>(
  list: MergeList,
  values: Record<string, string>,
  signal: AbortSignal,
) {
  const query = new URLSearchParams(values)
  const response = await core.sendJson('GET', `/api/${list}/duplicates?${query}`, undefined, signal)
  return (response as ListPage<Duplicates<R>>).data
}

/** Returns what a merge would do, without merging. Rejects with the same errors as `merge`. */
export const previewMerge = async (list: MergeList, input: MergeRequest, signal: AbortSignal) =>
  (await core.sendJson('POST', `/api/${list}/merge`, { ...input, dry_run: true }, signal)) as Merged

export const merge = async (list: MergeList, input: MergeRequest) =>
  (await core.sendJson('POST', `/api/${list}/merge`, input)) as Merged

/** Returns the records with these ids as they are now, without those that were deleted. */
export async function loadPresent<R>(list: MergeList, ids: string[]) {
  const load = (id: string) =>
    core.getRecord(list, id).catch(error => {
      if (isGone(error)) return
      throw error
    })
  return (await Promise.all(ids.map(load))).filter(record => record !== undefined) as R[]
}

/** Returns a function that returns the `undo` of a merge's toast. */
export const useUnmerge = () => useRevert(t`The records are separate again`, t`Failed to undo the merge`)

/** Returns whether an error means that a record has changed or was deleted since it was loaded. */
export const isConflictOrGone = (error: unknown) => isConflict(error) || isGone(error)

const reasonNames: Record<DuplicateReason, string> = {
  organization_number: t`Same organization number`,
  email: t`Same email`,
  phone: t`Same phone number`,
  name_and_postal_code: t`Same name and postal code`,
  similar_name: t`Similar name`,
}

/** Returns in words why records may be duplicates; "Similar" for a reason that only a newer server knows. */
export const reasonName = (reason: DuplicateReason) => reasonNames[reason] ?? t`Similar`

/** Returns in words how many comments, linked records and other details a merge moves to the kept record. Omits zeros. */
export function movedTexts({ comments, links, details }: Merged['moved']): string[] {
  return [
    comments > 0 && plural(comments, { one: '# comment', other: '# comments' }),
    links > 0 && plural(links, { one: '# linked record', other: '# linked records' }),
    details > 0 && plural(details, { one: '# other detail', other: '# other details' }),
  ].filter(text => text !== false)
}
