import type { CustomerSummary } from '~/core'
import { customerStatusNames } from '~/lib/words'
import { Badge } from '~/ui/Badge'

/** The badge with the status of a customer. Only that of an active customer is coloured. */
export const StatusBadge = ({ status }: Pick<CustomerSummary, 'status'>) => (
  <Badge kind={status === 'Active' ? 'success' : 'quiet'}>{customerStatusNames[status]}</Badge>
)
