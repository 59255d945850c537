import { plural, t } from '@lingui/core/macro'
import { useCallback, useRef, useState } from 'react'
import type { BulkResult } from '~/core'
import type { ListName } from '~/core/lists'
import { isConflict, isUnanswered, messageOf } from '~/core/problem'
import { useAttempt } from '~/lib/attempt'
import { count } from '~/lib/format'
import { useRequest } from '~/lib/request'
import { ActionDialog } from '~/ui/ActionDialog'
import { ErrorNotice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { useUndo } from '../trash'
import { BulkReport } from './BulkReport'
import { type BulkTarget, previewBulk, runBulk } from './bulk'

type Props = {
  list: ListName
  noun: string
  target: BulkTarget
  /** Called when the dialog closes without an action. `isOutdated`: the records have changed meanwhile. */
  onClose: (isOutdated: boolean) => void
  /** Called after the deletion, and when the dialog closes after one whose response was lost. */
  onDone: () => void
}

/** The dialog that first shows how many of the selected records would be deleted, and then deletes them. */
export function BulkDelete({ list, noun, target, onClose, onDone }: Props) {
  const action = { action: 'delete' } as const
  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes of the selection don't count.
  const load = useCallback(() => previewBulk(list, target, action), [list])
  const { outcome } = useRequest(load)
  const [newer, setNewer] = useState<BulkResult>()
  const preview = newer ?? (outcome?.ok ? outcome.value : undefined)
  // The records have changed, so the list is loaded again when the dialog closes.
  const isOutdated = useRef(false)
  // This action has perhaps deleted them, so that it ends as if its response had arrived.
  const isUncertain = useRef(false)
  const undo = useUndo()
  const failed = t`The records couldn't be deleted.`
  const finish = ({ changed, label, batch_id }: BulkResult) => {
    const text = label
      ? t`${label} was deleted`
      : plural(changed, { one: '# record was deleted', other: '# records were deleted' })
    toast.success(text, { undo: batch_id === undefined ? undefined : undo({ resource: list, batch_id }) })
    onDone()
  }
  const deletion = useAttempt(failed, async () => {
    if (!preview) return
    try {
      finish(await runBulk(list, target, action, preview))
    } catch (error) {
      isOutdated.current ||= isConflict(error)
      isUncertain.current ||= isUnanswered(error)
      if (isConflict(error)) {
        const present = await load()
        if (isUncertain.current && present.changed === 0) return finish(preview)
        setNewer(present)
      }
      throw error
    }
  })
  const isPossible = preview !== undefined && preview.changed > 0
  const shown = count(preview?.changed ?? 0)
  return (
    <ActionDialog
      {...deletion}
      attempt={isPossible ? deletion.attempt : undefined}
      title={t`Delete ${noun}`}
      confirmLabel={t`Delete ${shown}`}
      cancelLabel={outcome ? undefined : t`Cancel`}
      details={
        <>
          {outcome?.ok === false && (
            <ErrorNotice className="mt-4" message={messageOf(outcome.error, failed)} />
          )}
          <BulkReport result={preview} stage="delete" />
        </>
      }
      onClose={() => (isUncertain.current ? onDone() : onClose(isOutdated.current))}
    >
      {!outcome && t`Checking what would be deleted…`}
    </ActionDialog>
  )
}
