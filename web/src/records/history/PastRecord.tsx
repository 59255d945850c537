import { plural, t } from '@lingui/core/macro'
import { CalendarClock } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { type ChangedValue, core, type HistoryEntry, type PastRecord, type PastValue } from '~/core'
import { moment } from '~/lib/format'
import { useRequest } from '~/lib/request'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Dialog } from '~/ui/Dialog'
import { CardFailed, CardLoading } from '../CardState'
import { type Describe, valueInWords } from './describe'
import { entryButtonClass } from './HistoryItem'
import { LongText } from './LongText'

type Props = {
  entry: HistoryEntry
  /** The id of the record, which the entry of an import doesn't contain. */
  id: string
  /** The sentence of the entry, such as "Ada changed this contact". */
  sentence: string
  describe: Describe
}

/** A button that opens a dialog with the record as it was after an entry. */
export function PastRecordButton(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const time = moment(props.entry.at)
  return (
    <>
      <Button kind="ghost" className={entryButtonClass} onClick={() => setOpen(true)}>
        <CalendarClock aria-hidden className="size-4" />
        <span className="max-sm:sr-only">{t`Show as of this date`}</span>
      </Button>
      <Dialog
        open={isOpen}
        title={t`As of ${time}`}
        description={props.sentence}
        onClose={() => setOpen(false)}
      >
        <Content {...props} />
      </Dialog>
    </>
  )
}

async function load(entry: string, id: string, signal: AbortSignal): Promise<PastRecord> {
  const path = `/api/history/${entry}/record?${new URLSearchParams({ id })}`
  return ((await core.sendJson('GET', path, undefined, signal)) as { data: PastRecord }).data
}

function Content({ entry: { history_id }, id, describe }: Props) {
  const request = useMemo(() => (signal: AbortSignal) => load(history_id, id, signal), [history_id, id])
  const { outcome, retry } = useRequest(request)
  if (!outcome?.ok) {
    const failed = t`Failed to load the record of this date`
    return (
      <div className="mt-5">
        {outcome ? (
          <CardFailed error={outcome.error} failed={failed} onRetry={retry} />
        ) : (
          <CardLoading lines={6} />
        )}
      </div>
    )
  }
  const { values } = outcome.value
  const changed = values.filter(({ is_changed }) => is_changed).length
  return (
    <>
      <p role="status" className="mt-5 font-medium">
        {changed === 0
          ? t`Nothing is different today`
          : plural(changed, {
              one: '# field is different today',
              other: '# fields are different today',
            })}
      </p>
      <dl className="mt-3 grid gap-x-4 gap-y-1 sm:grid-cols-[9rem_1fr]">
        {values.map(value => (
          <div key={value.field} className="contents">
            <dt className="pt-1 text-muted max-sm:-mb-1 max-sm:pt-2 [overflow-wrap:anywhere]">
              {describe(value.field).label}
            </dt>
            <dd
              className={cx(
                'min-w-0 rounded-md px-2 py-1 [overflow-wrap:anywhere]',
                value.is_changed && 'bg-warning-soft forced-colors:border',
              )}
            >
              <Values value={value} describe={describe} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** A field's value as it was after the entry and, if it has changed since, today's value. */
function Values({ value: past, describe }: { value: PastValue; describe: Describe }) {
  const { value, present, is_changed, is_known } = past
  const info = describe(past.field)
  if (!is_known) {
    const unknown =
      info.unrecordedText ?? t`Unknown: it has been changed since then, and the values are not recorded`
    return <i className="text-muted">{unknown}</i>
  }
  const empty = <i className="text-muted">{t`empty`}</i>
  const isAnother = is_changed && Boolean(value)
  const show = (shown: ChangedValue | undefined, linked: string) => {
    if (shown === undefined || shown === null || shown === '') return empty
    if (info.field?.kind !== 'id' || typeof shown === 'object') {
      return <LongText>{valueInWords(shown, info)}</LongText>
    }
    const path = info.pathOf?.(String(shown))
    if (!path) return linked
    return (
      <Link to={path} className="rounded underline">
        {linked}
      </Link>
    )
  }
  return (
    <>
      <div>{show(value, t`linked`)}</div>
      {is_changed && (
        <div className="text-xs text-muted">
          {t`Today:`} {show(present, isAnother ? t`linked to another` : t`linked`)}
        </div>
      )}
    </>
  )
}
