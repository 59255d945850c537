import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { type Kind, MAX_RESULTS, toResults } from '~/records/kind'

export const kind: Kind = {
  resource: 'customers',
  title: t`Customers`,
  route: paths.customers,
  icon: 'users',
  create: { title: t`New customer`, also: t`add create` },
  find: async (text, signal) => {
    const query = { page: 1, limit: MAX_RESULTS, searchTerm: text }
    return toResults(await core.listRecords('customers', query, signal), customer => ({
      id: customer.customer_id,
      title: customer.name,
      note: `${customer.customerNumber} · ${customer.email}`,
      to: paths.customer(customer.customer_id),
    }))
  },
}
