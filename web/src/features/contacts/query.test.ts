import { expect, test } from 'vitest'
import { listAddress, readQuery } from './query'

const read = (search: string) => readQuery(new URLSearchParams(search))

test('an address that says nothing is the first page of everything', () => {
  expect(read('')).toEqual({ page: 1, search: '' })
  expect(listAddress({ page: 1, search: '' })).toBe('/dashboard/contacts')
})

test.each(['page=0', 'page=-1', 'page=x', 'page=1.5', 'page=1e99', 'page='])(
  '%s is the first page',
  search => {
    expect(read(search).page).toBe(1)
  },
)

test('what is written into an address is read out of it again', () => {
  const query = { page: 7, search: 'Åsa & Öberg + 100 %' }
  expect(readQuery(new URL(listAddress(query), 'http://localhost').searchParams)).toEqual(query)
})
