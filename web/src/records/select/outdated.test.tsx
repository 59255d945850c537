import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { serveContactCount } from '~/test/contacts'
import { errorResponse, network } from '~/test/network'
import { open, signInUser, textsOf } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const bar = page.getByRole('region', { name: 'Selection' })

beforeEach(() => {
  signInUser()
  serveContactCount(30)
})

/** Selects two contacts, and opens the dialog of this action. It responds with `respond`, and leaves five contacts. */
async function openDialog(action: string, respond: () => ReturnType<typeof errorResponse>) {
  network.on('POST /api/contacts/bulk', ({ body }) => {
    if (!(body as { dry_run?: boolean }).dry_run) {
      serveContactCount(5)
      return respond()
    }
    const data = { matched: 2, changed: 2, unchanged: 0, refused: [], digest: 'first' }
    return { body: { success: true, data } }
  })
  open('/dashboard/contacts')
  for (const name of ['Select Person 1', 'Select Person 2'])
    await page.getByRole('checkbox', { name, exact: true }).click()
  await bar.getByRole('button', { name: `${action}…` }).click()
  return page.getByRole('dialog', { name: `${action} contacts` })
}

const cases = [
  ['clears the selection if its response was lost', failNetwork, []],
  [
    'keeps the selection if the records have changed',
    () => errorResponse(409, 'The records have changed since the preview.'),
    ['2 of 5 selected'],
  ],
] as const

test.each(cases)('closing the dialog of a deletion reloads the list and %s', async (_, respond, selected) => {
  const dialog = await openDialog('Delete', respond)
  await dialog.getByRole('button', { name: 'Delete 2' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('Showing 1 to 5 of 5 contacts')).toBeVisible()
  expect(textsOf(bar.getByText(/selected$/))).toEqual(selected)
})

test.each(cases)('closing the dialog of a change reloads the list and %s', async (_, respond, selected) => {
  const dialog = await openDialog('Edit', respond)
  await dialog.getByRole('textbox', { name: 'New value' }).fill('Lund')
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  await dialog.getByRole('button', { name: 'Change 2' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(page.getByText('Showing 1 to 5 of 5 contacts')).toBeVisible()
  expect(textsOf(bar.getByText(/selected$/))).toEqual(selected)
})

test('records that another user deletes are deselected, once no dialog is about them', async () => {
  const tab = new BroadcastChannel('forecourt-live u1')
  onTestFinished(() => tab.close())
  const change = (action: string, id: string) =>
    tab.postMessage({ type: 'changed', resource: 'contacts', ids: [id], action, by: 'u2' })
  await expect.element(await openDialog('Delete', failNetwork)).toBeVisible()
  change('deleted', 'id-1')
  await expect.element(page.getByText('1 change · Show')).toBeInTheDocument()
  expect(textsOf(page.getByText('2 of 30 selected'))).not.toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(bar).toHaveTextContent('1 of 30 selected')
  change('updated', 'id-2')
  await expect.element(page.getByText('2 changes · Show')).toBeInTheDocument()
  await expect.element(bar).toHaveTextContent('1 of 30 selected')
  change('deleted', 'id-2')
  await expect.poll(() => bar.elements()).toHaveLength(0)
  await expect.element(page.getByRole('region', { name: 'Contacts', exact: true })).toHaveFocus()
})

/** Serves a retry of the action on two contacts that was done although its response was lost. */
const serveDone = () =>
  network.on('POST /api/contacts/bulk', ({ body }) => {
    const data = { matched: 2, changed: 0, unchanged: 2, refused: [], digest: 'second' }
    if ((body as { dry_run?: boolean }).dry_run) return { body: { success: true, data } }
    return errorResponse(409, 'The records have changed since the preview.')
  })

/** Expects that the action has ended, with the message `done` and a list that is loaded again. */
async function expectDone(done: string) {
  await expect.element(page.getByText(done)).toBeVisible()
  await expect.element(page.getByText('Showing 1 to 5 of 5 contacts')).toBeVisible()
  expect(textsOf(bar.getByText(/selected$/))).toEqual([])
}

test('a retried deletion that was done although its response was lost ends as one with a response', async () => {
  const dialog = await openDialog('Delete', failNetwork)
  await dialog.getByRole('button', { name: 'Delete 2' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  serveDone()
  await dialog.getByRole('button', { name: 'Delete 2' }).click()
  await expectDone('2 records were deleted')
})

test('a retried change that was made although its response was lost ends as one with a response', async () => {
  const dialog = await openDialog('Edit', failNetwork)
  await dialog.getByRole('textbox', { name: 'New value' }).fill('Lund')
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  await dialog.getByRole('button', { name: 'Change 2' }).click()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  serveDone()
  await dialog.getByRole('button', { name: 'Change 2' }).click()
  await expectDone('2 records were changed')
})
