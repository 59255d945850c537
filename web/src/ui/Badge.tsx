import type { ReactNode } from 'react'
import { cx } from './cx'

const kinds = {
  quiet: 'bg-subtle text-muted',
  accent: 'bg-soft text-accent-text',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}

export function Badge({ kind, children }: { kind: keyof typeof kinds; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex h-6 items-center rounded-full px-2.5 text-xs font-medium whitespace-nowrap forced-colors:border',
        kinds[kind],
      )}
    >
      {children}
    </span>
  )
}
