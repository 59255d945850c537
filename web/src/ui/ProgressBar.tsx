import { Progress } from '@base-ui/react/progress'
import { cx } from './cx'

type Props = {
  label: string
  /** Progress out of `max`; null while unknown. */
  value: number | null
  max: number
  /** The progress in words, shown and announced, such as "84,120 of 100,000 rows checked". */
  text: string
  done?: boolean
}

export function ProgressBar({ label, value, max, text, done }: Props) {
  return (
    <Progress.Root value={value} max={Math.max(max, 1)} getAriaValueText={() => text} className="grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Progress.Label className="font-medium">{label}</Progress.Label>
        <span className="text-muted tabular-nums">{text}</span>
      </div>
      <Progress.Track className="h-2 overflow-hidden rounded-full bg-subtle forced-colors:border">
        <Progress.Indicator
          className={cx(
            'meter h-full rounded-full transition-[width] duration-200',
            done ? 'bg-success' : 'bg-fill',
            'data-indeterminate:w-1/3 data-indeterminate:animate-pulse',
          )}
        />
      </Progress.Track>
    </Progress.Root>
  )
}
