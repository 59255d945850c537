import { t } from '@lingui/core/macro'
import { CircleCheck, FileDown, ListX, TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { core, type ImportSession } from '~/core'
import { textOf } from '~/language'
import { count } from '~/lib/format'
import { hasFailedRows, outcomeOf } from '~/lib/importStates'
import { onLiveEvent } from '~/lib/live'
import type { LiveEvent } from '~/lib/liveStream'
import { paths } from '~/lib/paths'
import { Button, buttonClass } from '~/ui/Button'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { CancelImportDialog } from './CancelImportDialog'
import { DiffersNotice } from './DiffersNotice'
import { durationOf, fileRowsText, progressOf, resultCounts, undoneText } from './figures'
import { StepHeading } from './StepHeading'
import { useFailedRows } from './useFailedRows'
import { useWatch, type Watched } from './useWatch'

const icons = { imported: CircleCheck, failed: TriangleAlert, leftOut: ListX } as const
const looks = { imported: 'text-success', failed: 'text-danger', leftOut: '' }

/** Step 3 of the import: the progress of the import job on the server, and its result. */
export function ProgressStep({ sessionId }: { sessionId: string }) {
  const { session, end, refresh } = useWatch(sessionId)
  const navigate = useNavigate()
  const [isCancelling, setCancelling] = useState(false)
  const failedRows = useFailedRows()
  // While the import runs, it is polled. After that it can still be undone or deleted.
  const receive = useEffectEvent((event: LiveEvent) => {
    const isChanged =
      event.type === 'changed' && event.resource === 'contacts.imports' && event.ids?.includes(sessionId)
    if (end && (isChanged || event.type === 'reload')) refresh()
  })
  useEffect(() => onLiveEvent(event => receive(event)), [])
  return (
    <section aria-labelledby="progress-title" className="card mx-auto w-full max-w-2xl p-5 md:p-6">
      <StepHeading id="progress-title">{t`Import Progress`}</StepHeading>
      <p className="mt-1 mb-6 line-clamp-2 text-muted [overflow-wrap:anywhere]" title={session?.fileName}>
        {session?.fileName ?? t`Checking progress…`}
      </p>
      <Bar session={session} end={end} />
      <Figures session={session} />
      <div aria-live="polite" className="grid min-h-20 content-start gap-2">
        <Outcome session={session} end={end} />
      </div>
      <ErrorNotice className="mt-2" message={failedRows.error} />
      <div className="mt-6 flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
        {session && !end && (
          <Button kind="danger" className="mr-auto" onClick={() => setCancelling(true)}>
            {t`Cancel import`}
          </Button>
        )}
        {session && end && session.failedRecords > 0 && (
          <Button className="mr-auto" busy={failedRows.busy} onClick={() => failedRows.download(session)}>
            <FileDown aria-hidden className="size-4" />
            {t`Download rows with problems`}
          </Button>
        )}
        <Button onClick={() => void navigate(paths.newImport)}>{t`Close`}</Button>
        <Link
          to={session?.hasContacts ? paths.importedContacts(sessionId) : paths.contacts}
          className={buttonClass(end ? 'primary' : 'secondary')}
        >
          {t`View contacts`}
        </Link>
      </div>
      {session && isCancelling && !end && (
        <CancelImportDialog session={session} onClose={() => setCancelling(false)} onCancelled={refresh} />
      )}
    </section>
  )
}

function Bar({ session, end }: Watched) {
  const isOver = end?.kind === 'over'
  const isDone = isOver && end.success
  // If the total is unknown, the bar is indeterminate (null) while the import runs, and empty after it.
  const uncounted = end ? { value: 0, text: '' } : { value: null, text: t`Waiting to start` }
  return (
    <ProgressBar
      label={isDone ? t`Completed` : isOver ? t`Ended` : t`Importing`}
      {...((session && progressOf(session)) ?? { ...uncounted, max: 0 })}
      done={isDone && !(session && hasFailedRows(session))}
    />
  )
}

/**
 * The import's counts so far, or dashes while they are unknown. All are always shown, and the sentence about duplicates
 * has its own line, so that nothing below moves when one gets above 0.
 */
function Figures({ session }: Pick<Watched, 'session'>) {
  return (
    <>
      <dl className="mt-5 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line max-sm:*:last:col-span-2 sm:grid-cols-3">
        {resultCounts(session).map(({ what, name, value }) => {
          const Icon = icons[what]
          return (
            <div key={what} className="flex flex-col justify-between bg-card px-4 py-3">
              <dt className="flex items-center gap-2 text-muted">
                <Icon aria-hidden className={`size-4 ${value > 0 ? looks[what] : ''}`} />
                {name}
              </dt>
              <dd className="mt-0.5 text-xl font-semibold tabular-nums">{session ? count(value) : '–'}</dd>
            </div>
          )
        })}
      </dl>
      <p className="mt-2 mb-3 min-h-5 text-muted tabular-nums">
        {session && session.duplicateRecords > 0 && fileRowsText(session)}
      </p>
    </>
  )
}

function Outcome({ session, end }: Watched) {
  if (!end) {
    return <Notice kind="info">{t`You can leave this page. The import continues on the server.`}</Notice>
  }
  const isUncertain = end.kind === 'lost' || session?.status === 'cancelled'
  // The specification gives the sentence of a completed import, also when rows have failed, so the counts come first.
  const incomplete = session && hasFailedRows(session) ? session : undefined
  const kind = isUncertain || incomplete ? 'warning' : end.success ? 'success' : 'error'
  const { failed } = core.texts().import
  const title = session?.status === 'failed' ? failed : undefined
  const undone = session && undoneText(session)
  return (
    <>
      <Notice kind={kind} title={incomplete ? outcomeOf(incomplete) : title && textOf(title)}>
        {end.message.code !== title?.code && textOf(end.message)}
      </Notice>
      {undone && <Notice kind="info">{undone}</Notice>}
      <DiffersNotice session={session} />
      {session && <Duration session={session} />}
    </>
  )
}

function Duration({ session }: { session: ImportSession }) {
  const duration = durationOf(session)
  return duration && <p className="text-muted tabular-nums">{t`It took ${duration}.`}</p>
}
