import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { cx } from './cx'
import { useSettling } from './useSettling'

/** Shown in place of an empty value. */
export const NONE = <span className="text-muted">{t`N/A`}</span>

type CardProps = {
  title: string
  subtitle?: ReactNode
  /** Whether the card is left out in print, because printed records may be for customers. */
  isInternal?: boolean
  /** The content is loading, and its height is not known. */
  isLoading?: boolean
  children: ReactNode
}

export function Card({ title, subtitle, isInternal, isLoading = false, children }: CardProps) {
  return (
    <section className={cx('card p-5', isInternal && 'print:hidden')} data-settling={useSettling(isLoading)}>
      <h2 className="text-sm font-semibold">{title}</h2>
      {subtitle && <p className="mt-1 text-muted">{subtitle}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}

/** A description list (`<dl>`) of names and values. Empty values show "N/A". */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[10rem_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted max-sm:-mb-2.5 [overflow-wrap:anywhere]">{name}</dt>
          <dd className="min-w-0 whitespace-pre-line [overflow-wrap:anywhere]">{value || NONE}</dd>
        </div>
      ))}
    </dl>
  )
}
