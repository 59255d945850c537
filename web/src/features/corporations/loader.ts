import type { LoaderFunctionArgs } from 'react-router'
import { filterBy, parametersOf, readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

/**
 * The loader of the page with a corporation's users. Besides the users, the list contains the corporation and, if it
 * waits for approval, its contact, who needn't be among the users of the page.
 */
export const corporationUsersLoader = (args: LoaderFunctionArgs) =>
  listLoader(readQuery, async (core, query) => {
    const id = args.params.id ?? ''
    const limit = core.recordPageSize('users')
    const [corporation, users] = await Promise.all([
      core.getRecord('corporations', id),
      core.listCorporationUsers(id, { ...parametersOf(query), limit }),
    ])
    const { awaits_approval, corp_contact_email: email } = corporation
    const contactQuery = { page: 1, limit: 1, filter: filterBy('email', email) }
    const contact = awaits_approval && email ? await core.listCorporationUsers(id, contactQuery) : undefined
    return {
      ...users,
      totalPages: core.totalPages(users.totalItems, limit),
      corporation,
      contact: contact?.data[0],
    }
  })(args)
