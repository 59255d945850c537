import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { core } from '~/core'
import { filterBy } from '~/lib/query'
import { vehicleStatusNames } from '~/lib/words'
import { type Existing, ExistingNotice } from '~/records/ExistingNotice'
import { kind } from './kind'

/** How many vehicles are shown for the registration number and for the VIN. */
const SHOWN = 3

const sentences = {
  registration_number: (name: string, status: string) =>
    t`${name} (${status}) has the same registration number.`,
  vin: (name: string, status: string) => t`${name} (${status}) has the same VIN.`,
}

type Props = {
  registration_number: string
  vin: string
  /** The id of the vehicle that the form edits. */
  except: string | undefined
  createdBefore: number | undefined
}

/**
 * Lists vehicles that have the registration number or the VIN in the form, while the user types. Only one in stock prevents
 * saving; a sold one may have come back.
 */
export function SameNumberNotice({ except, createdBefore, ...values }: Props) {
  const find = useCallback(
    async (filled: Record<string, string>, signal: AbortSignal): Promise<Existing[]> => {
      const searches = (['registration_number', 'vin'] as const).map(async field => {
        const value = filled[field]
        if (!value) return []
        const query = { page: 1, limit: SHOWN, filter: filterBy(field, value) }
        const { data } = await core.listRecords('vehicles', query, signal)
        return data.map(({ vehicle_id: id, name, status, created_at: createdAt }) => {
          const sentence = sentences[field](name, vehicleStatusNames[status])
          return { id, name, path: kind.pathOf(id), sentence, createdAt }
        })
      })
      const found = (await Promise.all(searches)).flat()
      // A vehicle with both is shown once.
      return found.filter(({ id }, at) => id !== except && found.findIndex(one => one.id === id) === at)
    },
    [except],
  )
  return <ExistingNotice values={values} find={find} createdBefore={createdBefore} />
}
