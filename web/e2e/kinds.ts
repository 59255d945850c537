import { existsSync, readdirSync } from 'node:fs'

const features = new URL('../src/features/', import.meta.url)
const WITHOUT_PAGE = ['corporations', 'roles', 'users']

/** The kinds of records that have a list and a page of each record, by their names in paths. */
export const kinds = readdirSync(features).filter(
  name => existsSync(new URL(`${name}/kind.ts`, features)) && !WITHOUT_PAGE.includes(name),
)

/** Returns the name of the list of a kind of record, such as `Vehicles`. */
export const titleOf = (kind: string) => kind.charAt(0).toUpperCase() + kind.slice(1)
