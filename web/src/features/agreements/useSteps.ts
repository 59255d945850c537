import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { type Agreement, type AgreementState, core, type LastChange, type StepInput } from '~/core'
import type { ListsCore } from '~/core/lists'
import { isConflict, isUnanswered, messageIn, messageOf, problemOf, type Reply } from '~/core/problem'
import { textOf } from '~/language'
import { moment } from '~/lib/format'
import { useSession } from '~/lib/session'
import { today } from '~/lib/today'
import { actorName } from '~/records/history/actorName'
import { toast } from '~/ui/Toasts'
import { type LegFactsState, withoutVehicles } from './useLegFacts'

/** A step from a version of the agreement. */
type Step = Omit<StepInput, 'updated_at'> & { version: number }

type Settings = {
  agreement: Agreement
  legFacts: LegFactsState
  rules: ListsCore | undefined
  /** Receives the agreement after a step. */
  onChange: (agreement: Agreement) => void
}

/** Returns the agreement as it is now, if a step was refused because someone has changed it. */
const presentOf = (thrown: unknown) =>
  problemOf(thrown)?.present as (Partial<Agreement> & { last_change?: LastChange }) | undefined

/** Returns the agreement if a step was refused because this user has taken it already, and only the response was lost. */
function agreementAfter(step: Step, thrown: unknown, user: string): Agreement | undefined {
  const { last_change, ...agreement } = presentOf(thrown) ?? {}
  const fields = ['state', 'agreed_on', 'delivered_on'] as const
  const isTaken =
    last_change?.actor.id === user && fields.every(field => !step[field] || step[field] === agreement[field])
  return isTaken ? (agreement as Agreement) : undefined
}

/** Returns why a step was refused: who has changed the agreement meanwhile, or else the server's sentence. */
function reasonOf(thrown: unknown): string {
  const present = presentOf(thrown)
  if (!present?.last_change) return messageOf(thrown, t`The agreement couldn't be changed.`)
  const { actor, at } = present.last_change
  const [name, time] = [actorName(actor), moment(at)]
  return t`${name} changed this agreement on ${time}. The page shows it now. Check it, then try again.`
}

/** Returns the steps that can follow, and a function that takes one. */
export function useSteps({ agreement, legFacts, rules, onChange }: Settings) {
  const { agreement_id, version } = agreement
  const [isBusy, setIsBusy] = useState(false)
  // Why a step was refused, and the version of the agreement up to which that is news.
  const [refusal, setRefusal] = useState<{ text: string; until: number }>()
  // The state that a step without a response leads to.
  const [unanswered, setUnanswered] = useState<AgreementState>()
  const { profile } = useSession()
  const { revalidate } = useRevalidator()
  const known = legFacts.loaded?.facts ?? []
  const facts = legFacts.isCurrent
    ? known
    : withoutVehicles(agreement).facts.map(
        assumed => known.find(({ vehicle_id }) => vehicle_id === assumed.vehicle_id) ?? assumed,
      )
  const steps = rules ? rules.nextSteps(agreement, facts, today()) : []
  const next = steps.find(({ state }) => state !== 'Cancelled')
  // Once the page itself says what is missing, or shows a later version, the refusal is over.
  const isSaid = next?.problem && textOf(next.problem) === refusal?.text
  if (refusal && (isSaid || version > refusal.until)) setRefusal(undefined)

  /** Takes a step from the version of the agreement that the user has seen. Throws why it was refused. */
  const send = async (step: Step & { state: AgreementState }) => {
    setRefusal(undefined)
    setUnanswered(undefined)
    setIsBusy(true)
    try {
      const path = `/api/agreements/${agreement_id}/state`
      const saved = (await core.sendJson('POST', path, step)) as Reply & { data: Agreement }
      const message = messageIn(saved)
      if (message) toast.success(textOf(message))
      onChange(saved.data)
    } catch (thrown) {
      if (isUnanswered(thrown)) setUnanswered(step.state)
      const changed = agreementAfter(step, thrown, profile.id)
      if (!changed) throw thrown
      toast.success(textOf(core.recordTexts('agreements').updated))
      onChange(changed)
    } finally {
      setIsBusy(false)
    }
  }
  /** Shows at the bar why a step was refused. If the agreement or a vehicle has changed, the page shows how it is now. */
  const refuse = (thrown: unknown) => {
    setRefusal({ text: reasonOf(thrown), until: presentOf(thrown)?.version ?? version })
    if (isConflict(thrown)) void revalidate()
  }
  /**
   * Says at the bar that a change has ended the step to this state, which the user was asked to confirm. Says nothing if
   * that step was the change, and only its response was lost.
   */
  const refuseOutdated = (to: AgreementState) => {
    if (unanswered === to && agreement.state === to) return
    setRefusal({
      text: t`This agreement has changed. The page shows it as it is now.`,
      until: version,
    })
  }
  return {
    /** The only step forward. */
    next,
    cancel: steps.find(({ state }) => state === 'Cancelled'),
    isBusy,
    refusal: refusal?.text,
    send,
    refuse,
    refuseOutdated,
    dismiss: () => setRefusal(undefined),
  }
}

export type Steps = ReturnType<typeof useSteps>
