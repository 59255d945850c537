import { core } from '~/core'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'
import { today } from '~/lib/today'

/** Returns the condition that a day is in this month, and not after today, up to which the figures count. */
const isThisMonth = (field: string) => ({
  field,
  op: 'between',
  value: [`${today().slice(0, 8)}01`, today()],
})

/** The lists to which the dashboard's figures lead. */
export const stockAddress = () =>
  listAddress(paths.vehicles, {
    filter: JSON.stringify([{ field: 'status', op: 'in', value: core.inStockStatuses() }]),
  })
export const invoicedAddress = () =>
  listAddress(paths.invoices, { filter: JSON.stringify([isThisMonth('startDate')]) })
export const soldAddress = () =>
  listAddress(paths.agreements, {
    filter: JSON.stringify([
      isThisMonth('delivered_on'),
      { field: 'state', op: 'in', value: ['Delivered', 'Closed'] },
      // Without those that only buy.
      { field: 'out_total', op: 'gt', value: 0 },
    ]),
  })
export const OFFERED = listAddress(paths.agreements, { filter: filterBy('state', 'Offered') })
export const SIGNED = listAddress(paths.agreements, { filter: filterBy('state', 'Signed') })
