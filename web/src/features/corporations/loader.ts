import { parametersOf, readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'

export const corporationsLoader = listLoader(readQuery, (core, query) =>
  core.listCorporations({ ...parametersOf(query), limit: core.corporationsPageSize() }),
)

export const corporationUsersLoader = recordLoader(async (core, id) => {
  const [corporation, users] = await Promise.all([core.getCorporation(id), core.listCorporationUsers(id)])
  return { corporation, users }
})
