import { t } from '@lingui/core/macro'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { type CustomerSummary, core } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { agreementNames, customerTypeNames, shownText } from '~/lib/words'
import { Button } from '~/ui/Button'
import { NONE } from '~/ui/Card'
import { figureFacts } from './figureFacts'
import { kind } from './kind'
import { SocialSecurityNumber } from './SocialSecurityNumber'
import { StatusBadge } from './StatusBadge'

type Props = { customer: CustomerSummary; mayEdit: boolean; onEdit: () => void }

/** The details of a customer, which an expanded row of the list shows. */
export function CustomerFacts({ customer, mayEdit, onEdit }: Props) {
  const { email, telephone, status } = customer
  const number: [string, ReactNode] = core.isCompany(customer.type)
    ? [t`Organization Number`, shownText(customer.organizationNumber)]
    : [t`Social Security Number`, <SocialSecurityNumber key="number" customer={customer} />]
  const facts: [name: string, value: ReactNode][] = [
    [t`Name`, kind.nameOf(customer)],
    [t`Customer Number`, customer.customerNumber],
    [t`Customer Type`, customerTypeNames[customer.type]],
    [t`Email`, email && <Way href={mailUrl(email)}>{email}</Way>],
    [t`Telephone`, telephone && <Way href={telUrl(telephone)}>{telephone}</Way>],
    [t`Address`, shownText(customer.address)],
    number,
    [t`Postal Code`, customer.postalCode],
    [t`Location`, customer.location],
    ...figureFacts(customer),
    [t`Agreement`, customer.agreementType && agreementNames[customer.agreementType]],
    [t`Status`, <StatusBadge key="status" status={status} />],
  ]
  return (
    <div className="border-t border-line bg-subtle/60 p-4 md:px-10 md:py-5">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 sm:grid-cols-2 sm:gap-x-8 sm:gap-y-4 lg:grid-cols-3">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0 max-sm:contents">
            <dt className="max-w-32 text-muted sm:max-w-none sm:text-xs">{name}</dt>
            <dd className="min-w-0 tabular-nums sm:mt-0.5 whitespace-pre-line [overflow-wrap:anywhere]">
              {value || NONE}
            </dd>
          </div>
        ))}
      </dl>
      {mayEdit && (
        <Button className="mt-5 max-sm:w-full" onClick={onEdit}>
          <Pencil aria-hidden className="size-4" />
          {t`Edit Customer`}
        </Button>
      )}
    </div>
  )
}

function Way({ href, children }: { href: string | undefined; children: string }) {
  if (!href) return shownText(children)
  return (
    <a href={href} className="rounded text-accent-text hover:underline">
      {children}
    </a>
  )
}
