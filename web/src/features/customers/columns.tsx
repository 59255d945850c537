import { t } from '@lingui/core/macro'
import type { CustomerSummary } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { agreementNames, customerRoleName, warrantyName, warrantyPeriodName } from '~/lib/words'
import { text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { fieldColumn, nameColumn } from '~/records/extraColumns'
import { Badge } from '~/ui/Badge'
import { NONE } from '~/ui/Card'
import { kind } from './kind'

export const columns: Column<CustomerSummary>[] = [
  nameColumn(kind, 'name', t`Name`),
  {
    id: 'email',
    header: t`Email`,
    cell: ({ email }) => text(email),
    reach: ({ email }) => email && mailUrl(email),
  },
  { id: 'address', header: t`Address`, isOnlyWide: true, cell: ({ address }) => text(address) },
  {
    id: 'telephone',
    header: t`Telephone`,
    width: 176,
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
    width: 120,
    cell: ({ agreementType }) =>
      agreementType ? <Badge kind="quiet">{agreementNames[agreementType]}</Badge> : NONE,
  },
  {
    id: 'role',
    header: t`Role`,
    isExtra: true,
    cell: ({ role }) => text(customerRoleName(role)),
  },
  {
    id: 'warranty',
    header: t`Warranty`,
    isExtra: true,
    cell: ({ warranty }) => text(warrantyName(warranty)),
  },
  {
    id: 'warrantyPeriod',
    header: t`Warranty period`,
    isExtra: true,
    cell: ({ warrantyPeriod }) => text(warrantyPeriodName(warrantyPeriod)),
  },
]
