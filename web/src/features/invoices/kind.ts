import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { calendarDay, price } from '~/lib/format'
import { paths } from '~/lib/paths'
import { firstPage, type Kind, toResults } from '~/records/kind'

export const kind: Kind = {
  resource: 'invoices',
  title: t`Invoices`,
  route: paths.invoices,
  icon: 'receipt',
  create: { title: t`New invoice`, also: t`add create` },
  find: async (text, signal) =>
    toResults(
      await core.listInvoices(firstPage(text), signal),
      ({ _id, customer, startDate, projectPrice }) => ({
        id: _id,
        title: customer,
        note: `${price(projectPrice)} · ${calendarDay(startDate)}`,
        to: paths.invoice(_id),
      }),
    ),
}
