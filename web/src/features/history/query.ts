import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, readQuery } from '~/lib/query'
import { loadEntries } from '~/records/history/loadEntries'
import { listLoader } from '~/records/loaders'
import { PERIODS, type Range, readDay, timestampsOf } from './period'

export const PAGE_SIZE = 20

/** Page and filters of the history, as in the URL. An empty value doesn't filter. */
export type HistoryQuery = ListQuery &
  Range & {
    resource: string
    action: string
    /** The id of the user whose actions are shown. */
    user: string
    /** The id of a bulk action's entry, to show the entries of its records. */
    batch: string
  }

function readHistoryQuery(params: URLSearchParams): HistoryQuery {
  const text = (name: string) => (params.get(name) ?? '').trim()
  const [from, to] = [readDay(text('from')), readDay(text('to'))]
  const period = PERIODS.find(each => each === text('period')) ?? (from || to ? 'custom' : '')
  return {
    ...readQuery(params),
    resource: text('resource'),
    action: text('action'),
    user: text('user'),
    period,
    from: period === 'custom' ? from : '',
    to: period === 'custom' ? to : '',
    batch: text('batch_id'),
  }
}

/** Returns the URL of the page of the corporation's history, with this page number and these filters. */
export const historyAddress = ({ page, batch, ...query }: Partial<HistoryQuery>) => {
  const { resource = '', action = '', user = '', period = '', from = '', to = '' } = query
  const filters = { resource, action, user, period, from, to, batch_id: batch ?? '' }
  return listAddress(paths.history, { page }, filters)
}

/** Returns whether any filter of the query is set. */
export const isFiltered = ({ resource, action, user, period, batch }: HistoryQuery) =>
  [resource, action, user, period, batch].some(Boolean)

export const historyLoader = listLoader(readHistoryQuery, (core, { page, batch, ...query }) => {
  const { resource, action, user } = query
  const parameters = { resource, user, action, ...timestampsOf(query), batch_id: batch }
  const params = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''))
  params.set('page', String(page))
  params.set('limit', String(PAGE_SIZE))
  return loadEntries(core, params)
})
