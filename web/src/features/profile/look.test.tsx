import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { applyStoredTheme } from '~/lib/theme'
import { deferred, delayResponse, errorResponse, network } from '~/test/network'
import { open, token } from '~/test/open'
import { ada, createPicture, openSettings, serveAccount, themeResponse } from '~/test/settings'

const accent = () => document.documentElement.style.getPropertyValue('--brand')
const swatch = (name: string) => page.getByRole('radio', { name })

/** Like `deferred`, but a failed test releases it, too: the colours of the next test are saved after this one's. */
function delaySave() {
  const delay = deferred()
  onTestFinished(delay.release)
  return delay
}

/** Makes the fake server accept accent colours for the user or the corporation. */
function acceptColors(server: ReturnType<typeof serveAccount>) {
  network.on('PUT /api/theme', ({ body }) => {
    const { color, scope } = body as { color: string; scope: string }
    const chosen = color === 'default' ? '' : color
    const theme = { ...server.theme, [scope === 'corporation' ? 'corporation' : 'own']: chosen }
    server.theme = { ...theme, color: theme.own || theme.corporation || '#3b82f6' }
    return { body: themeResponse(server.theme) }
  })
}

test('a chosen colour is applied immediately and saved in the background', async () => {
  const { server } = openSettings()
  const { wait, release } = delaySave()
  acceptColors(server)
  await expect.element(swatch('Blue')).toBeChecked()
  network.on('PUT /api/theme', async () => {
    await wait
    return { body: themeResponse({ color: '#eab308', own: '#eab308' }) }
  })
  await page.getByText('Yellow', { exact: true }).click()
  await expect.poll(accent).toBe('#eab308')
  expect(page.getByText('Theme color applied successfully').elements()).toHaveLength(0)
  release()
  await expect.element(page.getByText('Theme color applied successfully')).toBeVisible()
  await expect.element(swatch('Yellow')).toBeChecked()
  expect(network.requests('/api/theme').at(-1)?.body).toEqual({ color: '#eab308', scope: 'user' })
  expect(localStorage.getItem('primaryColor')).toBe('#eab308')
})

test('choosing several colours shows only one message', async () => {
  const { server } = openSettings()
  acceptColors(server)
  const messages = page.getByText('Theme color applied successfully')
  for (const [name, color] of [
    ['Yellow', '#eab308'],
    ['Teal', '#14b8a6'],
    ['Red', '#ef4444'],
  ] as const) {
    await page.getByText(name, { exact: true }).click()
    await expect.poll(() => server.theme.own).toBe(color)
    await expect.element(messages).toBeVisible()
  }
  expect(messages.elements()).toHaveLength(1)
})

test('a colour that failed to save reverts to the default, which can be chosen', async () => {
  const { server } = openSettings({ theme: '#10b981' }, { color: '#10b981', own: '#10b981' })
  network.on('PUT /api/theme', () => errorResponse(503, 'The server is busy.'))
  await expect.element(swatch('Green')).toBeChecked()
  await page.getByText('Red', { exact: true }).click()
  await expect.element(page.getByText('Failed to apply theme color')).toBeVisible()
  await expect.poll(accent).toBe('#3b82f6')
  // Saving failed and the server still has green, so the default colour (blue) isn't selected and can be chosen.
  await expect.element(swatch('Blue')).not.toBeChecked()
  acceptColors(server)
  await page.getByText('Blue', { exact: true }).click()
  await expect.poll(() => server.theme.own).toBe('#3b82f6')
  await expect.element(swatch('Blue')).toBeChecked()
})

test('a colour for everyone that failed to save can be chosen again', async () => {
  const { server } = openSettings({}, { color: '#a855f7', corporation: '#a855f7' })
  network.on('PUT /api/theme', () => errorResponse(503, 'The server is busy.'))
  await page.getByRole('checkbox', { name: 'For everyone in Nordbil AB' }).click()
  await page.getByText('Teal', { exact: true }).click()
  await expect.element(page.getByText('Failed to apply theme color')).toBeVisible()
  await expect.element(swatch('Teal')).not.toBeChecked()
  acceptColors(server)
  await page.getByText('Teal', { exact: true }).click()
  await expect.poll(() => server.theme.corporation).toBe('#14b8a6')
  await expect.element(swatch('Teal')).toBeChecked()
})

test('of the choices made during a save only the last is saved', async () => {
  const { server } = openSettings()
  const { wait, release } = delaySave()
  const saved: unknown[] = []
  network.on('PUT /api/theme', async ({ body }) => {
    saved.push(body)
    await wait
    server.theme = { color: (body as { color: string }).color }
    return { body: themeResponse(server.theme) }
  })
  await expect.element(swatch('Blue')).toBeChecked()
  swatch('Blue').element().focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  await expect.poll(accent).toBe('#ec4899')
  release()
  await expect
    .poll(() => saved)
    .toEqual([
      { color: '#6366f1', scope: 'user' },
      { color: '#ec4899', scope: 'user' },
    ])
  await expect.element(page.getByText('Theme color applied successfully').first()).toBeVisible()
  expect(accent()).toBe('#ec4899')
})

test('a colour for everyone is saved for the corporation', async () => {
  const { server } = openSettings()
  acceptColors(server)
  await page.getByRole('checkbox', { name: 'For everyone in Nordbil AB' }).click()
  await page.getByText('Teal', { exact: true }).click()
  await expect.element(page.getByText('Theme color applied successfully')).toBeVisible()
  expect(network.requests('/api/theme').at(-1)?.body).toEqual({ color: '#14b8a6', scope: 'corporation' })
  await expect.poll(accent).toBe('#14b8a6')
})

test('a user with their own colour also sees a new colour for everyone', async () => {
  const { server } = openSettings({}, { color: '#ec4899', own: '#ec4899' })
  acceptColors(server)
  await page.getByRole('checkbox', { name: 'For everyone in Nordbil AB' }).click()
  await page.getByText('Teal', { exact: true }).click()
  await expect.element(page.getByText('Theme color applied successfully')).toBeVisible()
  expect(server.theme).toEqual({ color: '#14b8a6', own: '#14b8a6', corporation: '#14b8a6' })
  await expect.poll(accent).toBe('#14b8a6')
})

test("the user's own colour can be replaced by the corporation's, and that by the default", async () => {
  const { server } = openSettings({}, { color: '#ec4899', own: '#ec4899', corporation: '#14b8a6' })
  acceptColors(server)
  const button = page.getByRole('button', { name: 'Use the default colour' })
  await button.click()
  await expect.poll(() => server.theme).toEqual({ color: '#14b8a6', own: '', corporation: '#14b8a6' })
  await expect.poll(accent).toBe('#14b8a6')
  await expect.element(swatch('Teal')).toBeChecked()
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('checkbox', { name: 'For everyone in Nordbil AB' }).click()
  await expect.element(button).not.toHaveAttribute('aria-disabled')
  await button.click()
  await expect.poll(() => server.theme).toEqual({ color: '#3b82f6', own: '', corporation: '' })
  await expect.poll(accent).toBe('#3b82f6')
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
})

test('a custom colour can be typed, and an invalid one is a field error', async () => {
  const { server } = openSettings()
  acceptColors(server)
  const written = page.getByRole('textbox', { name: 'Custom colour' })
  await written.fill('red')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('as # and six hexadecimal digits')).toBeVisible()
  expect(network.requests('/api/theme').filter(call => call.method === 'PUT')).toHaveLength(0)
  await written.fill('#7A1FA2')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(accent).toBe('#7a1fa2')
  await expect.element(page.getByText('Theme color applied successfully')).toBeVisible()
})

test('the picker previews a colour and saves it when it closes', async () => {
  const { server } = openSettings()
  acceptColors(server)
  await expect.element(page.getByLabelText('Pick a colour')).toBeVisible()
  const picker = page.getByLabelText('Pick a colour').element() as HTMLInputElement
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  write?.call(picker, '#ff8800')
  picker.dispatchEvent(new Event('input', { bubbles: true }))
  await expect.poll(accent).toBe('#ff8800')
  expect(network.requests('/api/theme').filter(call => call.method === 'PUT')).toHaveLength(0)
  picker.dispatchEvent(new Event('change', { bubbles: true }))
  await expect.element(page.getByText('Theme color applied successfully')).toBeVisible()
  expect(network.requests('/api/theme').at(-1)?.body).toEqual({ color: '#ff8800', scope: 'user' })
})

test("a colour chosen in the top bar is applied even if it can't be saved", async () => {
  const { server } = openSettings()
  acceptColors(server)
  await page.getByRole('button', { name: 'Colour scheme' }).click()
  await page.getByRole('menuitemradio', { name: 'Purple' }).click()
  await expect.element(swatch('Purple')).toBeChecked()
  await expect.poll(() => server.theme.own).toBe('#8b5cf6')
  network.on('PUT /api/theme', () => errorResponse(503, 'The server is busy.'))
  await page.getByRole('button', { name: 'Colour scheme' }).click()
  await page.getByRole('menuitemradio', { name: 'Cyan' }).click()
  await expect.element(page.getByText('Failed to update theme color')).toBeVisible()
  await expect.poll(accent).toBe('#06b6d4')
})

test('the last of two colours chosen in the top bar is saved last', async () => {
  openSettings()
  const { wait, release } = delaySave()
  const saved: string[] = []
  network.on('PUT /api/theme', async ({ body }) => {
    const { color } = body as { color: string }
    if (color === '#8b5cf6') await wait
    saved.push(color)
    return { body: themeResponse({ color, own: color }) }
  })
  for (const [name, color] of [
    ['Purple', '#8b5cf6'],
    ['Cyan', '#06b6d4'],
  ] as const) {
    await page.getByRole('button', { name: 'Colour scheme' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await expect.poll(accent).toBe(color)
  }
  release()
  await expect.poll(() => saved).toEqual(['#8b5cf6', '#06b6d4'])
})

test("a user's colour applies from the start, and not to the next user", async () => {
  serveAccount({ theme: '#10b981' })
  const app = open('/dashboard')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(accent).toBe('#10b981')
  network.on('POST /api/auth/logout', () => ({ body: { success: true, message: 'Signed out successfully' } }))
  await page.getByRole('button', { name: /Profile menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect.poll(app.address).toBe('/login')
  await expect.poll(accent).toBe('#3b82f6')
  expect(localStorage.getItem('primaryColor')).toBeNull()
  expect(localStorage.getItem('shades')).not.toContain('#10b981')
})

test("a tab of another user keeps the signed-in user's colour", async () => {
  serveAccount({ theme: '#10b981' })
  open('/dashboard')
  await expect.poll(accent).toBe('#10b981')
  const own = localStorage.getItem('accessToken') ?? ''
  localStorage.setItem('accessToken', token('Admin', 'u2'))
  localStorage.setItem('primaryColor', '#8b5cf6')
  await applyStoredTheme()
  localStorage.setItem('accessToken', own)
  expect(localStorage.getItem('primaryColor')).toBe('#8b5cf6')
})

test('saving without a file asks for one; an invalid file is not uploaded', async () => {
  openSettings()
  await page.getByRole('button', { name: 'Save logo' }).click()
  await expect.element(page.getByText('Please select a logo file first')).toBeVisible()
  const input = page.getByLabelText('Logo file')
  await input.upload(new File(['GIF89a'], 'logo.png', { type: 'image/png' }))
  await expect.element(page.getByText('Please upload a valid image file (PNG, JPG, or SVG)')).toBeVisible()
  const large = new Uint8Array(2 * 1024 * 1024 + 1)
  large.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  await input.upload(new File([large], 'logo.png', { type: 'image/png' }))
  await expect.element(page.getByText('Logo file size should not exceed 2MB')).toBeVisible()
  expect(network.requests('/api/theme/logo')).toHaveLength(0)
})

test('a saved logo replaces the brand, and repeated clicks save it once', async () => {
  const { server } = openSettings()
  const link = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"/>')}`
  const release = delayResponse('PUT /api/theme/logo', () => {
    server.profile = { ...server.profile, logo: link }
    return { body: { success: true, message: 'Logo uploaded successfully', logo: link } }
  })
  await page.getByLabelText('Logo file').upload(await createPicture(40, 40))
  await expect.element(page.getByRole('img', { name: 'Preview of picture' })).toBeVisible()
  const save = page.getByRole('button', { name: 'Save logo' })
  await save.click()
  await expect.element(save).toHaveAttribute('aria-busy', 'true')
  await save.click()
  release()
  await expect.element(page.getByText('Logo uploaded successfully')).toBeVisible()
  await expect.element(page.getByRole('banner').getByRole('img', { name: 'Nordbil AB' })).toBeVisible()
  const sent = network.forms('/api/theme/logo')
  expect(sent).toHaveLength(1)
  expect(sent[0]?.get('logo')).toMatchObject({ name: 'blob' })
})

test('removing the logo asks for confirmation', async () => {
  const { server } = openSettings({ logo: 'data:,' })
  network.on('DELETE /api/theme/logo', () => {
    server.profile = { ...server.profile, logo: '' }
    return { body: { success: true, message: '', logo: '' } }
  })
  await page.getByRole('button', { name: 'Remove logo' }).click()
  await expect.element(page.getByRole('button', { name: 'Keep logo' })).toHaveFocus()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(page.getByText('Logo removed successfully')).toBeVisible()
  await expect.poll(() => page.getByRole('button', { name: 'Remove logo' }).elements()).toHaveLength(0)
})

test('a long name without blanks wraps in a confirmation', async () => {
  const corp_name = 'Bilhandel'.repeat(10)
  openSettings({ logo: 'data:,', corp: { ...ada.corp, corp_name } })
  await page.getByRole('button', { name: 'Remove logo' }).click()
  const text = page.getByRole('alertdialog').getByText(corp_name)
  await expect.element(text).toBeVisible()
  expect(text.element().scrollWidth).toBe(text.element().clientWidth)
})

test('leaving the page with a chosen logo asks before it is lost', async () => {
  const app = openSettings()
  await page.getByLabelText('Logo file').upload(await createPicture(8, 8))
  await expect.element(page.getByRole('img', { name: 'Preview of picture' })).toBeVisible()
  await app.visit('/dashboard')
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
  expect(app.address()).toBe('/dashboard/profile')
})

test('a rejected logo shows the reason and can be retried', async () => {
  openSettings()
  network.on('PUT /api/theme/logo', () => errorResponse(400, "This picture can't be read."))
  await page.getByLabelText('Logo file').upload(await createPicture(8, 8))
  await page.getByRole('button', { name: 'Save logo' }).click()
  await expect.element(page.getByRole('alert').filter({ hasText: "can't be read" })).toBeVisible()
  await expect.element(page.getByRole('img', { name: 'Preview of picture' })).toBeVisible()
  network.on('PUT /api/theme/logo', () => errorResponse(500, ''))
  await page.getByRole('button', { name: 'Save logo' }).click()
  await expect.element(page.getByText('Failed to upload logo')).toBeVisible()
  network.on('PUT /api/theme/logo', () => ({
    body: { success: true, message: 'Logo uploaded successfully', logo: 'data:,' },
  }))
  await page.getByRole('button', { name: 'Save logo' }).click()
  await expect.element(page.getByText('Logo uploaded successfully')).toBeVisible()
})

test('a broken logo falls back to the brand', async () => {
  openSettings({ logo: 'data:image/png;base64,broken' })
  await expect.element(page.getByRole('banner').getByRole('link', { name: /^Forecourt/ })).toBeVisible()
  expect(page.getByRole('banner').getByRole('img').elements()).toHaveLength(0)
})
