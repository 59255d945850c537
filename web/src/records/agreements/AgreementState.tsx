import type { Agreement } from '~/core'
import { agreementStateNames } from '~/lib/words'
import { Badge } from '~/ui/Badge'

const kinds = {
  Draft: 'quiet',
  Offered: 'accent',
  Signed: 'accent',
  Delivered: 'success',
  Closed: 'quiet',
  Cancelled: 'quiet',
} as const

/** The state of an agreement. One that is on its way to delivery stands out, and so does a delivered one. */
export const AgreementState = ({ state }: Pick<Agreement, 'state'>) => (
  <Badge kind={kinds[state]}>{agreementStateNames[state]}</Badge>
)
