import { Loading } from '~/ui/Skeleton'

const WIDTHS = ['w-56', 'w-48']

/** The placeholder of a history that is loading, as high as a day with this number of entries. */
export function HistoryLoading({ entries = 2 }: { entries?: number }) {
  return (
    <Loading className="grid gap-4">
      <div className="skeleton h-3 w-16" />
      {Array.from({ length: entries }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all entries are alike
        <div key={index} className="flex gap-3">
          <div className="skeleton size-8 shrink-0 rounded-full" />
          <div className="min-w-0 flex-1">
            <div className="flex h-8 items-center">
              <div className={`skeleton h-3.5 max-w-full ${WIDTHS[index % 2]}`} />
            </div>
            <div className="skeleton mt-1 h-16 rounded-lg" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
