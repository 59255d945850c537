import type { Counts, Kinds } from '~/import/types'
import type { Check } from './useCheck'

/** What of a check is shown: the last whole one while another one runs, else as far as it is. */
export type Shown = { run: number; counts: Counts; kinds: Kinds; isOld: boolean }

export function shownOf({ state, progress, result }: Check): Shown | undefined {
  const source = result ?? progress
  return (
    source && {
      run: source.run,
      counts: source.counts,
      kinds: source.kinds,
      isOld: state !== 'done' && !!result,
    }
  )
}
