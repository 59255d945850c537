import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import type { TrashEntry } from '~/core'
import { messageOf } from '~/core/problem'
import { useSession } from '~/lib/session'
import type { SelectionState } from '~/records/select/useSelection'
import { restore } from '~/records/trash'
import { toast } from '~/ui/Toasts'
import { kindOf, nameOf } from './kinds'
import { keyOf, type Outcome, sendPerResource } from './take'

type Settings = {
  selection: Pick<SelectionState, 'ids' | 'deselect'>
  /** Loads the list again after records were restored or deleted permanently. */
  reload: () => void
}

/** Returns functions that restore records, and `finish`, to be called after records were deleted permanently. */
export function useTaking({ selection: { ids: selected, deselect }, reload }: Settings) {
  const { resources } = useSession()
  const [restoring, setRestoring] = useState<ReadonlySet<string>>(new Set())

  /** Reports records that were no longer in the trash, keeps the failed ones selected, and reloads the list. */
  const finish = (keys: string[], { count, missing, failed }: Outcome) => {
    if (missing > 0) {
      toast.info(
        plural(missing, {
          one: '# record was no longer in the trash.',
          other: '# records were no longer in the trash.',
        }),
      )
    }
    const kept = new Set(failed.flatMap(each => each.keys))
    deselect(keys.filter(key => !kept.has(key)))
    if (count + missing > 0) reload()
  }

  const restoreKeys = async (keys: string[], reportOf: (count: number) => string) => {
    if (keys.some(key => restoring.has(key))) return
    setRestoring(new Set([...restoring, ...keys]))
    const outcome = await sendPerResource(keys, resources, restore)
    setRestoring(now => new Set([...now].filter(key => !keys.includes(key))))
    if (outcome.count > 0) toast.success(reportOf(outcome.count))
    for (const { resource, error } of outcome.failed) {
      const kind = kindOf(resource).many
      toast.error(messageOf(error, t`Please try again.`), t`${kind} couldn't be restored`)
    }
    finish(keys, outcome)
  }

  return {
    /** The keys of the records that are being restored. */
    restoring,
    restoreOne: (entry: TrashEntry) => {
      const name = nameOf(entry)
      void restoreKeys([keyOf(entry)], () => t`${name} was restored`)
    },
    restoreSelected: () =>
      void restoreKeys(selected, count =>
        plural(count, { one: '# record was restored', other: '# records were restored' }),
      ),
    finish,
  }
}
