import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cx } from './cx'

export type ButtonKind = 'primary' | 'secondary' | 'ghost' | 'danger'

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-fill text-on-fill hover:bg-fill-hover',
  secondary: 'border border-line bg-card text-ink hover:bg-subtle',
  ghost: 'text-muted hover:bg-subtle hover:text-ink',
  danger: 'border border-line bg-card text-danger hover:bg-danger-soft',
}

/** Returns the CSS classes of a button, also for links that look like buttons. */
export function buttonClass(kind: ButtonKind = 'secondary', className?: string): string {
  return cx(
    'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-lg px-4 text-sm font-medium transition-colors select-none md:h-10 md:whitespace-nowrap md:touch:h-touch forced-colors:border print:hidden',
    // On a phone as wide as its text, but never wider than its container: then the text wraps.
    'max-md:h-fit max-md:min-h-touch max-md:max-w-full max-md:min-w-fit max-md:wrap-break-word max-md:text-center max-md:hyphens-auto',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    kinds[kind],
    className,
  )
}

type Props = ComponentProps<'button'> & {
  kind?: ButtonKind
  /** The button's action is running: the button shows a spinner, keeps its width, and ignores clicks. */
  busy?: boolean
  /** Disabled but focusable (`aria-disabled`), so that keyboard users can find it and read why. */
  ariaDisabled?: boolean
}

/** A button. Its default `type` is "button", so it doesn't submit a form. */
export function Button({
  kind,
  busy = false,
  ariaDisabled = false,
  className,
  children,
  onClick,
  type,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      aria-disabled={ariaDisabled || undefined}
      aria-busy={busy || undefined}
      className={buttonClass(kind, className)}
      onClick={event => {
        if (busy || ariaDisabled) event.preventDefault()
        else onClick?.(event)
      }}
    >
      <span className={cx('inline-flex items-center gap-2', busy && 'opacity-0')}>{children}</span>
      {busy && (
        <LoaderCircle aria-hidden className="absolute size-4.5 animate-spin motion-reduce:animate-none" />
      )}
    </button>
  )
}
