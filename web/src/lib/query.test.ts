import { expect, test } from 'vitest'
import { addressAfter, type ListQuery, listAddress, type QueryChange, readQuery } from './query'

const LIST = '/dashboard/contacts'
const read = (search: string) => readQuery(new URLSearchParams(search))

test('an empty query is the first page without a search', () => {
  expect(read('')).toEqual({ page: 1, search: '', sort: '', filter: '', view: '' })
  expect(listAddress(LIST, { page: 1, search: '' })).toBe(LIST)
})

test.each(['page=0', 'page=-1', 'page=x', 'page=1.5', 'page=1e99', 'page='])('%s is page 1', search => {
  expect(read(search).page).toBe(1)
})

test("reading a list's URL is the inverse of writing it", () => {
  const filter = JSON.stringify([{ field: 'name', op: 'is', value: '100 % &+' }])
  const query = { page: 7, search: 'Åsa & Öberg + 100 %', sort: '-createdAt,name', filter, view: 'v1' }
  expect(readQuery(new URL(listAddress(LIST, query), 'http://localhost').searchParams)).toEqual(query)
})

test('a change that leaves nothing of the query leads to the tab All', () => {
  const list = { route: LIST, address: (query: ListQuery) => listAddress(LIST, query) }
  const after = (search: string, change: QueryChange) => addressAfter(list, read(search), change)
  expect(after('search=ada', { search: '' })).toBe(`${LIST}?view=all`)
  expect(after('search=ada&page=2', { sort: 'name' })).toBe(`${LIST}?search=ada&sort=name`)
  expect(after('search=ada&view=v1', { search: '' })).toBe(`${LIST}?view=v1`)
  expect(after('', { search: '' })).toBe(LIST)
})
