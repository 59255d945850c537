import { recordLoader } from '~/records/loaders'

export const corporationUsersLoader = recordLoader(async (core, id) => {
  const [corporation, users] = await Promise.all([
    core.getRecord('corporations', id),
    core.listCorporationUsers(id),
  ])
  return { corporation, users }
})
