import { t } from '@lingui/core/macro'
import { type Ref, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type Agreement, type AgreementState, core, type Message } from '~/core'
import { textOf } from '~/language'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { useSession } from '~/lib/session'
import { agreementStateNames } from '~/lib/words'
import { HistoryCard } from '~/records/history/HistoryCard'
import { RecordPage } from '~/records/RecordPage'
import { SystemInformation } from '~/records/SystemInformation'
import { useLists } from '~/records/useFields'
import { useRecordPage } from '~/records/useRecordPage'
import { bottomBar } from '~/ui/bottomBar'
import { Card } from '~/ui/Card'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { focusPageHeading } from '~/ui/pageHeading'
import { usePhone } from '~/ui/usePhone'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import { AgreementForm } from './AgreementForm'
import { kind } from './kind'
import { LegsCard } from './LegsCard'
import { PartiesCard } from './PartiesCard'
import { StateBar } from './StateBar'
import { StepButtons } from './StepButtons'
import { needsDialog, StepDialog } from './StepDialog'
import { TermsCard } from './TermsCard'
import { useLegFacts } from './useLegFacts'
import { useSteps } from './useSteps'
import { guardTitles, typeTitles } from './words'

/** The page of an agreement. */
export function AgreementPage() {
  const page = useRecordPage(kind)
  const { rules } = useLists()
  const mayUpdate = page.may.can_update === true
  return (
    <RecordPage
      page={page}
      form={form => <AgreementForm {...form} />}
      withoutAvatar
      subtitleOf={({ type, state }) => `${typeTitles[type]} · ${agreementStateNames[state]}`}
      isDeletable={({ state }) => rules !== undefined && !rules.agreementDeletionError(state)}
    >
      {agreement => (
        <Details
          agreement={agreement}
          mayUpdate={mayUpdate}
          onChange={page.setRecord}
          onEdit={() => page.edit(agreement)}
        />
      )}
    </RecordPage>
  )
}

type Props = {
  agreement: Agreement
  mayUpdate: boolean
  onChange: (agreement: Agreement) => void
  onEdit: () => void
}

function Details({ agreement, mayUpdate, onChange, onEdit }: Props) {
  const { rules } = useLists()
  const facts = useLegFacts(agreement)
  const { loaded } = facts
  const { version } = agreement
  // The step that a dialog asks to confirm, and the version of the agreement that the user saw then.
  const [confirmation, setConfirmation] = useState<{ state: AgreementState; version: number }>()
  const close = () => setConfirmation(undefined)
  const steps = useSteps({
    agreement,
    legFacts: facts,
    rules,
    onChange: changed => {
      close()
      onChange(changed)
    },
  })
  // The step to take once the vehicles have loaded, and the version of the agreement that the user saw then.
  const [waitingStep, setWaitingStep] = useState<{ state: AgreementState; version: number }>()
  const reason = useId()
  const nextButton = useRef<HTMLButtonElement>(null)
  const isPhone = usePhone()
  const { next, cancel, refusal } = steps
  const dialog = [next, cancel].find(step => step !== undefined && step.state === confirmation?.state)
  if (confirmation && !dialog && !steps.isBusy) {
    close()
    steps.refuseOutdated(confirmation.state)
  }
  const take = (state: AgreementState) => {
    steps.dismiss()
    if (needsDialog(state)) setConfirmation({ state, version })
    else void steps.send({ state, version }).catch(steps.refuse)
  }
  const isSettled = facts.isCurrent || facts.error !== undefined
  const takeWaitingStep = useEffectEvent(() => {
    setWaitingStep(undefined)
    if (!waitingStep || !facts.isCurrent) return
    if (waitingStep.version !== version) steps.refuseOutdated(waitingStep.state)
    else if (next?.state === waitingStep.state && !next.problem) take(waitingStep.state)
  })
  useEffect(() => {
    if (waitingStep && isSettled) takeWaitingStep()
  }, [waitingStep, isSettled])
  // After the last step its buttons are gone.
  useRescuedFocus(next !== undefined || cancel !== undefined, () => focusPageHeading())
  const wait = (state: AgreementState) => setWaitingStep({ state, version })
  const buttons = (className: string, ref?: Ref<HTMLDivElement>) =>
    mayUpdate && (
      <StepButtons
        steps={steps}
        nextButton={nextButton}
        reason={reason}
        hasLoaded={loaded !== undefined}
        isWaiting={waitingStep !== undefined}
        onNext={facts.isCurrent ? take : facts.error === undefined ? wait : facts.retry}
        onCancel={() => take('Cancelled')}
        className={className}
        ref={ref}
      />
    )
  const problem = mayUpdate && next?.problem
  // Once nothing prevents the step, the warning's button or link is gone.
  useRescuedFocus(!!problem, () => (nextButton.current ? nextButton.current.focus() : focusPageHeading()))
  return (
    <div className="grid gap-4">
      <StateBar agreement={agreement}>{!isPhone && buttons('ml-auto flex gap-2 print:hidden')}</StateBar>
      <ErrorNotice message={refusal} scrollsIntoView />
      {problem && (
        <Notice kind="warning" className="print:hidden">
          <span id={reason}>
            <strong className="font-semibold">{guardTitles[next.state]}</strong>{' '}
            <span className="font-normal">{textOf(problem)}</span>
          </span>{' '}
          <Remedy problem={problem} onEdit={onEdit} />
        </Notice>
      )}
      <div className="grid items-start gap-4 max-lg:settles lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="settles grid gap-4 *:min-w-0">
          <LegsCard agreement={agreement} facts={facts} />
          <TermsCard agreement={agreement} />
          {agreement.notes && (
            <Card title={t`Notes`}>
              <p className="whitespace-pre-line [overflow-wrap:anywhere]">{agreement.notes}</p>
            </Card>
          )}
        </div>
        <div className="grid gap-4 *:min-w-0">
          <PartiesCard agreement={agreement} />
          <SystemInformation record={agreement} facts={[[t`Agreement ID`, agreement.agreement_id]]} />
        </div>
      </div>
      <HistoryCard kind={kind} record={agreement} />
      {isPhone &&
        buttons(
          'bottom-bar sticky bottom-(--covered) z-10 -mx-4 -mb-6 flex flex-wrap gap-2 border-t border-line bg-ground px-4 py-3 low:py-1.5 *:grow print:hidden',
          bottomBar,
        )}
      {confirmation && dialog && loaded && rules && (
        <StepDialog
          agreement={agreement}
          loaded={loaded}
          rules={rules}
          step={dialog}
          steps={steps}
          version={confirmation.version}
          onClose={close}
        />
      )}
    </div>
  )
}

/** The button or link to where the problem is solved, if the user can solve it. */
function Remedy({ problem, onEdit }: { problem: Message; onEdit: () => void }) {
  const { resources } = useSession()
  const className = 'rounded font-normal underline'
  if (problem.code !== 'agreements.customer_deleted') {
    return (
      <button type="button" className={className} onClick={onEdit}>
        {t`Edit agreement`}
      </button>
    )
  }
  // The form can't change the customer of a signed agreement.
  return (
    core.trashResources(resources).includes('customers') && (
      <Link to={listAddress(paths.trash, {}, { resource: 'customers' })} className={className}>
        {t`Open the trash`}
      </Link>
    )
  )
}
