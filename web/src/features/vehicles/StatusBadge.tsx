import type { Vehicle } from '~/core'
import { vehicleStatusNames } from '~/lib/words'
import { Badge } from '~/ui/Badge'

/** The status of a vehicle. Only one that is for sale stands out. */
export const StatusBadge = ({ status }: Pick<Vehicle, 'status'>) => (
  <Badge kind={status === 'In stock' ? 'success' : 'quiet'}>{vehicleStatusNames[status]}</Badge>
)
