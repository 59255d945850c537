import { t } from '@lingui/core/macro'

/** The placeholder of a history that is loading, as high as a day with two entries. */
export function HistoryLoading() {
  return (
    <div role="status">
      <span className="sr-only">{t`Loading`}</span>
      <div aria-hidden className="grid gap-4">
        <div className="skeleton h-3 w-16" />
        {['w-56', 'w-48'].map(width => (
          <div key={width} className="flex gap-3">
            <div className="skeleton size-8 shrink-0 rounded-full" />
            <div className="min-w-0 flex-1">
              <div className="flex h-8 items-center">
                <div className={`skeleton h-3.5 max-w-full ${width}`} />
              </div>
              <div className="skeleton mt-1 h-16 rounded-lg" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
