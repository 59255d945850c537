import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Profile } from '~/core'
import { drafts } from '~/lib/drafts'
import { delayResponse, errorResponse, network } from '~/test/network'
import { expectAlert, open } from '~/test/open'
import { ada, createPicture, openSettings, serveAccount, themeResponse } from '~/test/settings'

const UPDATE = '/api/auth/profile/update-profile'
const field = (name: string) => page.getByRole('textbox', { name })
const save = page.getByRole('button', { name: 'Save changes' })
const conflict = page.getByRole('region', { name: /^Bo Ek changed this/ })
const sentForms = () =>
  network.forms(UPDATE).map(form => ['version', 'first_name', 'mobile'].map(name => form.get(name)))

/** Makes an administrator change the user, so that the fake server rejects the next profile update. */
function changeMeanwhile(server: { profile: Profile }, changes: Partial<Profile>) {
  server.profile = { ...server.profile, ...changes, version: server.profile.version + 1 }
  const last_change = { at: '2026-01-02T08:00:00Z', actor: { kind: 'user', id: 'u9', name: 'Bo Ek' } }
  network.on(`POST ${UPDATE}`, () => {
    acceptProfileUpdates(server)
    return errorResponse(409, 'Changed.', { data: { ...server.profile, last_change } })
  })
}

/** Makes the fake server accept profile updates. */
function acceptProfileUpdates(server: { profile: Profile }) {
  network.on(`POST ${UPDATE}`, ({ body }) => {
    const { currentPassword: _, version, ...fields } = Object.fromEntries(body as FormData)
    server.profile = { ...server.profile, ...fields, version: Number(version) + 1 }
    return { body: { success: true, message: 'Profile Updated Successfully', data: server.profile } }
  })
}

test('shows the user, and N/A for empty company fields', async () => {
  openSettings()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 2, name: 'Ada Lind' })).toBeVisible()
  await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
  await expect.element(page.getByText('559360-9844')).toBeVisible()
  await expect.element(page.getByText('Vehicle trade')).toBeVisible()
  expect(page.getByText('N/A').elements()).toHaveLength(3)
  expect(document.title).toContain('Settings')
})

test.each([
  ['Admin', 'Administrator', 'Admin · Nordbil AB'],
  ['Admin', 'Sales', 'Admin · Sales · Nordbil AB'],
  ['User', 'Administrator', 'User · Administrator · Nordbil AB'],
] as const)('a user of type %s with the role %s is described as %s', async (type, role, text) => {
  openSettings({ type, role })
  await expect.element(page.getByText(text, { exact: true })).toBeVisible()
})

test.each([
  ['User', 0],
  ['Admin', 1],
  ['Super Admin', 1],
] as const)('a user of type %s sees %i cards of colour and logo', async (type, cards) => {
  openSettings({ type })
  await expect.element(page.getByText('Organization Information')).toBeVisible()
  expect(page.getByText('Theme Customization').elements()).toHaveLength(cards)
  expect(page.getByText('Website Logo').elements()).toHaveLength(cards)
})

test('shows a skeleton while loading and a retry after an error', async () => {
  const server = serveAccount()
  const release = delayResponse('GET /api/theme', () =>
    errorResponse(503, 'The server is busy. Please try again in a moment.'),
  )
  open('/dashboard/profile')
  await expect.element(page.getByRole('main').getByText('Loading')).toBeInTheDocument()
  release()
  await expectAlert('The server is busy')
  network.on('GET /api/theme', () => ({ body: themeResponse(server.theme) }))
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('Your account is ready to use')).toBeVisible()
})

test('a saved name appears in the top bar immediately', async () => {
  const { server } = openSettings()
  acceptProfileUpdates(server)
  await field('First name').fill('  Augusta ')
  await save.click()
  await expect.element(page.getByText('Profile Updated Successfully')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Profile menu of Augusta Lind' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Augusta Lind' })).toBeVisible()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  // A draft of the saved name would be restored after a reload.
  expect(sessionStorage.getItem('draft profile')).toBeNull()
})

test('f5_a new email asks for the password, a change of case does not', async () => {
  const { server } = openSettings()
  acceptProfileUpdates(server)
  const password = page.getByLabelText('Current password')
  await field('Email').fill('ADA@nordbil.example')
  expect(password.elements()).toHaveLength(0)
  await field('Email').fill('ada@weser.example')
  await expect.element(password).toBeVisible()
  await save.click()
  await expect.element(page.getByText('Enter your current password to change the email')).toBeVisible()
  expect(network.requests(UPDATE)).toHaveLength(0)
  await password.fill('demo-password')
  await save.click()
  await expect.element(page.getByText('Profile Updated Successfully')).toBeVisible()
  const [sent] = network.forms(UPDATE)
  expect(sent?.get('email')).toBe('ada@weser.example')
  expect(sent?.get('currentPassword')).toBe('demo-password')
  expect(password.elements()).toHaveLength(0)
})

test('a new email says that sign-in codes will be sent to it', async () => {
  openSettings()
  const email = field('Email')
  await expect.element(email).toHaveAccessibleDescription('You sign in with this email.')
  await email.fill('ada@weser.example')
  await expect.element(email).toHaveAccessibleDescription(/^Sign-in codes will be sent to this address\./)
  await email.fill('ada@nordbil.example')
  await expect.element(email).toHaveAccessibleDescription('You sign in with this email.')
})

test('a rejected save keeps the input and shows the error at its field', async () => {
  openSettings()
  network.on(`POST ${UPDATE}`, () =>
    errorResponse(409, 'Another account already uses this email', {
      fields: { email: ['Another account already uses this email'] },
    }),
  )
  await field('First name').fill('Augusta')
  await field('Email').fill('eve@nordbil.example')
  await page.getByLabelText('Current password').fill('demo-password')
  await save.click()
  await expect.element(page.getByText('Another account already uses this email')).toBeVisible()
  await expect.element(field('Email')).toHaveFocus()
  await expect.element(field('First name')).toHaveValue('Augusta')
  await expect.element(page.getByLabelText('Current password')).toHaveValue('demo-password')
})

test('a failed update without a message shows the default message', async () => {
  openSettings()
  network.on(`POST ${UPDATE}`, () => errorResponse(500, ''))
  await field('Mobile').fill('070')
  await save.click()
  await expect.element(page.getByText('Something went wrong.', { exact: true })).toBeVisible()
  await expect.element(field('Mobile')).toHaveValue('070')
})

test('what an administrator has changed meanwhile is merged, and saved again on top of it', async () => {
  const { server } = openSettings()
  await field('First name').fill('Augusta')
  changeMeanwhile(server, { first_name: 'Adele', mobile: '+46 8 1' })
  await save.click()
  await expect.element(conflict).toBeVisible()
  await expect.element(page.getByRole('radio', { name: /Yours Augusta/ })).toBeChecked()
  expect(drafts.read('profile')?.version).toBe(2)
  await expect.element(field('Mobile')).toHaveValue('+46 8 1')
  await save.click()
  await expect.element(page.getByText('Profile Updated Successfully')).toBeVisible()
  await expect.element(conflict).not.toBeInTheDocument()
  // The next save is based on this one.
  await field('First name').fill('Ada')
  await save.click()
  await expect.poll(() => sentForms().length).toBe(3)
  expect(sentForms()).toEqual([
    ['1', 'Augusta', ada.mobile],
    ['2', 'Augusta', '+46 8 1'],
    ['3', 'Ada', '+46 8 1'],
  ])
})

test('an email that an administrator has changed meanwhile needs no password', async () => {
  const { server } = openSettings()
  await field('First name').fill('Augusta')
  changeMeanwhile(server, { email: 'ada@weser.example' })
  await save.click()
  await expect.element(field('Email')).toHaveValue('ada@weser.example')
  await expect.element(page.getByLabelText('Current password')).not.toBeInTheDocument()
  await save.click()
  await expect.element(page.getByText('Profile Updated Successfully')).toBeVisible()
})

test('discarding changes after a conflict shows what the administrator has saved', async () => {
  const { server } = openSettings()
  await field('First name').fill('Augusta')
  changeMeanwhile(server, { first_name: 'Adele' })
  await save.click()
  await expect.element(conflict).toBeVisible()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(field('First name')).toHaveValue('Adele')
  await expect.element(conflict).not.toBeInTheDocument()
})

test('a restored draft is compared with the version on which it was based, until it is saved', async () => {
  sessionStorage.setItem('draftsOf', 'u1')
  drafts.save('profile', { version: 1, typed: { first_name: { value: 'Augusta', base: 'Ada' } } })
  const { server } = openSettings({ version: 4 })
  acceptProfileUpdates(server)
  await expect.element(field('First name')).toHaveValue('Augusta')
  await save.click()
  await expect.element(page.getByText('Profile Updated Successfully')).toBeVisible()
  await field('Mobile').fill('070')
  await save.click()
  await expect.poll(() => sentForms().map(([version]) => version)).toEqual(['1', '2'])
})

test('after a conflict the form can be saved even if no own change is left', async () => {
  const { server } = openSettings()
  await field('First name').fill('Augusta')
  changeMeanwhile(server, { first_name: 'Augusta', mobile: '+46 8 1' })
  await save.click()
  await expect.element(conflict).toBeVisible()
  await expect.element(field('Mobile')).toHaveValue('+46 8 1')
  await save.click()
  await expect.element(page.getByText('Profile Updated Successfully')).toBeVisible()
  await expect.element(conflict).not.toBeInTheDocument()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
})

test('leaving the page with unsaved changes asks first', async () => {
  const app = openSettings()
  await field('First name').fill('Augusta')
  await page.getByRole('link', { name: 'Forecourt' }).click()
  await expect.element(page.getByRole('button', { name: 'Keep editing' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(app.address).toBe('/dashboard/profile')
  await expect.element(field('First name')).toHaveValue('Augusta')
  await page.getByRole('link', { name: 'Forecourt' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.poll(app.address).toBe('/dashboard')
})

test('Escape asks before unsaved changes are discarded', async () => {
  openSettings()
  await field('First name').fill('Augusta')
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(field('First name')).toHaveValue('Ada')
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
})

test('unsaved changes survive a failed reload after the logo has changed', async () => {
  openSettings({ logo: 'data:,' })
  await field('First name').fill('Augusta')
  network.on('DELETE /api/theme/logo', () => ({ body: { success: true, message: '', logo: '' } }))
  await page.getByRole('button', { name: 'Remove logo' }).click()
  network.on('GET /api/auth/profile/detail', () => errorResponse(503, 'The server is busy.'))
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(page.getByText('Logo removed successfully')).toBeVisible()
  // Saving another logo reloads the page's data, which fails, too. The input must still be there.
  network.on('PUT /api/theme/logo', () => ({ body: { success: true, message: '', logo: 'data:,' } }))
  await page.getByLabelText('Logo file').upload(await createPicture(8, 8))
  await page.getByRole('button', { name: 'Save logo' }).click()
  await expect.element(page.getByText('Logo uploaded successfully')).toBeVisible()
  await expect.element(field('First name')).toHaveValue('Augusta')
})

test('a failed sign-out shows an error and keeps the session', async () => {
  const app = openSettings()
  network.on('POST /api/auth/logout', () => errorResponse(503, 'The server is busy.'))
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect.element(page.getByText('Something went wrong while logging out')).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/profile')
})
