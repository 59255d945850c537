import { t } from '@lingui/core/macro'
import { TriangleAlert } from 'lucide-react'
import { isGone, messageOf } from '~/core/problem'
import { RetryButton } from '~/ui/RetryButton'
import { Loading } from '~/ui/Skeleton'
import { State } from '~/ui/State'

/** Shown in place of the form's fields while the corporation is loading. */
export function DetailsSkeleton() {
  return (
    <Loading className="grid gap-x-4 gap-y-6 py-2 md:grid-cols-2">
      {[1, 2, 3, 4, 5, 6, 7, 8].map(field => (
        <div key={field} className="grid gap-2">
          <div className="skeleton h-3.5 w-1/3" />
          <div className="skeleton h-10" />
        </div>
      ))}
    </Loading>
  )
}

/** Shown in place of the form's fields if the corporation failed to load. */
export function DetailsFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <State
      urgent
      icon={<TriangleAlert className="size-6" />}
      title={t`Error fetching corporation details`}
      action={!isGone(error) && <RetryButton onClick={onRetry} />}
    >
      {messageOf(error, t`Failed to fetch corporation details`)}
    </State>
  )
}
