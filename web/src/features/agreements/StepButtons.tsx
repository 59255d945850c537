import { t } from '@lingui/core/macro'
import { Ban, type LucideIcon, PackageCheck, PenLine, Send, SquareCheck } from 'lucide-react'
import type { Ref } from 'react'
import type { AgreementState } from '~/core'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import type { Steps } from './useSteps'
import { stepNames } from './words'

const icons: Partial<Record<AgreementState, LucideIcon>> = {
  Offered: Send,
  Signed: PenLine,
  Delivered: PackageCheck,
  Closed: SquareCheck,
}

type Props = {
  steps: Steps
  /** The button of the step forward. */
  nextButton: Ref<HTMLButtonElement>
  /** The id of the sentence that says why the step can't be taken. */
  reason: string
  /** The vehicles have loaded, at least those of an earlier version of the agreement. Before, the buttons only take their space. */
  hasLoaded: boolean
  /** The step forward was pressed, and waits until the vehicles have loaded again. */
  isWaiting: boolean
  onNext: (state: AgreementState) => void
  onCancel: () => void
  className: string
  ref?: Ref<HTMLDivElement>
}

/** The only step forward, and apart from it the cancellation. */
export function StepButtons(props: Props) {
  const { steps, nextButton, reason, hasLoaded, isWaiting, className, ref, ...on } = props
  const { next, cancel, isBusy } = steps
  if (!next && !cancel) return null
  const Icon = next && icons[next.state]
  return (
    <div ref={ref} className={cx(className, !hasLoaded && 'invisible')}>
      {cancel && (
        <Button kind="danger" onClick={on.onCancel}>
          <Ban aria-hidden className="size-4" />
          {t({ message: 'Cancel…', context: 'agreement' })}
        </Button>
      )}
      {next && (
        <Button
          ref={nextButton}
          kind="primary"
          busy={isBusy || isWaiting}
          ariaDisabled={next.problem !== undefined}
          aria-describedby={next.problem ? reason : undefined}
          onClick={() => on.onNext(next.state)}
        >
          {Icon && <Icon aria-hidden className="size-4" />}
          {stepNames[next.state]}
        </Button>
      )}
    </div>
  )
}
