import { plural, t } from '@lingui/core/macro'
import { type Ref, useId } from 'react'
import type { BulkResult } from '~/core'
import { count } from '~/lib/format'
import { reasonOf } from './bulk'

/** The maximum number of refused records that are listed by name. Further ones are only counted. */
const LISTED = 50

type Props = { result?: BulkResult; stage: 'update' | 'delete' }

type ReportProps = {
  result: BulkResult
  /** `update` and `delete` report what would be done, `updated` what was done. */
  stage: Props['stage'] | 'updated'
  /** The ids of the sentences that say how many records were changed, and how many were not. */
  ids?: [changedId: string, keptId: string]
}

/** The sentences about a single record, by its name. */
const namedSentenceOf = {
  update: (name: string) => t`${name} will change.`,
  delete: (name: string) => t`${name} will be deleted.`,
  updated: (name: string) => t`${name} was changed.`,
}

const sentenceOf = {
  update: (count: number) => plural(count, { one: '# record will change.', other: '# records will change.' }),
  delete: (count: number) =>
    plural(count, { one: '# record will be deleted.', other: '# records will be deleted.' }),
  updated: (count: number) =>
    plural(count, { one: '# record was changed.', other: '# records were changed.' }),
}

/**
 * Says how many records a bulk action would change, and which ones it refuses, with the reasons. Rendered also
 * before there is a result, because screen readers don't announce a region that appears with its text.
 */
export const BulkReport = ({ result, stage }: Props) => (
  <div role="status">{result && <Report result={result} stage={stage} />}</div>
)

/**
 * Says how many records a bulk action has changed, and which ones it refused, with the reasons. It appears together with
 * its dialog, which must focus it (`ref`), so that screen readers read it.
 */
export function DoneReport({ result, ref }: { result: BulkResult; ref: Ref<HTMLElement> }) {
  const [changedId, keptId] = [useId(), useId()]
  return (
    <section ref={ref} tabIndex={-1} aria-labelledby={`${changedId} ${keptId}`} className="outline-none">
      <Report result={result} stage="updated" ids={[changedId, keptId]} />
    </section>
  )
}

function Report({ result: { label, changed, unchanged, refused }, stage, ids }: ReportProps) {
  const kept = refused.length
  const more = kept - LISTED
  const others = count(more)
  const [reason, ...otherReasons] = new Set(refused.map(reasonOf))
  // If no record can be changed, and all for the same reason, such as an invalid value, it is shown only once.
  const isOneReason = kept > 1 && changed + unchanged === 0 && otherReasons.length === 0
  return (
    <div className="mt-4 grid gap-2">
      <p id={ids?.[0]} className="font-medium [overflow-wrap:anywhere]">
        {label && changed > 0 ? namedSentenceOf[stage](label) : sentenceOf[stage](changed)}
      </p>
      {changed > 0 && stage === 'delete' && (
        <p className="text-muted">
          {plural(changed, {
            one: 'It can be restored from the trash.',
            other: 'They can be restored from the trash.',
          })}
        </p>
      )}
      {unchanged > 0 && stage === 'update' && (
        <p className="text-muted [overflow-wrap:anywhere]">
          {label
            ? t`${label} already has this value.`
            : plural(unchanged, {
                one: '# record already has this value.',
                other: '# records already have this value.',
              })}
        </p>
      )}
      {kept > 0 && (
        <>
          <p id={ids?.[1]} className="font-medium text-danger">
            {plural(kept, {
              one: '# record stays as it is:',
              other: '# records stay as they are:',
            })}
          </p>
          {isOneReason ? (
            <p className="text-muted [overflow-wrap:anywhere]">{reason}</p>
          ) : (
            <ul className="max-h-48 overflow-y-auto rounded-lg border border-line">
              {refused.slice(0, LISTED).map(record => (
                <li
                  key={record.id}
                  className="border-b border-line px-3 py-2 last:border-0 [overflow-wrap:anywhere]"
                >
                  <span className="font-medium">{record.label}</span>{' '}
                  <span className="text-muted">{reasonOf(record)}</span>
                </li>
              ))}
              {more > 0 && <li className="px-3 py-2 text-muted">{t`and ${others} more`}</li>}
            </ul>
          )}
        </>
      )}
    </div>
  )
}
