import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { core } from '~/core'
import { site } from '~/lib/site'
import { deferred, errorResponse, network } from '~/test/network'
import { open } from '~/test/open'
import { ada, createPicture, openSettings, serveAccount } from '~/test/settings'

afterEach(() => {
  delete site.provider
})

const password = (name: string) => page.getByLabelText(name, { exact: true })
const change = page.getByRole('button', { name: 'Change password', exact: true })

async function openPassword() {
  openSettings()
  await page.getByRole('button', { name: 'Change Password', exact: true }).click()
}

async function typePasswords(current: string, next: string, again: string) {
  await password('Current password').fill(current)
  await password('New password').fill(next)
  await password('Confirm password').fill(again)
}

test('a password mismatch is shown while typing and disables saving', async () => {
  await openPassword()
  await expect.element(change).toHaveAttribute('aria-disabled', 'true')
  await typePasswords('old-password', 'new-password', 'new')
  expect(page.getByText('Passwords do not match').elements()).toHaveLength(0)
  await password('Confirm password').fill('news')
  await expect.element(page.getByText('Passwords do not match')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await password('Confirm password').fill('new-password')
  await expect.poll(() => page.getByText('Passwords do not match').elements()).toHaveLength(0)
  await expect.element(change).not.toHaveAttribute('aria-disabled')
  await password('New password').fill('newer-password')
  await expect.element(page.getByText('Passwords do not match')).toBeVisible()
  await expect.element(change).toHaveAttribute('aria-disabled', 'true')
  expect(network.requests('/api/auth/change-password')).toHaveLength(0)
})

test('Enter in an incomplete password form shows the errors', async () => {
  await openPassword()
  await password('New password').fill('new-password')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Current password is required')).toBeVisible()
  await expect.element(password('Current password')).toHaveFocus()
})

test('changing the password shows a toast and closes the dialog', async () => {
  await openPassword()
  network.on('POST /api/auth/change-password', () => ({
    body: { success: true, message: 'Password changed successfully' },
  }))
  await typePasswords('old-password', 'new-password', 'new-password')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Password changed successfully')).toBeVisible()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  expect(network.requests('/api/auth/change-password')[0]?.body).toMatchObject({
    currentPassword: 'old-password',
    newPassword: 'new-password',
  })
})

test('a wrong current password is a field error and keeps the input', async () => {
  await openPassword()
  const wrong = 'The current password is incorrect'
  network.on('POST /api/auth/change-password', () =>
    errorResponse(400, wrong, { fields: { currentPassword: [wrong] } }),
  )
  await typePasswords('not it', 'new-password', 'new-password')
  await change.click()
  await expect.element(page.getByText(wrong)).toBeVisible()
  await expect.element(password('Current password')).toHaveFocus()
  await expect.element(password('Confirm password')).toHaveValue('new-password')
})

test('a failed password change without a message shows the default message', async () => {
  await openPassword()
  network.on('POST /api/auth/change-password', () => errorResponse(500, ''))
  await typePasswords('old-password', 'new-password', 'new-password')
  await change.click()
  await expect.element(page.getByText('Failed to change password')).toBeVisible()
})

const remove = page.getByRole('button', { name: 'Delete my account' })
const own = password('Your password')

async function openDeletion() {
  const app = openSettings()
  await page.getByRole('button', { name: 'Delete Account' }).click()
  return app
}

test('the button that deletes the account is apart from the others', async () => {
  openSettings()
  const button = (name: string) => page.getByRole('button', { name })
  await expect.element(button('Change Password')).toBeVisible()
  const [change, remove] = ['Change Password', 'Delete Account'].map(name =>
    button(name).element().getBoundingClientRect(),
  )
  expect((remove?.left ?? 0) - (change?.right ?? 0)).toBeGreaterThan(80)
})

test('v9: deleting the account names it and asks for the password', async () => {
  const app = await openDeletion()
  const dialog = page.getByRole('dialog', { name: 'Delete Account' })
  await expect
    .element(dialog)
    .toHaveTextContent(
      'This action cannot be undone. All your data will be permanently deleted. Records, comments and history entries stay in the corporation, without your name.',
    )
  await expect.element(dialog).toHaveTextContent('ada@nordbil.example')
  await remove.click({ force: true })
  expect(network.requests('/api/profile/delete-account')).toHaveLength(0)
  network.on('DELETE /api/profile/delete-account', () => ({
    body: { success: true, message: 'Your account has been deleted successfully' },
  }))
  await expect.element(own).toHaveAttribute('autocomplete', 'current-password')
  await own.fill(' right one ')
  await expect.element(remove).not.toHaveAttribute('aria-disabled')
  // Enter in the password's field does not delete the account.
  await userEvent.keyboard('{Enter}')
  expect(network.requests('/api/profile/delete-account')).toHaveLength(0)
  await remove.click()
  await expect.element(page.getByText('Your account has been deleted successfully')).toBeVisible()
  expect(network.requests('/api/profile/delete-account').map(call => call.body)).toEqual([
    { password: ' right one ' },
  ])
  await expect.poll(app.address).toBe('/login')
  expect(localStorage.getItem('accessToken')).toBeNull()
  expect(localStorage.getItem('refreshToken')).toBeNull()
})

test('v9: a wrong password is a field error and the dialog stays open', async () => {
  const app = await openDeletion()
  const wrong = 'The current password is incorrect'
  network.on('DELETE /api/profile/delete-account', () =>
    errorResponse(400, wrong, { fields: { password: [wrong] } }),
  )
  await own.fill('wrong one')
  await remove.click()
  await expect.element(page.getByRole('dialog').getByText(wrong)).toBeVisible()
  await expect.element(own).toHaveFocus()
  await expect.element(own).toHaveValue('wrong one')
  await expect.poll(app.address).toBe('/dashboard/profile')
  expect(localStorage.getItem('accessToken')).not.toBeNull()
})

test("the last administrator sees why the account can't be deleted, and a link to the users", async () => {
  const app = await openDeletion()
  const { lastAdmin } = core.texts().auth
  network.on('DELETE /api/profile/delete-account', () =>
    errorResponse(409, lastAdmin.text, { messages: [lastAdmin] }),
  )
  await own.fill('right one')
  await remove.click()
  const alert = page.getByRole('dialog').getByRole('alert')
  await expect
    .element(alert)
    .toHaveTextContent(/^You are the last active Admin\. Give another user this type/)
  await expect
    .element(alert.getByRole('link', { name: 'Go to users' }))
    .toHaveAttribute('href', '/dashboard/users')
  await expect.poll(app.address).toBe('/dashboard/profile')
  expect(localStorage.getItem('accessToken')).not.toBeNull()
})

test('another conflict while deleting the account shows its own message', async () => {
  await openDeletion()
  const { stale } = core.texts().general
  network.on('DELETE /api/profile/delete-account', () =>
    errorResponse(409, stale.text, { messages: [stale] }),
  )
  await own.fill('right one')
  await remove.click()
  await expect.element(page.getByRole('dialog').getByRole('alert')).toHaveTextContent(stale.text)
})

test('there is no sign-in provider card without a provider', async () => {
  openSettings()
  await expect.element(page.getByText('Edit Profile')).toBeVisible()
  expect(page.getByText(/Sign-in with/).elements()).toHaveLength(0)
})

test('connecting asks for the password and opens the provider', async () => {
  site.provider = 'Google'
  openSettings()
  network.on('POST /api/auth/google/connect', ({ body }) =>
    (body as { currentPassword: string }).currentPassword === 'right-one'
      ? { body: { success: true, data: { url: '#departed' } } }
      : errorResponse(400, 'The current password is incorrect', {
          fields: { currentPassword: ['The current password is incorrect'] },
        }),
  )
  await page.getByRole('button', { name: 'Connect Google', exact: true }).click()
  const go = page.getByRole('button', { name: 'Continue' })
  await go.click()
  await expect.element(page.getByText('Current password is required')).toBeVisible()
  expect(network.requests('/api/auth/google/connect')).toHaveLength(0)
  const password = page.getByLabelText('Current password', { exact: true })
  await password.fill('wrong-one')
  await go.click()
  await expect.element(page.getByText('The current password is incorrect')).toBeVisible()
  await password.fill('right-one')
  await go.click()
  await expect.poll(() => location.hash).toBe('#departed')
  history.replaceState(null, '', location.pathname + location.search)
})

test('disconnecting shows a toast and offers to connect again', async () => {
  site.provider = 'Google'
  const { server } = openSettings({ connected: true })
  network.on('DELETE /api/auth/google/connect', () => {
    server.profile = { ...server.profile, connected: false }
    return { body: { success: true, message: 'Disconnected. It can no longer be used to sign in.' } }
  })
  await page.getByRole('button', { name: 'Disconnect Google' }).click()
  await expect.element(page.getByText('It can no longer be used to sign in')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Connect Google', exact: true })).toBeVisible()
})

test.each([
  ['yes', 'Connected. You can now sign in with it.'],
  ['taken', 'This provider account is already connected to another user.'],
  ['failed', 'Failed to connect. Please try again.'],
])('the provider\'s outcome "%s" is shown once and removed from the URL', async (how, sentence) => {
  serveAccount()
  const app = open(`/dashboard/profile?connected=${how}`)
  await expect.element(page.getByText(sentence)).toBeVisible()
  await expect.poll(app.address).toBe('/dashboard/profile')
  await expect.element(page.getByText(sentence)).toBeVisible()
})

test('a picture can be cropped by keyboard and is sent with the form', async () => {
  const { server } = openSettings()
  network.on('POST /api/auth/profile/update-profile', () => ({
    body: { success: true, message: '', data: server.profile },
  }))
  await page.getByLabelText('Picture file').upload(await createPicture(3000, 1200, 'image/jpeg'))
  const part = page.getByRole('group', { name: /Crop area/ })
  const use = page.getByRole('button', { name: 'Use picture' })
  await expect.element(use).not.toHaveAttribute('aria-disabled')
  await expect.element(part).toHaveFocus()
  // The arrow key moves the picture to the right, so that its red left end is in the crop area.
  await userEvent.keyboard('{ArrowRight>200/}')
  await use.click()
  await expect.element(page.getByText("Your new picture isn't saved yet.")).toBeVisible()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(page.getByText('Profile Updated Successfully')).toBeVisible()
  const [sent] = network.forms('/api/auth/profile/update-profile')
  expect(sent?.get('first_name')).toBe(ada.first_name)
  const blob = sent?.get('profileImage') as Blob
  expect(blob.type).toBe('image/jpeg')
  const bitmap = await createImageBitmap(blob)
  expect([bitmap.width, bitmap.height]).toEqual([1024, 1024])
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')
  canvas?.drawImage(bitmap, 1000, 500, 1, 1, 0, 0, 1, 1)
  const [red = 0, , blue = 0] = canvas?.getImageData(0, 0, 1, 1).data ?? []
  expect(red).toBeGreaterThan(blue)
})

test('a file that is no picture shows an error next to the picture', async () => {
  openSettings()
  const input = page.getByLabelText('Picture file')
  await input.upload(new File(['<svg/>'], 'me.png', { type: 'image/png' }))
  await expect.element(page.getByText('Please choose a PNG or JPG picture')).toBeVisible()
  const broken = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
  await input.upload(new File([broken], 'me.png', { type: 'image/png' }))
  await expect.element(page.getByText("This picture can't be read")).toBeVisible()
  expect(page.getByRole('dialog').elements()).toHaveLength(0)
})

test('a picture that is read after another was chosen is not cropped, and no URL is left', async () => {
  const urls = new Set<string>()
  const { createObjectURL, revokeObjectURL } = URL
  onTestFinished(() => void vi.restoreAllMocks())
  vi.spyOn(URL, 'createObjectURL').mockImplementation(file => {
    const url = createObjectURL(file)
    urls.add(url)
    return url
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(url => {
    urls.delete(url)
    revokeObjectURL(url)
  })
  const { wait, release } = deferred()
  const decode = vi.spyOn(HTMLImageElement.prototype, 'decode').mockImplementationOnce(() => wait)
  openSettings()
  const input = page.getByLabelText('Picture file')
  await input.upload(await createPicture(40, 30, 'image/jpeg'))
  await expect.poll(() => decode.mock.calls).toHaveLength(1)
  await input.upload(await createPicture(50, 30, 'image/jpeg'))
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  release()
  await expect.poll(() => urls.size).toBe(0)
  await expect.element(dialog).not.toBeInTheDocument()
})
