import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useState } from 'react'
import { core, type HistoryEntry, type ImportSession, type Permissions } from '~/core'
import { messageIn } from '~/core/problem'
import { textOf } from '~/language'
import { count, day } from '~/lib/format'
import { badgeOf, isRunningImport } from '~/lib/importStates'
import { size } from '~/lib/size'
import { actorName } from '~/records/history/actorName'
import type { Describe } from '~/records/history/describe'
import { UndoEntryPanel } from '~/records/history/EntryUndo'
import { useEntryUndo } from '~/records/history/useEntryUndo'
import { Time } from '~/records/Time'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { CancelImportDialog } from './CancelImportDialog'
import { DiffersNotice } from './DiffersNotice'
import { durationOf, fileRowsText, progressOf, resultCounts, undoneText } from './figures'
import { ImportActions } from './ImportActions'
import { useFailedRows } from './useFailedRows'
import { useWatch, type Watched } from './useWatch'

type Props = {
  known: ImportSession
  /**
   * The permissions on contacts. `can_create` allows to request and cancel an import job, `can_read` to see its rows.
   */
  may: Permissions
  /** Requests the list and returns the import job from it; undefined if it is no longer there. */
  find: (sessionId: string) => Promise<ImportSession | undefined>
  /** Called when the import is shown as ended. */
  onEnded: (sessionId: string) => void
  mayDelete: boolean
  onDelete: (session: ImportSession) => void
}

/** A row of the list of imports. While the import runs, its counts are updated. */
export function ImportRow({ known, may, find, onEnded, mayDelete, onDelete }: Props) {
  const fetchFromList = useCallback(async (id: string) => (await find(id)) ?? known, [find, known])
  const fetchSession = may.can_create ? undefined : fetchFromList
  const { session = known, end, refresh } = useWatch(known.sessionId, known, fetchSession)
  const [isCancelling, setCancelling] = useState(false)
  const failedRows = useFailedRows()
  const { fileName } = session
  const { kind, word } = badgeOf(session)
  const isRunning = isRunningImport(session)
  useEffect(() => {
    if (!isRunning) onEnded(known.sessionId)
  }, [isRunning, onEnded, known.sessionId])
  const progress = progressOf(session)
  const entry = entryOf(session)
  const undo = useEntryUndo(entry)
  return (
    <li
      tabIndex={-1}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-3 p-4 outline-none max-md:gap-x-2 lg:grid-cols-[minmax(0,1fr)_auto_auto]"
    >
      <div className="min-w-0 md:max-lg:col-span-full">
        <p className="flex items-center gap-x-3 gap-y-1 max-md:flex-wrap">
          <span title={fileName} className="line-clamp-2 min-w-0 font-medium [overflow-wrap:anywhere]">
            {fileName}
          </span>
          <span aria-live="polite" className="flex">
            <Badge kind={kind}>{word}</Badge>
          </span>
        </p>
        <Facts session={session} />
        <p className="mt-1 font-medium empty:hidden">{undoneText(session)}</p>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(3.5rem,1fr))] gap-x-1 max-md:col-span-full lg:w-80 lg:gap-x-4">
        {resultCounts(session).map(({ what, name, value }) => (
          <div key={what} className="flex flex-col-reverse justify-end lg:text-right">
            <dt className="text-xs text-muted">{name}</dt>
            <dd
              className={cx(
                'font-medium tabular-nums',
                value === 0 && 'text-muted',
                what === 'failed' && value > 0 && 'text-danger',
              )}
            >
              {count(value)}
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex justify-end max-md:col-start-2 max-md:row-start-1 max-md:-mr-2 max-md:empty:hidden md:min-w-38 touch:md:min-w-46 print:hidden">
        <ImportActions
          {...{ session, isRunning, failedRows, undo, may, mayDelete, onDelete }}
          onCancel={() => setCancelling(true)}
        />
      </div>
      {isRunning && !end && (
        <div className="col-span-full">
          <ProgressBar label={word} {...(progress ?? { value: null, max: 0, text: t`Waiting to start` })} />
        </div>
      )}
      <div className="col-span-full empty:hidden">
        <UndoEntryPanel undo={undo} entry={entry} describe={describe} heading="h2" />
      </div>
      <Notices session={session} end={end} error={failedRows.error} />
      {isCancelling && (
        <CancelImportDialog session={session} onClose={() => setCancelling(false)} onCancelled={refresh} />
      )}
    </li>
  )
}

/** Returns the import as a history entry, as far as undoing it needs one. */
const entryOf = ({
  sessionId,
  fileName,
  successRecords,
  createdAt,
  userId,
  userName,
  userNameMessage,
  undoingId,
}: ImportSession): HistoryEntry => ({
  history_id: sessionId,
  at: createdAt,
  actor: { kind: 'user', id: userId, name: userName, name_message: userNameMessage },
  action: 'imported',
  resource: 'contacts',
  record_id: '',
  label: fileName,
  changes: [],
  batch_id: undefined,
  records: successRecords,
  undo: undoingId ? undefined : 'delete',
  undoing_id: undoingId,
})

/** Describes a field by its name. Unused, because an import's entry has no changed fields. */
const describe: Describe = name => ({ label: name })

function Facts({ session }: { session: ImportSession }) {
  const { fileSize, successRecords, createdAt, expiresAt } = session
  const duration = durationOf(session)
  const expiry = expiresAt && day(expiresAt)
  // The text about the undoing already says so if no contacts were kept.
  const saysNoneLeft =
    successRecords > 0 && !session.hasContacts && !(session.undoneAt && !session.keptRecords)
  return (
    <p className="mt-1 text-muted">
      {[size(fileSize), fileRowsText(session), actorName(entryOf(session).actor)].filter(Boolean).join(' · ')}
      {' · '}
      <Time at={createdAt} className="tabular-nums" />
      {duration && ` · ${t`took ${duration}`}`}
      {expiry && ` · ${t`report available until ${expiry}`}`}
      {saysNoneLeft && ` · ${t`none of its contacts is left`}`}
    </p>
  )
}

type NoticesProps = { session: ImportSession; end: Watched['end']; error: string | undefined }

/** Warnings and errors of the import, and of the download of its failed rows. */
function Notices({ session, end, error }: NoticesProps) {
  const { status } = session
  const texts = core.texts().import
  const isStatusUnknown = isRunningImport(session) && end !== undefined
  return (
    <div className="col-span-full grid gap-2 empty:hidden">
      {status === 'failed' && <Notice kind="warning">{textOf(messageIn(session) ?? texts.failed)}</Notice>}
      <DiffersNotice session={session} />
      {isStatusUnknown && <Notice kind="warning">{textOf(end.message)}</Notice>}
      <ErrorNotice message={error} />
    </div>
  )
}
