import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { BulkResult } from '~/core'
import { serveContactCount } from '~/test/contacts'
import { delayResponse, errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'

const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
const bar = page.getByRole('region', { name: 'Selection' })
const bodies = () => network.requests('/api/contacts/bulk').map(({ body }) => body)
const serveBulk = (result: Partial<BulkResult>) =>
  network.on('POST /api/contacts/bulk', () => ({
    body: {
      success: true,
      data: { matched: 0, changed: 0, unchanged: 0, refused: [], digest: 'first', ...result },
    },
  }))

beforeEach(() => {
  signInUser()
  serveContactCount(30)
})

test('rows can be selected one by one, as a range with Shift, or all on the page', async () => {
  open('/dashboard/contacts')
  await box('Select Person 2').click()
  await box('Select Person 5').click({ modifiers: ['Shift'] })
  await expect.element(bar).toHaveTextContent('4 of 30 selected')
  await box('Select Person 3').click()
  await expect.element(bar).toHaveTextContent('3 of 30 selected')
  await box('Select all on this page').click()
  await expect.element(bar).toHaveTextContent('10 of 30 selected')
  await page.getByRole('link', { name: 'Page 2' }).click()
  await box('Select Person 11').click()
  await expect.element(bar).toHaveTextContent('11 of 30 selected')
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await expect.element(box('Select Person 11')).not.toBeChecked()
  expect(bar.elements()).toHaveLength(0)
  await expect.element(page.getByRole('region', { name: 'Contacts', exact: true })).toHaveFocus()
})

test('the number of selected rows is announced by a region that was there before', async () => {
  open('/dashboard/contacts')
  await expect.element(box('Select Person 2')).toBeVisible()
  const regions = page.getByRole('status').elements()
  await box('Select Person 2').click()
  const announced = page.getByRole('status').filter({ hasText: '1 of 30 selected' })
  await expect.element(announced).toBeInTheDocument()
  expect(regions).toContain(announced.element())
})

test('the checkbox for all rows is half checked only on pages with selected rows', async () => {
  open('/dashboard/contacts')
  const all = box('Select all on this page')
  await box('Select Person 2').click()
  await expect.element(all).toBePartiallyChecked()
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect.element(box('Select Person 11')).toBeVisible()
  await expect.element(all).not.toBePartiallyChecked()
  await expect.element(all).not.toBeChecked()
  await all.click()
  await expect.element(all).toBeChecked()
})

test('Back restores the selection', async () => {
  const app = open('/dashboard/contacts')
  await box('Select Person 2').click()
  await box('Select Person 4').click()
  await page.getByRole('link', { name: 'View details of Person 3' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts/id-3')
  await app.go(-1)
  await expect.element(bar).toHaveTextContent('2 of 30 selected')
  await expect.element(box('Select Person 4')).toBeChecked()
})

test('another search clears the selection, another sort order keeps it', async () => {
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await page.getByRole('columnheader', { name: 'Email' }).getByRole('button').click()
  await expect.element(bar).toHaveTextContent('1 of 30 selected')
  await page.getByRole('searchbox').fill('x')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => bar.elements()).toHaveLength(0)
})

test('all records that a search finds can be deleted, after a preview', async () => {
  serveBulk({
    matched: 30,
    changed: 29,
    refused: [{ id: 'id-7', label: 'Person 7', message: 'It has an invoice.' }],
  })
  open('/dashboard/contacts?search=person')
  await box('Select Person 1').click()
  await bar.getByRole('button', { name: 'Select all 30' }).click()
  await expect.element(bar).toHaveTextContent('30 of 30 selected')
  await expect.element(bar.getByRole('button', { name: 'Clear selection' })).toHaveFocus()
  await expect.element(box('Select Person 9')).toBeChecked()
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete contacts' })
  await expect.element(dialog.getByText('29 records will be deleted.')).toBeVisible()
  await expect.element(dialog.getByText('It has an invoice.')).toBeVisible()
  const query = { search: 'person', filter: [], importBatchId: '' }
  expect(bodies()).toEqual([{ query, action: 'delete', dry_run: true }])
  serveContactCount(1)
  await dialog.getByRole('button', { name: 'Delete 29' }).click()
  await expect.element(page.getByText('29 records were deleted')).toBeVisible()
  expect(bodies()[1]).toEqual({ query, action: 'delete', expected: 'first' })
  await expect.element(page.getByText('Showing 1 to 1 of 1 contact')).toBeVisible()
  expect(bar.elements()).toHaveLength(0)
  await expect.element(page.getByRole('region', { name: 'Contacts', exact: true })).toHaveFocus()
})

test('a field of the selected records is changed after a preview, and another value needs a new preview', async () => {
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await box('Select Person 2').click()
  await bar.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit contacts' })
  await expect.element(dialog).toHaveAccessibleDescription(/new value for the 2 selected records/)
  await dialog.getByRole('textbox', { name: 'New value' }).fill('Lund')
  serveBulk({ matched: 2, changed: 1, unchanged: 1 })
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  await expect.element(dialog.getByText('1 record will change.')).toBeVisible()
  await expect.element(dialog.getByText('1 record already has this value.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'New value' }).fill('')
  serveBulk({ matched: 2, changed: 2 })
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  await dialog.getByRole('button', { name: 'Change 2' }).click()
  await expect.element(page.getByText('2 records were changed')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Contacts', exact: true })).toHaveFocus()
  const [first, second, third] = bodies() as {
    ids: string[]
    fields: Record<string, unknown>
    dry_run?: boolean
  }[]
  expect(first?.ids).toEqual(['id-1', 'id-2'])
  expect(Object.values(first?.fields ?? {})).toEqual(['Lund'])
  expect(Object.values(second?.fields ?? {})).toEqual([null])
  expect([first, second, third].map(body => body?.dry_run)).toEqual([true, true, undefined])
})

test('the preview of a change is announced by a region that was there before', async () => {
  serveBulk({ matched: 2, changed: 2 })
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await box('Select Person 2').click()
  await bar.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit contacts' })
  await dialog.getByRole('textbox', { name: 'New value' }).fill('Lund')
  const regions = dialog.getByRole('status').elements()
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  const announced = dialog.getByRole('status').filter({ hasText: '2 records will change.' })
  await expect.element(announced).toBeVisible()
  expect(regions).toContain(announced.element())
})

test('the preview of a deletion is announced by a region that was there before', async () => {
  const data = { matched: 1, changed: 1, unchanged: 0, refused: [], digest: 'first' }
  const release = delayResponse('POST /api/contacts/bulk', () => ({ body: { success: true, data } }))
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete contacts' })
  await expect.element(dialog).toHaveAccessibleDescription('Checking what would be deleted…')
  const regions = dialog.getByRole('status').elements()
  release()
  const announced = dialog.getByRole('status').filter({ hasText: '1 record will be deleted.' })
  await expect.element(announced).toHaveTextContent('It can be restored from the trash.')
  expect(regions).toContain(announced.element())
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus()
})

test('a bulk action on one record names it, and the change can be undone in the message', async () => {
  const REVERT = '/api/history/batch-1/revert'
  network.on(`POST ${REVERT}`, () => ({
    body: { success: true, message: 'The change was undone', data: { reverted: 1, refused: [] } },
  }))
  const one = { matched: 1, label: 'Person 1', changed: 1, batch_id: 'batch-1' }
  serveBulk(one)
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await bar.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit contacts' })
  await dialog.getByRole('textbox', { name: 'New value' }).fill('Lund')
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  await expect.element(dialog.getByText('Person 1 will change.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Change 1' }).click()
  await expect.element(page.getByText('Person 1 was changed')).toBeVisible()
  const loaded = network.requests('/api/contacts').length
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText('The change was undone')).toBeVisible()
  expect(network.requests(REVERT).map(({ body }) => body)).toEqual([{ on_conflict: 'keep' }])
  await expect.poll(() => network.requests('/api/contacts').length).toBeGreaterThan(loaded)

  await box('Select Person 1').click()
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const deletion = page.getByRole('dialog', { name: 'Delete contacts' })
  await expect.element(deletion.getByText('Person 1 will be deleted.')).toBeVisible()
  await expect.element(deletion.getByText('It can be restored from the trash.')).toBeVisible()
  await deletion.getByRole('button', { name: 'Delete 1' }).click()
  await expect.element(page.getByText('Person 1 was deleted')).toBeVisible()
})

test('if some records of a bulk action can not be undone, the message says so', async () => {
  network.on('POST /api/history/batch-1/revert', () => ({
    body: {
      success: true,
      message: 'The change was undone',
      data: { reverted: 1, refused: [{ id: 'id-2', label: 'Person 2', message: 'No' }] },
    },
  }))
  serveBulk({ matched: 2, changed: 2, batch_id: 'batch-1' })
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await box('Select Person 2').click()
  await bar.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit contacts' })
  await dialog.getByRole('textbox', { name: 'New value' }).fill('Lund')
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  await dialog.getByRole('button', { name: 'Change 2' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText("The change was undone. 1 record can't be undone.")).toBeVisible()
})

const changedText = 'The records have changed since the preview. Check the new numbers, then confirm.'

/** Makes the fake server respond with previews; actions that are based on the first preview are rejected. */
function serveChange(newer: Partial<BulkResult>) {
  network.on('POST /api/contacts/bulk', ({ body }) => {
    const request = body as { expected?: string }
    if (request.expected === 'first') return errorResponse(409, changedText)
    const isFirst = network.requests('/api/contacts/bulk').length === 1
    const data = { matched: 2, changed: 2, unchanged: 0, refused: [], digest: 'first' }
    return { body: { success: true, data: isFirst ? data : { ...data, digest: 'second', ...newer } } }
  })
}

test('records that changed since the preview are shown again before they are deleted', async () => {
  serveChange({ matched: 1, changed: 1 })
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await box('Select Person 2').click()
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete contacts' })
  await dialog.getByRole('button', { name: 'Delete 2' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(changedText)
  await expect.element(dialog.getByText('1 record will be deleted.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete 1' }).click()
  await expect.element(page.getByText('1 record was deleted')).toBeVisible()
  expect(bodies().at(-1)).toMatchObject({ expected: 'second' })
})

test('if nothing is left to delete after a change, the button that closes the dialog has the focus', async () => {
  serveChange({ matched: 0, changed: 0 })
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete contacts' })
  await dialog.getByRole('button', { name: 'Delete 2' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(changedText)
  await expect.element(dialog.getByRole('button', { name: 'Close', exact: true })).toHaveFocus()
})

test('records that changed since the preview are shown again before they are changed', async () => {
  const refused = [{ id: 'id-2', label: 'Person 2', message: 'It has an invoice.' }]
  serveChange({ changed: 1, refused, batch_id: 'batch-1' })
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await box('Select Person 2').click()
  await bar.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit contacts' })
  await dialog.getByRole('textbox', { name: 'New value' }).fill('Lund')
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  await dialog.getByRole('button', { name: 'Change 2' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(changedText)
  await dialog.getByRole('button', { name: 'Change 1' }).click()
  // The dialog with the refused records stays open. Focused, so that a screen reader reads it.
  const report = dialog.getByRole('region', { name: '1 record was changed. 1 record stays as it is:' })
  await expect.element(report).toHaveFocus()
  await expect.element(dialog.getByText('It has an invoice.')).toBeVisible()
  network.on('POST /api/history/batch-1/revert', () => ({ body: { success: true, message: 'Undone' } }))
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  expect(bar.elements()).toHaveLength(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByText('Undone', { exact: true })).toBeVisible()
})

test('a reason for which no record can be changed is shown once', async () => {
  const message = 'Please enter a valid website'
  const refusedOf = (...numbers: number[]) =>
    numbers.map(number => ({ id: `id-${number}`, label: `Person ${number}`, message }))
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await box('Select Person 2').click()
  await bar.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit contacts' })
  serveBulk({ matched: 2, refused: refusedOf(1, 2) })
  await dialog.getByRole('textbox', { name: 'New value' }).fill('ht!tp')
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  await expect.element(dialog.getByText('2 records stay as they are:')).toBeVisible()
  expect(dialog.getByText(message).elements()).toHaveLength(1)
  expect(dialog.getByText('Person 1').elements()).toHaveLength(0)
  // If only some of the records can't be changed, the report names them.
  serveBulk({ matched: 3, changed: 1, refused: refusedOf(1, 2) })
  await dialog.getByRole('textbox', { name: 'New value' }).fill('ht!tp2')
  await dialog.getByRole('button', { name: 'Show what will change' }).click()
  await expect.element(dialog.getByText('Person 1')).toBeVisible()
  expect(dialog.getByText(message).elements()).toHaveLength(2)
})

test('if the server rejects a bulk action, the dialog shows the error', async () => {
  const text = 'A bulk action can have at most 10,000 records. Select fewer.'
  network.on('POST /api/contacts/bulk', () => errorResponse(400, text))
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await bar.getByRole('button', { name: 'Delete…' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent(text)
})

test('a user who may neither edit nor delete can not select records', async () => {
  signInUser({ can_read: true, can_create: true, can_update: false, can_delete: false })
  open('/dashboard/contacts')
  await expect.element(page.getByText('Person 1', { exact: true })).toBeVisible()
  expect(page.getByRole('checkbox').elements()).toHaveLength(0)
})

test('on a phone, a long press starts the selection, and taps on rows continue it', async () => {
  await page.viewport(360, 740)
  open('/dashboard/contacts')
  await page.getByRole('listitem').filter({ hasText: 'person1@nordbil.example' }).click({ delay: 700 })
  await expect.element(bar).toHaveTextContent('1 of 30 selected')
  await box('Select Person 2').click()
  await expect.element(bar).toHaveTextContent('2 of 30 selected')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'person3@' })
    .click({ position: { x: 200, y: 30 } })
  await expect.element(bar).toHaveTextContent('3 of 30 selected')
  await page.viewport(1280, 800)
})

test('a context menu before the end of a long touch selects the row instead', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  open('/dashboard/contacts')
  const row = page.getByRole('listitem').filter({ hasText: 'person1@nordbil.example' })
  await expect.element(row).toHaveClass('long-press')
  const link = row
    .getByRole('link', { name: /Person 1/ })
    .first()
    .element()
  const dispatch = (event: MouseEvent) => link.dispatchEvent(event)
  const settings = { bubbles: true, cancelable: true }
  const press = (pointerType: string) =>
    dispatch(new PointerEvent('pointerdown', { ...settings, pointerType, pointerId: 2 }))
  // A mouse keeps the menu of the browser.
  press('mouse')
  expect(dispatch(new MouseEvent('contextmenu', settings))).toBe(true)
  press('touch')
  expect(dispatch(new MouseEvent('contextmenu', settings))).toBe(false)
  await expect.element(bar).toHaveTextContent('1 of 30 selected')
  // The click at the end of the touch does not open the record.
  expect(dispatch(new MouseEvent('click', settings))).toBe(false)
  await expect.element(bar).toHaveTextContent('1 of 30 selected')
})

test('the click at the end of a long touch does not hit a button that has appeared under the finger', async () => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(360, 740)
  open('/dashboard/contacts')
  const row = page.getByRole('listitem').filter({ hasText: 'person1@nordbil.example' })
  await expect.element(row).toHaveClass('long-press')
  const settings = { bubbles: true, cancelable: true }
  row
    .element()
    .dispatchEvent(new PointerEvent('pointerdown', { ...settings, pointerType: 'touch', pointerId: 2 }))
  row.element().dispatchEvent(new MouseEvent('contextmenu', settings))
  const remove = bar.getByRole('button', { name: /^Delete/ })
  await expect.element(remove).toBeVisible()
  ;(remove.element() as HTMLElement).click()
  expect(page.getByRole('dialog').elements()).toHaveLength(0)
  await remove.click()
  await expect.element(page.getByRole('dialog', { name: 'Delete contacts' })).toBeVisible()
})

test('deleting a selected record by the button of its row deselects it', async () => {
  network.on('DELETE /api/contacts/id-2', () => {
    serveContactCount(29)
    return { body: { success: true, message: '' } }
  })
  open('/dashboard/contacts')
  await box('Select Person 1').click()
  await box('Select Person 2').click()
  await page.getByRole('button', { name: 'Delete Person 2' }).click()
  await page.getByRole('button', { name: 'Delete contact' }).click()
  await expect.element(page.getByText('Showing 1 to 10 of 29 contacts')).toBeVisible()
  await expect.element(bar).toHaveTextContent('1 of 29 selected')
})
