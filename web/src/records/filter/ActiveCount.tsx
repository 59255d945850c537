import { t } from '@lingui/core/macro'

/** The number of active filters, shown in the button that opens the filters. */
export function ActiveCount({ count }: { count: number }) {
  return (
    <span className="flex size-5 items-center justify-center rounded-full bg-fill text-xs text-on-fill tabular-nums">
      {count}
      <span className="sr-only"> {t`active`}</span>
    </span>
  )
}
