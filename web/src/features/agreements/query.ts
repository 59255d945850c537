import { paths } from '~/lib/paths'
import { type ListQuery, listAddress, readQuery } from '~/lib/query'

/** The query of the list of agreements, as in the URL. */
export type AgreementsQuery = ListQuery & {
  /** The id of the vehicle whose agreements are shown; empty for all agreements. */
  vehicle_id: string
}

export const readAgreementsQuery = (params: URLSearchParams): AgreementsQuery => ({
  ...readQuery(params),
  vehicle_id: (params.get('vehicle_id') ?? '').trim(),
})

/** Returns the URL of the list of agreements for a query. */
export const agreementsAddress = ({ vehicle_id, ...query }: AgreementsQuery) =>
  listAddress(paths.agreements, query, { vehicle_id })
