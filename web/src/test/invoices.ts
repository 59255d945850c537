import type { Invoice, InvoiceInput, Permissions } from '~/core'
import { type ApiRequest, network } from './network'
import { moduleResource, open, servePermissions, signInUser } from './open'
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
export function pageOf(all: Invoice[], { query }: ApiRequest) {
  const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
  const from = (page - 1) * limit
  return { headers: { 'X-Total-Count': String(all.length) }, body: all.slice(from, from + limit) }
}

/** Signs in a user with these permissions on invoices. */
export function signInForInvoices(may: Permissions = allPermissions) {
  signInUser()
  servePermissions({ ...moduleResource('invoices', 'Invoices', may), icon: 'receipt' })
}

/** Makes the fake server respond with these invoices. It remembers changes that requests make. */
export function serveInvoices(all: Invoice[]) {
  const server = { invoices: all }
  network.on('GET /api/invoices', call => {
    const search = call.query.get('search')?.toLowerCase() ?? ''
    return pageOf(
      server.invoices.filter(({ customer }) => customer.toLowerCase().includes(search)),
      call,
    )
  })
  for (const { _id } of all) {
    const address = `/api/invoices/${_id}`
    const present = () => server.invoices.find(one => one._id === _id)
    network.on(`GET ${address}`, () => ({ body: { success: true, message: '', data: present() } }))
    network.on(`PUT ${address}`, ({ body }) => {
      server.invoices = server.invoices.map(one =>
        one._id === _id ? { ...one, ...(body as Partial<Invoice>), version: one.version + 1 } : one,
      )
      return { body: { success: true, message: '', data: present() } }
    })
    network.on(`DELETE ${address}`, () => {
      server.invoices = server.invoices.filter(one => one._id !== _id)
      return { body: { success: true, message: '' } }
    })
  }
  network.on('POST /api/invoices', ({ body }) => {
    const made = invoice(server.invoices.length + 1, body as InvoiceInput as Partial<Invoice>)
    server.invoices = [made, ...server.invoices]
    return { status: 201, body: { success: true, message: '', data: made } }
  })
  return server
}

/** Opens the list of invoices, with these invoices on the fake server. */
export function openInvoices(all: Invoice[], address = '/dashboard/invoices', may?: Permissions) {
  signInForInvoices(may)
  const server = serveInvoices(all)
  return { server, ...open(address) }
}

/** Returns the bodies of the requests so far that created or updated invoices. */
export const savedBodies = (method: 'POST' | 'PUT', path = '/api/invoices') =>
  network.requests(path).flatMap(call => (call.method === method ? [call.body as InvoiceInput] : []))
