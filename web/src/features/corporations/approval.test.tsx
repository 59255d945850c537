import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  corporation,
  serveCorporations,
  serveKestrel,
  signInPlatformAdministrator,
} from '~/test/corporations'
import { errorResponse, network } from '~/test/network'
import { open } from '~/test/open'

test('approving a sign-up that someone else has declined leads back to the list', async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [])
  serveCorporations()
  network.on('GET /api/corporations/c-1', () => ({
    body: { success: true, data: corporation(1, { corp_active: false, awaits_approval: true }) },
  }))
  open('/dashboard/corporations/c-1/users')
  await page.getByRole('main').getByRole('button', { name: 'Approve' }).click()
  const gone = () => errorResponse(404, 'Not found. It may have been deleted.')
  network.on('GET /api/corporations/c-1/full-details', gone)
  const dialog = page.getByRole('dialog', { name: 'Approve Bil 1 AB?' })
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent('Someone else has declined or deleted this sign-up.')
  expect(dialog.getByRole('button', { name: 'Approve' }).elements()).toHaveLength(0)
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Corporations' })).toBeVisible()
  expect(network.requests('/api/orgs/update')).toHaveLength(0)
})
