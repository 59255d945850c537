import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { agreement, openAgreements } from '~/test/agreements'
import { pageOf, serveContactCount } from '~/test/contacts'
import { invoice, openInvoices } from '~/test/invoices'
import { errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'

const filterOf = (address: string) =>
  JSON.parse(new URL(address, location.href).searchParams.get('filter') ?? '[]')
const addressWith = (filter: unknown, list = 'contacts') =>
  `/dashboard/${list}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`
const apply = () => page.getByRole('button', { name: 'Apply' }).click()

test('F opens the list of fields; a chosen field and its value become a chip', async () => {
  signInUser()
  serveContactCount(30)
  const app = open('/dashboard/contacts?page=2')
  await expect.element(page.getByRole('button', { name: 'Add filter' })).toBeVisible()
  await userEvent.keyboard('f')
  await expect.element(page.getByRole('textbox', { name: 'Find a field' })).toHaveFocus()
  await userEvent.keyboard('ema{Enter}')
  await expect.element(page.getByRole('combobox', { name: 'Condition' })).toHaveTextContent('contains')
  await expect.element(page.getByRole('textbox', { name: 'Value' })).toHaveFocus()
  await userEvent.keyboard('Nordbil{Enter}')
  await expect
    .poll(() => filterOf(app.address()))
    .toEqual([{ field: 'email', op: 'contains', value: 'Nordbil' }])
  expect(app.address()).not.toContain('page=2')
  await expect.element(page.getByRole('button', { name: 'Email contains Nordbil' })).toBeVisible()
  expect(network.requests('/api/contacts').at(-1)?.query.get('filter')).toContain('Nordbil')
})

test.each([
  ['From', 'gte', 'is at least'],
  ['To', 'lte', 'is at most'],
])('a range with only "%s" becomes a condition with one bound', async (end, op, words) => {
  openInvoices([invoice(1)])
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: 'Project price', exact: true }).click()
  await page.getByRole('textbox', { name: end }).fill('2000')
  await apply()
  await expect.element(page.getByRole('button', { name: `Project price ${words} £2,000` })).toBeVisible()
  const sent = network.requests('/api/invoices').at(-1)?.query.get('filter') ?? ''
  expect(JSON.parse(sent)).toEqual([{ field: 'projectPrice', op, value: 2000 }])
})

test('an invalid filter value shows its error and sends no request', async () => {
  signInUser()
  serveContactCount(1)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: 'Created' }).click()
  await apply()
  await expect
    .element(page.getByLabelText('From', { exact: true }))
    .toHaveAccessibleDescription('Enter a date and a time.')
  expect(network.requests('/api/contacts')).toHaveLength(1)
})

test('a filter without a value asks for one in the words of its input', async () => {
  openAgreements([agreement(1)])
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('list', { name: 'Fields' }).getByRole('button', { name: 'Notes' }).click()
  await apply()
  const value = page.getByRole('textbox', { name: 'Value' })
  await expect.element(value).toHaveAccessibleDescription('Enter a value.')
  await page.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: 'Warranty', exact: true }).click()
  await apply()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Choose a value.')
})

test('an incomplete end of a range of times shows its error at its own input', async () => {
  signInUser()
  serveContactCount(1)
  open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: 'Created' }).click()
  const from = page.getByLabelText('From', { exact: true })
  const to = page.getByLabelText('To', { exact: true })
  await from.fill('2026-01-31T12:00')
  await to.click()
  await userEvent.keyboard('12')
  await apply()
  await expect.element(to).toHaveAccessibleDescription('Enter a date and a time.')
  await expect.element(to).toHaveAttribute('aria-invalid', 'true')
  await expect.element(to).toHaveFocus()
  await expect.element(from).not.toHaveAttribute('aria-invalid', 'true')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await to.fill('2026-01-30T12:00')
  await expect.element(to).not.toHaveAttribute('aria-invalid', 'true')
  // Both ends are valid, but not in this order.
  await apply()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(to).not.toHaveAttribute('aria-invalid', 'true')
})

test('a time is sent without seconds, so that it is its whole minute, and is shown again', async () => {
  signInUser()
  serveContactCount(1)
  const app = open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: 'Created' }).click()
  const to = page.getByLabelText('To', { exact: true })
  await page.getByLabelText('From', { exact: true }).fill('2026-11-30T22:40')
  await to.fill('2026-11-30T23:59')
  await apply()
  const chip = page.getByRole('button', { name: 'Created is between' })
  await expect.element(chip).toBeVisible()
  const minute = (time: string) => `${new Date(time).toISOString().slice(0, 16)}Z`
  expect(filterOf(app.address())[0].value).toEqual([minute('2026-11-30T22:40'), minute('2026-11-30T23:59')])
  await chip.click()
  await expect.element(to).toHaveValue('2026-11-30T23:59')
})

test('an invalid amount at the end of an open range has its error at its input', async () => {
  openInvoices([invoice(1)])
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: 'Project price', exact: true }).click()
  const [from, to] = [page.getByRole('textbox', { name: 'From' }), page.getByRole('textbox', { name: 'To' })]
  await to.fill('much')
  await apply()
  await expect.element(to).toHaveAttribute('aria-invalid', 'true')
  await expect.element(from).not.toHaveAttribute('aria-invalid', 'true')
})

test('a filter chip opens its form and can be removed; Back restores it', async () => {
  signInUser()
  serveContactCount(30)
  const app = open(
    addressWith([
      { field: 'name', op: 'in', value: ['Ada', 'Bo'] },
      { field: 'phone', op: 'is_empty' },
    ]),
  )
  await page.getByRole('button', { name: 'Name is any of Ada, Bo' }).click()
  await page.getByRole('textbox', { name: 'Values' }).fill('Ada\nÅsa\n\n')
  await apply()
  await expect
    .poll(() => filterOf(app.address())[0])
    .toEqual({ field: 'name', op: 'in', value: ['Ada', 'Åsa'] })
  await page.getByRole('button', { name: 'Remove the filter Name' }).click()
  await expect.poll(() => filterOf(app.address())).toEqual([{ field: 'phone', op: 'is_empty' }])
  await app.go(-1)
  await expect.element(page.getByRole('button', { name: 'Name is any of Ada, Åsa' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?view=all')
})

test('after a filter or all of them were removed, the list has the focus', async () => {
  signInUser()
  serveContactCount(30)
  open(addressWith(['name', 'email', 'phone'].map(field => ({ field, op: 'is_not_empty' }))))
  const list = page.getByRole('region', { name: 'Contacts', exact: true })
  await page.getByRole('button', { name: 'Remove the filter Name' }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Remove the filter/ }).elements()).toHaveLength(2)
  await expect.element(list).toHaveFocus()
  const clear = page.getByRole('button', { name: 'Clear filters' })
  await clear.click()
  await expect.element(clear).not.toBeInTheDocument()
  await expect.element(list).toHaveFocus()
})

test('an invalid date in the URL is shown with the error of the server', async () => {
  const text = 'Enter a date, such as 2026-01-31.'
  const value = '2026-01-31T10:00:00Z'
  openAgreements([], { address: addressWith([{ field: 'agreed_on', op: 'is', value }], 'agreements') })
  network.on('GET /api/agreements', () => errorResponse(400, text))
  await expect.element(page.getByRole('alert')).toHaveTextContent(text)
  await expect.element(page.getByRole('list', { name: 'Filters' })).toHaveTextContent(`Agreed on is ${value}`)
})

test('a filter that the server rejects is shown with its error and can be removed', async () => {
  signInUser()
  const text = 'This list does not have that field. Use one of: name, email.'
  network.on('GET /api/contacts', call =>
    call.query.get('filter')
      ? {
          status: 400,
          body: { success: false, message: text, errors: [text], fields: { 'filter.age': [text] } },
        }
      : pageOf(1, call),
  )
  const app = open(addressWith([{ field: 'age', op: 'is', value: 7 }]))
  await expect.element(page.getByRole('alert')).toHaveTextContent(text)
  await expect.element(page.getByRole('list', { name: 'Filters' })).toHaveTextContent('age is 7')
  await page.getByRole('link', { name: 'Show without sort and filter' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?view=all')
  for (const filter of ['{', '7', '[1]', '[{"field":1,"op":2}]']) {
    await app.visit(`/dashboard/contacts?${new URLSearchParams({ filter })}`)
    await expect.element(page.getByRole('alert')).toHaveTextContent(text)
    expect(network.requests('/api/contacts').at(-1)?.query.get('filter')).toBe(filter)
  }
})

test('if no record matches the filter, the list says so and offers to clear it', async () => {
  signInUser()
  serveContactCount(0)
  const app = open(addressWith([{ field: 'phone', op: 'is_empty' }]))
  await expect.element(page.getByText('No contacts match the filter.')).toBeVisible()
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts?view=all')
  await expect.element(page.getByText('No contacts yet')).toBeVisible()
})

test('at 768 px, F opens the panel of filters and sort order, and the shortcuts list it', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(768, 1024)
  signInUser()
  serveContactCount(30)
  open('/dashboard/contacts')
  await expect.element(page.getByRole('button', { name: 'Filter and sort' })).toBeVisible()
  await userEvent.keyboard('f')
  const sheet = page.getByRole('dialog', { name: 'Filter and sort' })
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  await userEvent.keyboard('?')
  await expect
    .element(page.getByRole('region', { name: 'On this screen' }))
    .toHaveTextContent(/Filter and sort.*F/)
})

test('on a phone, a sheet filters and sorts', async () => {
  await page.viewport(360, 740)
  signInUser()
  serveContactCount(30)
  const app = open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter and sort' })
  await sheet.getByRole('combobox', { name: 'Sort by' }).click()
  await page.getByRole('option', { name: 'Email' }).click()
  await expect.poll(app.address).toContain('sort=email')
  await sheet.getByRole('button', { name: 'Add filter' }).click()
  await sheet.getByRole('button', { name: 'Address' }).click()
  await sheet.getByRole('textbox', { name: 'Value' }).fill('Malmö')
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(() => filterOf(app.address()))
    .toEqual([{ field: 'address', op: 'contains', value: 'Malmö' }])
  expect(app.address()).toContain('sort=email')
  await expect.element(sheet.getByText('Address contains Malmö')).toBeVisible()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect.element(page.getByRole('button', { name: 'Filter and sort' })).toHaveTextContent('2 active')
  await page.viewport(1280, 800)
})

test('on a phone, the bottom button applies the condition that is edited', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInUser()
  serveContactCount(30)
  const app = open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter and sort' })
  const show = sheet.getByRole('button', { name: 'Done' })
  await expect.element(show).toBeVisible()
  await sheet.getByRole('button', { name: 'Add filter' }).click()
  await sheet.getByRole('button', { name: 'Created' }).click()
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await expect
    .element(sheet.getByLabelText('From', { exact: true }))
    .toHaveAccessibleDescription('Enter a date and a time.')
  expect(show.elements()).toHaveLength(0)
  await sheet.getByRole('combobox', { name: 'Field' }).click()
  await page.getByRole('option', { name: 'Address', exact: true }).click()
  await sheet.getByRole('textbox', { name: 'Value' }).fill('Malmö')
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(() => filterOf(app.address()))
    .toEqual([{ field: 'address', op: 'contains', value: 'Malmö' }])
  await show.click()
  await expect.element(sheet).not.toBeInTheDocument()
})

test('on a phone, cancelling a new condition keeps the panel open', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInUser()
  serveContactCount(30)
  const app = open('/dashboard/contacts')
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter and sort' })
  const more = sheet.getByRole('button', { name: 'Add filter' })
  const cancel = sheet.getByRole('button', { name: 'Cancel' })
  await more.click()
  await cancel.click()
  await expect.element(sheet.getByRole('list', { name: 'Fields' })).not.toBeInTheDocument()
  await expect.element(more).toHaveFocus()
  await more.click()
  await sheet.getByRole('button', { name: 'Address' }).click()
  await sheet.getByRole('textbox', { name: 'Value' }).fill('Malmö')
  await cancel.click()
  await expect.element(sheet.getByRole('textbox', { name: 'Value' })).not.toBeInTheDocument()
  await expect.element(more).toHaveFocus()
  await expect.element(sheet.getByRole('button', { name: 'Done' })).toBeVisible()
  expect(filterOf(app.address())).toEqual([])
})

test('on a phone, cancelling a change of a condition focuses its button', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  signInUser()
  serveContactCount(30)
  const conditions = ['name', 'email'].map(field => ({ field, op: 'is', value: 'Ada' }))
  const app = open(addressWith(conditions))
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter and sort' })
  const change = sheet.getByRole('button', { name: 'Change the filter Email' })
  await change.click()
  await sheet.getByRole('textbox', { name: 'Value' }).fill('Bo')
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(sheet.getByText('Email is Ada')).toBeVisible()
  await expect.element(change).toHaveFocus()
  expect(filterOf(app.address())).toEqual(conditions)
})

test('on a tablet, the list of fields in the panel is not cut', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(900, 1100)
  openAgreements([agreement(1)])
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter and sort' })
  await sheet.getByRole('button', { name: 'Add filter' }).click()
  const fields = sheet.getByRole('list', { name: 'Fields' })
  await expect.element(fields).toBeVisible()
  expect(fields.getByRole('listitem').elements().length).toBeGreaterThan(6)
  expect(fields.element().scrollHeight).toBe(fields.element().clientHeight)
})
