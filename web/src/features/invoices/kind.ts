import { t } from '@lingui/core/macro'
import { calendarDay, price } from '~/lib/format'
import { recordKind } from '~/records/kind'

export const kind = recordKind({
  resource: 'invoices',
  icon: 'receipt',
  words: {
    one: t`invoice`,
    many: t`invoices`,
    definite: t({ message: 'invoice', context: 'definite' }),
    named: t`invoice for`,
  },
  shouldNameFailure: true,
  create: { title: t`New invoice`, also: t`add create` },
  idOf: invoice => invoice._id,
  nameOf: invoice => invoice.customer,
  detailOf: invoice => price(invoice.projectPrice),
  noteOf: ({ projectPrice, startDate }) => `${price(projectPrice)} · ${calendarDay(startDate)}`,
  list: (core, request, signal) => core.listInvoices(request, signal),
})
