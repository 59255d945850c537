import type { LoaderFunctionArgs } from 'react-router'
import { recordLoader, withConnection } from '~/records/loaders'

const loadUsers = recordLoader(async (core, id) => {
  const [corporation, users] = await Promise.all([
    core.getRecord('corporations', id),
    core.listCorporationUsers(id),
  ])
  return { corporation, users }
})

export const corporationUsersLoader = async (args: LoaderFunctionArgs) => ({
  promise: (await loadUsers(args)).promise.then(withConnection),
})
