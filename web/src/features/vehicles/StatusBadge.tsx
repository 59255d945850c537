import type { Vehicle } from '~/core'
import { vehicleStatusNames } from '~/lib/words'
import { Badge } from '~/ui/Badge'

/** The badge with the status of a vehicle. Only that of a vehicle that is for sale is coloured. */
export const StatusBadge = ({ status }: Pick<Vehicle, 'status'>) => (
  <Badge kind={status === 'In stock' ? 'success' : 'quiet'}>{vehicleStatusNames[status]}</Badge>
)
