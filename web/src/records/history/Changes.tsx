import { t } from '@lingui/core/macro'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import type { Change } from '~/core'
import type { ListField } from '~/core/lists'
import { cx } from '~/ui/cx'
import { valueText } from '../filter/conditions'

/** The names of a record's fields, and the pages of the records that it is linked to. */
export type FieldInfo = {
  find: (name: string) => ListField | undefined
  labelOf: (name: string) => string
  /** Returns the path of the record whose id a link field has; undefined if the user can't open it. */
  pathOf: (field: string, id: string) => string | undefined
}

type Props = {
  changes: Change[]
  /** The record was there before and after: both values of a field are shown, even if one is empty. */
  isUpdate?: boolean
  fields: FieldInfo
}

/** The changed fields of an entry, each with its values before and after the change. */
export function Changes({ changes, isUpdate = false, fields }: Props) {
  return (
    <dl className="mt-1 grid gap-x-4 gap-y-2 rounded-lg border border-line px-3 py-2.5 sm:grid-cols-[9rem_1fr]">
      {changes.map(change => (
        <div key={change.field} className="contents">
          <dt className="text-muted max-sm:-mb-1.5 [overflow-wrap:anywhere]">
            {fields.labelOf(change.field)}
          </dt>
          <dd className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
            <Values change={change} isUpdate={isUpdate} fields={fields} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const value = 'min-w-0 rounded px-1.5 whitespace-pre-line [overflow-wrap:anywhere] forced-colors:border'

function Values({ change, isUpdate, fields }: { change: Change } & Omit<Props, 'changes'>) {
  const { field } = change
  const [before, after] = [change.before ?? '', change.after ?? '']
  // A secret.
  if (before === '' && after === '') {
    return <span className="text-muted italic">{t`The value is not recorded`}</span>
  }
  const kind = fields.find(field)?.kind
  const isLink = kind === 'id'
  const linked = before === '' ? t`linked` : t`linked to another`
  const newValue = isLink ? linked : valueText(after, kind)
  const path = isLink && after !== '' ? fields.pathOf(field, String(after)) : undefined
  return (
    <>
      {before !== '' && (
        <del className={cx(value, 'bg-danger-soft text-danger')}>
          {isUpdate && <span className="sr-only">{t`Before:`} </span>}
          {isLink ? t`linked` : valueText(before, kind)}
        </del>
      )}
      {isUpdate && before === '' && <Empty />}
      {isUpdate && <ArrowRight aria-hidden className="size-3.5 shrink-0 self-center text-muted" />}
      {after !== '' && (
        <ins className={cx(value, 'bg-success-soft text-success no-underline')}>
          {isUpdate && <span className="sr-only">{t`After:`} </span>}
          {path ? (
            <Link to={path} className="rounded underline">
              {newValue}
            </Link>
          ) : (
            newValue
          )}
        </ins>
      )}
      {isUpdate && after === '' && <Empty />}
    </>
  )
}

const Empty = () => <i className="text-muted">{t`empty`}</i>
