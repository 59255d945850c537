import { t } from '@lingui/core/macro'
import type { CustomerSummary } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { paths } from '~/lib/paths'
import { agreementNames } from '~/lib/words'
import { text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { fieldColumn } from '~/records/extraColumns'
import { RecordLink } from '~/records/RecordLink'
import { Badge } from '~/ui/Badge'
import { NONE } from '~/ui/Card'

export const columns: Column<CustomerSummary>[] = [
  {
    id: 'name',
    header: t`Name`,
    className: 'xl:w-[19%]',
    cell: ({ customer_id, name }) => (
      <RecordLink
        to={paths.customer(customer_id)}
        title={name}
        className="block truncate rounded font-medium hover:underline"
      >
        {name}
      </RecordLink>
    ),
  },
  {
    id: 'email',
    header: t`Email`,
    className: 'xl:w-[20%]',
    cell: ({ email }) => text(email),
    reach: ({ email }) => email && mailUrl(email),
  },
  { id: 'address', header: t`Address`, cell: ({ address }) => text(address) },
  {
    id: 'telephone',
    header: t`Telephone`,
    className: 'w-40',
    cell: ({ telephone }) => text(telephone, 'tabular-nums'),
    reach: ({ telephone }) => telephone && telUrl(telephone),
  },
  {
    ...fieldColumn<CustomerSummary>('latestPurchase', t`Latest purchases`, 'date'),
    whenNarrow: 'notOnPhone',
  },
  {
    id: 'agreementType',
    header: t`Agreement`,
    className: 'w-30',
    cell: ({ agreementType }) =>
      agreementType ? <Badge kind="quiet">{agreementNames[agreementType]}</Badge> : NONE,
  },
]
