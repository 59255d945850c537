import { t } from '@lingui/core/macro'
import { Mail, Phone } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { type Agreement, type Contact, core } from '~/core'
import { mailUrl, telUrl } from '~/lib/links'
import { paths } from '~/lib/paths'
import { useRequest } from '~/lib/request'
import { useCanRead, useSession } from '~/lib/session'
import { customerTypeNames, shownText, unlessErased } from '~/lib/words'
import { CardFailed, TextLoading } from '~/records/CardState'
import { useCustomer } from '~/records/CustomerLink'
import { Avatar } from '~/ui/Avatar'
import { Badge } from '~/ui/Badge'
import { buttonClass } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { partyNames } from './words'

/** Who an agreement is between. */
export function PartiesCard({ agreement }: { agreement: Agreement }) {
  const { type, customer_id, customer_name, contact_id } = agreement
  const { corp } = useSession().profile
  const names = partyNames[type]
  const mayReadCustomers = useCanRead('customers', paths.customers)
  const mayReadContacts = useCanRead('contacts', paths.contacts)
  return (
    <Card title={t`Parties`}>
      <div className="grid gap-4 divide-y divide-line *:min-w-0 *:not-last:pb-4">
        {customer_id && mayReadCustomers ? (
          <CustomerParty key={customer_id} id={customer_id} part={names.customer} name={customer_name} />
        ) : customer_name ? (
          <Party name={customer_name} part={names.customer} />
        ) : (
          <p className="text-muted">{t`No customer yet. Edit the agreement to choose one.`}</p>
        )}
        {contact_id && mayReadContacts && <ContactParty key={contact_id} id={contact_id} />}
        {corp.corp_name && <Party name={corp.corp_name} part={names.corporation} />}
      </div>
    </Card>
  )
}

type PartyProps = {
  /** Empty while it is loading. */
  name: string
  part: string
  /** The path of the record. */
  to?: string
  note?: ReactNode
  telephone?: string
  email?: string
  /** The party's record is loading: the buttons have a placeholder, so that the page doesn't move later. */
  isLoading?: boolean
}

function Party({ part, to, note, telephone, email, isLoading, ...party }: PartyProps) {
  const name = shownText(party.name)
  const call = telephone && telUrl(telephone)
  return (
    <div role={isLoading ? 'status' : undefined} className="flex flex-wrap items-start gap-3">
      <Avatar name={name} />
      {/* If the text is large, it takes the whole width, below the avatar. */}
      <div className="min-w-0 flex-1 basis-36">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {to ? (
            <Link
              to={to}
              className="text-target rounded font-medium text-accent-text [overflow-wrap:anywhere] hover:underline"
            >
              {name}
            </Link>
          ) : (
            <span className="font-medium [overflow-wrap:anywhere]">
              {name || <TextLoading width="w-36" />}
            </span>
          )}
          <Badge kind="quiet">{part}</Badge>
        </p>
        {note && <p className="mt-0.5 text-xs text-muted tabular-nums">{note}</p>}
        {/* The buttons below are not printed. */}
        <p className="mt-0.5 hidden text-xs tabular-nums print:block">
          {[telephone, email].filter(Boolean).join(' · ')}
        </p>
        {(telephone || email) && (
          <p className="mt-2 flex flex-wrap gap-2 print:hidden">
            {call ? (
              <a href={call} title={telephone} className={buttonClass('secondary', 'max-w-full narrow:px-2')}>
                <Phone aria-hidden className="size-4 shrink-0" />
                <span className="md:truncate max-md:[overflow-wrap:anywhere]">{telephone}</span>
              </a>
            ) : (
              telephone
            )}
            {email && (
              <a href={mailUrl(email)} title={email} className={buttonClass()}>
                <Mail aria-hidden className="size-4" />
                <span className="max-sm:sr-only">{t({ message: 'Email', context: 'verb' })}</span>
                <span className="sr-only"> {name}</span>
              </a>
            )}
          </p>
        )}
        {isLoading && (
          <>
            <span className="sr-only">{t`Loading`}</span>
            <span aria-hidden className="mt-2 flex flex-wrap gap-2">
              <span className="skeleton h-10 w-44 max-md:h-touch touch:h-touch" />
              <span className="skeleton h-10 w-24 max-md:h-touch max-sm:w-12 touch:h-touch" />
            </span>
          </>
        )}
      </div>
    </div>
  )
}

type CustomerProps = { id: string; part: string; name: string }

function CustomerParty({ id, part, name }: CustomerProps) {
  const { outcome, retry } = useCustomer(id)
  if (!outcome) return <Party name={name} part={part} note={<TextLoading width="w-28" />} isLoading />
  if (!outcome.ok) {
    return <CardFailed error={outcome.error} failed={t`Failed to load customer details`} onRetry={retry} />
  }
  const customer = outcome.value
  if (!customer) return <Party name={name} part={part} note={t`This customer has been deleted.`} />
  const { customerNumber, type } = customer
  return (
    <Party
      // A binding agreement keeps the name of an erased customer.
      name={unlessErased(customer.name) ?? name}
      part={part}
      to={paths.customer(id)}
      note={`${customerNumber} · ${customerTypeNames[type]}`}
      telephone={unlessErased(customer.telephone)}
      email={unlessErased(customer.email)}
    />
  )
}

function ContactParty({ id }: { id: string }) {
  const request = useMemo(
    () => (signal: AbortSignal) => core.getRecord('contacts', id, signal) as Promise<Contact>,
    [id],
  )
  const { outcome } = useRequest(request)
  if (!outcome) return <Party name="" part={t`Contact`} isLoading />
  // The contact may have been deleted; the agreement remains valid.
  if (!outcome.ok)
    return <p className="text-muted">{t`The contact couldn't be loaded. It may be deleted.`}</p>
  const { name, phone, email } = outcome.value
  return <Party name={name} part={t`Contact`} to={paths.contact(id)} telephone={phone} email={email} />
}
