import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Comment, CommentInput } from '~/core'
import { drafts } from '~/lib/drafts'
import { comment, serveContact } from '~/test/contacts'
import { delayResponse, errorMessages, errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'
import { allPermissions, readPermission } from '~/test/rights'

const PATH = '/api/contacts/id-1/comments'
const DRAFT = 'comment on id-1'

/** Opens a contact with these comments, newest first. The fake server accepts changes of comments. */
function openContact(comments: Comment[] = [], rights = allPermissions) {
  signInUser(rights)
  const { server, answer } = serveContact({ comments })
  const setComments = (changed: Comment[]) => {
    server.contact = { ...server.contact, comments: changed, commentsTotal: changed.length }
    return answer()
  }
  network.on(`POST ${PATH}`, ({ body }) => {
    const all = server.contact.comments
    return setComments([comment(all.length + 1, body as CommentInput), ...all])
  })
  for (const { _id } of comments) {
    network.on(`PUT ${PATH}/${_id}`, ({ body }) =>
      setComments(
        server.contact.comments.map(one =>
          one._id === _id ? { ...one, ...(body as CommentInput), updatedAt: '2026-11-21T08:00:00Z' } : one,
        ),
      ),
    )
    network.on(`DELETE ${PATH}/${_id}`, () =>
      setComments(server.contact.comments.filter(one => one._id !== _id)),
    )
  }
  return { ...open('/dashboard/contacts/id-1'), server }
}

const section = page.getByRole('region', { name: 'Comments' })
const box = section.getByRole('textbox', { name: 'New comment' })
const add = section.getByRole('button', { name: 'Add comment' })
const editBox = section.getByRole('textbox', { name: 'Edit comment' })
const edits = section.getByRole('button', { name: /^Edit the comment/ })
const deletes = section.getByRole('button', { name: /^Delete the comment/ })

const texts = async () => {
  await expect.element(section.getByRole('listitem').first()).toBeVisible()
  return section
    .getByRole('listitem')
    .elements()
    .map(item => item.querySelector('.whitespace-pre-line')?.textContent)
}

test('a contact without comments says so', async () => {
  openContact()
  await expect.element(section.getByText('No comments available')).toBeVisible()
})

test('the button to add a comment is disabled while the text is blank', async () => {
  openContact()
  await expect.element(add).toHaveAttribute('aria-disabled', 'true')
  await box.fill(' \n ')
  await expect.element(add).toHaveAttribute('aria-disabled', 'true')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(network.requests(PATH)).toHaveLength(0)
  await box.fill(' x ')
  await expect.element(add).not.toHaveAttribute('aria-disabled')
})

test('a comment is added once and shown first with author and time', async () => {
  openContact([comment(1)])
  await box.fill('Wants a Volvo.\nCall on Monday.')
  await add.click()
  await expect.element(page.getByText('Comment added').first()).toBeVisible()
  expect(await texts()).toEqual(['Wants a Volvo.\nCall on Monday.', 'Words 1'])
  await expect.element(box).toHaveValue('')
  const first = section.getByRole('listitem').first()
  await expect.element(first).toHaveTextContent('Ada Lind')
  await expect.element(first.getByRole('time')).toHaveAttribute('datetime', comment(2).createdAt)
  expect(network.requests(PATH)).toHaveLength(1)
  // The response to the change contains the whole contact, so the contact isn't requested again.
  expect(network.requests('/api/contacts/id-1')).toHaveLength(1)
})

test.each(errorMessages('Failed to add comment'))(
  'if a comment could not be added, the reason (%j) is shown and the input stays',
  async (message, shown) => {
    openContact()
    network.on(`POST ${PATH}`, () => errorResponse(503, message))
    await box.fill('Wants a Volvo.')
    await add.click()
    await expect.element(section.getByRole('alert')).toHaveTextContent(shown)
    await expect.element(box).toHaveValue('Wants a Volvo.')
  },
)

test('a comment whose response was lost is sent again with the same key, a changed one with another', async () => {
  openContact()
  network.on(`POST ${PATH}`, () => errorResponse(503, 'The server is busy.'))
  for (const text of ['Called', 'Called', 'Called twice']) {
    await box.fill(text)
    await add.click()
    await expect.element(section.getByRole('alert')).toHaveTextContent('The server is busy.')
    await expect.element(add).not.toHaveAttribute('aria-busy', 'true')
  }
  await expect.poll(() => network.requests(PATH).length).toBe(3)
  const [first, again, changed] = network.requests(PATH).map(({ key }) => key)
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toBe(first)
  expect(changed).not.toBe(first)
  await expect
    .poll(() => drafts.readRequest(DRAFT))
    .toMatchObject({ key: changed, body: { comment: 'Called twice' } })
})

test('a lost comment keeps its key after other errors, and while its text is undone', async () => {
  openContact()
  const attempts = [503, 429, 503]
  network.on(`POST ${PATH}`, () => {
    const status = attempts.shift() ?? 503
    return errorResponse(status, `Failed with ${status}.`)
  })
  for (const status of [...attempts]) {
    await box.fill('')
    await box.fill('Called')
    await add.click()
    await expect.element(section.getByRole('alert')).toHaveTextContent(`Failed with ${status}.`)
    await expect.element(add).not.toHaveAttribute('aria-busy', 'true')
  }
  const keys = network.requests(PATH).map(({ key }) => key)
  expect(keys).toEqual(keys.map(() => keys[0]))
})

test('a comment whose response is lost after a sign-out is not stored', async () => {
  openContact()
  const release = delayResponse(`POST ${PATH}`, () => errorResponse(503, 'The server is busy.'))
  await box.fill('Called')
  await add.click()
  await expect.poll(() => drafts.readRequest(DRAFT)).toMatchObject({ body: { comment: 'Called' } })
  drafts.deleteEverywhere()
  release()
  await expect.element(section.getByRole('alert')).toBeVisible()
  expect(drafts.read(DRAFT)).toBeUndefined()
  expect(drafts.readRequest(DRAFT)).toBeUndefined()
})

test.each([
  { text: 'Called', isRepeated: true },
  { text: 'Called twice', isRepeated: false },
])(
  'the restored comment "$text" is sent with the key of "Called": $isRepeated',
  async ({ text, isRepeated }) => {
    sessionStorage.setItem('draftsOf', 'u1')
    const key = '0123456789abcdef0123456789abcdef'
    drafts.save(DRAFT, { typed: { comment: { value: text, base: '' } } })
    drafts.saveRequest(DRAFT, { key, body: { comment: 'Called' }, sentAt: 0 })
    openContact()
    await expect.element(box).toHaveValue(text)
    await add.click()
    await expect.element(page.getByText('Comment added').first()).toBeVisible()
    expect(network.requests(PATH).map(request => request.key === key)).toEqual([isRepeated])
    expect(drafts.readRequest(DRAFT)).toBeUndefined()
  },
)

test('a too long comment is reported at its field and not sent', async () => {
  openContact()
  await box.fill('x'.repeat(10_001))
  await expect.element(box).toHaveAccessibleDescription(/10,?000/)
  await add.click()
  expect(network.requests(PATH)).toHaveLength(0)
})

test('with permission to read, only own comments can be edited and deleted', async () => {
  openContact([comment(2), comment(1, { userId: 'u2', userName: 'Bo Ek' })], readPermission)
  await expect.element(edits).toHaveAccessibleName(/Ada Lind/)
  await expect.element(deletes).toHaveAccessibleName(/Ada Lind/)
  // A line separates the two.
  const [edit, remove] = [edits, deletes].map(button => button.element().getBoundingClientRect())
  expect(remove?.left).toBe((edit?.right ?? 0) + 6)
})

test('the permission to delete contacts covers comments of all users', async () => {
  const message = { code: 'users.deleted_user', text: 'Removed user' }
  const gone = { userId: '', userName: 'Deleted user', userNameMessage: message }
  openContact([comment(2, { userId: 'u2', userName: 'Bo Ek' }), comment(1, gone)])
  await expect.element(section.getByText('Removed user')).toBeVisible()
  expect(deletes.elements()).toHaveLength(2)
  expect(edits.elements()).toHaveLength(0)
})

test('only one comment at a time can be edited, and a saved one is marked as edited', async () => {
  openContact([comment(2), comment(1)])
  await edits.nth(1).click()
  await expect.element(editBox).toHaveFocus()
  await expect.element(editBox).toHaveValue('Words 1')
  await edits.first().click()
  await expect.element(editBox).toHaveValue('Words 2')
  expect(editBox.elements()).toHaveLength(1)
  await editBox.fill('Better words')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('Comment edited').first()).toBeVisible()
  expect(await texts()).toEqual(['Better words', 'Words 1'])
  await expect.element(section.getByRole('listitem').first()).toHaveTextContent('· edited')
  await expect.element(edits.first()).toHaveFocus()
})

test('an edited comment cannot be empty', async () => {
  openContact([comment(1)])
  await edits.click()
  await editBox.fill('   ')
  await expect.element(section.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
})

test('Cancel closes an untouched form and asks before discarding changes', async () => {
  openContact([comment(1)])
  await edits.click()
  await section.getByRole('button', { name: 'Cancel' }).click()
  expect(await texts()).toEqual(['Words 1'])
  await edits.click()
  await editBox.fill('Half a sentence')
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(editBox).toHaveValue('Half a sentence')
  await section.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(texts).toEqual(['Words 1'])
})

test('editing another comment asks before discarding changes', async () => {
  openContact([comment(2), comment(1)])
  await edits.first().click()
  await editBox.fill('Half a sentence')
  await edits.first().click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(editBox).toHaveValue('Half a sentence')
  await edits.first().click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.element(editBox).toHaveValue('Words 1')
})

test.each(errorMessages('Failed to edit comment', 'Only the author can edit this comment.'))(
  'a failed update shows why (%j) and keeps the text',
  async (message, shown) => {
    openContact([comment(1)])
    network.on(`PUT ${PATH}/comment-1`, () => errorResponse(403, message))
    await edits.click()
    await editBox.fill('Better words')
    await section.getByRole('button', { name: 'Save' }).click()
    await expect.element(section.getByRole('alert')).toHaveTextContent(shown)
    await expect.element(editBox).toHaveValue('Better words')
  },
)

test('a comment that another user deletes while it is edited keeps its form and input', async () => {
  const { server } = openContact([comment(1)])
  await edits.click()
  await editBox.fill('Half a sentence')
  server.contact = { ...server.contact, comments: [], commentsTotal: 0 }
  await box.fill('News')
  await add.click()
  await expect.element(page.getByText('Comment added').first()).toBeVisible()
  await expect.element(editBox).toHaveValue('Half a sentence')
})

test('deleting a comment asks for confirmation', async () => {
  openContact([comment(2), comment(1)])
  await deletes.first().click()
  const dialog = page.getByRole('dialog', { name: 'Delete comment' })
  await expect.element(dialog).toHaveTextContent('Are you sure you want to delete this comment?')
  await expect.element(dialog).toHaveTextContent('Words 2')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(network.requests(`${PATH}/comment-2`)).toHaveLength(0)
  await deletes.first().click()
  await dialog.getByRole('button', { name: 'Delete comment' }).click()
  await expect.element(page.getByText('Comment deleted').first()).toBeVisible()
  await expect.poll(texts).toEqual(['Words 1'])
  await expect.element(section.getByRole('heading', { name: /Comments/ })).toHaveFocus()
})

test.each(errorMessages('Failed to delete comment', 'You may not do this.'))(
  'a failed deletion shows why (%j), and the comment stays',
  async (message, shown) => {
    openContact([comment(1)])
    network.on(`DELETE ${PATH}/comment-1`, () => errorResponse(403, message))
    await deletes.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete comment' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent(shown)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await texts()).toEqual(['Words 1'])
  },
)

test('leaving the page asks before discarding a comment', async () => {
  const app = openContact([comment(1)])
  await box.fill('Half a sentence')
  void app.visit('/dashboard/contacts/id-2')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts/id-1')
  await expect.element(box).toHaveValue('Half a sentence')
  network.on('GET /api/contacts/id-2', () => errorResponse(404, 'Not found.'))
  void app.visit('/dashboard/contacts/id-2')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(app.address).toBe('/dashboard/contacts/id-2')
})

test('a second click while saving is ignored', async () => {
  openContact()
  const release = delayResponse(`POST ${PATH}`, () => errorResponse(503, 'The server is busy.'))
  await box.fill('Once')
  await add.click()
  await expect.element(add).toHaveAttribute('aria-busy', 'true')
  await add.click()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  release()
  await expect.element(section.getByRole('alert')).toBeVisible()
  expect(network.requests(PATH)).toHaveLength(1)
})

test('a long comment is collapsed and can be expanded', async () => {
  const long = Array.from({ length: 40 }, (_, line) => `Line ${line + 1}`).join('\n')
  openContact([comment(1, { comment: long })])
  const text = section.getByText('Line 1 Line 2', { exact: false })
  await expect.element(text).toHaveStyle({ whiteSpace: 'pre-line' })
  const height = () => text.element().getBoundingClientRect().height
  expect(height()).toBeLessThan(150)
  await section.getByRole('button', { name: 'Show full comment' }).click()
  await expect.poll(height).toBeGreaterThan(700)
  await section.getByRole('button', { name: 'Show less' }).click()
  await expect.poll(height).toBeLessThan(150)
})

test('the input of a new comment stays while the contact is edited', async () => {
  openContact([comment(1)])
  await box.fill('Half a sentence')
  network.on('GET /api/contacts/id-1', () => errorResponse(503, 'The server is busy.'))
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0)
  await expect.element(box).toHaveValue('Half a sentence')
  expect(network.requests('/api/contacts/id-1')).toHaveLength(1)
})
