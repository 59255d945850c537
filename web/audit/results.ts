import { join } from 'node:path'

/** The folder of the screenshots and findings, which the report reads. */
export const RESULTS = join(import.meta.dirname, '../test-results/audit')

/** The folder of the pictures that the documentation shows. */
export const SCREENS = join(import.meta.dirname, '../../docs/screens')

/** The result for one screen in one state and one window size. */
export type StateResult = {
  who: string
  state: string
  width: number
  /** The window is a desktop window zoomed to 200 %, which is checked, but of which no screenshot is taken. */
  isZoomed: boolean
  title: string
  shift: number
  /** The problems found, such as accessibility violations, as texts. */
  findings: string[]
  /** The paths of the screenshots in the light and the dark colour scheme. */
  pictures: { light?: string; dark?: string }
}
