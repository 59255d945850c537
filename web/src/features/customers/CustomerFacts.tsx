import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Customer, core } from '~/core'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { NONE } from '~/ui/Card'
import { typeName } from './customerType'

type Props = { customer: Customer; mayEdit: boolean; onEdit: () => void }

/** Everything that an opened row shows of a customer. */
export function CustomerFacts({ customer, mayEdit, onEdit }: Props) {
  const { email, telephone, status } = customer
  const number: [string, string] = core.isCompany(customer.type)
    ? ['Organization Number', customer.organizationNumber]
    : ['Social Security Number', customer.socialSecurityNumber]
  const state = <Badge kind={status === 'Active' ? 'success' : 'quiet'}>{status}</Badge>
  const facts: [name: string, value: ReactNode][] = [
    ['Name', customer.name],
    ['Customer Number', customer.customer_id],
    ['Customer Type', typeName(customer.type)],
    ['Email', email && <Way href={`mailto:${email}`}>{email}</Way>],
    ['Telephone', telephone && <Way href={`tel:${telephone.replace(/[^+\d]/g, '')}`}>{telephone}</Way>],
    ['Address', customer.address],
    number,
    ['Postal Code', customer.postalCode],
    ['Location', customer.location],
    ['Latest Purchases', customer.latestPurchase],
    ['Agreement', customer.agreementType],
    ['Status', state],
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
          Edit Customer
        </Button>
      )}
    </div>
  )
}

function Way({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} className="rounded text-accent-text hover:underline">
      {children}
    </a>
  )
}
