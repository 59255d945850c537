import { t } from '@lingui/core/macro'
import { core, type Records } from '~/core'
import { textOf } from '~/language'
import type { ListQuery } from '~/lib/query'
import { DeleteDialog } from './DeleteDialog'
import type { RecordKind } from './kind'
import type { DeletionDialog } from './useDialogs'
import { withReason } from './withReason'

type Props<L extends keyof Records, Q extends ListQuery, R> = DeletionDialog<R> & {
  kind: RecordKind<L, Q, R>
}

/** The dialog that asks for confirmation and moves a record to the trash. */
export function DeleteRecordDialog<L extends keyof Records, Q extends ListQuery, R>({
  kind,
  ...dialog
}: Props<L, Q, R>) {
  const { resource, words, idOf, nameOf, detailOf, failures, shouldNameFailure } = kind
  const { definite } = words
  const id = idOf(dialog.record)
  const title = t`Delete ${definite}`
  const deleteFailed = failures?.remove ?? t`Failed to delete ${definite}.`
  return (
    <DeleteDialog
      {...dialog}
      title={title}
      confirmLabel={title}
      name={nameOf(dialog.record)}
      detail={<span className="tabular-nums">{detailOf?.(dialog.record)}</span>}
      texts={{
        deleted: textOf(core.recordTexts(resource).deleted),
        deleteFailed,
        deleteQuestion: t`Are you sure you want to delete this ${definite}?`,
      }}
      describeError={shouldNameFailure ? message => withReason(deleteFailed, message) : undefined}
      id={id}
      remove={() => core.deleteRecord(resource, id)}
      trash={{ resource, ids: [id] }}
    />
  )
}
