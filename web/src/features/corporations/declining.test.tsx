import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  corporation,
  serveCorporations,
  serveKestrel,
  signInPlatformAdministrator,
} from '~/test/corporations'
import { errorResponse, network } from '~/test/network'
import { open } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const dialog = page.getByRole('dialog', { name: 'Decline Bil 1 AB?' })
const reason = dialog.getByRole('textbox', { name: 'Reason' })
const submit = dialog.getByRole('button', { name: 'Decline sign-up' })
const sent = () => network.requests('/api/corporations/c-1/decline').map(({ body }) => body)

const serve = (awaits_approval: boolean) =>
  network.on('GET /api/corporations/c-1', () => ({
    body: { success: true, data: corporation(1, { corp_active: !awaits_approval, awaits_approval }) },
  }))

beforeEach(async () => {
  signInPlatformAdministrator()
  serveKestrel(() => [])
  serveCorporations()
  serve(true)
  open('/dashboard/corporations/c-1/users')
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
})

test.each(['', 'No such dealer.'])('a sign-up is declined with the reason "%s"', async text => {
  network.on('POST /api/corporations/c-1/decline', () => ({
    body: { success: true, message: 'The sign-up was declined' },
  }))
  await reason.fill(text)
  await submit.click()
  await expect.element(page.getByText('The sign-up was declined', { exact: true }).first()).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Corporations' })).toBeVisible()
  expect(sent()).toEqual([{ reason: text }])
})

test('a reason that is too long is not sent', async () => {
  await reason.fill('x'.repeat(501))
  await submit.click()
  await expect.element(dialog.getByText('Maximum length is 500 characters')).toBeVisible()
  expect(sent()).toEqual([])
})

test('if it was approved meanwhile, the error and then the corporation are shown', async () => {
  const error = 'This corporation is not waiting for approval.'
  network.on('POST /api/corporations/c-1/decline', () => errorResponse(409, error))
  await submit.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(error)
  serve(false)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByText('Waiting for approval')).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
})

test('declining again after a lost response counts as declined', async () => {
  network.on('POST /api/corporations/c-1/decline', failNetwork)
  await reason.fill('No such dealer.')
  await submit.click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  network.on('POST /api/corporations/c-1/decline', () => errorResponse(404, 'Not found.'))
  await submit.click()
  await expect.element(page.getByText('The sign-up was declined', { exact: true }).first()).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Corporations' })).toBeVisible()
})

test('declining again after a timeout and Cancel counts as declined', async () => {
  network.on('POST /api/corporations/c-1/decline', () => errorResponse(504, 'Timed out.'))
  await submit.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Timed out.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  network.on('POST /api/corporations/c-1/decline', () => errorResponse(404, 'Not found.'))
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await submit.click()
  await expect.element(page.getByText('The sign-up was declined', { exact: true }).first()).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Corporations' })).toBeVisible()
})

test('offline, Cancel leaves the page as it is', async () => {
  network.on('POST /api/corporations/c-1/decline', failNetwork)
  await submit.click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  network.on('GET /api/corporations/c-1', failNetwork)
  const { length } = network.requests('/api/corporations/c-1')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible()
  expect(network.requests('/api/corporations/c-1')).toHaveLength(length)
})
