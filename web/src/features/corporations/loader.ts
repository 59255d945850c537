import { parametersOf, readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'

export const corporationsLoader = listLoader(readQuery, (core, query) =>
  core.listRecords('corporations', { ...parametersOf(query), limit: core.recordPageSize('corporations') }),
)

export const corporationUsersLoader = recordLoader(async (core, id) => {
  const [corporation, users] = await Promise.all([
    core.getRecord('corporations', id),
    core.listCorporationUsers(id),
  ])
  return { corporation, users }
})
