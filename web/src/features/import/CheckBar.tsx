import { plural, t } from '@lingui/core/macro'
import { CircleCheck, Copy, ListX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Duplicates } from '~/core'
import { textOf } from '~/language'
import { count } from '~/lib/format'
import { cx } from '~/ui/cx'
import { Notice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { Select } from '~/ui/Select'
import { type Change, summaryOf } from './changes'
import { checkedRows } from './figures'
import type { Check } from './useCheck'
import type { Import } from './useImport'
import { visibleResult } from './visibleResult'

const checked = (rows: number) => plural(rows, { one: '# row checked', other: '# rows checked' })

/**
 * Returns value, maximum and text of the progress bar: in rows if an earlier check has counted them, else by the share of
 * the file that was read (`null` for a workbook, where it is unknown); full once the check is done.
 */
function progressBarProps({ state, progress, result }: Check) {
  if (state === 'done' && result) {
    const rows = checkedRows(result.counts)
    return { value: 1, max: 1, text: checked(rows) }
  }
  const rows = checkedRows(progress?.counts)
  if (result) {
    const whole = checkedRows(result.counts)
    const soFar = count(rows)
    const text = plural(whole, { one: `${soFar} of # row checked`, other: `${soFar} of # rows checked` })
    return { value: rows, max: whole, text }
  }
  const share = progress?.share
  return { value: share ?? null, max: 1, text: checked(rows) }
}

const choices = [
  { value: 'import', label: t`Import duplicates too` },
  { value: 'refuse', label: t`Leave out duplicates` },
] as const satisfies { value: Duplicates; label: string }[]

type Props = { work: Import; onCorrections: () => void; onDuplicates: () => void }

export function CheckBar({ work, onCorrections, onDuplicates }: Props) {
  const { check, duplicates, changes, setDuplicates } = work
  if (check.state === 'none') return null
  const shown = visibleResult(check)
  if (check.state === 'failed' || !shown) {
    return check.message ? (
      <Notice kind="error">
        {textOf(check.message)}
        <CorrectionsLink changes={changes} onOpen={onCorrections} />
      </Notice>
    ) : (
      <div className="card p-4">
        <ProgressBar label={t`Checking the file`} {...progressBarProps(check)} />
      </div>
    )
  }
  const { counts } = shown
  const isRefused = duplicates === 'refuse'
  return (
    <section aria-label={t`Check results`} className="card overflow-hidden">
      <div className="border-b border-line p-4">
        <ProgressBar
          label={check.state === 'done' ? t`Checked` : t`Checking the file`}
          done={check.state === 'done'}
          {...progressBarProps(check)}
        />
      </div>
      <dl
        className={cx(
          'grid grid-cols-2 gap-px bg-line transition-opacity max-sm:*:nth-3:col-span-2 sm:grid-cols-3',
          // Each row counts in one of the other figures; duplicates are some of these rows.
          '*:last:col-span-full',
          shown.isOld && 'opacity-60',
        )}
      >
        <Figure icon={CircleCheck} name={t`Ready`} value={counts.ready} look="text-success">
          {plural(checkedRows(counts), { one: 'of # row', other: 'of # rows' })}
        </Figure>
        <Figure
          icon={TriangleAlert}
          name={t`With problems`}
          value={counts.failed}
          look={counts.failed > 0 ? 'text-danger' : 'text-muted'}
        >
          {counts.failed > 0 ? (
            <button type="button" className={linkClass} onClick={scrollToProblems}>
              {t`View problems`}
            </button>
          ) : (
            t`No problems found`
          )}
        </Figure>
        <Figure icon={ListX} name={t`Left out by hand`} value={counts.leftOut} look="text-muted">
          <CorrectionsLink changes={changes} onOpen={onCorrections} />
        </Figure>
        <Figure
          icon={Copy}
          name={t`Duplicates`}
          value={counts.duplicates}
          look={counts.duplicates > 0 ? 'text-warning' : 'text-muted'}
        >
          {counts.duplicates === 0
            ? t`No duplicates in this file`
            : isRefused
              ? t`Among the rows with problems`
              : t`Among the ready rows`}
          {counts.duplicates > 0 && !isRefused && (
            <button type="button" className={cx(linkClass, 'ml-2')} onClick={onDuplicates}>
              {t`View duplicates`}
            </button>
          )}
          {(counts.duplicates > 0 || isRefused) && (
            <Select
              label={t`Duplicate handling`}
              value={duplicates}
              choices={choices}
              onChange={setDuplicates}
              className="mt-1 text-xs! sm:max-w-52"
            />
          )}
        </Figure>
      </dl>
    </section>
  )
}

const linkClass =
  'inline-flex min-h-6 items-center font-medium text-accent-text underline-offset-4 hover:underline max-md:min-h-touch touch:min-h-touch'

function CorrectionsLink({ changes, onOpen }: { changes: Change[]; onOpen: () => void }) {
  if (changes.length === 0) return null
  return (
    <button type="button" className={linkClass} onClick={onOpen}>
      {summaryOf(changes)}
    </button>
  )
}

function scrollToProblems() {
  const title = document.getElementById('problems-title')
  title?.scrollIntoView({ block: 'start' })
  title?.focus({ preventScroll: true })
}

type FigureProps = {
  icon: typeof Copy
  name: string
  value: number
  look: string
  children: ReactNode
}

function Figure({ icon: Icon, name, value, look, children }: FigureProps) {
  return (
    <div className="bg-card px-4 py-3">
      <dt className="flex items-center gap-2 text-muted">
        <Icon aria-hidden className={cx('size-4', look)} />
        {name}
      </dt>
      <dd className="mt-0.5">
        <span className="text-xl font-semibold tabular-nums">{count(value)}</span>
        <div className="text-xs text-muted">{children}</div>
      </dd>
    </div>
  )
}
