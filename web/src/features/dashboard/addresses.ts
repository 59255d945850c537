import { core, type StockAge } from '~/core'
import { paths } from '~/lib/paths'
import { filterBy, listAddress } from '~/lib/query'

type Condition = { field: string; op: string; value?: unknown }

const filtered = (list: string, ...conditions: Condition[]) =>
  listAddress(list, { filter: JSON.stringify(conditions) })

/** Returns the condition that a day is in this month up to today, as the figures count it. */
const thisMonth = (field: string) => ({ field, op: 'between', value: ['month', 'today'] })

/** Returns the condition that a vehicle is in stock. */
const inStock = () => ({ field: 'status', op: 'in', value: core.inStockStatuses() })

/** The lists to which the dashboard's figures lead. */
export const stockAddress = () => filtered(paths.vehicles, inStock())
/** The vehicles in stock of one age, which is counted from the current day. */
export const stockAgeAddress = ({ from, to }: Pick<StockAge, 'from' | 'to'>) =>
  filtered(paths.vehicles, inStock(), { field: 'in_stock_on', ...sinceWhen(from, to) })
const sinceWhen = (from: number, to: number | undefined) => {
  if (to === undefined) return { op: 'lte', value: `today-${from}` }
  // The newest vehicles include those that are in stock since tomorrow, where it is tomorrow already.
  if (from === 0) return { op: 'gte', value: `today-${to}` }
  return { op: 'between', value: [`today-${to}`, `today-${from}`] }
}
/** The vehicles in stock since an unknown day. */
export const undatedStockAddress = () =>
  filtered(paths.vehicles, inStock(), { field: 'in_stock_on', op: 'is_empty' })
/** The vehicles whose asking prices are the value of the stock. */
export const pricedStockAddress = () =>
  filtered(paths.vehicles, inStock(), { field: 'asking_price', op: 'is_not_empty' })
export const INVOICED = filtered(paths.invoices, thisMonth('startDate'))
export const soldAddress = () =>
  filtered(
    paths.agreements,
    thisMonth('delivered_on'),
    { field: 'state', op: 'in', value: core.deliveredStates() },
    // Leaves out agreements that only buy: each sold vehicle has a price.
    { field: 'out_total', op: 'gt', value: 0 },
  )
export const OFFERED = listAddress(paths.agreements, { filter: filterBy('state', 'Offered') })
/** The list of agreements whose exclusivity ends within a few days. */
export const exclusivityDueAddress = () => {
  const { states, days } = core.exclusivityDue()
  return filtered(
    paths.agreements,
    { field: 'state', op: 'in', value: states },
    { field: 'exclusive_until', op: 'between', value: ['today', `today+${days}`] },
  )
}
/** The list of agreements to deliver. Without signed agencies, which wait for a buyer. */
export const toDeliverAddress = () => {
  const { state, excluded_type } = core.toDeliver()
  return filtered(
    paths.agreements,
    { field: 'state', op: 'is', value: state },
    { field: 'type', op: 'is_not', value: excluded_type },
  )
}
