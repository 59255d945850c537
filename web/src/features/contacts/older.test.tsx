import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Comment, CommentInput } from '~/core'
import { comment, serveContact } from '~/test/contacts'
import { delayResponse, errorMessages, errorResponse, network } from '~/test/network'
import { open, signInUser } from '~/test/open'

const PATH = '/api/contacts/id-1/comments'
/** Number of comments that a contact contains, and number of comments per request of older ones. */
const [INCLUDED, PAGE] = [100, 25]

/** Opens a contact with `count` comments. The fake server returns older comments in pages. */
function openContact(count: number) {
  signInUser()
  const all = Array.from({ length: count }, (_, number) => comment(count - number))
  const { server, answer } = serveContact()
  const setComments = (comments: Comment[]) => {
    all.splice(0, all.length, ...comments)
    server.contact = {
      ...server.contact,
      comments: comments.slice(0, INCLUDED),
      commentsTotal: comments.length,
    }
    return answer()
  }
  setComments([...all])
  network.on(`GET ${PATH}`, ({ query }) => {
    const from = all.findIndex(({ _id }) => _id === query.get('before')) + 1
    return { body: { success: true, data: all.slice(from, from + PAGE), commentsTotal: all.length } }
  })
  network.on(`POST ${PATH}`, ({ body }) =>
    setComments([comment(all.length + 1, body as CommentInput), ...all]),
  )
  for (const { _id } of all) {
    network.on(`PUT ${PATH}/${_id}`, ({ body }) =>
      setComments(all.map(one => (one._id === _id ? { ...one, ...(body as CommentInput) } : one))),
    )
    network.on(`DELETE ${PATH}/${_id}`, () => setComments(all.filter(one => one._id !== _id)))
  }
  return { ...open('/dashboard/contacts/id-1'), all, setComments }
}

const section = page.getByRole('region', { name: 'Comments' })
const more = section.getByRole('button', { name: 'Show older comments' })
const items = () => section.getByRole('listitem').elements()
const texts = () => items().map(item => item.querySelector('.whitespace-pre-line')?.textContent)
const heading = (count: number) => section.getByRole('heading', { name: `Comments ${count}` })
const textsOf = (count: number) => Array.from({ length: count }, (_, number) => `Words ${count - number}`)

test('older comments are loaded page by page', async () => {
  openContact(130)
  await expect.element(heading(130)).toBeVisible()
  expect(texts()).toEqual(textsOf(130).slice(0, INCLUDED))
  await more.click()
  await expect.poll(() => items().length).toBe(INCLUDED + PAGE)
  await expect.element(more).toBeVisible()
  await more.click()
  await expect.poll(texts).toEqual(textsOf(130))
  await expect.element(more).not.toBeInTheDocument()
})

test('after the last page its first comment has the focus', async () => {
  openContact(110)
  await expect.element(more).toBeVisible()
  more.element().scrollIntoView({ block: 'end' })
  const last = items().at(-1) as HTMLElement
  const top = () => last.getBoundingClientRect().top
  const before = top()
  await more.click()
  await expect.poll(() => items().length).toBe(110)
  expect(Math.abs(top() - before)).toBeLessThan(2)
  await expect.poll(() => document.activeElement).toBe(items()[INCLUDED])
})

test('without older comments there is no button to load them', async () => {
  openContact(INCLUDED)
  await expect.element(heading(INCLUDED)).toBeVisible()
  expect(more.elements()).toHaveLength(0)
})

test.each(errorMessages('Failed to load older comments'))(
  'a failed request shows why (%j) and can be retried',
  async (message, shown) => {
    const { all } = openContact(110)
    network.on(`GET ${PATH}`, () => errorResponse(503, message))
    await more.click()
    await expect.element(section.getByRole('alert')).toHaveTextContent(shown)
    expect(items()).toHaveLength(INCLUDED)
    network.on(`GET ${PATH}`, () => ({
      body: { success: true, data: all.slice(INCLUDED), commentsTotal: 110 },
    }))
    await more.click()
    await expect.poll(() => items().length).toBe(110)
    await expect.element(section.getByRole('alert')).not.toBeInTheDocument()
  },
)

test('a second click is ignored, and leaving aborts the request', async () => {
  const app = openContact(130)
  const release = delayResponse(`GET ${PATH}`, () => ({
    body: { success: true, data: [], commentsTotal: 130 },
  }))
  await more.click()
  await expect.element(more).toHaveAttribute('aria-busy', 'true')
  await more.click()
  const requests = network.requests(PATH)
  expect(requests).toHaveLength(1)
  network.on('GET /api/contacts', () => errorResponse(503, 'The server is busy.'))
  void app.visit('/dashboard/contacts')
  await expect.poll(() => requests[0]?.signal.aborted).toBe(true)
  release()
})

test('a new comment is shown first, and loaded older ones stay', async () => {
  openContact(130)
  await more.click()
  await expect.poll(() => items().length).toBe(INCLUDED + PAGE)
  await section.getByRole('textbox', { name: 'New comment' }).fill('News')
  await section.getByRole('button', { name: 'Add comment' }).click()
  await expect.element(heading(131)).toBeVisible()
  expect(texts()).toEqual(['News', ...textsOf(130).slice(0, INCLUDED + PAGE)])
  await more.click()
  await expect.poll(texts).toEqual(['News', ...textsOf(130)])
})

test('an older comment can be edited and deleted', async () => {
  openContact(130)
  await more.click()
  await expect.poll(() => items().length).toBe(INCLUDED + PAGE)
  const item = section.getByRole('listitem').nth(110)
  await item.getByRole('button', { name: /^Edit the comment/ }).click()
  await section.getByRole('textbox', { name: 'Edit comment' }).fill(' Better words ')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => texts()[110]).toBe('Better words')
  await expect.element(item).toHaveTextContent('· edited')
  await item.getByRole('button', { name: /^Delete the comment/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete comment' }).click()
  await expect.element(heading(129)).toBeVisible()
  expect(texts()).toEqual(textsOf(130).filter((_, index) => index < INCLUDED + PAGE && index !== 110))
})

test('the button disappears if older comments were deleted meanwhile', async () => {
  const { all, setComments } = openContact(130)
  await expect.element(more).toBeVisible()
  setComments(all.slice(0, INCLUDED))
  await more.click()
  await expect.element(more).not.toBeInTheDocument()
  await expect.element(heading(INCLUDED)).toBeVisible()
})
