import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { core, type Invoice } from '~/core'
import { calendarDay, price } from '~/lib/format'
import { Facts } from '~/ui/Card'

const linkClass = 'rounded font-medium text-accent-text hover:underline'

/** The values of an invoice. An empty value is shown as a dash. */
export function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const { customer, website, email, customerRequirements, startDate, endDate, projectPrice } = invoice
  const link = core.websiteLink(website)
  // A website that was stored before its rule existed may be no valid URL, and is shown as text.
  const shownWebsite = link ? (
    <a href={link} target="_blank" rel="noreferrer" className={linkClass}>
      {website}
    </a>
  ) : (
    website
  )
  const facts: [string, ReactNode][] = [
    [t`Customer`, customer],
    [t`Website`, shownWebsite],
    [
      t`Email`,
      email && (
        <a href={`mailto:${email}`} className={linkClass}>
          {email}
        </a>
      ),
    ],
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
