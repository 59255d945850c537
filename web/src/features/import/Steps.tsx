import { t } from '@lingui/core/macro'
import { Check } from 'lucide-react'
import { cx } from '~/ui/cx'

const steps = [t`Choose a file`, t`Map Columns`, t`Import Progress`] as const

export function Steps({ current }: { current: 1 | 2 | 3 }) {
  return (
    <ol aria-label={t`Steps`} className="mb-6 flex items-center gap-2 text-sm md:gap-3">
      {steps.map((name, index) => {
        const number = index + 1
        const done = number < current
        const here = number === current
        return (
          <li
            key={name}
            aria-current={here ? 'step' : undefined}
            className="flex min-w-0 items-center gap-2 md:gap-3"
          >
            {index > 0 && <span aria-hidden className="h-px w-4 bg-line md:w-10" />}
            <span
              className={cx(
                'flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold tabular-nums',
                here ? 'bg-fill text-on-fill' : done ? 'bg-soft text-accent-text' : 'bg-subtle text-muted',
              )}
            >
              {done ? <Check aria-hidden className="size-3.5" strokeWidth={3} /> : number}
            </span>
            <span className={cx('truncate font-medium', here ? 'text-ink' : 'text-muted max-sm:sr-only')}>
              {name}
              {done && <span className="sr-only"> {t`(done)`}</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
