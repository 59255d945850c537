import { readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

/** The loader of the roles page, which requests all roles. The page itself filters them by the search. */
export const rolesLoader = listLoader(readQuery, core => core.listRoles())
