import { t } from '@lingui/core/macro'
import { LoaderCircle } from 'lucide-react'
import { UNDO } from './command'
import { cx } from './cx'
import { KeyHint } from './Key'

type Props = { busy: boolean; onClick: () => void }

/** A toast's button that undoes the action that the toast reports. */
export function UndoButton({ busy, onClick }: Props) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      aria-keyshortcuts={UNDO.shortcut}
      onClick={onClick}
      className="relative inline-flex h-9 shrink-0 items-center justify-center rounded-lg px-2.5 font-medium text-accent-text hover:bg-subtle touch:h-touch touch:min-w-touch"
    >
      <span className={cx('inline-flex items-center gap-2', busy && 'opacity-0')}>
        {t`Undo`}
        <KeyHint keys={UNDO.label} className="text-muted" />
      </span>
      {busy && (
        <LoaderCircle aria-hidden className="absolute size-4.5 animate-spin motion-reduce:animate-none" />
      )}
    </button>
  )
}

/**
 * A bar at the lower edge of a toast that shrinks over `time` milliseconds, while Undo is offered. Pauses with the
 * toast.
 */
export function UndoBar({ time }: { time: number }) {
  return (
    <span
      aria-hidden
      className="countdown absolute inset-x-0 bottom-0 h-0.5 bg-accent group-data-expanded:[animation-play-state:paused] motion-reduce:hidden"
      style={{ animationDuration: `${time}ms` }}
    />
  )
}
