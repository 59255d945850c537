import { readQuery } from '~/lib/query'
import { listLoader } from '~/records/loaders'

/** Loads all roles. The page filters them. */
export const rolesLoader = listLoader(readQuery, core => core.listRoles())
