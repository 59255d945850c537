import { core } from '~/core'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'

/** The lists to which the dashboard's figures lead. */
export const stockAddress = () =>
  listAddress(paths.vehicles, {
    filter: JSON.stringify([{ field: 'status', op: 'in', value: core.inStockStatuses() }]),
  })
export const OFFERED = listAddress(paths.agreements, { filter: filterBy('state', 'Offered') })
export const SIGNED = listAddress(paths.agreements, { filter: filterBy('state', 'Signed') })
