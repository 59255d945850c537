import { t } from '@lingui/core/macro'
import { messageOf } from '~/core/problem'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Loading } from '~/ui/Skeleton'

/** A placeholder of `lines` lines that a card shows while its content is loading. */
export function CardLoading({ lines }: { lines: number }) {
  return (
    <Loading className="grid gap-3">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change.
        <span key={line} className="skeleton h-4 w-full max-w-sm" />
      ))}
    </Loading>
  )
}

/** A placeholder in place of a text in a line. `width` is a CSS class. */
export const TextLoading = ({ width }: { width: string }) => (
  <span aria-hidden className={cx('skeleton inline-block h-3 max-w-full align-middle', width)} />
)

type FailedProps = { error?: unknown; failed: string; onRetry: () => void }

/** The error that a card shows if its content failed to load, with a button to try again. */
export function CardFailed({ error, failed, onRetry }: FailedProps) {
  return (
    <div role="alert">
      <p className="text-danger">{messageOf(error, failed)}</p>
      <Button className="mt-3" onClick={onRetry}>
        {t`Try Again`}
      </Button>
    </div>
  )
}
