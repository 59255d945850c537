import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { delayResponse, errorResponse, network } from '~/test/network'
import { closeAll, expectAlert, open, signInUser } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const password = page.getByLabelText('New password', { exact: true })
const again = page.getByLabelText('Confirm password', { exact: true })
const save = page.getByRole('button', { name: 'Set New Password' })
const sent = () => network.requests('/api/auth/reset-password').map(call => call.body)
const done = 'Your password was changed. Please sign in with the new one.'
const linkOver = 'This link is no longer valid. Please request a new one.'
const good = 'three birds on a wire'

/** Opens a reset link. */
async function openResetLink() {
  const app = open('/reset-password?token=t1')
  await expect.element(password).toBeVisible()
  return app
}

async function fill(first: string, second = first) {
  await password.fill(first)
  await again.fill(second)
}

test('a new password can be set by keyboard and redirects to the login page', async () => {
  network.on('POST /api/auth/reset-password', () => ({ body: { success: true, message: done } }))
  const app = await openResetLink()
  await password.click()
  await userEvent.keyboard(`${good}{Tab}`)
  await expect.element(page.getByRole('button', { name: 'Show password' }).first()).toHaveFocus()
  await userEvent.keyboard(`{Tab}${good}`)
  await expect.element(save).not.toHaveAttribute('aria-disabled')
  await userEvent.keyboard('{Enter}')
  await expect.poll(app.address).toBe('/login')
  await expect.element(page.getByText(done).first()).toBeVisible()
  expect(sent()).toEqual([{ token: 't1', password: good, confirmPassword: good }])
  expect(sessionStorage.getItem('resetToken')).toBeNull()
})

test('the token leaves the URL but survives a reload; the password is not stored', async () => {
  const app = await openResetLink()
  await expect.poll(app.address).toBe('/reset-password')
  await fill(good)
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(good)
  expect(sessionStorage.getItem('resetToken')).toBe('t1')
  closeAll()
  open('/reset-password')
  await expect.element(password).toBeVisible()
})

test('the submit button is disabled but focusable until both fields are valid', async () => {
  await openResetLink()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await fill('short')
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await fill(good, 'three birds')
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await again.fill(good)
  await expect.element(save).not.toHaveAttribute('aria-disabled')
  await expect.element(page.getByText('The passwords match')).toBeVisible()
  await password.fill(`${good}s`)
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await expect.element(page.getByText('Passwords must match')).toBeVisible()
  expect(sent()).toHaveLength(0)
})

test('a mismatch is reported while the confirmation is typed', async () => {
  await openResetLink()
  await password.fill(good)
  await again.click()
  await userEvent.keyboard('three')
  expect(page.getByText('Passwords must match').elements()).toHaveLength(0)
  await userEvent.keyboard('x')
  await expect.element(page.getByText('Passwords must match')).toBeVisible()
  await expect.element(again).toHaveFocus()
  await userEvent.keyboard('{Backspace}')
  await expect.element(page.getByText('Passwords must match')).toBeVisible()
  await userEvent.keyboard(good.slice('three'.length))
  await expect.element(page.getByText('The passwords match')).toBeVisible()
  expect(page.getByText('Passwords must match').elements()).toHaveLength(0)
})

test('Enter in an incomplete form shows the errors and sends nothing', async () => {
  await openResetLink()
  await password.click()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Password is required')).toBeVisible()
  await expect.element(page.getByText('Please repeat the password')).toBeVisible()
  await expect.element(password).toHaveFocus()
  expect(sent()).toHaveLength(0)
})

test('each password can be shown separately', async () => {
  await openResetLink()
  await page.getByRole('button', { name: 'Show password' }).last().click()
  await expect.element(again).toHaveAttribute('type', 'text')
  await expect.element(password).toHaveAttribute('type', 'password')
  await expect.element(password).toHaveAttribute('autocomplete', 'new-password')
})

test('the strength meter announces its advice politely and prevents no weak password', async () => {
  network.on('POST /api/auth/reset-password', () => ({ body: { success: true, message: done } }))
  const app = await openResetLink()
  const advice = page.getByText(/^Password strength/)
  expect(advice.elements()).toHaveLength(0)
  await fill('password')
  const grade = page.getByText('Very weak.')
  await expect.element(grade).toBeVisible()
  const line = grade.element().parentElement
  expect(line?.getAttribute('aria-live')).toBe('polite')
  expect(line?.textContent).toBe('Password strength: Very weak. This is a heavily used password.')
  await fill(good)
  await expect.element(page.getByText('Strong.')).toBeVisible()
  await fill('Forecourt')
  await expect.element(page.getByText('Very weak.')).toBeVisible()
  await save.click()
  await expect.poll(app.address).toBe('/login')
})

test('an expired link offers to request a new one', async () => {
  network.on('POST /api/auth/reset-password', () =>
    errorResponse(400, linkOver, { messages: [{ code: 'auth.reset_link_invalid', text: linkOver }] }),
  )
  const app = await openResetLink()
  await fill(good)
  await save.click()
  await expectAlert(linkOver)
  const link = page.getByRole('link', { name: 'Request a new link' })
  await expect.element(link).toHaveFocus()
  expect(sessionStorage.getItem('resetToken')).toBeNull()
  await link.click()
  await expect.poll(app.address).toBe('/forgot-password')
})

test.each(['/reset-password', '/reset-password?token='])(
  '%s without a token offers to request a link',
  async address => {
    open(address)
    await expectAlert(linkOver)
    await expect.element(page.getByRole('link', { name: 'Request a new link' })).toHaveFocus()
  },
)

test('an error is shown in place and keeps the input', async () => {
  network.on('POST /api/auth/reset-password', failNetwork)
  await openResetLink()
  await fill(good)
  await save.click()
  await expectAlert('No connection to the server')
  network.on('POST /api/auth/reset-password', () => errorResponse(500, ''))
  await save.click()
  await expectAlert('Failed to set the new password. Please try again.')
  await expect.element(password).toHaveValue(good)
  await expect.element(again).toHaveValue(good)
})

test('a field error of the server is shown until the field changes', async () => {
  const sentence = 'Minimum length is 30 characters'
  network.on('POST /api/auth/reset-password', () =>
    errorResponse(400, sentence, { fields: { password: [sentence] } }),
  )
  await openResetLink()
  await fill(good)
  await save.click()
  await expect.element(page.getByText(sentence)).toBeVisible()
  await expect.element(password).toHaveFocus()
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  await fill(`${good} and on another wire`)
  await expect.element(save).not.toHaveAttribute('aria-disabled')
  expect(page.getByText(sentence).elements()).toHaveLength(0)
})

test('a second click while saving does nothing', async () => {
  const release = delayResponse('POST /api/auth/reset-password', () => ({
    body: { success: true, message: done },
  }))
  const app = await openResetLink()
  await fill(good)
  await save.click()
  await expect.element(save).toHaveAttribute('aria-busy', 'true')
  await save.click()
  release()
  await expect.poll(app.address).toBe('/login')
  expect(sent()).toHaveLength(1)
})

test('a reset ends the session in this browser', async () => {
  signInUser()
  network.on('POST /api/auth/reset-password', () => ({ body: { success: true, message: done } }))
  const app = await openResetLink()
  await fill(good)
  await save.click()
  await expect.poll(app.address).toBe('/login')
  expect(localStorage.getItem('accessToken')).toBeNull()
})
