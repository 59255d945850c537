import type { Agreement } from '~/core'
import { paths } from '~/lib/paths'
import { parametersOf } from '~/lib/query'
import { listLoader, recordLoader } from '~/records/loaders'
import type { RecordSource } from '~/records/useNeighbors'
import { type AgreementsQuery, agreementsAddress, readAgreementsQuery } from './query'

export const agreementSource: RecordSource<Agreement, AgreementsQuery> = {
  read: readAgreementsQuery,
  list: (core, query) =>
    core.listRecords('agreements', { ...parametersOf(query), limit: core.recordPageSize('agreements') }),
  address: agreementsAddress,
  idOf: agreement => agreement.agreement_id,
  pathOf: paths.agreement,
}

export const agreementsLoader = listLoader(agreementSource.read, agreementSource.list)

export const agreementLoader = recordLoader((core, id) => core.getRecord('agreements', id))
