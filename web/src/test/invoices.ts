import type { Invoice, InvoiceInput, Permissions } from '~/core'
import type { ApiRequest } from './network'
import { moduleResource, open, servePermissions, signInUser } from './open'
import { paginate, savedBodiesOf, serveRecords } from './records'
import { allPermissions } from './rights'

export const invoice = (number: number, more: Partial<Invoice> = {}): Invoice => ({
  _id: `i-${number}`,
  customer: `Bil ${number} AB`,
  website: `bil${number}.example`,
  email: `info@bil${number}.example`,
  customerRequirements: 'Two estate cars, diesel',
  startDate: '2026-01-31',
  endDate: '2026-03-01',
  projectPrice: 1250,
  createdAt: '2026-01-02T08:00:00Z',
  updatedAt: '2026-01-02T08:00:00Z',
  version: 4,
  ...more,
})

export const invoices = (count: number) => Array.from({ length: count }, (_, i) => invoice(i + 1))

/** Returns the response to a request for a page of these invoices: an array, with the total in a header. */
export const pageOf = (all: Invoice[], call: ApiRequest) => ({
  headers: { 'X-Total-Count': String(all.length) },
  body: paginate(all, call).data,
})

/** Signs in a user with these permissions on invoices. */
export function signInForInvoices(may: Permissions = allPermissions) {
  signInUser()
  servePermissions({ ...moduleResource('invoices', 'Invoices', may), icon: 'receipt' })
}

/** Makes the fake server respond with these invoices. It remembers changes that requests make. */
export const serveInvoices = (all: Invoice[]) =>
  serveRecords('/api/invoices', all, {
    idOf: ({ _id }) => _id,
    create: form => invoice(all.length + 1, form),
    pageOf(invoices, call) {
      const search = call.query.get('search')?.toLowerCase() ?? ''
      return pageOf(
        invoices.filter(({ customer }) => customer.toLowerCase().includes(search)),
        call,
      )
    },
  })

/** Opens the list of invoices, with these invoices on the fake server. */
export function openInvoices(all: Invoice[], address = '/dashboard/invoices', may?: Permissions) {
  signInForInvoices(may)
  const server = serveInvoices(all)
  return { server, ...open(address) }
}

/** Returns the bodies of the requests so far that created or updated invoices. */
export const savedBodies = savedBodiesOf<InvoiceInput>('/api/invoices')
