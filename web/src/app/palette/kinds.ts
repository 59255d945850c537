import { t } from '@lingui/core/macro'
import { core, type PermissionResource, type ResourceId } from '~/core'
import { calendarDay, price } from '~/lib/format'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { canRead } from '~/lib/resources'

/** A record that a search has found. */
export type Hit = { id: string; title: string; note: string; to: string; state?: unknown }
type Results = { found: Hit[]; total: number }

/** Results per kind. The list page shows all of them. */
const MAX_RESULTS = 5

type Kind = {
  title: string
  route: string
  icon: string
  /** Searches on the server, like the list page. */
  find: (text: string, signal: AbortSignal) => Promise<Results>
}

const page = (search: string) => ({ page: 1, limit: MAX_RESULTS, search })

const toResults = <T>(list: { data: T[]; totalItems: number }, toFound: (record: T) => Hit): Results => ({
  found: list.data.map(toFound),
  total: list.totalItems,
})

/** The searchable kinds of records, by resource. */
export const kinds = {
  customers: {
    title: t`Customers`,
    route: paths.customers,
    icon: 'users',
    find: async (text, signal) => {
      const query = { page: 1, limit: MAX_RESULTS, searchTerm: text }
      return toResults(await core.listCustomers(query, signal), customer => ({
        id: customer.customer_id,
        title: customer.name,
        note: `${customer.customerNumber} · ${customer.email}`,
        to: paths.customer(customer.customer_id),
      }))
    },
  },
  contacts: {
    title: t`Contacts`,
    route: paths.contacts,
    icon: 'contact',
    find: async (text, signal) => {
      const { data, pagination } = await core.listContacts(page(text), signal)
      const list = { data, totalItems: pagination.totalContacts }
      return toResults(list, ({ _id: id, name, email, phone }) => ({
        id,
        title: name,
        note: email || phone,
        to: paths.contact(id),
      }))
    },
  },
  invoices: {
    title: t`Invoices`,
    route: paths.invoices,
    icon: 'receipt',
    find: async (text, signal) =>
      toResults(
        await core.listInvoices(page(text), signal),
        ({ _id, customer, startDate, projectPrice }) => ({
          id: _id,
          title: customer,
          note: `${price(projectPrice)} · ${calendarDay(startDate)}`,
          to: paths.invoice(_id),
        }),
      ),
  },
  users: {
    title: t`Users`,
    route: paths.users,
    icon: 'user-cog',
    find: async (text, signal) =>
      toResults(await core.listUsers(page(text), signal), ({ user_id, first_name, last_name, email }) => ({
        id: user_id,
        title: `${first_name} ${last_name}`,
        note: email,
        to: listAddress(paths.users, { page: 1, search: email }),
      })),
  },
  corporations: {
    title: t`Corporations`,
    route: paths.corporations,
    icon: 'building',
    find: async (text, signal) =>
      toResults(await core.listCorporations(page(text), signal), corporation => ({
        id: corporation.corp_id,
        title: corporation.corp_name,
        note: corporation.organization_number,
        to: paths.corporationUsers(corporation.corp_id),
      })),
  },
} satisfies Partial<Record<ResourceId, Kind>>

export type KindName = keyof typeof kinds

export const readableKinds = (resources: PermissionResource[]) =>
  (Object.keys(kinds) as KindName[]).filter(name => canRead(resources, name, kinds[name].route))
