import { t } from '@lingui/core/macro'
import { shownText } from '~/lib/words'
import { recordKind } from '~/records/kind'
import { customersAddress, customersParameters, readCustomersQuery } from './query'

export const kind = recordKind({
  resource: 'customers',
  icon: 'users',
  words: {
    one: t`customer`,
    many: t`customers`,
    definite: t({ message: 'customer', context: 'definite' }),
  },
  failures: {
    create: t`Failed to create customer`,
    update: t`Failed to update customer`,
    remove: t`Failed to delete customer`,
    load: t`Failed to load customer details`,
  },
  create: { title: t`New customer`, also: t`add create` },
  idOf: customer => customer.customer_id,
  nameOf: customer => shownText(customer.name),
  detailOf: customer => shownText(customer.email),
  noteOf: ({ customerNumber, email }) => `${customerNumber} · ${shownText(email)}`,
  read: readCustomersQuery,
  address: customersAddress,
  list: (core, request, signal) => core.listRecords('customers', customersParameters(request), signal),
})
