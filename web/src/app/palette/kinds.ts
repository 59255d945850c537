import { t } from '@lingui/core/macro'
import { core, type PermissionResource, type ResourceId } from '~/core'
import { customerAddress } from '~/features/customers/expandedRow'
import { calendarDay, price } from '~/features/invoices/format'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'

/** A record and its link. */
export type Found = { id: string; title: string; note: string; to: string; state?: unknown }
type Answer = { found: Found[]; total: number }

/** Results per kind. The list page shows all of them. */
const MAX_RESULTS = 5

type Kind = {
  title: string
  /** The list page of these records. */
  route: string
  icon: string
  /** Searches on the server, like the list page. */
  find: (text: string, signal: AbortSignal) => Promise<Answer>
}

const page = (search: string) => ({ page: 1, limit: MAX_RESULTS, search })

/** The searchable kinds of records, by resource. */
export const kinds = {
  customers: {
    title: t`Customers`,
    route: paths.customers,
    icon: 'users',
    find: async (text, signal) => {
      const { data, totalItems } = await core.listCustomers(
        { page: 1, limit: MAX_RESULTS, searchTerm: text },
        signal,
      )
      const found = data.map(customer => ({
        id: customer.customer_id,
        title: customer.name,
        note: customer.email,
        ...customerAddress(customer),
      }))
      return { found, total: totalItems }
    },
  },
  contacts: {
    title: t`Contacts`,
    route: paths.contacts,
    icon: 'contact',
    find: async (text, signal) => {
      const { data, pagination } = await core.listContacts(page(text), signal)
      const found = data.map(({ _id: id, name, email, phone }) => ({
        id,
        title: name,
        note: email || phone,
        to: paths.contact(id),
      }))
      return { found, total: pagination.totalContacts }
    },
  },
  invoices: {
    title: t`Invoices`,
    route: paths.invoices,
    icon: 'receipt',
    find: async (text, signal) => {
      const { data, totalItems } = await core.listInvoices(page(text), signal)
      const found = data.map(({ _id: id, customer, startDate, projectPrice }) => ({
        id,
        title: customer,
        note: `${price(projectPrice)} · ${calendarDay(startDate)}`,
        to: paths.invoice(id),
      }))
      return { found, total: totalItems }
    },
  },
  users: {
    title: t`Users`,
    route: paths.users,
    icon: 'user-cog',
    find: async (text, signal) => {
      const { data, totalItems } = await core.listUsers(page(text), signal)
      const found = data.map(({ user_id: id, first_name, last_name, email }) => ({
        id,
        title: `${first_name} ${last_name}`,
        note: email,
        to: listAddress(paths.users, { page: 1, search: email }),
      }))
      return { found, total: totalItems }
    },
  },
  corporations: {
    title: t`Corporations`,
    route: paths.corporations,
    icon: 'building',
    find: async (text, signal) => {
      const { data, totalItems } = await core.listCorporations(page(text), signal)
      const found = data.map(({ corp_id: id, corp_name, organization_number }) => ({
        id,
        title: corp_name,
        note: organization_number,
        to: paths.corporationUsers(id),
      }))
      return { found, total: totalItems }
    },
  },
} satisfies Partial<Record<ResourceId, Kind>>

export type KindName = keyof typeof kinds

/** Returns whether the user can open the page, by the same rule as the router. */
export const canOpen = (resources: PermissionResource[], route: string) =>
  !core.upgradeFor(resources, route) && !core.closedTo(resources, route)

/** Returns the kinds that the user can read. */
export const readableKinds = (resources: PermissionResource[]) =>
  (Object.keys(kinds) as KindName[]).filter(
    name => core.may(resources, name, 'read') && canOpen(resources, kinds[name].route),
  )
