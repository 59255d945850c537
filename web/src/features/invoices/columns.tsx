import { t } from '@lingui/core/macro'
import type { Invoice } from '~/core'
import { DASH, text as textOrNone } from '~/records/cells'
import type { Column } from '~/records/columns'
import { fieldColumn, nameColumn } from '~/records/extraColumns'
import { kind } from './kind'

const text = (value: string | undefined) => (value ? textOrNone(value) : DASH)

export const columns: Column<Invoice>[] = [
  nameColumn(kind, 'customer', t`Customer`),
  {
    id: 'website',
    header: t`Website`,
    isOnlyWide: true,
    whenNarrow: 'never',
    cell: ({ website }) => text(website),
  },
  {
    id: 'email',
    header: t`Email`,
    isOnlyWide: true,
    whenNarrow: 'never',
    cell: ({ email }) => text(email),
  },
  {
    id: 'customerRequirements',
    header: t`Requirements`,
    whenNarrow: 'notOnPhone',
    cell: ({ customerRequirements }) => text(customerRequirements),
  },
  { ...fieldColumn('startDate', t`Start Date`, 'date'), width: 128 },
  { ...fieldColumn('endDate', t`End Date`, 'date'), width: 128 },
  { ...fieldColumn<Invoice>('projectPrice', t`Project Price`, 'money'), whenNarrow: 'end' },
]
