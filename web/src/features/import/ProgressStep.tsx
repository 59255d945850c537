import { CircleCheck, CopyCheck, FileDown, ListX, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { core, type ImportSession } from '~/core'
import { count, counted } from '~/lib/format'
import { paths } from '~/lib/paths'
import { Button, buttonClass } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { CancelImportDialog } from './CancelImportDialog'
import { figuresOf, took } from './figures'
import { StepHeading } from './StepHeading'
import { useFailedRows } from './useFailedRows'
import { useWatch, type Watched } from './useWatch'

const icons = {
  Imported: CircleCheck,
  Failed: TriangleAlert,
  'Left out': ListX,
  Duplicates: CopyCheck,
} as const
const looks = { Imported: 'text-success', Failed: 'text-danger', 'Left out': '', Duplicates: 'text-warning' }

/** Step 3: how far the server is, until it is done. */
export function ProgressStep({ sessionId }: { sessionId: string }) {
  const { session, end, lookNow } = useWatch(sessionId)
  const navigate = useNavigate()
  const [isCancelling, setCancelling] = useState(false)
  const failedRows = useFailedRows()
  const hasImported = (session?.successRecords ?? 0) > 0
  return (
    <section aria-labelledby="progress-title" className="card mx-auto max-w-2xl p-5 md:p-6">
      <StepHeading id="progress-title">Import Progress</StepHeading>
      <p className="mt-1 mb-6 truncate text-muted" title={session?.fileName}>
        {session?.fileName ?? 'Asking the server how far it is'}
      </p>
      <Bar session={session} end={end} />
      <Figures session={session} />
      <div aria-live="polite" className="grid gap-2">
        <Outcome session={session} end={end} />
      </div>
      {failedRows.error && (
        <Notice kind="error" className="mt-2">
          {failedRows.error}
        </Notice>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2 max-sm:*:flex-1">
        {session && !end && (
          <Button kind="lose" className="mr-auto" onClick={() => setCancelling(true)}>
            Cancel import
          </Button>
        )}
        {session && end && session.failedRecords > 0 && (
          <Button className="mr-auto" busy={failedRows.busy} onClick={() => failedRows.download(session)}>
            <FileDown aria-hidden className="size-4" />
            Download failed rows
          </Button>
        )}
        <Button onClick={() => void navigate(paths.newImport)}>Close</Button>
        <Link
          to={hasImported ? paths.importedContacts(sessionId) : paths.contacts}
          className={buttonClass(end ? 'primary' : 'secondary')}
        >
          View contacts
        </Link>
      </div>
      {session && isCancelling && !end && (
        <CancelImportDialog
          session={session}
          onClose={() => setCancelling(false)}
          onCancelled={() => {
            setCancelling(false)
            lookNow()
          }}
        />
      )}
    </section>
  )
}

function Bar({ session, end }: Watched) {
  const total = session?.totalRecords ?? 0
  const processed = session?.processedRecords ?? 0
  const isOver = end?.kind === 'over'
  const isDone = isOver && end.success
  // Nothing moves any more where nothing goes on.
  const value = total > 0 ? processed : end ? 0 : null
  return (
    <ProgressBar
      label={isDone ? 'Finished' : isOver ? 'Ended' : 'Importing'}
      value={value}
      max={total}
      text={total > 0 ? `${count(processed)} of ${counted(total, 'row')}` : end ? '' : 'Waiting to begin'}
      done={isDone}
    />
  )
}

/** What became of the rows so far; what did not occur is left out, save for the first two. */
function Figures({ session }: Pick<Watched, 'session'>) {
  const figures = figuresOf(session).filter(({ value }, index) => index < 2 || value > 0)
  return (
    <dl className="my-5 flex flex-wrap gap-px overflow-hidden rounded-lg border border-line bg-line">
      {figures.map(({ name, value }) => {
        const Icon = icons[name]
        return (
          <div key={name} className="flex-1 basis-32 bg-card px-4 py-3">
            <dt className="flex items-center gap-2 text-muted">
              <Icon aria-hidden className={`size-4 ${value > 0 ? looks[name] : ''}`} />
              {name}
            </dt>
            <dd className="mt-0.5 text-xl font-semibold tabular-nums">{count(value)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

function Outcome({ session, end }: Watched) {
  if (!end) {
    return <Notice kind="info">You can leave this page. The import continues on the server.</Notice>
  }
  const isUncertain = end.kind === 'lost' || session?.status === 'cancelled'
  const kind = isUncertain ? 'warning' : end.success ? 'success' : 'error'
  return (
    <>
      <Notice kind={kind}>{end.message}</Notice>
      {session?.differs && <Notice kind="warning">{core.texts().import.differs}</Notice>}
      {session && <Took session={session} />}
    </>
  )
}

function Took({ session }: { session: ImportSession }) {
  const duration = took(session)
  return duration && <p className="text-muted tabular-nums">It took {duration}.</p>
}
