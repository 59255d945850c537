import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'

/** Shown in place of something that is loading. `children` are only visible; screen readers say "Loading". */
export const Loading = ({ className, children }: { className?: string; children: ReactNode }) => (
  <div role="status">
    <span className="sr-only">{t`Loading`}</span>
    <div aria-hidden className={className}>
      {children}
    </div>
  </div>
)

/** The placeholder of a list while it loads: rows of two lines, as high as those of a list on a phone. */
export function SkeletonRows({ rows }: { rows: number }) {
  return (
    <Loading className="divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
        <div key={row} className="grid h-16 content-center gap-2.5 px-4">
          <div className={`skeleton h-3.5 ${row % 3 === 0 ? 'w-2/3' : 'w-1/2'}`} />
          <div className="skeleton h-3 w-3/4" />
        </div>
      ))}
    </Loading>
  )
}
