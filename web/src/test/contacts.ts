import type { Comment, Contact, ContactSummary } from '~/core'
import { type ApiRequest, network } from './network'
import { paginate } from './records'

/** Returns the contact "Person `number`", with the changes `more`. */
export const contact = (number: number, more: Partial<Contact> = {}): Contact => ({
  _id: `id-${number}`,
  name: `Person ${number}`,
  email: `person${number}@nordbil.example`,
  phone: '',
  website: '',
  address: '',
  otherDetails: {},
  comments: [],
  commentsTotal: more.comments?.length ?? 0,
  createdAt: '2026-11-20T08:00:00Z',
  updatedAt: '2026-11-20T08:00:00Z',
  version: 1,
  ...more,
})

/** Returns a contact as lists contain it, without details and comments. */
export const summaryOf = ({ otherDetails, comments, commentsTotal, ...summary }: Contact): ContactSummary =>
  summary

/** Returns a comment by the signed-in user. A higher number is a later comment. */
export const comment = (number: number, more: Partial<Comment> = {}): Comment => {
  const createdAt = new Date(Date.UTC(2026, 10, 20, 8, number)).toISOString()
  return {
    _id: `comment-${number}`,
    userId: 'u1',
    userName: 'Ada Lind',
    comment: `Words ${number}`,
    createdAt,
    updatedAt: createdAt,
    ...more,
  }
}

/** Returns the response to a request for a page of a list of `total` contacts. */
export function pageOf(total: number, call: ApiRequest) {
  const all = Array.from({ length: total }, (_, i) => summaryOf(contact(i + 1)))
  const { data, totalPages } = paginate(all, call)
  const pagination = { currentPage: Number(call.query.get('page')), totalPages, totalContacts: total }
  return { body: { success: true, data, pagination } }
}

/** Makes the fake server respond with a list of `total` contacts. */
export const serveContactCount = (total: number) =>
  network.on('GET /api/contacts', call => pageOf(total, call))

/**
 * Makes the fake server respond with `server.contact`. For changes, a test adds handlers that set it and return
 * `answer()`.
 */
export function serveContact(more: Partial<Contact> = {}) {
  const server = { contact: contact(1, more) }
  const answer = () => ({ body: { success: true, data: server.contact } })
  network.on('GET /api/contacts/id-1', answer)
  return { server, answer }
}
