import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { messageOf } from '~/core/problem'
import { useSession } from '~/lib/session'
import { deletePermanently } from '~/records/trash'
import { ActionDialog } from '~/ui/ActionDialog'
import { toast } from '~/ui/Toasts'
import { kindOf } from './kinds'
import { type Outcome, sendPerResource } from './take'

type Props = {
  /** The keys (see `keyOf`) of the records to delete. */
  keys: string[]
  /** The name of the record if it is the only one and its name is known. */
  name: string | undefined
  /** The number of selected records that stay because of an agreement. */
  keptCount: number
  onClose: () => void
  /** Called when the requests have ended, even if no record was deleted. */
  onTaken: (keys: string[], outcome: Outcome) => void
}

/**
 * The dialog that asks for confirmation and deletes records permanently. It stays open if some could not be deleted.
 */
export function DeletePermanentlyDialog({ keys, name, keptCount, onClose, onTaken }: Props) {
  const { resources } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const attempt = async () => {
    setBusy(true)
    setError(undefined)
    const outcome = await sendPerResource(keys, resources, deletePermanently)
    const { count, failed } = outcome
    if (count > 0) {
      toast.success(
        plural(count, {
          one: '# record was permanently deleted',
          other: '# records were permanently deleted',
        }),
      )
    }
    onTaken(keys, outcome)
    if (failed.length === 0) return onClose()
    setError(
      failed
        .map(({ resource, error }) => {
          const [kind, reason] = [kindOf(resource).many, messageOf(error, t`Failed to delete`)]
          return t`${kind}: ${reason}`
        })
        .join(' '),
    )
    setBusy(false)
  }
  const isPossible = keys.length > 0
  const parts = [
    isPossible &&
      (name
        ? t`“${name}” will be permanently deleted. This action cannot be undone.`
        : plural(keys.length, {
            one: '# record will be permanently deleted. This action cannot be undone.',
            other: '# records will be permanently deleted. This action cannot be undone.',
          })),
    keptCount > 0 &&
      plural(keptCount, {
        one: '# record is in a signed or delivered agreement and stays.',
        other: '# records are in signed or delivered agreements and stay.',
      }),
  ]
  return (
    <ActionDialog
      title={t`Delete permanently`}
      confirmLabel={t`Delete permanently`}
      attempt={isPossible ? () => void attempt() : undefined}
      busy={busy}
      error={error}
      onClose={onClose}
    >
      {parts.filter(Boolean).join(' ')}
    </ActionDialog>
  )
}
