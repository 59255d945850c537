import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Corporation, core, type FullDetails } from '~/core'
import {
  corporation,
  serveCorporationCount,
  serveCorporations,
  serveKestrel,
  signInPlatformAdministrator,
  user,
} from '~/test/corporations'
import { errorResponse, network } from '~/test/network'
import { open, textsOf } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const details: FullDetails = {
  corporation: {
    corp_id: 'c-1',
    corp_name: 'Bil 1 AB',
    corp_active: true,
    allowed_resources: ['customers'],
    is_platform: false,
    version: 3,
  },
  organization: {
    organization_number: '559360-9844',
    legalId: '559360-9844',
    corp_name: 'Bil 1 AB',
    street_address: 'Industrivägen 12',
    registered_city: 'Umeå',
    postal_code: '',
    city: 'Umeå',
    company_email: 'info@bil.example',
    company_phone: '+46 90 1',
  },
}

const { legalId: _, ...company } = details.organization

const dialog = page.getByRole('dialog', { name: 'Edit Corporation' })
const box = (name: string) => dialog.getByLabelText(name, { exact: true })
const lookUp = dialog.getByRole('button', { name: 'Look up' })
const save = dialog.getByRole('button', { name: 'Save changes' })

/** Makes the fake server respond with the details of the corporation, and with the modules to choose from. */
function serveDetails(more: Partial<FullDetails['corporation']> = {}) {
  const data = { ...details, corporation: { ...details.corporation, ...more } }
  network.on('GET /api/corporations/c-1/full-details', () => ({ body: { success: true, data } }))
  const resource = { description: '', icon: 'users', is_module: true }
  const resources = ['customers', 'contacts'].map(id => ({ ...resource, resource_id: id, title: id }))
  network.on('GET /api/corporations/resources', () => ({ body: { success: true, data: resources } }))
}

async function openEditForm(more: Partial<FullDetails['corporation']> = {}) {
  signInPlatformAdministrator()
  serveCorporations(
    corporation(1, { corp_contact_name: 'Ada Lindqvist', corp_contact_email: 'ada@bil.example' }),
  )
  serveDetails(more)
  const app = open('/dashboard/corporations')
  await page.getByRole('button', { name: 'Edit Bil 1 AB' }).click()
  await expect.element(dialog.getByRole('checkbox', { name: 'customers' })).toBeChecked()
  // The click on the button did not also follow the row's link to the users.
  await expect.poll(app.address).toBe('/dashboard/corporations')
}

const updates = () => network.requests('/api/orgs/update').map(call => call.body)

test('the form locks the stored number and address, and shows the administrator', async () => {
  await openEditForm()
  await expect.element(box('Company Name')).toHaveValue('Bil 1 AB')
  for (const name of ['Organization Number', 'Street Address', 'Registered City', 'City']) {
    await expect.element(box(name)).toHaveAttribute('readonly')
  }
  for (const name of ['Company Name', 'Postal Code', 'Company Email']) {
    await expect.element(box(name)).not.toHaveAttribute('readonly')
  }
  const admin = dialog.getByRole('region', { name: 'Administrator' })
  const boxes = admin.getByRole('textbox')
  for (const [index, value] of ['Ada Lindqvist', 'ada@bil.example'].entries()) {
    await expect.element(boxes.nth(index)).toHaveValue(value)
    await expect.element(boxes.nth(index)).toBeDisabled()
  }
  // A password can't be shown.
  expect(admin.element().querySelectorAll('input, button')).toHaveLength(2)
  await userEvent.keyboard('{Escape}')
  // The dialog closes without a confirmation, because nothing was typed.
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
})

test('an edit sends its version, and the list reloads', async () => {
  await openEditForm()
  network.on('PUT /api/orgs/update', () => ({ body: { success: true, message: '', data: corporation(1) } }))
  await box('Postal Code').fill('903 26')
  await dialog.getByRole('checkbox', { name: 'contacts' }).click()
  await dialog.getByRole('switch', { name: 'Active' }).click()
  await save.click()
  await page.getByRole('button', { name: 'Suspend corporation' }).click()
  await expect.element(page.getByText('Corporation updated successfully')).toBeVisible()
  expect(updates()).toEqual([
    {
      ...company,
      postal_code: '903 26',
      corp_id: 'c-1',
      corp_active: false,
      allowed_resources: ['customers', 'contacts'],
      version: 3,
      agreed: true,
    },
  ])
  await expect.poll(() => network.requests('/api/corporations').length).toBe(2)
})

test('a corporation is reviewed and activated on the page of its users', async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [user('u2', 'Grace', { type: 'Admin' })])
  const serve = (corp_active: boolean) =>
    network.on('GET /api/corporations/c-1', () => ({
      body: { success: true, data: corporation(1, { corp_active }) },
    }))
  serve(false)
  serveDetails({ corp_active: false })
  open('/dashboard/corporations/c-1/users')
  await expect.element(page.getByText('Users for Bil 1 AB · Inactive')).toBeVisible()
  await page.getByRole('button', { name: 'Edit corporation' }).click()
  await expect.element(box('Street Address')).toHaveValue('Industrivägen 12')
  await box('Postal Code').fill('903 26')
  await dialog.getByRole('switch', { name: 'Active' }).click()
  network.on('PUT /api/orgs/update', () => ({ body: { success: true, message: '', data: corporation(1) } }))
  serve(true)
  await save.click()
  await expect.element(page.getByText('Users for Bil 1 AB', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Edit corporation' })).toHaveFocus()
  expect(updates()).toMatchObject([{ corp_id: 'c-1', corp_active: true, version: 3 }])
})

test('a sign-up is reviewed and approved on the page of its users', async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [user('u2', 'Grace', { type: 'Admin', mobile: '070 12 34 56' })])
  const serve = (more: Partial<Corporation>) =>
    network.on('GET /api/corporations/c-1', () => ({
      body: { success: true, data: corporation(1, { ...company, ...more }) },
    }))
  serve({
    corp_active: false,
    awaits_approval: true,
    country: 'SE',
    corp_contact_name: 'Grace Whitfield',
    corp_contact_email: 'u2@kestrel.example',
  })
  serveDetails({ corp_active: false })
  open('/dashboard/corporations/c-1/users')
  await expect.element(page.getByText('Users for Bil 1 AB · Waiting for approval')).toBeVisible()
  const facts = page.getByRole('definition')
  await expect
    .poll(() => textsOf(facts))
    .toEqual([
      '559360-9844',
      'Industrivägen 12',
      'Umeå',
      'N/A',
      'Umeå',
      'Sweden',
      'info@bil.example',
      '+46 90 1',
      'Grace Whitfield',
      'u2@kestrel.example',
      '070 12 34 56',
    ])
  const link = (name: string) => facts.getByRole('link', { name })
  await expect.element(link('u2@kestrel.example')).toHaveAttribute('href', 'mailto:u2@kestrel.example')
  await expect.element(link('070 12 34 56')).toHaveAttribute('href', 'tel:070123456')
  await page.getByRole('main').getByRole('button', { name: 'Approve' }).click()
  network.on('PUT /api/orgs/update', () => ({ body: { success: true, message: '', data: {} } }))
  serve({})
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect.element(page.getByText('Bil 1 AB is active.')).toBeVisible()
  await expect.element(page.getByText('Waiting for approval')).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  expect(updates()).toEqual([{ ...company, corp_id: 'c-1', corp_active: true, version: 3 }])
})

test('a sign-up can be deleted on its page, also after a lost response and Cancel', async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [])
  serveCorporations()
  network.on('GET /api/corporations/c-1', () => ({
    body: { success: true, data: corporation(1, { corp_active: false, awaits_approval: true }) },
  }))
  network.on('DELETE /api/corporations/c-1', failNetwork)
  open('/dashboard/corporations/c-1/users')
  const question = page.getByRole('dialog', { name: 'Delete Bil 1 AB?' })
  const remove = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Delete corporation' }).click()
    await question.getByLabelText("Type the corporation's name to confirm").fill('Bil 1 AB')
    await question.getByRole('button', { name: 'Delete corporation' }).click()
  }
  await remove()
  await expect.element(question.getByRole('alert')).toBeVisible()
  await question.getByRole('button', { name: 'Keep corporation' }).click()
  // The first request has deleted it, and only its response was lost.
  network.on('DELETE /api/corporations/c-1', () => errorResponse(404, 'Not found.'))
  await remove()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Corporations' })).toBeVisible()
  expect(network.requests('/api/corporations/c-1').map(({ method }) => method)).toContain('DELETE')
})

test('the form says which permissions are lost with a module', async () => {
  await openEditForm()
  const warning = dialog.getByText(/^The roles of this corporation lose their permissions for: customers\./)
  await dialog.getByRole('checkbox', { name: 'contacts' }).click()
  expect(warning.elements()).toHaveLength(0)
  await dialog.getByRole('checkbox', { name: 'customers' }).click()
  await expect.element(warning).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'customers' }).click()
  await expect.element(warning).not.toBeInTheDocument()
})

test('only a number other than the current one is looked up in the register', async () => {
  await openEditForm()
  await lookUp.click()
  await expect.element(dialog.getByText('This is the current organization number')).toBeVisible()
  expect(network.requests('/api/orgs/public-search')).toHaveLength(0)
  network.on('POST /api/orgs/public-search', () => ({
    body: {
      success: true,
      data: { ...details.organization, organization_number: 'HRB 1', corp_name: 'New GmbH' },
    },
  }))
  network.on('POST /api/orgs/check-exists', () => ({ body: { success: true, data: { exists: false } } }))
  await dialog.getByRole('button', { name: 'Unlock fields' }).click()
  await box('Organization Number').fill('hrb1')
  await lookUp.click()
  await expect.element(box('Company Name')).toHaveValue('New GmbH')
  await expect.element(box('Company Name')).toHaveAttribute('readonly')
  // After the lookup, the organization number stays editable.
  await expect.element(box('Organization Number')).not.toHaveAttribute('readonly')
})

/** The corporation as another user has saved it while the form was open. */
const present = corporation(1, {
  ...company,
  corp_name: 'Bil Uno',
  city: 'Luleå',
  allowed_resources: ['customers', 'contacts'],
  version: 9,
})

/** Edits the corporation and saves it, which fails because another user has changed it meanwhile. */
async function saveStale(data: object = present) {
  await openEditForm()
  network.on('PUT /api/orgs/update', () => errorResponse(409, core.texts().general.stale.text, { data }))
  await box('Company Name').fill('Bil One')
  await box('Postal Code').fill('903 26')
  await save.click()
}

const conflict = (name: RegExp) => dialog.getByRole('region', { name })

test('a conflict shows both versions, and the next save is based on theirs', async () => {
  await saveStale()
  await expect.element(conflict(/^Someone else has changed this/)).toBeVisible()
  await expect.element(box('Company Name')).toHaveValue('Bil One')
  await expect.element(dialog.getByRole('radio', { name: 'Theirs Bil Uno' })).toBeVisible()
  await expect.element(box('City')).toHaveValue('Luleå')
  await expect.element(dialog.getByRole('checkbox', { name: 'contacts' })).toBeChecked()
  await expect
    .element(dialog.getByRole('region', { name: /^Someone else/ }))
    .toHaveTextContent(/Resourcescustomers, contacts ?Previously: ?customers/)
  network.on('PUT /api/orgs/update', () => ({ body: { success: true, message: '', data: corporation(1) } }))
  await save.click()
  await expect.element(page.getByText('Corporation updated successfully')).toBeVisible()
  expect(updates()).toMatchObject([
    { version: 3, corp_name: 'Bil One', city: 'Umeå', allowed_resources: ['customers'] },
    {
      version: 9,
      corp_name: 'Bil One',
      city: 'Luleå',
      postal_code: '903 26',
      allowed_resources: ['customers', 'contacts'],
    },
  ])
})

test('a conflict says who changed the corporation', async () => {
  const actor = { kind: 'user', id: 'u2', name: 'Ada Öberg' }
  await saveStale({ ...present, last_change: { at: new Date().toISOString(), actor } })
  await expect.element(conflict(/^Ada Öberg changed this at /)).toBeVisible()
  await expect.element(box('Company Name')).toHaveValue('Bil One')
})

test('closing the form after a conflict shows the other version', async () => {
  await saveStale()
  await expect.element(conflict(/^Someone else has changed this/)).toBeVisible()
  serveCorporations(corporation(1, { corp_name: 'Bil Uno' }))
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.element(page.getByRole('row', { name: /Bil Uno/ })).toBeVisible()
})

test('if the organization turns out unknown, it is looked up again with a warning', async () => {
  await openEditForm()
  network.on('PUT /api/orgs/update', () =>
    errorResponse(404, 'Organization not found', {
      messages: [{ code: 'organizations.not_found', text: 'Organization not found' }],
    }),
  )
  network.on('POST /api/orgs/public-search', () => ({
    body: { success: true, data: { ...details.organization, street_address: 'Storgatan 1' } },
  }))
  await box('Postal Code').fill('903 26')
  await save.click()
  const warning = page.getByRole('group').filter({ hasText: 'Update Warning' })
  await expect
    .element(warning.getByText('Organization details not found. Please search again.'))
    .toBeVisible()
  await expect.element(box('Street Address')).toHaveValue('Storgatan 1')
})

test("the platform's own corporation can't be deactivated or deleted", async () => {
  await openEditForm({ is_platform: true })
  const active = dialog.getByRole('switch', { name: 'Active' })
  await expect.element(active).toHaveAccessibleDescription(/can't be deleted or deactivated/)
  await active.click({ force: true })
  await expect.element(active).toBeChecked()
  await userEvent.keyboard('{Escape}')
  serveCorporations(corporation(1, { is_platform: true }), corporation(2))
  await page.getByRole('searchbox').fill('x')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: 'Delete Bil 2 AB' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Delete Bil 1 AB' }).elements()).toHaveLength(0)
})

test('a failed request of the details can be retried', async () => {
  signInPlatformAdministrator()
  serveCorporationCount(1)
  network.on('GET /api/corporations/resources', () => ({ body: { success: true, data: [] } }))
  network.on('GET /api/corporations/c-1/full-details', () => errorResponse(500, ''))
  open('/dashboard/corporations')
  await page.getByRole('button', { name: 'Edit Bil 1 AB' }).click()
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(/Error fetching corporation details.*Failed to fetch corporation details/)
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  network.on('GET /api/corporations/c-1/full-details', () => ({ body: { success: true, data: details } }))
  await dialog.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(box('Company Name')).toHaveValue('Bil 1 AB')
})

test('deleting needs the name and a click, and can be retried after an error', async () => {
  signInPlatformAdministrator()
  serveCorporationCount(2)
  network.on('DELETE /api/corporations/c-1', () => errorResponse(409, 'Not now.'))
  open('/dashboard/corporations')
  await page.getByRole('button', { name: 'Delete Bil 1 AB' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Bil 1 AB?' })
  await expect
    .element(
      question.getByText(
        'This removes the corporation and organization records, all users, all roles and permissions, theme settings and all vehicle records. It cannot be undone. Its customers, contacts, invoices, agreements, imports and history are deleted, too.',
      ),
    )
    .toBeVisible()
  const remove = question.getByRole('button', { name: 'Delete corporation' })
  await expect.element(remove).toHaveAttribute('aria-disabled', 'true')
  const name = question.getByRole('textbox', { name: "Type the corporation's name to confirm" })
  await name.fill('Bil 1 AB')
  // Enter in the name's field does not delete the corporation.
  await userEvent.keyboard('{Enter}')
  expect(network.requests('/api/corporations/c-1')).toHaveLength(0)
  await remove.click()
  await expect.element(question.getByRole('alert')).toHaveTextContent('Not now.')
  network.on('DELETE /api/corporations/c-1', () => {
    serveCorporations(corporation(2))
    return { body: { success: true, message: '' } }
  })
  await remove.click()
  await expect.element(page.getByText('Corporation deleted successfully')).toBeVisible()
  await expect.element(page.getByText('Showing 1 to 1 of 1 item')).toBeVisible()
  expect(page.getByText('Bil 1 AB').elements()).toHaveLength(0)
})

test('a menu link to the list that is already open reloads the list', async () => {
  signInPlatformAdministrator()
  serveCorporationCount(1)
  open('/dashboard/corporations')
  await expect.element(page.getByText('Showing 1 to 1 of 1 item')).toBeVisible()
  serveCorporationCount(2)
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Corporations' }).click()
  await expect.element(page.getByText('Showing 1 to 2 of 2 items')).toBeVisible()
})

test('a failed request of the list also shows a toast', async () => {
  signInPlatformAdministrator()
  network.on('GET /api/corporations', () => errorResponse(500, ''))
  open('/dashboard/corporations')
  const toast = page.getByRole('group').filter({ hasText: 'Failed to load corporations' })
  await expect.element(toast.getByText('Error', { exact: true })).toBeVisible()
})
