import { t } from '@lingui/core/macro'
import type { Invoice } from '~/core'
import { calendarDay, price } from '~/lib/format'
import { paths } from '~/lib/paths'
import { RecordLink } from '~/records/RecordLink'
import type { Column } from '~/records/RecordTable'

const text = (value: string | undefined) =>
  value ? <span title={value}>{value}</span> : <span className="text-muted">-</span>

const day = (date: string) => (
  <time dateTime={date} className="tabular-nums">
    {calendarDay(date)}
  </time>
)

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
  { id: 'website', header: t`Website`, cell: ({ website }) => text(website) },
  { id: 'email', header: t`Email`, cell: ({ email }) => text(email) },
  {
    id: 'customerRequirements',
    header: t`Requirements`,
    cell: ({ customerRequirements }) => text(customerRequirements),
  },
  { id: 'startDate', header: t`Start Date`, className: 'w-34', cell: ({ startDate }) => day(startDate) },
  { id: 'endDate', header: t`End Date`, className: 'w-34', cell: ({ endDate }) => day(endDate) },
  {
    id: 'projectPrice',
    header: t`Project Price`,
    className: 'w-36 text-right',
    cell: ({ projectPrice }) => (
      <span title={price(projectPrice)} className="block truncate tabular-nums lg:text-right">
        {price(projectPrice)}
      </span>
    ),
  },
]
