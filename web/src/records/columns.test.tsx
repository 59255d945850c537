import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { agreement, openAgreements } from '~/test/agreements'
import { serveContactCount } from '~/test/contacts'
import { customer, openCustomers } from '~/test/customers'
import { invoice, openInvoices } from '~/test/invoices'
import { closeAll, open, signInUser, textsOf } from '~/test/open'
import { openVehicles, vehicle } from '~/test/vehicles'

/** Returns the texts of the column headers, without the empty header of the checkboxes. */
const headers = () => textsOf(page.getByRole('columnheader')).filter(text => text !== '')
const openMenu = () => page.getByRole('button', { name: 'Columns' }).click()
const menu = page.getByRole('dialog', { name: 'Columns' })
const widthOf = (name: string) =>
  page.getByRole('columnheader', { name }).element().getBoundingClientRect().width

beforeEach(() => {
  signInUser()
  serveContactCount(3)
})

test('columns can be shown and hidden, also after a reload on this device', async () => {
  open('/dashboard/contacts')
  await expect.poll(headers).toEqual(['Name', 'Email', 'Phone', 'Actions'])
  await openMenu()
  await menu.getByRole('checkbox', { name: 'Created' }).click()
  await menu.getByRole('checkbox', { name: 'Email' }).click()
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Created', 'Actions'])
  await expect.element(page.getByRole('row', { name: /Person 1 .*2026/ })).toBeVisible()
  await expect.element(menu.getByRole('checkbox', { name: 'Name' })).toBeDisabled()
  // Simulate a reload.
  closeAll()
  open('/dashboard/contacts')
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Created', 'Actions'])
})

test('the arrow keys on a handle move a column and change its width', async () => {
  open('/dashboard/contacts')
  await openMenu()
  const handle = menu.getByRole('button', { name: 'Move Phone' })
  handle.element().focus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.poll(headers).toEqual(['Name', 'Phone', 'Email', 'Actions'])
  await expect.element(handle).toHaveFocus()
  await expect.element(menu.getByRole('status')).toHaveTextContent('Phone is column 2 of 9')
  const before = [widthOf('Phone'), widthOf('Email')]
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.poll(() => Math.round(widthOf('Phone') - (before[0] ?? 0))).toBe(32)
  expect(Math.abs(widthOf('Email') - (before[1] ?? 0))).toBeLessThan(2)
  await menu.getByRole('button', { name: 'Reset columns' }).click()
  await expect.poll(headers).toEqual(['Name', 'Email', 'Phone', 'Actions'])
})

test('with a larger text the columns are wider in proportion', async () => {
  onTestFinished(() => {
    document.documentElement.style.fontSize = ''
  })
  openInvoices([invoice(1)])
  await expect.element(page.getByRole('columnheader', { name: 'Start Date' })).toBeVisible()
  const before = widthOf('Start Date')
  document.documentElement.style.fontSize = '20px'
  expect(widthOf('Start Date')).toBeCloseTo(1.25 * before, 0)
})

test('rows can be compact', async () => {
  open('/dashboard/contacts')
  await openMenu()
  const row = page.getByRole('row', { name: /Person 1 person1/ })
  const height = () => row.element().getBoundingClientRect().height
  await expect.element(row).toBeVisible()
  expect(height()).toBeGreaterThan(43)
  await menu.getByRole('button', { name: 'Compact' }).click()
  await expect.poll(height).toBeLessThan(38)
  await expect.element(menu.getByRole('button', { name: 'Compact' })).toHaveAttribute('aria-pressed', 'true')
})

test('the menu of the columns does not scroll sideways', async () => {
  open('/dashboard/contacts')
  await openMenu()
  await expect.element(menu).toBeVisible()
  expect(menu.element().scrollWidth).toBe(menu.element().clientWidth)
})

test('if the menu of the columns has too little space, only its list scrolls', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(1280, 640)
  openCustomers([customer(1)])
  await openMenu()
  await expect.element(menu).toBeVisible()
  const hiddenHeight = ({ scrollHeight, clientHeight }: Element) => scrollHeight - clientHeight
  await expect.poll(() => hiddenHeight(menu.element())).toBe(0)
  expect(hiddenHeight(menu.getByRole('list').element())).toBeGreaterThan(0)
  // They are before the list, so that the Tab key reaches them first.
  expect(textsOf(menu.getByRole('button')).slice(0, 3)).toEqual(['Comfortable', 'Compact', 'Reset columns'])
})

test.each([
  {
    list: 'invoices',
    openList: () => openInvoices([invoice(1)]),
    shown: ['Customer', 'Requirements', 'Start Date', 'End Date', 'Project Price'],
  },
  {
    list: 'agreements',
    openList: () => openAgreements([agreement(1)]),
    shown: ['Number', 'Customer', 'Vehicles', 'State', 'To pay', 'Agreed on'],
  },
  {
    list: 'vehicles',
    openList: () => openVehicles([vehicle(1)]),
    shown: ['Vehicle', 'Stock number', 'Days in stock', 'Asking price', 'Status'],
  },
  {
    list: 'customers',
    openList: () => openCustomers([customer(1)]),
    shown: ['Name', 'Email', 'Telephone', 'Latest purchases', 'Agreement'],
  },
])(
  'at 1024 px the list of $list shows its most important columns without scrolling',
  async ({ openList, shown }) => {
    onTestFinished(() => page.viewport(1280, 800))
    onTestFinished(() => document.body.removeAttribute('style'))
    await page.viewport(1024, 768)
    // Leaves the space of a scroll bar, which the browser of the tests doesn't show.
    document.body.style.width = `${1024 - 15}px`
    openList()
    await expect.poll(headers).toEqual([...shown, 'Actions'])
    const scroller = page.getByRole('table').element().parentElement as Element
    expect(scroller.scrollWidth).toBe(scroller.clientWidth)
    for (const button of page.getByRole('row').last().getByRole('button').elements()) {
      const cell = button.closest('td, th') as Element
      expect(cell.scrollWidth).toBe(cell.clientWidth)
    }
  },
)

test('a column that a small window has no space for can be shown there', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(1024, 768)
  openInvoices([invoice(1)])
  await expect.poll(headers).not.toContain('Website')
  await openMenu()
  await menu.getByRole('checkbox', { name: 'Website' }).click()
  await expect.poll(headers).toContain('Website')
  await menu.getByRole('button', { name: 'Reset columns' }).click()
  await page.viewport(1280, 800)
  await expect.poll(headers).toContain('Website')
})

test('with more columns than fit, the names of vehicles keep their minimum width', async () => {
  openVehicles([vehicle(1)])
  await openMenu()
  for (const name of ['Make', 'Model', 'Variant', 'Body', 'Colour'])
    await menu.getByRole('checkbox', { name, exact: true }).click()
  await expect.poll(headers).toContain('Colour')
  expect(widthOf('Vehicle')).toBeGreaterThan(179)
})

test('a change in a narrow window does not hide the columns that do not fit there in a wide one', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(1024, 768)
  openInvoices([invoice(1)])
  await openMenu()
  await menu.getByRole('checkbox', { name: 'Start Date' }).click()
  await expect.poll(headers).toEqual(['Customer', 'Requirements', 'End Date', 'Project Price', 'Actions'])
  await page.viewport(1280, 800)
  await expect
    .poll(headers)
    .toEqual(['Customer', 'Website', 'Email', 'Requirements', 'End Date', 'Project Price', 'Actions'])
})

test('at phone width a column that is hidden by default shows its header before the value', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  openCustomers([customer(1, { numberOfOrders: 3, totalSpent: 442500.5 })])
  await openMenu()
  for (const name of ['Orders', 'Total spent', 'Created'])
    await menu.getByRole('checkbox', { name, exact: true }).click()
  await page.viewport(360, 740)
  const row = page.getByRole('list', { name: 'Customers' }).getByRole('listitem')
  await expect.element(row).toHaveTextContent(/Orders: 3 ·Total spent: £442,500\.50 ·Created: Jan 5, 2026/)
  const widthOfText = (text: string | RegExp) => row.getByText(text).element().getBoundingClientRect().width
  // A header for screen readers alone is 1 px wide.
  for (const text of [/Orders:/, /Total spent:/, /Created:/]) expect(widthOfText(text)).toBeGreaterThan(40)
  expect(widthOfText(/Agreement:/)).toBeLessThan(2)
})
