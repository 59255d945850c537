import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { PermissionResource, Permissions, Photo, Vehicle, VehicleInput } from '~/core'
import { type ApiRequest, network } from './network'
import { moduleResource, open, servePermissions, signInUser } from './open'
import { savedBodiesOf, serveRecords } from './records'
import { allPermissions } from './rights'

export const vehicle = (number: number, more: Partial<Vehicle> = {}): Vehicle => ({
  vehicle_id: `v-${number}`,
  stock_number: `S-${1000 + number}`,
  name: `Volvo V60, AB12 CD${'ABCDEFGH'[number]}`,
  vin: '',
  registration_number: `AB12CD${'ABCDEFGH'[number]}`,
  registration_country: 'GB',
  make: 'Volvo',
  model: 'V60',
  variant: '',
  body: '',
  colour: 'Blue',
  mileage: 23400,
  mileage_unit: 'mi',
  mileage_remark: '',
  status: 'In stock',
  ownership: 'Own',
  vat_scheme: 'Margin',
  asking_price: 18995,
  location: '',
  notes: '',
  photos: [],
  photo_count: 0,
  created_at: '2026-01-02T08:00:00Z',
  updated_at: '2026-01-02T08:00:00Z',
  version: 4,
  ...more,
})

/** Returns the resource of vehicles with these permissions on vehicles and on their costs. */
export function vehiclesResource(may: Permissions, costs: Permissions): PermissionResource {
  const part = (name: string, permissions: Permissions) =>
    moduleResource(`vehicles.${name}`, name, permissions)
  return {
    ...moduleResource('vehicles', 'Vehicles', may),
    icon: 'car',
    has_subresources: true,
    subresources: [
      { ...part('list', may), route: '/dashboard/vehicles' },
      { ...part('costs', costs), route: '' },
    ],
  }
}

/** Opens the list of vehicles, with these vehicles on the fake server. `costs` are the permissions on their costs. */
export function openVehicles(
  all: Vehicle[],
  address = '/dashboard/vehicles',
  may: Permissions = allPermissions,
  costs: Permissions = allPermissions,
) {
  signInUser()
  servePermissions(vehiclesResource(may, costs))
  serveRecords('/api/vehicles', all, {
    idOf: ({ vehicle_id }) => vehicle_id,
    create: form => vehicle(1, form),
    // Not the costs, whose amounts are texts in the form.
    update: (one, form) => ({ ...one, ...form, costs: one.costs }),
  })
  return open(address)
}

/** Returns the bodies of the requests so far that created or updated vehicles. */
export const savedBodies = savedBodiesOf<VehicleInput>('/api/vehicles')

/** Expects that a request leaves the costs of a vehicle as they are. */
export function expectNoCosts(body: VehicleInput | undefined) {
  for (const name of ['purchase_price', 'minimum_price', 'costs']) expect(body).not.toHaveProperty(name)
}

/** The data URL of a picture of one pixel. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

export const photo = (number: number): Photo => ({
  photo_id: `p-${number}`,
  url: PIXEL,
  thumbnail: PIXEL,
  width: 40,
  height: 30,
})

/** Chooses these files as if the user had picked them after a click on "Add photos". */
export async function choosePhotos(...files: File[]) {
  const button = page.getByRole('button', { name: 'Add photos' })
  await expect.element(button).toBeVisible()
  const input = button.element().parentElement?.querySelector('input[multiple]')
  if (!input) throw new Error('no file input')
  await userEvent.upload(input, files)
}

/**
 * Makes the fake server accept and remember changes of a vehicle's photos. Returns the path of the photos in the API.
 */
export function servePhotos(shown: Vehicle) {
  const path = `/api/vehicles/${shown.vehicle_id}/photos`
  let { photos } = shown
  const answer = (changed: Photo[], status = 200) => {
    photos = changed
    return {
      status,
      body: { success: true, message: '', data: { ...shown, photos, photo_count: photos.length } },
    }
  }
  const ordered = ({ body }: ApiRequest) =>
    (body as { order: string[] }).order.flatMap(id => photos.filter(({ photo_id }) => photo_id === id))
  network.on(`GET /api/vehicles/${shown.vehicle_id}`, () => answer(photos))
  network.on(`POST ${path}`, () => answer([...photos, photo(photos.length + 1)], 201))
  network.on(`PUT ${path}`, call => answer(ordered(call)))
  for (const { photo_id } of photos) {
    const rest = () => photos.filter(each => each.photo_id !== photo_id)
    network.on(`DELETE ${path}/${photo_id}`, () => answer(rest()))
  }
  return path
}
