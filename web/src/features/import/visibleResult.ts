import type { Counts, Kinds } from '~/core/import'
import type { Check } from './useCheck'

/** The counts to show: the last complete result, also while another check runs; before the first result, the progress. */
export type VisibleResult = { run: number; counts: Counts; kinds: Kinds; isOld: boolean }

export function visibleResult({ state, progress, result }: Check): VisibleResult | undefined {
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
