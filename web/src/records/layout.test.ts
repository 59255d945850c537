import { expect, test } from 'vitest'
import { columnsOf, DEFAULT_LAYOUT, fixWidths, placeColumns, unknownColumns } from './layout'

const columns = [{ id: 'name' }, { id: 'email' }, { id: 'phone' }, { id: 'createdAt', isExtra: true }]

const shown = (layout: Parameters<typeof placeColumns>[1]) =>
  placeColumns(columns, layout).flatMap(({ column, isVisible }) => (isVisible ? [column.id] : []))
const named = (...fields: { field: string; hidden?: boolean; width?: number }[]) => ({
  ...DEFAULT_LAYOUT,
  columns: fields,
})

test('without a layout, the default columns are shown in their order', () => {
  expect(shown(DEFAULT_LAYOUT)).toEqual(['name', 'email', 'phone'])
})

test('a layout orders and hides columns, but the first column stays first and visible', () => {
  expect(shown(named({ field: 'createdAt' }, { field: 'name', hidden: true }))).toEqual([
    'name',
    'createdAt',
    'email',
    'phone',
  ])
  expect(shown(named({ field: 'phone' }, { field: 'email', hidden: true }))).toEqual(['name', 'phone'])
})

test('a layout column that the list does not have is left out and reported as unknown', () => {
  const layout = named({ field: 'fax' }, { field: 'phone' })
  expect(shown(layout)).toEqual(['name', 'phone', 'email'])
  expect(unknownColumns(columns, layout)).toEqual(['fax'])
})

const mixed = named(
  { field: 'name', width: 200 },
  { field: 'phone', hidden: true },
  { field: 'email' },
  { field: 'createdAt', hidden: true },
)

test("placeColumns followed by columnsOf returns the layout's columns", () => {
  expect(columnsOf(placeColumns(columns, mixed))).toEqual(mixed.columns)
})

test('fixWidths gives a visible column without a width its measured width, in whole pixels', () => {
  const widths = new Map([
    ['name', 7],
    ['email', 120.4],
  ])
  expect(columnsOf(fixWidths(placeColumns(columns, mixed), widths))).toEqual([
    { field: 'name', width: 200 },
    { field: 'phone', hidden: true },
    { field: 'email', width: 120 },
    { field: 'createdAt', hidden: true },
  ])
})
