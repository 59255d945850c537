import type {
  Agreement,
  AgreementInput,
  Contact,
  Leg,
  PermissionResource,
  Permissions,
  Vehicle,
} from '~/core'
import { customer, pageOf as pageOfCustomers } from './customers'
import { type ApiRequest, network } from './network'
import { contactsResource, moduleResource, open, servePermissions, signInUser } from './open'
import { listOf, savedBodiesOf, serveRecords } from './records'
import { allPermissions, noPermissions } from './rights'
import { vehicle as anyVehicle, vehiclesResource as resourceOfVehicles } from './vehicles'

/** Returns an id; the form checks its shape. */
export const idOf = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Returns a vehicle that an agreement can refer to. */
export const vehicle = (number: number, more: Partial<Vehicle> = {}) =>
  anyVehicle(number, { vehicle_id: idOf(number), ...more })

export const leg = (number: number, more: Partial<Leg> = {}): Leg => ({
  vehicle_id: idOf(number),
  direction: 'Out',
  price: 18995,
  vat_scheme: 'Margin',
  name: vehicle(number).name,
  ...more,
})

/** Returns a draft that sells the first vehicle to a customer. */
export const agreement = (number: number, more: Partial<Agreement> = {}): Agreement => ({
  agreement_id: idOf(number),
  number: `SA-${1000 + number}`,
  type: 'Sales',
  state: 'Draft',
  customer_id: idOf(71),
  customer_name: 'Maja Holm 71',
  vehicles: 'Volvo V60, AB12 CDB',
  legs: [leg(1)],
  out_total: 18995,
  in_total: 0,
  to_pay: 18995,
  warranty: { kind: 'None' },
  notes: '',
  created_at: '2026-01-02T08:00:00Z',
  updated_at: '2026-01-02T08:00:00Z',
  version: 4,
  ...more,
})

type Settings = {
  vehicles?: Vehicle[]
  /** Contacts that the user may see; by default the user may see none. */
  contacts?: Contact[]
  address?: string
  may?: Permissions
  costs?: Permissions
  customers?: Permissions
  /** The resource of vehicles; by default the user may do everything with them. */
  vehiclesResource?: PermissionResource
}

/** Returns the resource of vehicles for a user without access. `allowed`: the corporation has the module. */
export const noVehicles = (allowed: boolean): PermissionResource => ({
  ...moduleResource('vehicles', 'Vehicles', noPermissions),
  allowed,
})

/** Returns whether a vehicle meets the conditions of a request's filter. */
const matchesFilter = (vehicle: Vehicle, { query }: ApiRequest) => {
  const conditions: { field: keyof Vehicle; op: string; value: unknown }[] = JSON.parse(
    query.get('filter') ?? '[]',
  )
  return conditions.every(({ field, op, value }) => {
    const isOneOf = [value].flat().includes(vehicle[field])
    return op === 'is_not' ? !isOneOf : isOneOf
  })
}

/** Opens the list of these agreements, or another page. By default the user may see customers and vehicles. */
export function openAgreements(
  all: Agreement[],
  {
    vehicles = [vehicle(1), vehicle(2)],
    contacts = [],
    address = '/dashboard/agreements',
    may = allPermissions,
    costs = allPermissions,
    customers = allPermissions,
    vehiclesResource = resourceOfVehicles(allPermissions, costs),
  }: Settings = {},
) {
  signInUser()
  servePermissions(
    moduleResource('customers', 'Customers', customers),
    vehiclesResource,
    moduleResource('agreements', 'Agreements', may),
    ...(contacts.length > 0 ? [contactsResource(allPermissions)] : []),
  )
  const server = { vehicles }
  serveRecords('/api/agreements', all, {
    idOf: ({ agreement_id }) => agreement_id,
    create: () => agreement(9),
    update: (one, { notes = '' }) => ({ ...one, notes }),
    pageOf(agreements, { query }) {
      const id = query.get('vehicle_id')
      const matches = ({ legs, state }: Agreement) =>
        !id || (state === 'Signed' && legs.some(({ vehicle_id }) => vehicle_id === id))
      const { body } = listOf(agreements.filter(matches))
      return { body: { ...body, data: body.data.slice(0, Number(query.get('limit') ?? 15)) } }
    },
  })
  network.on('GET /api/vehicles', call =>
    listOf(server.vehicles.filter(vehicle => matchesFilter(vehicle, call))),
  )
  for (const each of contacts)
    network.on(`GET /api/contacts/${each._id}`, () => ({ body: { success: true, data: each } }))
  network.on('GET /api/customers', call => pageOfCustomers([customer(71, { customer_id: idOf(71) })], call))
  for (const each of all) {
    network.on(`POST /api/agreements/${each.agreement_id}/state`, ({ body }) => ({
      body: {
        success: true,
        message: 'Agreement changed',
        data: { ...each, ...(body as Partial<Agreement>), version: each.version + 1 },
      },
    }))
  }
  return { server, ...open(address) }
}

/** Opens the page of an agreement. */
export const openAgreement = (one: Agreement, settings: Settings = {}) =>
  openAgreements([one], { address: `/dashboard/agreements/${one.agreement_id}`, ...settings })

/** Returns the bodies of the requests that take a step. */
export const stepsOf = (one: Agreement) =>
  network.requests(`/api/agreements/${one.agreement_id}/state`).map(({ body }) => body)

/** Returns the bodies of create and update requests. */
export const savedBodies = savedBodiesOf<AgreementInput>('/api/agreements')
