import { t } from '@lingui/core/macro'
import type { Invoice } from '~/core'
import { paths } from '~/lib/paths'
import { DASH } from '~/records/cells'
import type { Column } from '~/records/columns'
import { fieldColumn } from '~/records/extraColumns'
import { RecordLink } from '~/records/RecordLink'

const text = (value: string | undefined) => (value ? <span title={value}>{value}</span> : DASH)

export const columns: Column<Invoice>[] = [
  {
    id: 'customer',
    header: t`Customer`,
    cell: ({ _id, customer }) => (
      <RecordLink
        to={paths.invoice(_id)}
        title={customer}
        className="block truncate rounded font-medium hover:underline"
      >
        {customer}
      </RecordLink>
    ),
  },
  { id: 'website', header: t`Website`, whenNarrow: 'notOnPhone', cell: ({ website }) => text(website) },
  { id: 'email', header: t`Email`, whenNarrow: 'notOnPhone', cell: ({ email }) => text(email) },
  {
    id: 'customerRequirements',
    header: t`Requirements`,
    whenNarrow: 'notOnPhone',
    cell: ({ customerRequirements }) => text(customerRequirements),
  },
  fieldColumn('startDate', t`Start Date`, 'date'),
  fieldColumn('endDate', t`End Date`, 'date'),
  { ...fieldColumn<Invoice>('projectPrice', t`Project Price`, 'money'), whenNarrow: 'end' },
]
