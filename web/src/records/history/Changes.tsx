import { t } from '@lingui/core/macro'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Change } from '~/core'
import { cx } from '~/ui/cx'
import { type Describe, valueInWords } from './describe'
import { LongText } from './LongText'

type Props = {
  changes: Change[]
  /** The entry updated an existing record, so the values before and after are both shown, even if one is empty. */
  isUpdate?: boolean
  describe: Describe
}

/** The changed fields of an entry, each with its values before and after the change. */
export function Changes({ changes, isUpdate = false, describe }: Props) {
  return (
    <dl className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-2 rounded-lg border border-line px-3 py-2.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
      {changes.map(change => (
        <div key={change.field} className="contents">
          <dt className="text-muted max-sm:-mb-1.5 [overflow-wrap:anywhere]">
            {describe(change.field).label}
          </dt>
          <dd className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
            <Values change={change} isUpdate={isUpdate && !isPart(change)} describe={describe} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Returns whether the change added or deleted one of several comments, so that there is no value before or after it. */
const isPart = ({ field, before, after }: Change) => field === 'comments' && !(before && after)

const value = 'min-w-0 rounded px-1.5 [overflow-wrap:anywhere] forced-colors:border'

function Values({ change, isUpdate, describe }: { change: Change } & Omit<Props, 'changes'>) {
  const info = describe(change.field)
  const { field, pathOf, ...texts } = info
  const { emptyText = t`empty`, unrecordedText = t`The value is not recorded` } = texts
  const [before, after] = [change.before ?? '', change.after ?? '']
  // Both values are missing, because the history doesn't record the values of secrets.
  if (before === '' && after === '') return <span className="text-muted italic">{unrecordedText}</span>
  if (before === after) return <span className={value}>{valueInWords(after, info)}</span>
  const isLink = field?.kind === 'id'
  const linked = before === '' ? t`linked` : t`linked to another`
  const path = isLink && after !== '' ? pathOf?.(String(after)) : undefined
  const empty = <i className="text-muted">{emptyText}</i>
  const markOld = (text: ReactNode) => (
    <del className={cx(value, 'bg-danger-soft text-danger')}>
      {isUpdate && <span className="sr-only">{t`Before:`} </span>}
      {text}
    </del>
  )
  const markNew = (text: ReactNode) => (
    <ins className={cx(value, 'bg-success-soft text-success no-underline')}>
      {isUpdate && <span className="sr-only">{t`After:`} </span>}
      {text}
    </ins>
  )
  const link = path ? (
    <Link to={path} className="rounded underline">
      {linked}
    </Link>
  ) : (
    linked
  )
  return (
    <>
      {before !== '' &&
        (isLink ? markOld(t`linked`) : <LongText mark={markOld}>{valueInWords(before, info)}</LongText>)}
      {isUpdate && before === '' && empty}
      {isUpdate && <ArrowRight aria-hidden className="size-3.5 shrink-0 self-center text-muted" />}
      {after !== '' &&
        (isLink ? markNew(link) : <LongText mark={markNew}>{valueInWords(after, info)}</LongText>)}
      {isUpdate && after === '' && empty}
    </>
  )
}
