import { t } from '@lingui/core/macro'
import type { LucideIcon } from 'lucide-react'
import type { TrashEntry } from '~/core'
import { iconOf } from '~/ui/icons'

type Kind = { icon: LucideIcon; one: string; many: string }

/** The kinds of deleted records by resource. In their order, several are restored: an invoice is linked to its customer. */
const kinds: Record<string, Kind> = {
  contacts: { icon: iconOf('contact'), one: t`Contact`, many: t`Contacts` },
  customers: { icon: iconOf('users'), one: t`Customer`, many: t`Customers` },
  invoices: { icon: iconOf('receipt'), one: t`Invoice`, many: t`Invoices` },
  vehicles: { icon: iconOf('car'), one: t`Vehicle`, many: t`Vehicles` },
  agreements: { icon: iconOf('handshake'), one: t`Agreement`, many: t`Agreements` },
}

export const RESOURCES = Object.keys(kinds)

/** Returns the kind of a resource's records. A newer server may have others. */
export const kindOf = (resource: string): Kind =>
  kinds[resource] ?? { icon: iconOf(''), one: t`Record`, many: t`Records` }

/** Returns the text by which users know a record. */
export const nameOf = ({ resource, label }: TrashEntry) => label || kindOf(resource).one
