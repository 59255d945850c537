import type { Agreement } from '~/core'
import { paths } from '~/lib/paths'
import { listAddress, parametersOf, readQuery } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'
import type { RecordSource } from '~/records/useNeighbors'

export const agreementSource: RecordSource<Agreement> = {
  read: readQuery,
  list: (core, query) =>
    core.listRecords('agreements', { ...parametersOf(query), limit: core.recordPageSize('agreements') }),
  address: query => listAddress(paths.agreements, query),
  idOf: agreement => agreement.agreement_id,
  pathOf: paths.agreement,
}

export const agreementsLoader = listLoader(agreementSource.read, agreementSource.list)

export const agreementLoader = recordLoader((core, id) => core.getRecord('agreements', id))
