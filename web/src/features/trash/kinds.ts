import { t } from '@lingui/core/macro'
import type { LucideIcon } from 'lucide-react'
import type { TrashEntry } from '~/core'
import { iconOf } from '~/ui/icons'

type Kind = { icon: LucideIcon; one: string; many: string }

/**
 * The kinds of deleted records by resource. Records are restored in this order: customers before the invoices linked to
 * them.
 */
const kinds: Record<string, Kind> = {
  contacts: { icon: iconOf('contact'), one: t`Contact`, many: t`Contacts` },
  customers: { icon: iconOf('users'), one: t`Customer`, many: t`Customers` },
  invoices: { icon: iconOf('receipt'), one: t`Invoice`, many: t`Invoices` },
  vehicles: { icon: iconOf('car'), one: t`Vehicle`, many: t`Vehicles` },
  agreements: { icon: iconOf('handshake'), one: t`Agreement`, many: t`Agreements` },
}

export const RESOURCES = Object.keys(kinds)

/** Returns the icon and nouns for a resource's records; general ones for a resource that only a newer server knows. */
export const kindOf = (resource: string): Kind =>
  kinds[resource] ?? { icon: iconOf(''), one: t`Record`, many: t`Records` }

/** Returns the name of a deleted record; if it has none, the noun for it, such as "Contact". */
export const nameOf = ({ resource, label }: TrashEntry) => label || kindOf(resource).one
