import { parametersOf, readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

export const usersLoader = listLoader(readQuery, (core, query) =>
  core.listRecords('users', { ...parametersOf(query), limit: core.recordPageSize('users') }),
)
