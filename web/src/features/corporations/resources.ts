import { type CorporationResource, core } from '~/core'
import type { Outcome } from '~/lib/load'

/** Requests the resources that corporations can be allowed to use. */
export const listResources = () => core.listCorporationResources()

/** Returns the titles of resources, separated by commas. */
export function resourceTitles(resources: Outcome<CorporationResource[]> | undefined, ids: string[]): string {
  const known = resources?.ok ? resources.value : []
  return ids.map(id => known.find(({ resource_id }) => resource_id === id)?.title ?? id).join(', ')
}
