import { core } from '~/core'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'

/** Returns the condition that a day is in this month, and not after today, up to which the figures count. */
const thisMonth = (field: string) => ({ field, op: 'between', value: ['month', 'today'] })

/** The lists to which the dashboard's figures lead. */
export const stockAddress = () =>
  listAddress(paths.vehicles, {
    filter: JSON.stringify([{ field: 'status', op: 'in', value: core.inStockStatuses() }]),
  })
export const INVOICED = listAddress(paths.invoices, { filter: JSON.stringify([thisMonth('startDate')]) })
export const soldAddress = () =>
  listAddress(paths.agreements, {
    filter: JSON.stringify([
      thisMonth('delivered_on'),
      { field: 'state', op: 'in', value: core.deliveredStates() },
      // Without those that only buy: what is sold has a price.
      { field: 'out_total', op: 'gt', value: 0 },
    ]),
  })
export const OFFERED = listAddress(paths.agreements, { filter: filterBy('state', 'Offered') })
export const SIGNED = listAddress(paths.agreements, { filter: filterBy('state', 'Signed') })
