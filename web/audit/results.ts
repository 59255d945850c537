import { join } from 'node:path'

/** The folder of the screenshots and findings, which the report reads. */
export const RESULTS = join(import.meta.dirname, '../test-results/audit')

/** One screen in one state and one window size. */
export type StateResult = {
  who: string
  state: string
  width: number
  /** A desktop window zoomed to 200 %, which is measured but not photographed. */
  isZoomed: boolean
  title: string
  shift: number
  /** The findings, one per line. */
  findings: string[]
  /** The paths of the screenshots. */
  pictures: { light?: string; dark?: string }
}
