import { CircleCheck, TriangleAlert } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { count, counted } from '~/lib/format'
import { paths } from '~/lib/paths'
import { Button, buttonClass } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { StepHeading } from './StepHeading'
import { useWatch, type Watched } from './useWatch'

function Outcome({ end }: Pick<Watched, 'end'>) {
  if (!end) {
    return <Notice kind="info">You can leave this page. The import continues on the server.</Notice>
  }
  const kind = end.kind === 'lost' ? 'warning' : end.success ? 'success' : 'error'
  return <Notice kind={kind}>{end.message}</Notice>
}

/** Step 3: how far the server is, until it is done. */
export function ProgressStep({ sessionId }: { sessionId: string }) {
  const { session, end } = useWatch(sessionId)
  const navigate = useNavigate()
  const total = session?.totalRecords ?? 0
  const processed = session?.processedRecords ?? 0
  const figures = [
    { icon: CircleCheck, name: 'Imported', value: session?.successRecords ?? 0, look: 'text-success' },
    { icon: TriangleAlert, name: 'Failed', value: session?.failedRecords ?? 0, look: 'text-danger' },
  ]
  return (
    <section aria-labelledby="progress-title" className="card mx-auto max-w-2xl p-5 md:p-6">
      <StepHeading id="progress-title">Import Progress</StepHeading>
      <p className="mt-1 mb-6 truncate text-muted" title={session?.fileName}>
        {session?.fileName ?? 'Asking the server how far it is'}
      </p>
      <ProgressBar
        label={end?.kind === 'over' ? 'Finished' : 'Importing'}
        value={total > 0 ? processed : null}
        max={total}
        text={total > 0 ? `${count(processed)} of ${counted(total, 'row')}` : 'Waiting to begin'}
        done={end?.kind === 'over' && end.success}
      />
      <dl className="my-5 grid grid-cols-2 divide-x divide-line rounded-lg border border-line">
        {figures.map(({ icon: Icon, name, value, look }) => (
          <div key={name} className="px-4 py-3">
            <dt className="flex items-center gap-2 text-muted">
              <Icon aria-hidden className={`size-4 ${value > 0 ? look : 'text-muted'}`} />
              {name}
            </dt>
            <dd className="mt-0.5 text-xl font-semibold tabular-nums">{count(value)}</dd>
          </div>
        ))}
      </dl>
      <div aria-live="polite">
        <Outcome end={end} />
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onClick={() => void navigate(paths.newImport)}>Close</Button>
        <Link to={paths.contacts} className={buttonClass(end ? 'primary' : 'secondary')}>
          View contacts
        </Link>
      </div>
    </section>
  )
}
