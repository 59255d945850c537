import { t } from '@lingui/core/macro'
import { Ban, Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Agreement, AgreementState } from '~/core'
import { calendarDay, day } from '~/lib/format'
import { agreementStateNames } from '~/lib/words'
import { cx } from '~/ui/cx'

const STATES: readonly AgreementState[] = ['Draft', 'Offered', 'Signed', 'Delivered', 'Closed']

type Props = {
  agreement: Agreement
  /** The buttons of the steps. */
  children?: ReactNode
}

/** How far an agreement is, with the days that are known. */
export function StateBar({ agreement, children }: Props) {
  const { state, created_at, agreed_on, delivered_on } = agreement
  const isCancelled = state === 'Cancelled'
  const at = STATES.indexOf(state)
  const days: Partial<Record<AgreementState, string | undefined>> = {
    Draft: day(created_at),
    Signed: agreed_on && calendarDay(agreed_on),
    Delivered: delivered_on && calendarDay(delivered_on),
  }
  return (
    <section
      aria-label={t`State of the agreement`}
      className="card flex min-h-18.5 touch:min-h-19.5 flex-wrap items-center gap-x-6 gap-y-4 p-4 max-sm:px-2 md:px-5"
    >
      {isCancelled ? (
        <p className="flex flex-1 items-center gap-2 font-medium">
          <Ban aria-hidden className="size-5 text-muted" />
          {t`This agreement was cancelled.`}
        </p>
      ) : (
        <ol className="flex min-w-0 flex-1 basis-96 flex-wrap items-start gap-y-3 overflow-x-clip max-md:basis-full lg:items-center">
          {STATES.map((each, index) => (
            <State
              key={each}
              state={each}
              number={index + 1}
              isLast={index === STATES.length - 1}
              isDone={index < at || state === 'Closed'}
              isCurrent={index === at}
              day={index <= at ? days[each] : undefined}
            />
          ))}
        </ol>
      )}
      {children}
    </section>
  )
}

type StateProps = {
  state: AgreementState
  number: number
  isLast: boolean
  isDone: boolean
  isCurrent: boolean
  day: string | undefined
}

function State({ state, number, isLast, isDone, isCurrent, day }: StateProps) {
  return (
    <li
      aria-current={isCurrent ? 'step' : undefined}
      className="relative flex flex-1 basis-12 items-center gap-2.5 max-lg:flex-col max-lg:gap-1 max-lg:text-center lg:pr-4"
    >
      {number > 1 && (
        // The line from the state before, on narrow windows.
        <span
          aria-hidden
          className={cx(
            'absolute top-3.5 right-[calc(50%+1.125rem)] h-0.5 w-[calc(100%-2.25rem)] lg:hidden',
            isDone || isCurrent ? 'bg-success' : 'bg-line',
          )}
        />
      )}
      <span
        aria-hidden
        className={cx(
          'relative flex size-7 shrink-0 items-center justify-center rounded-full border text-xs font-semibold tabular-nums',
          isDone
            ? 'border-success-soft bg-success-soft text-success'
            : isCurrent
              ? 'border-fill bg-fill text-on-fill'
              : 'border-edge bg-card text-muted',
        )}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <span className="min-w-0 leading-4.5 max-lg:leading-4">
        <span
          className={cx(
            'block font-medium max-lg:text-xs',
            isCurrent ? 'text-accent-text' : !isDone && 'text-muted',
          )}
        >
          {agreementStateNames[state]}
          {isDone && <span className="sr-only"> {t({ message: '(done)', context: 'state' })}</span>}
        </span>
        {day && <span className="block text-xs text-muted tabular-nums">{day}</span>}
      </span>
      {!isLast && (
        // The line to the next state, on wide windows.
        <span
          aria-hidden
          className={cx('hidden h-0.5 min-w-4 flex-1 xl:block', isDone ? 'bg-success' : 'bg-line')}
        />
      )}
    </li>
  )
}
