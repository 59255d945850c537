import type { Counts, Kinds } from '~/core/import'
import type { Check } from './useCheck'

/** The counts to show: those of the last complete check. Before there is one, the progress of the running check. */
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
