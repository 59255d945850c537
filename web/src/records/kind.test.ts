import { expect, test } from 'vitest'
import type { Vehicle } from '~/core'
import { recordKind } from './kind'

const vehicles = [{ vehicle_id: 'v/1', name: 'Volvo' } as Vehicle]

const kind = recordKind({
  resource: 'vehicles',
  icon: 'car',
  words: { one: 'vehicle', many: 'vehicles', definite: 'vehicle' },
  create: { title: 'New vehicle', also: '' },
  idOf: vehicle => vehicle.vehicle_id,
  nameOf: vehicle => vehicle.name,
  noteOf: vehicle => `Note on ${vehicle.name}`,
  parameters: ['layout'],
  list: async () => ({ data: vehicles, totalItems: 7, totalPages: 2 }),
})

const search = () => kind.find('volvo', new AbortController().signal)

test('the title and the paths follow from the noun and the resource', () => {
  expect([kind.title, kind.route, kind.pathOf('v/1')]).toEqual([
    'Vehicles',
    '/dashboard/vehicles',
    '/dashboard/vehicles/v%2F1',
  ])
})

test('the URL of a query has the parameters that only this list has', () => {
  const query = kind.read(new URLSearchParams('page=2&layout= board '))
  expect(query).toMatchObject({ page: 2, layout: 'board' })
  expect(kind.address(query)).toBe('/dashboard/vehicles?page=2&layout=board')
  expect(kind.address({ ...query, page: 1, layout: '' })).toBe('/dashboard/vehicles')
})

test('a search result shows the name and the note of a record, and opens its page', async () => {
  const hit = { id: 'v/1', title: 'Volvo', note: 'Note on Volvo', to: '/dashboard/vehicles/v%2F1' }
  expect(await search()).toEqual({ found: [hit], total: 7 })
})
