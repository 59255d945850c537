import { plural, t } from '@lingui/core/macro'
import type { Agreement, AgreementState, AgreementType } from '~/core'
import { figure, ownMoney, percent } from '~/lib/format'
import { warrantyNames } from '~/lib/words'

/** What an agreement of each type is called. */
export const typeTitles: Record<AgreementType, string> = {
  Sales: t`Sales agreement`,
  Purchase: t`Purchase agreement`,
  Agency: t`Agency agreement`,
}

/** What the customer and the corporation are in an agreement of each type. */
export const partyNames: Record<AgreementType, { customer: string; corporation: string }> = {
  Sales: { customer: t`Buyer`, corporation: t`Seller` },
  Purchase: { customer: t`Seller`, corporation: t`Buyer` },
  Agency: { customer: t`Owner`, corporation: t`Agent` },
}

/** The buttons of the steps, by the state that they lead to. */
export const stepNames: Partial<Record<AgreementState, string>> = {
  Offered: t`Mark as offered`,
  Signed: t`Mark as signed`,
  Delivered: t`Mark as delivered`,
  Closed: t`Close agreement`,
}

/** What is said before the reason why a step can't be taken yet. */
export const guardTitles: Partial<Record<AgreementState, string>> = {
  Offered: t`Complete this before offering.`,
  Signed: t`Complete this before signing.`,
  Delivered: t`Complete this before delivering.`,
}

/** Returns the warranty of an agreement in words. `unit` is that of its distance. */
export function warrantyText(agreement: Agreement, unit: string | undefined): string {
  const { kind, months, distance } = agreement.warranty
  return [
    warrantyNames[kind],
    months !== undefined && plural(months, { one: '# month', other: '# months' }),
    distance !== undefined && [figure(distance), unit].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns the commission of an agreement as text; empty if it has none. */
export function commissionText({ commission_amount, commission_percent }: Agreement): string {
  if (commission_amount === undefined) return ''
  const amount = ownMoney(commission_amount)
  return commission_percent === undefined ? amount : `${amount} (${percent(commission_percent)})`
}
