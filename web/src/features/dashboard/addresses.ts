import { core } from '~/core'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'

/** Returns the condition that a day is in this month up to today, as the figures count it. */
const thisMonth = (field: string) => ({ field, op: 'between', value: ['month', 'today'] })

/** Returns the condition that a vehicle is in stock. */
const inStock = () => ({ field: 'status', op: 'in', value: core.inStockStatuses() })

/** The lists to which the dashboard's figures lead. */
export const stockAddress = () => listAddress(paths.vehicles, { filter: JSON.stringify([inStock()]) })
/** The vehicles whose asking prices are the value of the stock. */
export const pricedStockAddress = () =>
  listAddress(paths.vehicles, {
    filter: JSON.stringify([inStock(), { field: 'asking_price', op: 'is_not_empty' }]),
  })
export const INVOICED = listAddress(paths.invoices, { filter: JSON.stringify([thisMonth('startDate')]) })
export const soldAddress = () =>
  listAddress(paths.agreements, {
    filter: JSON.stringify([
      thisMonth('delivered_on'),
      { field: 'state', op: 'in', value: core.deliveredStates() },
      // Leaves out agreements that only buy: each sold vehicle has a price.
      { field: 'out_total', op: 'gt', value: 0 },
    ]),
  })
export const OFFERED = listAddress(paths.agreements, { filter: filterBy('state', 'Offered') })
/** The list of agreements to deliver. Without signed agencies, which wait for a buyer. */
export const toDeliverAddress = () => {
  const { state, excluded_type } = core.toDeliver()
  return listAddress(paths.agreements, {
    filter: JSON.stringify([
      { field: 'state', op: 'is', value: state },
      { field: 'type', op: 'is_not', value: excluded_type },
    ]),
  })
}
