import { readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

export const usersLoader = listLoader(readQuery, (core, query) =>
  core.listUsers({ ...query, limit: core.usersPageSize() }),
)
