import type { Customer, CustomerInput, CustomerStats, CustomerSummary, Permissions } from '~/core'
import { type ApiRequest, network } from './network'
import { moduleResource, open, servePermissions, signInUser } from './open'
import { paginate, savedBodiesOf, serveRecords } from './records'
import { allPermissions } from './rights'

/** Returns the customer "Maja Holm `number`" of type Private, with values in all fields and the changes `more`. */
export const customer = (number: number, more: Partial<Customer> = {}): Customer => ({
  customer_id: `c-${number}`,
  customerNumber: `C-${1000 + number}`,
  name: `Maja Holm ${number}`,
  email: `maja${number}@mail.example`,
  telephone: `+46 70 123 45 ${String(number).padStart(2, '0')}`,
  address: `Storgatan ${number}`,
  postalCode: '211 34',
  location: 'Malmö',
  type: 'Private',
  status: 'Active',
  socialSecurityNumber: '19850312-4471',
  organizationNumber: '',
  latestPurchase: '2026-02-19',
  agreementType: 'Sales',
  role: 'buyer',
  companyName: '',
  numberOfOrders: 0,
  totalSpent: 0,
  warranty: '',
  warrantyPeriod: '',
  createdAt: '2026-01-05T08:00:00Z',
  updatedAt: '2026-01-05T08:00:00Z',
  version: 4,
  hasFigures: false,
  ...more,
})

export const company = (number: number, more: Partial<Customer> = {}): Customer =>
  customer(number, {
    name: `Bil ${number} AB`,
    type: 'Company',
    socialSecurityNumber: '',
    organizationNumber: '559360-9844',
    ...more,
  })

export const customers = (count: number) => Array.from({ length: count }, (_, i) => customer(i + 1))

const stats: CustomerStats = { purchaseAgreements: 1207, salesAgreements: 34, otherAgreements: 5 }

/** Returns a customer as lists contain it, without the social security number. */
export const summaryOf = ({ socialSecurityNumber, ...summary }: Customer): CustomerSummary => summary

/** Returns the response to a request for a page of these customers. */
export const pageOf = (all: Customer[], call: ApiRequest) => ({
  body: { success: true, ...paginate(all.map(summaryOf), call), stats },
})

/**
 * Opens the list of customers, or the page at `address`. The fake server responds with `server.records`, which a test
 * can replace (`serveRecords`).
 */
export function openCustomers(
  all: Customer[],
  { address = '/dashboard/customers', may = allPermissions }: { address?: string; may?: Permissions } = {},
) {
  signInUser()
  servePermissions(moduleResource('customers', 'Customers', may))
  const server = serveRecords('/api/customers', all, { idOf: ({ customer_id }) => customer_id, pageOf })
  return { server, ...open(address) }
}

/** Returns the requests for the list of customers so far. */
export const listRequests = () => network.requests('/api/customers').filter(call => call.method === 'GET')

/** Returns the bodies of the requests so far that created or updated customers. */
export const savedBodies = savedBodiesOf<CustomerInput>('/api/customers')
