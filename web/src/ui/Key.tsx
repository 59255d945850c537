import type { ReactNode } from 'react'
import { cx } from './cx'

/** A key of the keyboard. */
export function Key({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={cx(
        'inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded border border-current/35 px-1 font-sans text-xs leading-none font-medium',
        className,
      )}
    >
      {children}
    </kbd>
  )
}

/** A key beside what it does, where there is likely to be a keyboard. It is silent: `aria-keyshortcuts` says it. */
export function KeyHint({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <span aria-hidden className={cx('inline-flex max-md:hidden touch:hidden', className)}>
      <Key>{children}</Key>
    </span>
  )
}
