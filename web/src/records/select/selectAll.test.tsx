import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { loadLists } from '~/core/lists'
import { textOf } from '~/language'
import { serveContactCount } from '~/test/contacts'
import { open, signInUser } from '~/test/open'

const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
const bar = page.getByRole('region', { name: 'Selection' })

beforeEach(() => signInUser())

test('the buttons say at once that a bulk action can not have so many records', async () => {
  const total = 50_118
  const error = (await loadLists()).bulkSizeError(total)
  const reason = error && textOf(error)
  serveContactCount(total)
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  const edit = bar.getByRole('button', { name: 'Edit…' })
  await expect.element(edit).not.toHaveAttribute('aria-disabled')
  await bar.getByRole('button', { name: 'Select all' }).click()
  await expect.element(edit).toHaveAttribute('title', reason)
  await expect.element(bar.getByRole('button', { name: 'Delete…' })).toHaveAttribute('title', reason)
  await edit.click({ force: true })
  await expect.element(page.getByText(reason ?? '')).toBeVisible()
  expect(page.getByRole('dialog').elements()).toHaveLength(0)
})

test('after all records were selected, deselecting one says that only those of the page stay selected', async () => {
  serveContactCount(30)
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await bar.getByRole('button', { name: 'Select all 30' }).click()
  await box('Select Person 2').click()
  await expect.element(page.getByText('Only the records on this page stay selected.')).toBeVisible()
  await expect.element(bar).toHaveTextContent('9 of 30 selected')
})
