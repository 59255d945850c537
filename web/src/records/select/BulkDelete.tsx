import { plural, t } from '@lingui/core/macro'
import { useCallback } from 'react'
import type { ListName } from '~/core/lists'
import { messageOf } from '~/core/problem'
import { useAttempt } from '~/lib/attempt'
import { count } from '~/lib/format'
import { useRequest } from '~/lib/request'
import { ActionDialog } from '~/ui/ActionDialog'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { ErrorNotice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { BulkReport } from './BulkReport'
import { type BulkTarget, runBulk } from './bulk'

type Props = { list: ListName; noun: string; target: BulkTarget; onClose: () => void; onDone: () => void }

/** Shows what would be deleted, and deletes it. */
export function BulkDelete({ list, noun, target, onClose, onDone }: Props) {
  const action = { action: 'delete' } as const
  // biome-ignore lint/correctness/useExhaustiveDependencies: the target is that of the moment when the dialog opened.
  const preview = useCallback(() => runBulk(list, target, action, true), [list])
  const { outcome } = useRequest(preview)
  const failed = t`The records could not be deleted.`
  const deletion = useAttempt(failed, async () => {
    const { changed } = await runBulk(list, target, action, false)
    toast.success(plural(changed, { one: '# record was deleted', other: '# records were deleted' }))
    onDone()
  })
  const title = t`Delete ${noun}`
  const number = outcome?.ok ? outcome.value.changed : 0
  if (!outcome?.ok || number === 0) {
    return (
      <Dialog open size="small" title={title} onClose={onClose}>
        <div className="mt-4">
          {!outcome && <p role="status" className="text-muted">{t`Checking what would be deleted…`}</p>}
          {outcome?.ok === false && <ErrorNotice message={messageOf(outcome.error, failed)} />}
          {outcome?.ok && <BulkReport result={outcome.value} action="delete" />}
        </div>
        <div className="mt-6 flex justify-end">
          <Button onClick={onClose}>{outcome ? t`Close` : t`Cancel`}</Button>
        </div>
      </Dialog>
    )
  }
  const shown = count(number)
  return (
    <ActionDialog
      {...deletion}
      title={title}
      confirmLabel={t`Delete ${shown}`}
      details={<BulkReport result={outcome.value} action="delete" />}
      onClose={onClose}
    >
      {t`This action cannot be undone.`}
    </ActionDialog>
  )
}
