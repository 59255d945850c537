import { core } from '~/core'
import { MAX_SUGGESTIONS } from './useSuggestions'

/** Searches the customers that a form's field suggests. */
export async function findCustomers(searchTerm: string, signal: AbortSignal) {
  const query = { page: 1, limit: MAX_SUGGESTIONS, searchTerm }
  const { data, totalItems } = await core.listRecords('customers', query, signal)
  return { found: data, total: totalItems }
}
