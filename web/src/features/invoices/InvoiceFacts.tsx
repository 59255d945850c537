import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Invoice } from '~/core'
import { calendarDay, price } from '~/lib/format'
import { mailUrl } from '~/lib/links'
import { reachLink, websiteLink } from '~/records/ReachLinks'
import { Facts } from '~/ui/Card'

/** The values of an invoice. An empty value is shown as a dash. */
export function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { customer, website, email, customerRequirements, startDate, endDate, projectPrice } = invoice
  const facts: [string, ReactNode][] = [
    [t`Customer`, customer],
    [t`Website`, websiteLink(website)],
    [t`Email`, reachLink(mailUrl(email), email)],
    [t`Requirements`, customerRequirements],
    [t`Start Date`, calendarDay(startDate)],
    [t`End Date`, calendarDay(endDate)],
    [
      t`Project Price`,
      <span key="price" className="font-medium tabular-nums">
        {price(projectPrice)}
      </span>,
    ],
  ]
  return <Facts facts={facts.map(([name, value]) => [name, value || '-'])} />
}
