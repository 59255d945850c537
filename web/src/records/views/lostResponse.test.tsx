import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { View, ViewInput } from '~/core'
import { serveContactCount } from '~/test/contacts'
import { errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const form = page.getByRole('dialog', { name: 'Save view' })
const save = form.getByRole('button', { name: 'Save view' })
const serve = (...views: View[]) =>
  network.on('GET /api/views', () => ({ body: { success: true, data: views } }))
const created = () => network.requests('/api/views').filter(({ method }) => method === 'POST')

/** Saves a new view whose response is lost. The server then has it with this owner. */
async function loseResponse(owner: View['owner']) {
  signInUser()
  serveContactCount(30)
  const app = open('/dashboard/contacts?search=x')
  await page.getByRole('button', { name: 'Save view' }).click()
  await form.getByRole('textbox', { name: 'Name' }).fill('Of x')
  network.on('POST /api/views', ({ body }) => {
    const { resource = '', query = {}, columns = [], density = '' } = body as ViewInput
    const stored = { view_id: 'v1', name: 'Of x', scope: 'shared', is_default: false, owner, version: 1 }
    serve({ ...stored, resource, query, columns, density })
    network.on('POST /api/views', () => errorResponse(400, 'A view with this name already exists'))
    return failNetwork()
  })
  await save.click()
  await expect.element(form.getByRole('alert')).toBeVisible()
  // Behind the dialog, the tabs are hidden from roles.
  await expect.poll(() => document.querySelector('nav[aria-label="Views"]')?.textContent).toContain('Of x')
  return app
}

test('the same new view, saved again because its response was lost, opens as saved', async () => {
  const app = await loseResponse({ id: 'u1', name: 'Ada Lind' })
  await save.click()
  await expect.poll(app.address).toContain('view=v1')
  expect(form.elements()).toHaveLength(0)
  expect(created()).toHaveLength(1)
})

test("a colleague's view of the same name is not taken for the one whose response was lost", async () => {
  await loseResponse({ id: 'u2', name: 'Bo' })
  await save.click()
  await expect.element(form.getByText('A view with this name already exists')).toBeVisible()
  expect(created()).toHaveLength(1)
})
