import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Comment, CommentInput } from '~/core'
import { comment, serveContact } from '~/test/contacts'
import { deferred, errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'

const PATH = '/api/contacts/id-1/comments'
/** As many comments as the contact carries itself, and as a page of older ones has. */
const [CARRIED, PAGE] = [100, 25]

/** The page of a contact with so many comments, on a server that gives the older ones page by page. */
function discussed(count: number) {
  signInUser()
  const all = Array.from({ length: count }, (_, number) => comment(count - number))
  const { server, answer } = serveContact()
  const become = (comments: Comment[]) => {
    all.splice(0, all.length, ...comments)
    server.contact = {
      ...server.contact,
      comments: comments.slice(0, CARRIED),
      commentsTotal: comments.length,
    }
    return answer()
  }
  become([...all])
  network.on(`GET ${PATH}`, ({ query }) => {
    const from = all.findIndex(({ _id }) => _id === query.get('before')) + 1
    return { body: { success: true, data: all.slice(from, from + PAGE), commentsTotal: all.length } }
  })
  network.on(`POST ${PATH}`, ({ body }) => become([comment(all.length + 1, body as CommentInput), ...all]))
  for (const { _id } of all) {
    network.on(`PUT ${PATH}/${_id}`, ({ body }) =>
      become(all.map(one => (one._id === _id ? { ...one, ...(body as CommentInput) } : one))),
    )
    network.on(`DELETE ${PATH}/${_id}`, () => become(all.filter(one => one._id !== _id)))
  }
  return { ...open('/dashboard/contacts/id-1'), all, become }
}

const section = page.getByRole('region', { name: 'Comments' })
const more = section.getByRole('button', { name: 'Show older comments' })
const items = () => section.getByRole('listitem').elements()
const words = () => items().map(item => item.querySelector('.whitespace-pre-line')?.textContent)
const heading = (count: number) => section.getByRole('heading', { name: `Comments ${count}` })
const named = (count: number) => Array.from({ length: count }, (_, number) => `Words ${count - number}`)

test('a contact shows the comments that it carries, and older ones page by page', async () => {
  discussed(130)
  await expect.element(heading(130)).toBeVisible()
  expect(words()).toEqual(named(130).slice(0, CARRIED))
  await more.click()
  await expect.poll(() => items().length).toBe(CARRIED + PAGE)
  await expect.element(more).toBeVisible()
  await more.click()
  await expect.poll(words).toEqual(named(130))
  await expect.element(more).not.toBeInTheDocument()
})

test('older comments come below what is read, and the focus goes to the first of the last page', async () => {
  discussed(110)
  await expect.element(more).toBeVisible()
  more.element().scrollIntoView({ block: 'end' })
  const last = items().at(-1) as HTMLElement
  const top = () => last.getBoundingClientRect().top
  const before = top()
  await more.click()
  await expect.poll(() => items().length).toBe(110)
  expect(Math.abs(top() - before)).toBeLessThan(2)
  await expect.poll(() => document.activeElement).toBe(items()[CARRIED])
})

test('a contact that carries all of its comments offers no older ones', async () => {
  discussed(CARRIED)
  await expect.element(heading(CARRIED)).toBeVisible()
  expect(more.elements()).toHaveLength(0)
})

test.each([
  ['The server is busy.', 'The server is busy.'],
  ['', 'Failed to load older comments'],
])('a page of older comments that fails says why (%j) and can be asked for again', async (message, shown) => {
  const { all } = discussed(110)
  network.on(`GET ${PATH}`, () => errorResponse(503, message))
  await more.click()
  await expect.element(section.getByRole('alert')).toHaveTextContent(shown)
  expect(items()).toHaveLength(CARRIED)
  network.on(`GET ${PATH}`, () => ({ body: { success: true, data: all.slice(CARRIED), commentsTotal: 110 } }))
  await more.click()
  await expect.poll(() => items().length).toBe(110)
  await expect.element(section.getByRole('alert')).not.toBeInTheDocument()
})

test('while a page is on its way a second click asks for nothing, and leaving aborts it', async () => {
  const app = discussed(130)
  const { wait, release } = deferred()
  network.on(`GET ${PATH}`, async () => {
    await wait
    return { body: { success: true, data: [], commentsTotal: 130 } }
  })
  await more.click()
  await expect.element(more).toHaveAttribute('aria-busy', 'true')
  await more.click()
  const asked = network.requests(PATH)
  expect(asked).toHaveLength(1)
  network.on('GET /api/contacts', () => errorResponse(503, 'The server is busy.'))
  void app.visit('/dashboard/contacts')
  await expect.poll(() => asked[0]?.signal.aborted).toBe(true)
  release()
})

test('a new comment stands first at once, and the older ones that were loaded stay', async () => {
  discussed(130)
  await more.click()
  await expect.poll(() => items().length).toBe(CARRIED + PAGE)
  await section.getByRole('textbox', { name: 'New comment' }).fill('News')
  await section.getByRole('button', { name: 'Add comment' }).click()
  await expect.element(heading(131)).toBeVisible()
  expect(words()).toEqual(['News', ...named(130).slice(0, CARRIED + PAGE)])
  await more.click()
  await expect.poll(words).toEqual(['News', ...named(130)])
})

test('a comment on an older page is edited and deleted like any other', async () => {
  discussed(130)
  await more.click()
  await expect.poll(() => items().length).toBe(CARRIED + PAGE)
  const item = section.getByRole('listitem').nth(110)
  await item.getByRole('button', { name: /^Edit the comment/ }).click()
  await section.getByRole('textbox', { name: 'Edit comment' }).fill(' Better words ')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => words()[110]).toBe('Better words')
  await expect.element(item).toHaveTextContent('· edited')
  await item.getByRole('button', { name: /^Delete the comment/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete comment' }).click()
  await expect.element(heading(129)).toBeVisible()
  expect(words()).toEqual(named(130).filter((_, index) => index < CARRIED + PAGE && index !== 110))
})

test('comments that others deleted meanwhile leave no button that leads nowhere', async () => {
  const { all, become } = discussed(130)
  await expect.element(more).toBeVisible()
  become(all.slice(0, CARRIED))
  await more.click()
  await expect.element(more).not.toBeInTheDocument()
  await expect.element(heading(CARRIED)).toBeVisible()
})
