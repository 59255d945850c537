import { type CorporationResource, core } from '~/core'
import type { Outcome } from '~/lib/load'

/** What corporations may use, asked by their dialog. */
export const askResources = () => core.listCorporationResources()

/** What these are called, in a row. */
export function resourceTitles(known: Outcome<CorporationResource[]> | undefined, ids: string[]): string {
  const titles = new Map(
    known?.ok ? known.value.map(({ resource_id, title }) => [resource_id, title] as const) : [],
  )
  return ids.map(id => titles.get(id) ?? id).join(', ')
}
