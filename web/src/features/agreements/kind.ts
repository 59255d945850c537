import { t } from '@lingui/core/macro'
import { agreementStateNames, shownText } from '~/lib/words'
import { recordKind } from '~/records/kind'

export const kind = recordKind({
  resource: 'agreements',
  icon: 'handshake',
  words: {
    one: t`agreement`,
    many: t`agreements`,
    definite: t({ message: 'agreement', context: 'definite' }),
  },
  create: { title: t`New agreement`, also: t`add create sale purchase deal` },
  idOf: agreement => agreement.agreement_id,
  nameOf: ({ number, customer_name }) => [number, shownText(customer_name)].filter(Boolean).join(' '),
  detailOf: agreement => agreement.vehicles,
  noteOf: ({ state, vehicles }) => [agreementStateNames[state], vehicles].filter(Boolean).join(' · '),
  // In the key of a vehicle that is created in the form, the field and the typed text follow.
  draftOf: (id = '') => `agreement ${id} `,
  // The id of the vehicle whose agreements are shown; empty for all agreements.
  parameters: ['vehicle_id'],
})

/** The query of the list of agreements, as in the URL. */
export type AgreementsQuery = ReturnType<typeof kind.read>
