import type { LoaderFunctionArgs } from 'react-router'
import { loadCore } from '~/core'
import { settle } from '~/lib/load'
import { filterBy, parametersOf, readQuery } from '~/lib/query'
import { listLoader, withConnection } from '~/records/loaders'

/**
 * The loader of the page with a corporation's users. Besides the list, it requests the corporation and, if that waits
 * for approval, its contact, who needn't be among the users of the page.
 */
export async function corporationUsersLoader(args: LoaderFunctionArgs) {
  const id = args.params.id ?? ''
  const core = await loadCore()
  const corporation = core.getRecord('corporations', id)
  const requestDetails = async () => {
    const { awaits_approval, corp_contact_email: email } = await corporation
    const query = { page: 1, limit: 1, filter: filterBy('email', email) }
    const find = async () => (await core.listCorporationUsers(id, query)).data[0]
    const contact = awaits_approval && email ? await settle(find()) : undefined
    return { corporation: await corporation, contact }
  }
  const details = settle(requestDetails()).then(withConnection)
  const list = await listLoader(readQuery, async (core, query) => {
    const limit = core.recordPageSize('users')
    const users = core.listCorporationUsers(id, { ...parametersOf(query), limit })
    // If the corporation can't be loaded, the list shows the error.
    const [page] = await Promise.all([users, corporation])
    return { ...page, totalPages: core.totalPages(page.totalItems, limit) }
  })(args)
  return { list, details }
}
