import { t } from '@lingui/core/macro'
import { CircleStop, Contact, FileDown, Trash2, Undo2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link } from 'react-router'
import { core, type HistoryEntry, type ImportSession, type Permissions } from '~/core'
import { messageIn } from '~/core/problem'
import { textOf } from '~/language'
import { count, day, exactMoment, moment } from '~/lib/format'
import { badgeOf } from '~/lib/importStates'
import { paths } from '~/lib/paths'
import { size } from '~/lib/size'
import { actorName } from '~/records/history/actorName'
import type { Describe } from '~/records/history/describe'
import { UndoEntryPanel, useFocusEntryOnUnmount } from '~/records/history/EntryUndo'
import { type EntryUndo, useEntryUndo } from '~/records/history/useEntryUndo'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { IconButton, WithTip } from '~/ui/IconButton'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { CancelImportDialog } from './CancelImportDialog'
import { DiffersNotice } from './DiffersNotice'
import { durationOf, progressOf, resultCounts, rows } from './figures'
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
  mayDelete: boolean
  onDelete: (session: ImportSession) => void
}

/** A row of the list of imports. While the import runs, its counts are updated. */
export function ImportRow({ known, may, find, mayDelete, onDelete }: Props) {
  const fetchFromList = useCallback(async (id: string) => (await find(id)) ?? known, [find, known])
  const fetchSession = may.can_create ? undefined : fetchFromList
  const { session = known, end, refresh } = useWatch(known.sessionId, known, fetchSession)
  const [isCancelling, setCancelling] = useState(false)
  const failedRows = useFailedRows()
  const { fileName, status, totalRecords, failedRecords, hasContacts } = session
  const { kind, word } = badgeOf(session)
  const isRunning = status === 'pending' || status === 'processing'
  const entry = entryOf(session)
  const undo = useEntryUndo(entry)
  return (
    <li
      tabIndex={-1}
      className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-6 gap-y-3 p-4 outline-none md:grid-cols-[minmax(0,1fr)_auto] lg:grid-cols-[minmax(0,1fr)_auto_auto]"
    >
      <div className="min-w-0 max-lg:col-span-full">
        <p className="flex items-center gap-3">
          <span title={fileName} className="min-w-0 truncate font-medium">
            {fileName}
          </span>
          <span aria-live="polite" className="flex">
            <Badge kind={kind}>{word}</Badge>
          </span>
        </p>
        <Facts session={session} />
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(3.5rem,1fr))] gap-x-1 lg:w-96">
        {resultCounts(session).map(({ what, name, value }) => (
          <div key={what} className="flex flex-col-reverse lg:text-right">
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
      <div className="flex justify-end max-md:empty:hidden md:min-w-38 touch:md:min-w-46 print:hidden">
        {failedRecords > 0 && may.can_read && (
          <IconButton
            label={t`Download the failed rows of ${fileName}`}
            tip={t`Download failed rows`}
            icon={<FileDown aria-hidden className="size-4.5" />}
            aria-busy={failedRows.busy || undefined}
            onClick={() => !failedRows.busy && failedRows.download(session)}
          />
        )}
        {hasContacts && may.can_read && (
          <WithTip tip={t`View contacts`}>
            <Link
              to={paths.importedContacts(session.sessionId)}
              aria-label={t`View contacts from ${fileName}`}
              className={iconButtonClass}
            >
              <Contact aria-hidden className="size-4.5" />
            </Link>
          </WithTip>
        )}
        {!isRunning && hasContacts && undo.mayUndo && <UndoImport undo={undo} fileName={fileName} />}
        {isRunning && may.can_create && (
          <IconButton
            label={t`Cancel the import of ${fileName}`}
            tip={t`Cancel import`}
            icon={<CircleStop aria-hidden className="size-4.5" />}
            onClick={() => setCancelling(true)}
          />
        )}
        {!isRunning && mayDelete && (
          <IconButton
            label={t`Delete the import of ${fileName}`}
            tip={t`Delete import`}
            isDanger
            icon={<Trash2 aria-hidden className="size-4.5" />}
            onClick={() => onDelete(session)}
          />
        )}
      </div>
      {isRunning && !end && (
        <div className="col-span-full">
          <ProgressBar
            label={word}
            value={totalRecords > 0 ? session.processedRecords : null}
            max={totalRecords}
            text={totalRecords > 0 ? progressOf(session) : t`Waiting to start`}
          />
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

function UndoImport({ undo, fileName }: { undo: EntryUndo; fileName: string }) {
  useFocusEntryOnUnmount(undo.button)
  return (
    <IconButton
      ref={undo.button}
      label={t`Undo the import of ${fileName}`}
      tip={t`Undo import`}
      icon={<Undo2 aria-hidden className="size-4.5" />}
      aria-busy={undo.isBusy || undefined}
      aria-expanded={undo.preview !== undefined}
      onClick={() => (undo.preview ? undo.close() : void undo.open())}
    />
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
  undo: 'delete',
})

/** Describes a field by its name. Unused, because an import's entry has no changed fields. */
const describe: Describe = name => ({ label: name })

function Facts({ session }: { session: ImportSession }) {
  const { fileSize, totalRecords, successRecords, hasContacts, createdAt, expiresAt } = session
  const duration = durationOf(session)
  const expiry = expiresAt && day(expiresAt)
  return (
    <p className="mt-1 text-muted">
      {[size(fileSize), totalRecords > 0 && rows(totalRecords), actorName(entryOf(session).actor)]
        .filter(Boolean)
        .join(' · ')}
      {' · '}
      <time dateTime={createdAt} title={exactMoment(createdAt)} className="tabular-nums">
        {moment(createdAt)}
      </time>
      {duration && ` · ${t`took ${duration}`}`}
      {expiry && ` · ${t`kept until ${expiry}`}`}
      {successRecords > 0 && !hasContacts && ` · ${t`none of its contacts is left`}`}
    </p>
  )
}

type NoticesProps = { session: ImportSession; end: Watched['end']; error: string | undefined }

/** Warnings and errors of the import, and of the download of its failed rows. */
function Notices({ session, end, error }: NoticesProps) {
  const { status } = session
  const texts = core.texts().import
  const isStatusUnknown = (status === 'pending' || status === 'processing') && end !== undefined
  return (
    <div className="col-span-full grid gap-2 empty:hidden">
      {status === 'failed' && <Notice kind="warning">{textOf(messageIn(session) ?? texts.failed)}</Notice>}
      <DiffersNotice session={session} />
      {isStatusUnknown && <Notice kind="warning">{textOf(end.message)}</Notice>}
      <ErrorNotice message={error} />
    </div>
  )
}
