import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { network } from '~/test/network'
import { open, servePermissions, signInUser } from '~/test/open'

afterEach(() => vi.useRealTimers())

test('a first page that does not load offers to reload', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  signInUser()
  servePermissions()
  network.on('GET /api/auth/profile/detail', () => new Promise(() => {}))
  open('/dashboard/profile')
  await expect.element(page.getByText('is loading')).toBeInTheDocument()
  expect(page.getByRole('button', { name: 'Reload' }).query()).toBeNull()
  vi.advanceTimersByTime(12_000)
  await expect.element(page.getByText('This takes longer than usual.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Reload' })).toBeVisible()
})
