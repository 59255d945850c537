import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { agreementNames, customerTypeNames, warrantyNames } from '~/lib/words'
import { customers, listRequests, openCustomers } from '~/test/customers'
import { textsOf } from '~/test/open'

const button = page.getByRole('button', { name: /^Filter/ })
const panel = page.getByRole('dialog', { name: 'Filter Customers' })
const type = panel.getByRole('combobox', { name: 'Type' })
const [from, to] = [panel.getByLabelText('From'), panel.getByLabelText('To', { exact: true })]
const apply = panel.getByRole('button', { name: 'Apply Filter' })
const value = page.getByRole('combobox', { name: 'Value' })
const otherValue = page.getByRole('textbox', { name: 'Other value', exact: true })
const chips = () => textsOf(page.getByRole('list', { name: 'Active filters' }).getByRole('link'))
const lastQuery = () => Object.fromEntries(listRequests().at(-1)?.query ?? [])
const addressWith = (filter: unknown) =>
  `/dashboard/customers?${new URLSearchParams({ filter: JSON.stringify(filter) })}`

/** Gives the warranty Dealer a name that differs from the stored text, as in Swedish. */
function nameDealer() {
  warrantyNames.Dealer = 'By us'
  onTestFinished(() => {
    warrantyNames.Dealer = 'Dealer'
  })
}

test('the panel offers every type and filters from page 1', async () => {
  const { address } = openCustomers(customers(31), { address: '/dashboard/customers?page=2&search=maja' })
  await button.click()
  await type.click()
  const options = page.getByRole('option')
  await expect
    .poll(() => textsOf(options))
    .toEqual(['All types', 'Private person', 'Business', 'Company', 'Agency', 'Client'])
  await page.getByRole('option', { name: 'Private person' }).click()
  await from.fill('2026-01-01')
  await to.fill('2026-03-31')
  await apply.click()
  await expect.element(panel).not.toBeInTheDocument()
  await expect
    .poll(address)
    .toBe('/dashboard/customers?search=maja&type=Private&from=2026-01-01&to=2026-03-31')
  expect(lastQuery()).toEqual({
    page: '1',
    limit: '15',
    searchTerm: 'maja',
    typeAdv: 'Private',
    fromDate: '2026-01-01',
    toDate: '2026-03-31',
  })
  await expect.element(button).toHaveFocus()
})

test('a value that two fields share has the name that belongs to its field', async () => {
  // In English, the customer type and the agreement type Agency have the same name; in Swedish they differ.
  customerTypeNames.Agency = 'Broker'
  agreementNames.Agency = 'Brokerage'
  onTestFinished(() => {
    customerTypeNames.Agency = agreementNames.Agency = 'Agency'
  })
  const filter = ['type', 'agreementType'].map(field => ({ field, op: 'is', value: 'Agency' }))
  openCustomers(customers(1), { address: addressWith(filter) })
  await expect.element(page.getByRole('button', { name: 'Type is Broker', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Agreement is Brokerage', exact: true }).click()
  await page.getByRole('combobox', { name: 'Value' }).click()
  await expect.poll(() => textsOf(page.getByRole('option'))).toEqual(['Sales', 'Purchase', 'Brokerage'])
})

test('the filter of a text offers its usual values by their names, besides any other text', async () => {
  nameDealer()
  openCustomers(customers(1))
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: 'Warranty', exact: true }).click()
  await expect.element(page.getByRole('combobox', { name: 'Condition' })).toHaveTextContent('is any of')
  const dealer = page.getByRole('checkbox', { name: 'By us' })
  const others = page.getByRole('textbox', { name: 'Other values' })
  await dealer.click()
  await others.fill('Drivetrain')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(() => JSON.parse(lastQuery().filter ?? '[]'))
    .toEqual([{ field: 'warranty', op: 'in', value: ['Dealer', 'Drivetrain'] }])
  await page.getByRole('button', { name: 'Warranty is any of By us, Drivetrain' }).click()
  await expect.element(dealer).toBeChecked()
  await expect.element(others).toHaveValue('Drivetrain')
})

test('the value of a filter of a text is chosen by its name, also if it is another text at first', async () => {
  nameDealer()
  const conditions = [
    ['is_not', 'Drivetrain'],
    ['contains', 'Dealer'],
  ]
  const filter = conditions.map(([op, value]) => ({ field: 'warranty', op, value }))
  openCustomers(customers(1), { address: addressWith(filter) })
  await expect.element(page.getByRole('button', { name: 'Warranty contains Dealer' })).toBeVisible()
  await page.getByRole('button', { name: 'Warranty is not Drivetrain' }).click()
  await expect.element(otherValue).toHaveValue('Drivetrain')
  await expect.element(otherValue).not.toHaveFocus()
  await expect.element(value).toHaveTextContent('Other…')
  await value.click()
  await expect
    .poll(() => textsOf(page.getByRole('option')))
    .toEqual(['By us', 'Manufacturer', 'Insured', 'Other…'])
  await page.getByRole('option', { name: 'By us' }).click()
  await expect.element(otherValue).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByRole('button', { name: 'Warranty is not By us' })).toBeVisible()
})

test('another value of a text filter is typed by keyboard, and has its error at its input', async () => {
  openCustomers(customers(1), { address: addressWith([{ field: 'warranty', op: 'is', value: 'Dealer' }]) })
  await page.getByRole('button', { name: 'Warranty is Dealer' }).click()
  await value.click()
  await expect.element(page.getByRole('option', { name: 'Dealer' })).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  await expect.element(page.getByRole('option', { name: 'Other…' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => page.getByRole('option').elements()).toHaveLength(0)
  await expect.element(otherValue).toHaveFocus()
  await expect.element(otherValue).toHaveValue('')
  await userEvent.keyboard('{Enter}')
  await expect.element(otherValue).toHaveAccessibleDescription('Enter a value.')
  await expect.element(value).not.toHaveAttribute('aria-invalid', 'true')
  await userEvent.keyboard('Drivetrain{Enter}')
  await expect.element(page.getByRole('button', { name: 'Warranty is Drivetrain' })).toBeVisible()
  expect(JSON.parse(lastQuery().filter ?? '[]')).toEqual([
    { field: 'warranty', op: 'is', value: 'Drivetrain' },
  ])
})

test('at phone width, another value of a text filter fits into the panel', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  openCustomers(customers(1), {
    address: addressWith([{ field: 'warranty', op: 'is', value: 'Drivetrain' }]),
  })
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  await page.getByRole('button', { name: 'Change the filter Warranty' }).click()
  await otherValue.fill('Gearbox')
  expect(otherValue.element().getBoundingClientRect().right).toBeLessThan(360)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByText('Warranty is Gearbox')).toBeVisible()
})

test('each active filter is a chip that removes it', async () => {
  const { address, go } = openCustomers(customers(1), {
    address: '/dashboard/customers?type=Client&from=2026-01-01&to=2026-03-31',
  })
  const rest = ', remove this filter'
  await expect
    .poll(chips)
    .toEqual([`Type: Client${rest}`, `From: Jan 1, 2026${rest}`, `To: Mar 31, 2026${rest}`])
  await expect.element(button).toHaveTextContent('3 active')
  await page.getByRole('link', { name: 'From: Jan 1, 2026' }).click()
  await expect.poll(address).toBe('/dashboard/customers?type=Client&to=2026-03-31')
  await expect.poll(chips).toHaveLength(2)
  await expect.element(button).toHaveFocus()
  await go(-1)
  await expect.poll(chips).toHaveLength(3)
})

test('Reset empties the panel and removes the filter', async () => {
  const { address } = openCustomers(customers(1), {
    address: '/dashboard/customers?search=maja&type=Client&from=2026-01-01&to=2026-03-31',
  })
  await button.click()
  await expect.element(type).toHaveTextContent('Client')
  await expect.element(from).toHaveValue('2026-01-01')
  await panel.getByRole('button', { name: 'Reset' }).click()
  await expect.element(type).toHaveTextContent('All types')
  await expect.element(from).toHaveValue('')
  await expect.element(to).toHaveValue('')
  await expect.poll(address).toBe('/dashboard/customers?search=maja')
  await expect.poll(lastQuery).toEqual({ page: '1', limit: '15', searchTerm: 'maja' })
  expect(page.getByRole('list', { name: 'Active filters' }).elements()).toHaveLength(0)
})

test('dates in the wrong order are reported and send no request', async () => {
  const { address } = openCustomers(customers(1))
  await button.click()
  await from.fill('2026-03-02')
  await to.fill('2026-03-01')
  await apply.click()
  await expect.element(panel.getByText('The From date must not be after the To date.')).toBeVisible()
  await expect.element(to).toHaveFocus()
  await expect.poll(address).toBe('/dashboard/customers')
  expect(lastQuery()).not.toHaveProperty('fromDate')
  await from.fill('2026-03-01')
  await expect
    .element(panel.getByText('The From date must not be after the To date.'))
    .not.toBeInTheDocument()
})

test('an incomplete date is reported, and Reset empties it', async () => {
  openCustomers(customers(1))
  await button.click()
  await from.click()
  await userEvent.keyboard('12{Enter}')
  await expect.element(panel.getByText('Enter a date, such as 2026-01-31.')).toBeVisible()
  await expect.element(panel).toBeVisible()
  await panel.getByRole('button', { name: 'Reset' }).click()
  await expect.element(panel.getByText('Enter a date, such as 2026-01-31.')).not.toBeInTheDocument()
  expect((from.element() as HTMLInputElement).validity.badInput).toBe(false)
})

test('invalid filters in the URL are ignored', async () => {
  openCustomers(customers(1), { address: '/dashboard/customers?type=Dog&from=yesterday&to=2026-03-01' })
  await expect.poll(chips).toEqual(['To: Mar 1, 2026, remove this filter'])
  expect(lastQuery()).toEqual({ page: '1', limit: '15', toDate: '2026-03-01' })
})

test('a search keeps the filter, and paging keeps both', async () => {
  const { address } = openCustomers(customers(31), { address: '/dashboard/customers?type=Private' })
  await page.getByRole('searchbox').fill('maja')
  await expect.poll(address).toBe('/dashboard/customers?search=maja&type=Private')
  const third = page.getByRole('link', { name: 'Page 3' })
  // Waits until the list has rendered, because the URL changes earlier.
  await expect.element(third).toHaveAttribute('href', expect.stringContaining('search=maja'))
  await third.click()
  await expect.poll(address).toBe('/dashboard/customers?page=3&search=maja&type=Private')
})

test('Escape closes the panel and discards its changes', async () => {
  const { address } = openCustomers(customers(1))
  await button.click()
  await from.fill('2026-03-02')
  await userEvent.keyboard('{Escape}')
  await expect.element(panel).not.toBeInTheDocument()
  await expect.poll(address).toBe('/dashboard/customers')
  await button.click()
  await expect.element(from).toHaveValue('')
})

test('on a phone, the panel opens from the only filter button', async () => {
  await page.viewport(360, 740)
  const { address } = openCustomers(customers(3), { address: '/dashboard/customers?type=Private' })
  await expect.element(button).toHaveTextContent('1 active')
  await button.click()
  await page.getByRole('button', { name: 'Type and date…' }).click()
  await from.fill('2026-01-01')
  await apply.click()
  await expect.poll(address).toBe('/dashboard/customers?type=Private&from=2026-01-01')
  await expect.element(button).toHaveTextContent('2 active')
  await page.viewport(1280, 800)
})

test('a bulk edit can empty an optional field but not a required one', async () => {
  openCustomers(customers(3))
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit customers' })
  const choose = async (field: string) => {
    await dialog.getByRole('combobox', { name: 'Field' }).click()
    await page.getByRole('option', { name: field, exact: true }).click()
    await expect.poll(() => page.getByRole('option').elements()).toHaveLength(0)
  }
  const choices = async (field: string) => {
    await choose(field)
    await dialog.getByRole('combobox', { name: 'New value' }).click()
    const texts = textsOf(page.getByRole('option'))
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => page.getByRole('option').elements()).toHaveLength(0)
    return texts
  }
  expect(await choices('Status')).toEqual(['Active', 'Inactive'])
  expect((await choices('Agreement'))[0]).toBe('No value')
  const help = dialog.getByText('An empty value removes the present one.')
  await choose('Location')
  await expect.element(help).toBeVisible()
  await choose('Address')
  await expect.poll(() => help.elements()).toHaveLength(0)
})
