import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Certificate } from '~/core'
import { loadLists } from '~/core/lists'
import { network } from '~/test/network'
import { open, servePermissions, signInUser } from '~/test/open'
import { paginate } from '~/test/records'
import { certificateText } from './certificate'

const certificate = (number: number): Certificate => ({
  certificate_id: `c-${number}`,
  at: '2026-11-26T12:00:00.000Z',
  by: `Admin ${number}`,
  erased: [
    { kind: 'customers', count: 1, fields: ['name', 'role', 'warrantyPeriod', 'socialSecurityNumber'] },
    { kind: 'history', count: 2, fields: ['label', 'before'] },
  ],
  kept: [],
})

beforeEach(() => {
  signInUser()
  servePermissions()
})

test('a certificate names the erased fields as lists show them', async () => {
  const text = certificateText(certificate(1), await loadLists())
  expect(text).toContain('- 1 customer: Name, Role, Warranty period, and Social Security Number')
  expect(text).toContain('- 2 entries in the history: Name and Values before')
})

test('certificates beyond the first page are shown on request', async () => {
  const all = Array.from({ length: 101 }, (_, index) => certificate(index))
  network.on('GET /api/privacy/certificates', call => ({ body: { success: true, ...paginate(all, call) } }))
  open('/dashboard/privacy')
  await expect.element(page.getByText('by Admin 99')).toBeVisible()
  await page.getByRole('button', { name: 'Show older certificates' }).click()
  await expect.element(page.getByText('by Admin 100')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Show older certificates' })).not.toBeInTheDocument()
})
