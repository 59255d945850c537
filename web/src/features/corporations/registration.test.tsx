import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  corporation,
  serveCorporationCount,
  serveCorporations,
  signInPlatformAdministrator,
} from '~/test/corporations'
import { delayResponse, errorResponse, network } from '~/test/network'
import { open, unload } from '~/test/open'

const resources = [
  {
    resource_id: 'customers',
    title: 'Customers',
    description: 'Who buys and sells',
    icon: 'users',
    is_module: true,
  },
  {
    resource_id: 'contacts',
    title: 'Contacts',
    description: 'People and companies',
    icon: 'contact',
    is_module: true,
  },
  { resource_id: 'roles', title: 'Roles', description: 'Who may do what', icon: 'key', is_module: false },
]
const record = {
  organization_number: '559360-9844',
  corp_name: 'Nordbil AB',
  street_address: 'Industrivägen 12',
  registered_city: 'Umeå',
  postal_code: '903 26',
  city: 'Umeå',
  company_email: '',
  company_phone: '',
}

const dialog = page.getByRole('dialog', { name: 'Company Registration' })
const box = (name: string) => dialog.getByLabelText(name, { exact: true })
const lookUp = dialog.getByRole('button', { name: 'Look up' })
const submit = dialog.getByRole('button', { name: 'Register corporation' })

/**
 * Makes the fake server respond to lookups: with the company `found`, and whether it is registered already (`exists`).
 */
function serveLookup(found: object | undefined, exists = false) {
  network.on('POST /api/orgs/search', () =>
    found ? { body: { success: true, data: found } } : errorResponse(404, 'Organization not found'),
  )
  network.on('POST /api/orgs/check-exists', () => ({ body: { success: true, data: { exists } } }))
}

async function openRegistration() {
  signInPlatformAdministrator()
  serveCorporationCount(1)
  network.on('GET /api/corporations/resources', () => ({ body: { success: true, data: resources } }))
  open('/dashboard/corporations')
  await page.getByRole('button', { name: 'Add corporation' }).click()
  await expect.element(dialog.getByRole('checkbox', { name: 'Customers' })).toBeVisible()
}

/** Fills in the fields that a lookup doesn't fill in. */
async function fillRemainingFields() {
  await box('Company Email').fill('info@nordbil.example')
  await box('Company Phone Number').fill('+46 90 17 06 30')
  // A click on the description of a selected module leaves it out.
  await dialog.getByText('Who buys and sells').click()
  await box('First Name').fill('Ada')
  await box('Last Name').fill('Lindqvist')
  await box('Email').fill('ada@nordbil.example')
  await dialog.getByLabelText('Password', { exact: true }).fill('demo-password')
  await box('Phone Number').fill('+46 70 1')
  await dialog.getByRole('checkbox', { name: /^I agree/ }).click()
}

/** Opens the form, looks up the company, and fills in the remaining fields. */
async function fillForm() {
  await openRegistration()
  serveLookup(record)
  await box('Organization Number').fill('5593609844')
  await lookUp.click()
  await expect.element(box('City')).toHaveValue('Umeå')
  await fillRemainingFields()
}

test('a new corporation gets all modules unless the user leaves some out, also after a reload', async () => {
  await openRegistration()
  for (const name of ['Customers', 'Contacts'])
    await expect.element(dialog.getByRole('checkbox', { name })).toBeChecked()
  const section = dialog.getByRole('region', { name: 'Resources' })
  expect(section.getByRole('checkbox').elements()).toHaveLength(2)
  await expect
    .element(section.getByText(/Users, roles and history belong to every corporation\./))
    .toBeVisible()
  expect(Object.keys(sessionStorage).filter(key => key.startsWith('draft '))).toEqual([])
  await dialog.getByRole('checkbox', { name: 'Customers' }).click()
  await expect.element(dialog.getByRole('checkbox', { name: 'Customers' })).not.toBeChecked()
  // A new corporation has no roles that could lose permissions.
  expect(section.getByText(/lose their permissions/).elements()).toHaveLength(0)
  await unload()
  await openRegistration()
  await expect.element(dialog.getByRole('checkbox', { name: 'Customers' })).not.toBeChecked()
  await expect.element(dialog.getByRole('checkbox', { name: 'Contacts' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Discard draft' }).click()
  await expect.element(dialog.getByRole('checkbox', { name: 'Customers' })).toBeChecked()
})

test('an empty form shows an error at each field and focuses the first', async () => {
  await openRegistration()
  await submit.click()
  await expect.element(page.getByText('Please fill in all required fields correctly')).toBeVisible()
  for (const sentence of [
    'Organization Number is required',
    'Company Name is required',
    'Street Address is required',
    'Registered City is required',
    'Postal Code is required',
    'City is required',
    'Company Email is required',
    'Company Phone Number is required',
    'First Name is required',
    'Last Name is required',
    'Email is required',
    'Password is required',
    'Phone Number is required',
    'You must agree to the terms of service and privacy policy',
  ]) {
    await expect.element(dialog.getByText(sentence, { exact: true })).toBeInTheDocument()
  }
  await expect.element(box('Organization Number')).toHaveFocus()
  expect(network.requests('/api/orgs/register')).toHaveLength(0)
})

test('an invalid field of the administrator gets the focus', async () => {
  await openRegistration()
  serveLookup({ ...record, company_email: 'info@nordbil.example', company_phone: '+46 90 1' })
  await box('Organization Number').fill('5593609844')
  await lookUp.click()
  await expect.element(box('City')).toHaveValue('Umeå')
  await submit.click()
  await expect.element(box('First Name')).toHaveFocus()
})

test('a lookup fills in and locks the company', async () => {
  await openRegistration()
  serveLookup(record)
  let sent: unknown
  network.on('POST /api/orgs/register', ({ body }) => {
    sent = body
    return { status: 201, body: { success: true, message: '', data: corporation(7) } }
  })
  await box('Organization Number').fill('5593609844')
  // Enter in the number's field looks up the company and does not submit the form.
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Organization found')).toBeVisible()
  await expect.element(box('Organization Number')).toHaveValue('559360-9844')
  for (const name of ['Company Name', 'Street Address', 'Registered City', 'City']) {
    await expect.element(box(name)).toHaveAttribute('readonly')
  }
  // The number stays editable, so that another company can be looked up.
  await expect.element(box('Organization Number')).not.toHaveAttribute('readonly')
  await expect.element(box('Company Email')).not.toHaveAttribute('readonly')
  await fillRemainingFields()
  await box('Country').click()
  await dialog.getByRole('option', { name: 'Sweden' }).click()
  await submit.click()
  await expect.element(page.getByText('Corporation created successfully')).toBeVisible()
  expect(sent).toEqual({
    ...record,
    company_email: 'info@nordbil.example',
    company_phone: '+46 90 17 06 30',
    country: 'SE',
    allowed_resources: ['contacts'],
    admin_data: {
      first_name: 'Ada',
      last_name: 'Lindqvist',
      email: 'ada@nordbil.example',
      phone: '+46 70 1',
      password: 'demo-password',
    },
    agreed: true,
  })
  await expect.poll(() => network.requests('/api/corporations').length).toBe(2)
})

test('a lookup without a result closes the message of the one before', async () => {
  await openRegistration()
  serveLookup(record)
  await box('Organization Number').fill('5593609844')
  await lookUp.click()
  await expect.element(page.getByText('Organization found')).toBeVisible()
  serveLookup(undefined)
  await box('Organization Number').fill('HRB 1')
  await lookUp.click()
  await expect.element(dialog.getByText('Organization not found')).toBeVisible()
  await expect.poll(() => page.getByText('Organization found').elements(), { timeout: 2000 }).toHaveLength(0)
})

test('unlocked fields are editable, and another lookup replaces only what the first one filled in', async () => {
  await openRegistration()
  serveLookup(record)
  await box('Organization Number').fill('5593609844')
  await lookUp.click()
  await expect.element(box('Street Address')).toHaveAttribute('readonly')
  await box('Company Email').fill('typed@nordbil.example')
  await dialog.getByRole('button', { name: 'Unlock fields' }).click()
  await expect.element(box('Organization Number')).toHaveFocus()
  await expect.element(box('Street Address')).not.toHaveAttribute('readonly')
  serveLookup({ ...record, organization_number: 'HRB 1', corp_name: 'Weser GmbH', postal_code: '' })
  await box('Organization Number').fill('HRB 1')
  await lookUp.click()
  await expect.element(box('Company Name')).toHaveValue('Weser GmbH')
  await expect.element(box('Postal Code')).toHaveValue('')
  await expect.element(box('Postal Code')).not.toHaveAttribute('readonly')
  await expect.element(box('Company Email')).toHaveValue('typed@nordbil.example')
})

test('changing the number after a lookup empties and unlocks what the lookup filled in', async () => {
  await openRegistration()
  serveLookup(record)
  await box('Organization Number').fill('5593609844')
  await lookUp.click()
  await expect.element(box('Street Address')).toHaveAttribute('readonly')
  await box('Company Email').fill('typed@nordbil.example')
  // The same number without its hyphen.
  await box('Organization Number').fill('5593609844')
  await expect.element(box('Street Address')).toHaveValue('Industrivägen 12')
  await box('Organization Number').fill('556703-7485')
  for (const name of ['Company Name', 'Street Address', 'Registered City', 'Postal Code', 'City']) {
    await expect.element(box(name)).toHaveValue('')
    await expect.element(box(name)).not.toHaveAttribute('readonly')
  }
  await expect.element(box('Organization Number')).toHaveValue('556703-7485')
  await expect.element(box('Company Email')).toHaveValue('typed@nordbil.example')
})

test('an invalid value that the lookup found stays unlocked', async () => {
  await openRegistration()
  serveLookup({ ...record, company_email: 'info at nordbil' })
  await box('Organization Number').fill('5593609844')
  await lookUp.click()
  await expect.element(box('City')).toHaveAttribute('readonly')
  await expect.element(box('Company Email')).toHaveValue('info at nordbil')
  await expect.element(box('Company Email')).not.toHaveAttribute('readonly')
})

test('a lookup needs a valid number and reports its failure', async () => {
  await openRegistration()
  await lookUp.click()
  await expect.element(dialog.getByText('Please enter an organization number')).toBeVisible()
  await expect.element(box('Organization Number')).toHaveFocus()
  serveLookup(undefined)
  await box('Organization Number').fill('559360-9844')
  await lookUp.click()
  const said = dialog.getByRole('status')
  await expect.element(said.getByText('Organization not found')).toBeVisible()
  network.on('POST /api/orgs/search', () => errorResponse(500, ''))
  await lookUp.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Failed to search organization')
  // After the number is changed, the note about the previous number disappears.
  await box('Organization Number').fill('559360-98')
  expect(dialog.getByRole('alert').elements()).toHaveLength(0)
})

test('a wrong check digit is pointed out, and the corporation that has the number is linked', async () => {
  await openRegistration()
  serveLookup(record, true)
  await box('Organization Number').fill('559360-9845')
  await expect.element(dialog.getByText(/^The check digit of this number looks wrong/)).toBeVisible()
  // The search also finds numbers that contain this one.
  serveCorporations(
    corporation(1, { organization_number: '1559360-9844' }),
    corporation(2, { organization_number: '559360-9844' }),
  )
  await box('Organization Number').fill('5593609844')
  await lookUp.click()
  await expect
    .element(dialog.getByText('A corporation with this organization number already exists'))
    .toBeVisible()
  await expect
    .element(dialog.getByRole('link', { name: 'Open Bil 2 AB in a new tab' }))
    .toHaveAttribute('href', '/dashboard/corporations/c-2/users')
  expect(network.requests('/api/corporations').at(-1)?.query.get('search')).toBe('559360-9844')
})

test('a corporation that has the number is linked, also if the number is changed before it is found', async () => {
  await openRegistration()
  serveLookup(record)
  serveCorporations(corporation(2, { organization_number: '559360-9844' }))
  const exists = { body: { success: true, data: { exists: true } } }
  const release = delayResponse('POST /api/orgs/check-exists', () => exists)
  await box('Organization Number').fill('5593609844')
  await lookUp.click()
  await expect.element(box('Company Name')).toHaveValue('Nordbil AB')
  await box('Organization Number').fill('556703-7485')
  release()
  await expect.element(lookUp).not.toHaveAttribute('aria-busy')
  await box('Organization Number').fill('5593609844')
  await expect.element(dialog.getByRole('link', { name: 'Open Bil 2 AB in a new tab' })).toBeVisible()
})

test('a response for a changed number is ignored', async () => {
  await openRegistration()
  serveLookup(record)
  const release = delayResponse('POST /api/orgs/search', () => ({ body: { success: true, data: record } }))
  await box('Organization Number').fill('5593609844')
  await lookUp.click()
  await box('Organization Number').fill('HRB 2')
  release()
  await expect.element(lookUp).not.toHaveAttribute('aria-busy')
  await expect.element(box('Company Name')).toHaveValue('')
})

test('an error of the server unlocks its field and keeps the input', async () => {
  await fillForm()
  const taken = 'Another account already uses this email'
  network.on('POST /api/orgs/register', () =>
    errorResponse(409, taken, { fields: { 'admin_data.email': [taken] } }),
  )
  await submit.click()
  await expect.element(dialog.getByText(taken)).toBeVisible()
  await expect.element(box('Email')).toHaveFocus()
  const long = 'Maximum length is 200 characters'
  await expect.element(box('Company Name')).toHaveAttribute('readonly')
  network.on('POST /api/orgs/register', () => errorResponse(400, long, { fields: { corp_name: [long] } }))
  await submit.click()
  await expect.element(dialog.getByText(long)).toBeVisible()
  await expect.element(box('Company Name')).toHaveFocus()
  await expect.element(box('Company Name')).not.toHaveAttribute('readonly')
  await expect.element(box('First Name')).toHaveValue('Ada')
})

test('a failed registration shows why next to the button', async () => {
  await fillForm()
  network.on('POST /api/orgs/register', () => errorResponse(500, ''))
  await submit.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Failed to create corporation')
})

test('Escape asks before discarding input', async () => {
  await openRegistration()
  await box('Company Name').fill('Nordbil')
  await userEvent.keyboard('{Escape}')
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(box('Company Name')).toHaveValue('Nordbil')
  await userEvent.keyboard('{Escape}')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('a failed request for the resources shows a toast and can be retried', async () => {
  signInPlatformAdministrator()
  serveCorporations()
  network.on('GET /api/corporations/resources', () => errorResponse(500, ''))
  open('/dashboard/corporations')
  await page.getByRole('main').getByRole('button', { name: 'Add corporation' }).first().click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Failed to load resources')
  const toast = page.getByRole('group').filter({ hasText: 'Failed to load resources' })
  await expect.element(toast.getByText('Error', { exact: true })).toBeVisible()
  network.on('GET /api/corporations/resources', () => ({ body: { success: true, data: resources } }))
  await dialog.getByRole('button', { name: 'Try Again' }).click()
  const card = dialog.getByRole('checkbox', { name: 'Contacts' })
  await expect.element(card).toHaveAccessibleDescription('People and companies')
  await expect.element(card).toBeChecked()
})
