import { join } from 'node:path'

/** Where the walk leaves what it saw, for the report. */
export const RESULTS = join(import.meta.dirname, '../test-results/audit')

/** One screen in one state in one window. */
export type Seen = {
  who: string
  state: string
  width: number
  /** Only measured: a window of a desk at 200 %. */
  isZoomed: boolean
  title: string
  shift: number
  /** What is wrong with it, a line each. */
  found: string[]
  /** Where it was photographed, in each scheme. */
  pictures: { light?: string; dark?: string }
}
