import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { agreement, openAgreements } from '~/test/agreements'
import { customer, openCustomers } from '~/test/customers'
import { invoice, openInvoices } from '~/test/invoices'

/** Returns the tooltip at a point of the page: the text that the browser shows there. */
const tooltipAt = (x: number, y: number) =>
  document.elementFromPoint(x, y)?.closest('[title]')?.getAttribute('title') ?? undefined

/** Returns the tooltip in the middle of the beginning of a text. */
function tooltipOf(text: string) {
  const { left, top, height } = page.getByText(text, { exact: true }).element().getBoundingClientRect()
  return tooltipAt(left + 5, top + height / 2)
}

const wish = 'Two estate cars, diesel, with a tow bar, in blue or black, before the end of the summer'

test('the tooltip of a text that is cut is the text, and a click on it opens the record', async () => {
  const app = openInvoices([invoice(1, { customerRequirements: wish })])
  const text = page.getByText(wish, { exact: true })
  await expect.element(text).toBeVisible()
  const cell = text.element().closest('td') as Element
  expect(cell.scrollWidth, 'the text is cut').toBeGreaterThan(cell.clientWidth)
  expect(tooltipOf(wish)).toBe(wish)
  expect(tooltipOf('Bil 1 AB')).toBe('Bil 1 AB')
  const { right, top } = cell.getBoundingClientRect()
  expect(tooltipAt(right - 2, top + 2), 'beside the texts').toBeUndefined()
  await text.click({ position: { x: 5, y: 5 } })
  await expect.poll(app.address).toBe('/dashboard/invoices/i-1')
})

test('in a wide window, the plate of a vehicle with a long name is not cut', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(1600, 900)
  openAgreements([agreement(1, { vehicles: 'Mercedes-Benz E-Class, AB12 CDE' })])
  const text = page.getByText(/^Mercedes-Benz E-Class/)
  await expect.element(text).toBeVisible()
  const cell = text.element().closest('td') as Element
  expect(cell.scrollWidth).toBeLessThanOrEqual(cell.clientWidth)
})

test('the name of a record is the header of its row', async () => {
  openInvoices([invoice(1)])
  await expect.element(page.getByRole('rowheader', { name: 'Bil 1 AB', exact: true })).toBeVisible()
  expect(page.getByRole('rowheader').elements()).toHaveLength(1)
})

test('selecting a part of a text does not open the record', async () => {
  const app = openInvoices([invoice(1, { customerRequirements: wish })])
  const text = page.getByText(wish, { exact: true })
  await userEvent.dragAndDrop(text, text, {
    sourcePosition: { x: 2, y: 8 },
    targetPosition: { x: 80, y: 8 },
  })
  expect(getSelection()?.toString()).toContain('estate')
  expect(app.address()).toBe('/dashboard/invoices')
})

test('a line separates Delete from the other actions in the menu of a row', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  openInvoices([invoice(1)])
  await page.getByRole('button', { name: 'Actions for Bil 1 AB', exact: true }).click()
  const remove = page.getByRole('menuitem', { name: /^Delete/ })
  await expect.element(remove).toBeVisible()
  expect(remove.element().previousElementSibling).toBe(page.getByRole('separator').element())
})

test('space separates Delete from the other actions on selected records', async () => {
  openInvoices([invoice(1)])
  await page.getByRole('checkbox', { name: 'Select Bil 1 AB', exact: true }).click()
  const button = (name: string) =>
    page.getByRole('region', { name: 'Selection' }).getByRole('button', { name })
  await expect.element(button('Delete…')).toBeVisible()
  const placeOf = (name: string) => button(name).element().getBoundingClientRect()
  expect(placeOf('Delete…').left - placeOf('Edit…').right).toBeGreaterThanOrEqual(16)
})

test('a click on a text expands the row of a customer', async () => {
  openCustomers([customer(1)])
  const email = page.getByText('maja1@mail.example', { exact: true })
  await email.click()
  await expect.element(page.getByRole('button', { expanded: true, name: 'Maja Holm 1' })).toBeVisible()
})

test("a row's button has another name than the link to the customer's page", async () => {
  openCustomers([customer(1)])
  const row = page.getByRole('row', { name: /Maja Holm 1/ })
  await expect.element(row.getByRole('link', { name: 'Maja Holm 1', exact: true })).toBeVisible()
  await expect.element(row.getByRole('button', { name: 'Details of Maja Holm 1', exact: true })).toBeVisible()
})

test.each([
  [1, 'Showing 1 to 1 of 1 invoice'],
  [2, 'Showing 1 to 2 of 2 invoices'],
])('the footer of a list with %i rows has the noun in the right number', async (rows, text) => {
  openInvoices(Array.from({ length: rows }, (_, index) => invoice(index + 1)))
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
})
