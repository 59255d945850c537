import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { corporation, serveCorporations, signInPlatformAdministrator } from '~/test/corporations'
import { network } from '~/test/network'
import { open } from '~/test/open'

const dialog = page.getByRole('dialog', { name: 'Edit Corporation' })
const active = dialog.getByRole('switch', { name: 'Active' })
const question = page.getByRole('alertdialog', { name: 'Suspend Bil 1 AB?' })
const save = () => dialog.getByRole('button', { name: 'Save changes' }).click()
const updates = () => network.requests('/api/orgs/update').map(call => call.body)

const company = {
  organization_number: '559360-1001',
  corp_name: 'Bil 1 AB',
  street_address: 'Industrivägen 12',
  registered_city: 'Umeå',
  postal_code: '903 26',
  city: 'Umeå',
  company_email: 'info@bil.example',
  company_phone: '+46 90 1',
}

/** Opens the form of a corporation that is active or not. */
async function openForm(corp_active = true) {
  network.on('GET /api/corporations/c-1/full-details', () => ({
    body: {
      success: true,
      data: { corporation: corporation(1, { corp_active }), organization: company },
    },
  }))
  open('/dashboard/corporations')
  await page.getByRole('button', { name: 'Edit Bil 1 AB' }).click()
  await expect.element(active).toBeVisible()
}

beforeEach(() => {
  signInPlatformAdministrator()
  serveCorporations(corporation(1))
  network.on('GET /api/corporations/resources', () => ({ body: { success: true, data: [] } }))
  network.on('PUT /api/orgs/update', () => ({ body: { success: true, message: '', data: corporation(1) } }))
})

test('suspending a corporation is confirmed before it is saved', async () => {
  await openForm()
  await expect.element(active).toHaveAccessibleDescription(/everyone in this corporation is signed out/)
  await active.click()
  await save()
  await expect
    .element(question)
    .toHaveTextContent(/^Suspend Bil 1 AB\?It becomes Inactive\. Its users will be signed out/)
  await expect.element(question.getByRole('button', { name: 'Keep active' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(question).not.toBeInTheDocument()
  expect(updates()).toEqual([])
  await save()
  await question.getByRole('button', { name: 'Suspend corporation' }).click()
  await expect.element(page.getByText('Corporation updated successfully')).toBeVisible()
  expect(updates()).toMatchObject([{ corp_active: false }])
  await expect.element(dialog).not.toBeInTheDocument()
})

test('an invalid field is shown before the question', async () => {
  await openForm()
  await active.click()
  await dialog.getByLabelText('Company Name', { exact: true }).fill('')
  await save()
  await expect.element(dialog.getByText('Company Name is required')).toBeVisible()
  expect(question.elements()).toHaveLength(0)
})

test('activating a corporation asks nothing', async () => {
  await openForm(false)
  await active.click()
  await save()
  await expect.element(page.getByText('Corporation updated successfully')).toBeVisible()
  expect(updates()).toMatchObject([{ corp_active: true }])
})
